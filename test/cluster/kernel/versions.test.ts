import {expect, test} from 'vitest';
import type {Reconcile} from '../../../src/cluster/kernel/call.ts';
import {initialWorld} from '../../../src/cluster/kernel/draft.ts';
import {keyOf, type Process} from '../../../src/cluster/kernel/process.ts';
import {advanceClock, next, perform, startProcess, submit} from '../../../src/cluster/kernel/step.ts';
import {type Definition, defaultLatency, type World} from '../../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';

// A process that reads one kind in two versions has a cache for each, as controller-runtime keys its informers.

const group = 'things.example.org';
let heard: string[] = [];

function* nothing(): Reconcile {
  yield* [];
  return {kind: 'done'};
}

const controllers = [
  {name: 'listener', reconcile: nothing, backoff: {baseMs: 1_000, maxMs: 60_000}, timeoutMs: 120_000},
] as const;
const watches = ['v1', 'v2'].map((version) => ({
  apiVersion: `${group}/${version}`,
  kind: 'Thing',
  controller: 'listener',
  id: version,
  handle: ({object}: {object: KubeObject}) => {
    heard.push(`${version} hears of ${object.apiVersion} ${object.metadata.name}`);
    return {keys: [{key: keyOf(object.metadata)}]};
  },
}));
const listener: Process<null> = {
  name: 'listener',
  start: () => null,
  controllers: () => controllers,
  watches: () => watches,
};
const definition: Definition = {
  processes: [listener as unknown as Process<never>],
  functions: {},
  latency: defaultLatency,
};

const schema = {openAPIV3Schema: {type: 'object'}};
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `things.${group}`},
  spec: {
    group,
    scope: 'Cluster',
    names: {kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList'},
    versions: [
      {name: 'v1', served: true, storage: true, schema},
      {name: 'v2', served: true, storage: false, schema},
    ],
  },
} as unknown as KubeObject;

function apply(world: World, object: KubeObject): World {
  const {apiVersion, kind, metadata} = object;
  const ref = {apiVersion, kind, name: metadata.name};
  const request = {verb: 'patch', type: 'apply', ref, body: object, manager: 'user', force: true} as const;
  const {world: after, response} = submit(definition, world, 'user', request);
  expect(response).toMatchObject({ok: true});
  return after;
}

function run(from: World, untilMs: number): World {
  let world = from;
  for (let action = next(world); action !== undefined && action.atMs <= untilMs; action = next(world)) {
    world = perform(definition, world, action);
  }
  return advanceClock(world, untilMs);
}

test('each of two versions of a kind has a cache of its own, and hears of a change in its own version', () => {
  const served = run(apply(initialWorld(definition, 1), crd), 100);
  const listening = run(startProcess(definition, served, 'listener'), 1_000);
  heard = [];
  const world = run(
    apply(listening, {apiVersion: `${group}/v1`, kind: 'Thing', metadata: {name: 'a'}} as KubeObject),
    2_000,
  );
  expect(heard.sort()).toEqual([`v1 hears of ${group}/v1 a`, `v2 hears of ${group}/v2 a`]);
  const caches = [...(world.processes.get('listener')?.informers.values() ?? [])];
  expect(caches.map(({objects}) => objects.values().map(({apiVersion}) => apiVersion))).toEqual([
    [`${group}/v1`],
    [`${group}/v2`],
  ]);
});
