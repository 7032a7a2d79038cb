import {expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import {exploreTwins} from '../../../src/harness/twin/explore-twins.ts';
import {changing} from '../../harmful-functions/answer.ts';
import {asked, composed, honest, resource, story} from './small-stories.ts';

// Where nothing is composed without the function, its provider has nothing to die of there.

test('a provider that a fault kills in the middle of a create harms nobody, though without the function it has nothing to do', () => {
  const tether = (request: Uint8Array) => ({ok: true, response: runFunction(request)}) as const;
  const functions = {...builtins, 'function-tether': tether};
  const file = new URL('../../../examples/explore/tethered-templates.yaml', import.meta.url).pathname;
  const setting = {crossplane: 'main' as const, twin: ['function-tether'], functions};
  const {stories, worse} = exploreTwins(readScenario(file, functions), setting, 'provider-restart');
  expect(stories).toBeGreaterThan(20);
  expect(worse.map(({story, verdicts}) => `${story.name}: ${verdicts.map(({text}) => text).join()}`)).toEqual([]);
});

test('a function that never rests is worse in every story of a unit, as it is in one story', () => {
  const restless = changing(honest, ({xr, answer}) => {
    const message = `as of ${xr.metadata.resourceVersion}`;
    answer.conditions.push({type: 'Seen', status: 'True', reason: 'Seen', message});
  });
  const setting = {
    crossplane: 'main' as const,
    twin: ['function-tether'],
    functions: {...builtins, 'function-tether': restless},
  };
  const {stories, worse} = exploreTwins(story(composed([resource('a')]), asked), setting, 'nothing');
  expect(stories).toBe(1);
  expect(worse.flatMap(({verdicts}) => verdicts.map(({grade}) => grade))).toContain('restless');
});
