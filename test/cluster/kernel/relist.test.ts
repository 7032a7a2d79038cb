import {beforeEach, expect, test} from 'vitest';
import type {Reconcile} from '../../../src/cluster/kernel/call.ts';
import {initialWorld} from '../../../src/cluster/kernel/draft.ts';
import {keyOf, type Process} from '../../../src/cluster/kernel/process.ts';
import {advanceClock, next, perform, startProcess, submit} from '../../../src/cluster/kernel/step.ts';
import {type Definition, defaultLatency, type World} from '../../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';

// What a changed definition does to the watches of its kind: they end a second later, and the reflectors list again.

const thing = {apiVersion: 'things.example.org/v1', kind: 'Thing'};

let heard: (readonly [number, string, string])[];

function* nothing(): Reconcile {
  yield* [];
  return {kind: 'done'};
}

const listener: Process<null> = {
  name: 'listener',
  start: () => null,
  controllers: () => controllers,
  watches: () => watches,
};
const controllers = [
  {name: 'listener', reconcile: nothing, backoff: {baseMs: 1_000, maxMs: 60_000}, timeoutMs: 120_000},
] as const;
const watches = [
  {
    ...thing,
    controller: 'listener',
    id: 'all',
    handle: ({type, object}: {type: string; object: KubeObject}, {nowMs}: {nowMs: number}) => {
      heard.push([nowMs, type, object.metadata.name]);
      return {keys: [{key: keyOf(object.metadata)}]};
    },
  },
];
const definition: Definition = {
  processes: [listener as unknown as Process<never>],
  functions: {},
  latency: defaultLatency,
};

function crd(schema: object, labels: {readonly [key: string]: string} = {}): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'things.things.example.org', labels},
    spec: {
      group: 'things.example.org',
      scope: 'Cluster',
      names: {kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList'},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', ...schema}}}],
    },
  } as unknown as KubeObject;
}

function apply(world: World, object: KubeObject): World {
  const {apiVersion, kind, metadata} = object;
  const ref = {apiVersion, kind, name: metadata.name};
  const request = {verb: 'patch', type: 'apply', ref, body: object, manager: 'user', force: true} as const;
  const {world: after, response} = submit(definition, world, 'user', request);
  expect(response).toMatchObject({ok: true});
  return after;
}

function named(name: string, labels: {readonly [key: string]: string} = {}): KubeObject {
  return {...thing, metadata: {name, labels}} as KubeObject;
}

function run(from: World, untilMs: number): World {
  let world = from;
  for (let action = next(world); action !== undefined && action.atMs <= untilMs; action = next(world)) {
    world = perform(definition, world, action);
  }
  return advanceClock(world, untilMs);
}

let quiet: World;

beforeEach(() => {
  heard = [];
  const defined = apply(initialWorld(definition, 1), crd({}));
  quiet = run(apply(startProcess(definition, run(defined, 100), 'listener'), named('a')), 10_000);
  heard = [];
});

const wider = crd({properties: {spec: {type: 'object'}}});

test('a changed definition has every handler told of every object again, 1.8 to 2.6 s later', () => {
  run(apply(quiet, wider), 20_000);
  expect(heard.map(([, type, name]) => [type, name])).toEqual([['MODIFIED', 'a']]);
  expect(heard[0]?.[0]).toBeGreaterThanOrEqual(11_800);
  expect(heard[0]?.[0]).toBeLessThanOrEqual(12_700);
});

test('a definition that says the same as before, or has other labels, ends no watch', () => {
  run(apply(apply(quiet, crd({})), crd({}, {team: 'a'})), 20_000);
  expect(heard).toEqual([]);
});

test('something of the kind that is written before the watch ends lets the next one begin there', () => {
  run(apply(run(apply(quiet, wider), 10_500), named('a', {new: 'yes'})), 20_000);
  expect(heard).toEqual([[expect.closeTo(10_501, -1), 'MODIFIED', 'a']]);
});

test('what happens between the end of the watch and the list is told by the list', () => {
  let world = run(apply(quiet, wider), 11_100);
  world = apply(apply(apply(world, named('b')), named('b', {new: 'yes'})), named('c'));
  for (const name of ['a', 'c']) {
    world = submit(definition, world, 'user', {verb: 'delete', ref: {...thing, name}}).world;
  }
  world = run(world, 11_700);
  expect(heard).toEqual([]);
  world = run(world, 20_000);
  expect(heard.map(([, type, name]) => [type, name])).toEqual([
    ['ADDED', 'b'],
    ['DELETED', 'a'],
  ]);
  expect([
    ...(world.processes.get('listener')?.informers.get('Thing.things.example.org/v1')?.objects.keys() ?? []),
  ]).toEqual(['b']);
});
