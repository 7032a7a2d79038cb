import {expect, test} from 'vitest';
import {fingerprint} from '../../../src/cluster/kernel/fingerprint.ts';
import type {TraceEntry} from '../../../src/cluster/kernel/world.ts';
import {runFunction} from '../../../src/function/run.ts';
import {objectsIn} from '../../../src/harness/explore/evidence.ts';
import {answeringOnce} from '../../../src/harness/functions/answer-once.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../../src/harness/functions/memory-key.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import type {Scenario} from '../../../src/harness/scenario/scenario.ts';
import {openSide, openTwins, type TwinRun} from '../../../src/harness/twin/twin.ts';
import {drawStory} from '../../../src/harness/worlds/generate.ts';
import {remembering} from '../../harmful-functions/search.ts';

const options = {memoryKeys: [harnessMemoryKey]};
const tether = answeringOnce((request) => ({ok: true, response: runFunction(request, options)}));
const setting = {
  crossplane: 'main' as const,
  twin: ['function-tether'],
  functions: {...builtins, 'function-tether': tether},
};
const stories = Array.from({length: 100}, (_, number) => drawStory(6n, number, 'main'));
const twins = openTwins(stories[0] as Scenario, setting);

function alone(story: Scenario): TwinRun {
  return twins.with.alone(story, {seed: story.seed});
}

test('a restore that is the last step of a story is done to its end', () => {
  const restores = stories.filter(({steps}) => {
    const isLost = steps.at(-2)?.action?.kind === 'wipe' && steps.at(-1)?.action?.kind === 'restore';
    return isLost && steps.some(({name}) => /back up with (velero|gitops)/.test(name));
  });
  expect(restores.length).toBeGreaterThan(0);
  for (const story of restores) {
    const {world, restless} = alone(story);
    expect([story.name, restless]).toEqual([story.name, undefined]);
    expect([story.name, objectsIn(world).some(({metadata}) => metadata.name === 'shop')]).toEqual([story.name, true]);
  }
});

test('a story that shares its beginning with others ends as it does alone', () => {
  const some = stories.filter(({steps}) => steps.length > 4).slice(0, 3);
  for (const story of some) {
    // The whole first, so that what is shared was made for another story; then every beginning of it.
    const lengths = [story.steps.length, ...story.steps.keys()].filter((length) => length > 0);
    for (const length of lengths) {
      const one = {...story, steps: story.steps.slice(0, length)};
      const shared = twins.with.run(one);
      const own = alone(one);
      expect(summary(shared)).toEqual(summary(own));
    }
  }
});

test('a story runs once under one seed with the moments of one run, and again for anything else', () => {
  const struck = stories.find(
    ({steps}) => steps.some(({faults}) => faults) && steps.some(({early}) => early),
  ) as Scenario;
  const without = remembering(twins.without);
  const mine = alone(struck);
  const none = {moments: new Map<number, string>(), happened: mine.happened};
  const all = [
    {seed: struck.seed, moments: mine},
    {seed: struck.seed + 1, moments: mine},
    {seed: struck.seed, moments: none},
    {seed: struck.seed, moments: {...none, happened: []}},
  ];
  expect(mine.moments.size * mine.happened.length).toBeGreaterThan(0);
  const runs = all.map((one) => without.alone(struck, one));
  expect(new Set(runs).size).toBe(all.length);
  for (const [index, one] of all.entries()) {
    expect(without.alone(struck, one)).toBe(runs[index]);
    expect(summary(runs[index] as TwinRun)).toEqual(summary(twins.without.alone(struck, one)));
  }
  const shorter = {...struck, steps: struck.steps.slice(0, -1)};
  expect(without.alone(shorter, all[0] as (typeof all)[number])).not.toBe(runs[0]);
});

test('early steps come at once if the run is asked for that', () => {
  const early = stories.filter(({steps}) => steps.some((step) => (step.early ?? 0) > 5)).slice(0, 5);
  expect(early.length).toBe(5);
  for (const story of early) {
    let writes = 0;
    const between: number[] = [];
    const run = {
      seed: story.seed,
      earlySteps: 1,
      observe: (_: number, entry: TraceEntry) => {
        if (entry.kind === 'api' && entry.actor !== 'user') writes++;
      },
      onStep: () => {
        between.push(writes);
        writes = 0;
      },
    };
    twins.with.alone(story, run);
    const afterEarly = story.steps.flatMap(({early}, index) => (early === undefined ? [] : [between[index]]));
    expect(Math.max(...afterEarly.map(Number))).toBeLessThan(4);
  }
});

test('a loop that is over in one instant, and begins anew, takes time in the end', () => {
  // Crossplane asks again for the deletion that goes on, in the foreground, and the owner GC takes its finalizer off again.
  const file = new URL('one-instant.yaml', import.meta.url).pathname;
  const story = readScenario(file, setting.functions);
  let lastMs = 0;
  const run = openSide(story, {...setting, crossplane: '2.3'}, 'without').alone(story, {
    seed: story.seed,
    onStep: (atMs) => {
      lastMs = atMs;
    },
  });
  expect(run.steps).toBeGreaterThan(3000);
  expect(run.restless).toBeUndefined();
  expect(run.world.nowMs - lastMs).toBeGreaterThan(10_000);
});

function summary({world, restless, happened, steps, witness}: TwinRun) {
  const {books} = witness.intent;
  const made = [...books.byUid.values()].map(({place}) => place);
  const state = fingerprint(world);
  return {state, nowMs: world.nowMs, random: world.random, restless, happened, steps, made, work: books.work};
}
