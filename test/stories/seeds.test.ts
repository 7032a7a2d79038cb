import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {runStory} from '../../src/harness/scenario/stories/run-story.ts';
import {tether} from '../cli/tether.ts';
import {registry, storyNamed} from './registry.ts';

// A thousand seeds take a while: they run in parts and on several cores, and must come to what one run comes to.

function stories(...argv: string[]) {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const {code, out, err} = tether(['stories', ...argv], cwd);
  // How long it took is nobody's verdict.
  return {status: code, table: out.replaceAll(/\(?[\d.]+ s\)?$/gm, ''), complaints: err};
}

test('two workers print the table that one prints', () => {
  const args = ['--story', 'in-flight', '--crossplane', 'main', '--crossplane', '1.20', '--seeds', '2', '--from', '5'];
  const [one, two] = [stories(...args), stories(...args, '--workers', '2')];
  expect(two).toEqual(one);
  expect(one.status).toBe(0);
  expect(one.table).toContain('HAPPENED in all 2 seeds');
  expect(one.table).toContain('every seed comes to the same verdict in 4 of 4 rows');
});

test('what a worker cannot read is said once, as without workers', () => {
  const {status, complaints} = stories('--story', 'in-flight', '--workers', 'many');
  expect({status, complaints}).toEqual({
    status: 2,
    complaints: '--workers must be a whole number above 0, got "many"\n',
  });
});

test('seeds go on where the last run stopped, and one that differs is named', async () => {
  const scenario = readScenario(fileURLToPath(new URL('seeds/order-of-a-map.yaml', import.meta.url)), registry);
  const {bug, variants} = scenario;
  const [variant] = variants;
  if (bug === undefined || variant === undefined) throw new Error('the story has a bug and a variant');
  const story = {...scenario, bug, path: ''};
  const options = {crossplane: '1.20', variant, builtins: registry} as const;
  const whole = await runStory(story, {...options, from: 1, seeds: 16});
  const parts = [
    await runStory(story, {...options, from: 1, seeds: 8}),
    await runStory(story, {...options, from: 9, seeds: 8}),
  ];
  expect(whole.problems).toEqual([]);
  expect(whole.happened).toBe(parts.reduce((sum, {happened}) => sum + happened, 0));
  expect(whole.differing).toHaveLength(Math.min(whole.happened, 16 - whole.happened));
  expect(whole.differing).not.toEqual([]);
});

test('a reconcile that has not seen the operator write another name does not put the old one over it', async () => {
  // With this seed the reconcile that the write itself wakes reads the cache before it hears of the write.
  const story = storyNamed('lost-external-name');
  const variant = story.variants.find(({without}) => without.length === 0);
  if (variant === undefined) throw new Error('a story has a variant with function-tether');
  const told = await runStory(story, {crossplane: 'main', variant, builtins: registry, from: 9, seeds: 1});
  expect(told.problems).toEqual([]);
});
