import {expect, test} from 'vitest';
import type {FunctionReply} from '../../../src/cluster/kernel/call.ts';
import {withSteps} from '../../../src/harness/explore/story.ts';
import {builtins, type InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {passing} from '../../../src/harness/functions/passing.ts';
import type {Scenario, Step} from '../../../src/harness/scenario/scenario.ts';
import {runStory} from '../../../src/harness/twin/run-story.ts';
import {shrinkStory} from '../../../src/harness/twin/shrink-story.ts';
import {openTwins, runTwins, type TwinResult} from '../../../src/harness/twin/twin.ts';
import {drawStory} from '../../../src/harness/worlds/generate.ts';
import {decodeRequest, type RequestMessage} from '../../../src/wire/request-decode.ts';
import {encodeResponse, type ResourceChange} from '../../../src/wire/response-encode.ts';

// The oracle is shown functions that do harm, and one that does none.

const seed = 1n;

/** Plain harm shows in whichever turn the story takes: a few of them will do. */
function twinned(run: InProcessFunction, story: Scenario): TwinResult {
  const functions = {...builtins, 'function-tether': run};
  const setting = {crossplane: 'main' as const, twin: ['function-tether'], functions};
  const twins = openTwins(story, setting);
  return runTwins({...twins, turns: twins.turns.slice(0, 16)}, story, setting);
}

function kinds({violations}: TwinResult): readonly string[] {
  return [...new Set(violations.map(({kind}) => kind))].sort();
}

/** The first two steps of a story: everything is set up, and two XRs are asked for. */
function calm(number: number): Scenario {
  const story = drawStory(seed, number, 'main');
  return {...story, steps: story.steps.slice(0, 2)};
}

function changing(change: (message: RequestMessage) => ReadonlyMap<string, ResourceChange>) {
  return (request: Uint8Array): FunctionReply => {
    const message = decodeRequest(request);
    const resources = change(message);
    const response = encodeResponse(message, {
      ttlSeconds: 60,
      resources,
      results: [],
      conditions: [],
      requirements: new Map(),
      requirementFields: ['resources'],
    });
    return {ok: true, response};
  };
}

test('a function that passes everything through is never worse than one that does', () => {
  for (const number of [0, 1, 2, 3, 4, 5, 6, 7]) {
    expect(twinned(passing, drawStory(seed, number, 'main')).harms, `story ${number}`).toEqual([]);
  }
});

test('a function that drops what is there destroys it', () => {
  const drops = changing(({observed, desired}) => {
    const isLarge = observed.composite?.field(['spec', 'size']) === 'large';
    return new Map(isLarge ? [...desired.resources.keys()].map((name) => [name, {kind: 'drop'}]) : []);
  });
  const harms = (number: number) => {
    const story = calm(number);
    const grow = (kind: string): Step => ({
      name: `${kind} grows`,
      place: '',
      action: {kind: 'patch', type: 'merge', target: {kind}, status: false, body: {spec: {size: 'large'}}},
      expect: [],
    });
    return kinds(twinned(drops, {...story, steps: [...story.steps, grow('App'), grow('Site')]}));
  };
  expect(harms(0)).toEqual(expect.arrayContaining(['destroyed', 'gone']));
});

test('a function that prints what it read discloses it', () => {
  const leaks: InProcessFunction = (request) => {
    const message = decodeRequest(request);
    const seen = message.observed.composite?.field(['spec', 'note']);
    const response = encodeResponse(message, {
      ttlSeconds: 60,
      resources: new Map(),
      results: [{severity: 'warning', message: `the note is ${String(seen)}`}],
      conditions: [],
      requirements: new Map(),
      requirementFields: ['resources'],
    });
    return {ok: true, response};
  };
  expect(kinds(twinned(leaks, calm(0)))).toEqual(['disclosed']);
});

test('a function that never lets go keeps for ever what the XR no longer wants', () => {
  const story = calm(2);
  const [setUp] = story.steps as readonly [Step];
  const emptied = JSON.parse(JSON.stringify(setUp), (key, value) => (key === 'resources' ? [] : value)) as Step;
  const keeps = (request: Uint8Array): FunctionReply => {
    const {observed, desired} = decodeRequest(request);
    const kept = [...observed.resources].filter(([name]) => !desired.resources.has(name));
    return changing(() => new Map(kept.map(([name, one]) => [name, {kind: 'put', object: one.json(), ready: 'true'}])))(
      request,
    );
  };
  const without = twinned(keeps, {...story, steps: [...story.steps, {...emptied, name: 'drop everything'}]});
  expect(kinds(without)).toContain('kept');
});

test('a function that always fails leaves XRs that do not sync', () => {
  const fails = (): FunctionReply => ({ok: false, message: 'no'});
  expect(kinds(twinned(fails, calm(0)))).toEqual(expect.arrayContaining(['missing', 'not-synced']));
});

test('a story is the same however often it is drawn, and run', () => {
  const [one, other] = [drawStory(seed, 5, '2.3'), drawStory(seed, 5, '2.3')];
  expect(one).toEqual(other);
  const steps = [one, other].map((story) => twinned(passing, story).with.run.steps);
  expect(steps[0]).toBe(steps[1]);
});

test('a story shrinks to the steps that it takes', () => {
  const fails = (): FunctionReply => ({ok: false, message: 'no'});
  const drawn = drawStory(seed, 0, 'main');
  const story = {...drawn, steps: drawn.steps.slice(0, 4)};
  const small = shrinkStory(story, (one) => kinds(twinned(fails, one)).includes('not-synced'));
  expect(small.steps.length).toBeLessThanOrEqual(2);
  expect(JSON.stringify(small.steps).length).toBeLessThan(JSON.stringify(story.steps).length / 2);
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
  const setting = {crossplane: 'main' as const, twin: [], functions: {...builtins, 'function-tether': passing}};
  const times: number[] = [];
  const mine = withSteps(openTwins(scenario, setting).with, scenario);
  runStory(mine, {seed: 1, watched: [], onStep: (atMs) => times.push(atMs)});
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
  const before = twinned(passing, {...story, steps}).with;
  const after = twinned(passing, scenario).with;
  expect(before.xrs.length).toBeGreaterThan(1);
  expect([...after.xrs.map(({made}) => made.place)].sort()).toEqual([...before.xrs.map(({made}) => made.place)].sort());
});
