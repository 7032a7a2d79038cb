import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {FunctionReply} from '../../../src/cluster/kernel/call.ts';
import {builtins, type InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {passThrough} from '../../../src/harness/functions/passing.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import type {Scenario, Step} from '../../../src/harness/scenario/scenario.ts';
import {xrsIn} from '../../../src/harness/twin/ending.ts';
import {lastRest} from '../../../src/harness/twin/judge.ts';
import {storyText} from '../../../src/harness/twin/story-file.ts';
import {openSide, openTwins, runTwins, type TwinResult} from '../../../src/harness/twin/twin.ts';
import {drawStory} from '../../../src/harness/worlds/generate.ts';
import {shrinkStory} from '../../../src/harness/worlds/shrink-story.ts';
import {twinsWith} from './opened.ts';

// The oracle is shown functions that do harm, and one that does none.

const seed = 1n;

/** Plain harm shows in whichever turn the story takes: a few of them will do. */
function twinned(run: InProcessFunction, story: Scenario): TwinResult {
  return runTwins(twinsWith(run, story, 'main'), story);
}

function kinds({violations}: TwinResult): readonly string[] {
  return [...new Set(violations.map(({grade}) => grade))].sort();
}

/** The first two steps of a story: everything is set up, and two XRs are asked for. */
function calm(number: number): Scenario {
  const story = drawStory(seed, number, 'main');
  return {...story, steps: story.steps.slice(0, 2)};
}

test('a story is the same however often it is drawn, and run', () => {
  const [one, other] = [drawStory(seed, 5, '2.3'), drawStory(seed, 5, '2.3')];
  expect(one).toEqual(other);
  const functions = {...builtins, 'function-tether': passThrough};
  const setting = {crossplane: 'main' as const, twin: ['function-tether'], functions};
  const steps = [one, other].map((story) => runTwins(openTwins(story, setting), story).with.steps);
  expect(steps[0]).toBe(steps[1]);
});

test('a story shrinks to the steps that it takes', () => {
  const fails = (): FunctionReply => ({ok: false, message: 'no'});
  const drawn = drawStory(seed, 0, 'main');
  const story = {...drawn, steps: drawn.steps.slice(0, 4)};
  const tried = (one: Scenario) => {
    const result = twinned(fails, one);
    return {isBad: kinds(result).includes('stuck'), steps: result.steps};
  };
  const small = shrinkStory(story, tried);
  expect(shrinkStory(story, tried, 0)).toBe(story);
  expect(small.steps.length).toBeLessThanOrEqual(2);
  expect(JSON.stringify(small.steps).length).toBeLessThan(JSON.stringify(story.steps).length / 2);
});

test('a process that stops in a shrunk story also starts again', () => {
  const process = (change: 'start' | 'stop'): Step => ({
    name: change,
    place: '',
    action: {kind: 'process', change, process: 'provider'},
    expect: [],
  });
  const look: Step = {
    name: 'look',
    place: '',
    action: {kind: 'process', change: 'restart', process: 'crossplane'},
    expect: [],
  };
  const changes = ({steps}: Scenario) => steps.map(({name}) => name);
  const shrunkTo = (needed: string) =>
    changes(
      shrinkStory({...calm(0), steps: [process('stop'), look, process('start')]}, (one) => ({
        isBad: changes(one).includes(needed),
        steps: 1,
      })),
    );
  expect(shrunkTo('look')).toEqual(['look']);
  expect(shrunkTo('stop')).toEqual(['stop', 'start']);
  expect(shrunkTo('start')).toEqual(['stop', 'start']);
});

test('between two steps that come at rest time passes, so that they are no burst of one moment', () => {
  const {steps, ...story} = calm(0);
  const label = (value: string): Step => ({
    name: value,
    place: '',
    action: {kind: 'patch', type: 'merge', target: {kind: 'App'}, status: false, body: {metadata: {labels: {value}}}},
    expect: [],
  });
  const scenario = {...story, steps: [...steps, label('one'), label('two'), label('three')]};
  const setting = {crossplane: 'main' as const, twin: [], functions: {...builtins, 'function-tether': passThrough}};
  const times: number[] = [];
  openSide(scenario, setting, 'with').alone(scenario, {seed: 1, onStep: (atMs) => times.push(atMs)});
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] as number));
  expect(gaps).toHaveLength(4);
  expect(Math.min(...gaps)).toBeGreaterThan(15_000);
});

test('a restore that is the last step brings back what was lost', () => {
  const {steps, ...story} = calm(0);
  const by = (name: string, action: NonNullable<Step['action']>): Step => ({name, place: '', action, expect: []});
  const scenario = {
    ...story,
    steps: [
      ...steps,
      by('back up', {kind: 'backup', tool: 'velero', kinds: []}),
      by('everything is lost', {kind: 'wipe', kinds: []}),
      by('restore', {kind: 'restore', options: {}}),
    ],
  };
  const before = lastRest(twinned(passThrough, {...story, steps}).with).ending;
  const after = lastRest(twinned(passThrough, scenario).with).ending;
  expect(xrsIn(before).length).toBeGreaterThan(1);
  expect([...xrsIn(after).map(({made}) => made.place)].sort()).toEqual(
    [...xrsIn(before).map(({made}) => made.place)].sort(),
  );
});

test('a saved story is the drawn one when it is read, with its provider', () => {
  const story = drawStory(7n, 0, 'main');
  const file = join(mkdtempSync(join(tmpdir(), 'story-')), 'story.yaml');
  writeFileSync(file, storyText(story, [], ['function-tether']));
  const {provider, steps, fixtures} = readScenario(file, {...builtins, 'function-tether': passThrough});
  expect(provider).toEqual(story.provider);
  expect(fixtures).toEqual(story.fixtures);
  expect(steps.map(({name}) => name)).toEqual(story.steps.map(({name}) => name));
});
