import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

// A loaded control plane, asked for in a scenario and on the command line: watch events are late, so the circuit breaker opens.

const story = resolve('examples/handover/loaded.yaml');
const text = readFileSync(story, 'utf8')
  .replace('- platform.yaml', `- ${resolve('examples/handover/platform.yaml')}`)
  .replace('- ../explore/definition.yaml', `- ${resolve('examples/explore/definition.yaml')}`);
const unloaded = text.replace('loaded: true\n', '');
const {fixtures, steps} = parse(text);
const folder = emptyFolder();
folder.write('unloaded.yaml', unloaded);

/** The Composition with two more resources like its first. */
function withMore(composition: Composition): Composition {
  const [first, tethered] = composition.spec.pipeline;
  const {resources} = first.input;
  const more = ['c', 'd'].map((name) => ({...resources[0], name}));
  const input = {...first.input, resources: [...resources, ...more]};
  const words = JSON.stringify(tethered).replace('["a","b"]', '["a","b","c","d"]');
  return {...composition, spec: {...composition.spec, pipeline: [{...first, input}, JSON.parse(words)]}};
}

interface Composition {
  readonly spec: {readonly pipeline: readonly [Step, Step]};
}

interface Step {
  readonly input: {readonly resources: readonly {readonly name: string}[]};
}

const main = ['--crossplane', 'main'];
const open = /WatchCircuitOpen/;

test('a move of two resources opens the circuit of a loaded control plane, and of no other', () => {
  expect(tether(['test', story, ...main])).toMatchObject({code: 0});
  const prompt = tether(['test', 'unloaded.yaml', ...main], folder.path);
  expect(prompt).toMatchObject({code: 3});
  expect(prompt.out).toMatch(/both move to another kind: App "shop": expected Responsive=False/);
  expect(tether(['test', 'unloaded.yaml', ...main, '--loaded'], folder.path)).toMatchObject({code: 0});
});

test('a search of a loaded control plane finds the circuit open, and its path is taken again with --loaded', () => {
  const [asked, moved] = steps;
  const property = {
    name: 'the circuit stays closed',
    holds:
      "!objects.exists(o, has(o.status) && has(o.status.conditions) && o.status.conditions.exists(c, c.reason == 'WatchCircuitOpen'))",
  };
  const searched = {...parse(unloaded), steps: [asked, moved], explore: {moves: 'in-order', always: [property]}};
  folder.write('searched.yaml', searched);
  expect(tether(['explore', 'searched.yaml', ...main], folder.path)).toMatchObject({code: 0});
  const found = tether(['explore', 'searched.yaml', ...main, '--loaded'], folder.path);
  expect(found).toMatchObject({code: 3});
  const again = /^tether (replay .* --loaded)$/m.exec(found.out)?.[1] ?? '';
  const replayed = tether(again.split(' '), folder.path);
  expect(replayed).toMatchObject({code: 0});
  expect(replayed.out).toMatch(open);
});

test('a rehearsal of a move of four resources on a loaded control plane opens the circuit of a seed', () => {
  folder.write('source/app.yaml', withMore(fixtures[2]), steps[0].apply);
  for (const name of fixtures.slice(0, 2)) {
    folder.write(`source/${name.replaceAll('/', '-')}`, readFileSync(name, 'utf8'));
  }
  folder.write('moved.yaml', withMore(steps[1].apply));
  const rehearsed = (...more: readonly string[]) => {
    const places = ['--function', 'function-static=function-static'];
    return tether(['rehearse', 'source', '--apply', 'moved.yaml', '--timeline', ...places, ...more], folder.path);
  };
  // The seed draws which events are late, and a move may come through without.
  const seeds = ['1', '2', '3', '4', '5', '6'];
  const onSeed = (seed: string, ...more: readonly string[]) => rehearsed('--seed', seed, ...more);
  const opens = seeds.filter((seed) => open.test(onSeed(seed, '--loaded').out));
  expect(opens).not.toEqual([]);
  expect(seeds.filter((seed) => open.test(onSeed(seed).out))).toEqual([]);
  expect(onSeed(seeds[0] as string, '--loaded')).toEqual(onSeed(seeds[0] as string, '--loaded'));
});

test('random stories run on a loaded control plane, where calls take time', () => {
  const told = (...more: readonly string[]) => tether(['never-worse', '--story', '3', ...main, ...more]).out;
  const loaded = told('--loaded');
  expect(told('--loaded')).toBe(loaded);
  expect(loaded).not.toBe(told());
});
