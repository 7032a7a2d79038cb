import {describe, expect, test} from 'vitest';
import {initialWorld} from '../../../src/cluster/kernel/draft.ts';
import {fingerprint, fingerprintOf} from '../../../src/cluster/kernel/fingerprint.ts';
import {Moment} from '../../../src/cluster/kernel/moment.ts';
import {advanceClock, armCrash, submit} from '../../../src/cluster/kernel/step.ts';
import {type Definition, defaultLatency, type World} from '../../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {timestamp} from '../../../src/cluster/timestamp.ts';

const definition: Definition = {processes: [], functions: {}, latency: defaultLatency};

function configMap(name: string, data: {readonly [key: string]: string} = {}, owner?: string): KubeObject {
  const ownerReferences =
    owner === undefined ? {} : {ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: owner}]};
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name, namespace: 'default', ...ownerReferences},
    data,
  } as KubeObject;
}

function created(world: World, ...objects: readonly KubeObject[]): World {
  return objects.reduce(
    (before, object) => submit(definition, before, 'user', {verb: 'create', object, manager: 'user'}).world,
    world,
  );
}

function uidOf(world: World, name: string): string {
  const ref = {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name};
  const {response} = submit(definition, world, 'user', {verb: 'get', ref});
  return response.ok ? (response.object?.metadata.uid ?? '') : '';
}

const empty = initialWorld(definition, 1);

describe('the fingerprint of a world', () => {
  test('is the same for two orders of independent writes', () => {
    expect(fingerprint(created(empty, configMap('a'), configMap('b')))).toBe(
      fingerprint(created(empty, configMap('b'), configMap('a'))),
    );
  });

  test('does not depend on when, or on the seed', () => {
    expect(fingerprint(created(advanceClock(initialWorld(definition, 9), 5_000), configMap('a')))).toBe(
      fingerprint(created(empty, configMap('a'))),
    );
  });

  describe('of times that a provider noted at a create', () => {
    const noted = (nowMs: number, pendingMs: number, succeededMs: number) => {
      const object = configMap('a');
      const annotations = {
        'crossplane.io/external-create-pending': timestamp(pendingMs),
        'crossplane.io/external-create-succeeded': timestamp(succeededMs),
      };
      const world = created(empty, {...object, metadata: {...object.metadata, annotations}} as KubeObject);
      return fingerprint(advanceClock(world, nowMs));
    };
    const day = 86_400_000;

    test('does not depend on the date', () => {
      expect(noted(3 * day, day, day)).toBe(noted(3 * day, 2 * day, 2 * day));
      expect(noted(day + 5_000, day, day)).toBe(noted(2 * day + 5_000, 2 * day, 2 * day));
    });

    test('tells which came last, and how long ago while that may matter', () => {
      expect(noted(3 * day, day + 1_000, day)).not.toBe(noted(3 * day, day, day));
      expect(noted(day + 5_000, day, day)).not.toBe(noted(day + 6_000, day, day));
    });
  });

  test('of a time to come depends on how far away it is, and on nothing once it has come', () => {
    const at = (atMs: number, nowMs: number) => fingerprintOf([{full: new Moment(atMs)}], nowMs);
    expect(at(90, 50)).toBe(at(140, 100));
    expect(at(90, 50)).not.toBe(at(91, 50));
    expect(at(10, 50)).toBe(at(40, 50));
    // What must be over and what may just be reached are told apart.
    expect(at(50, 50)).not.toBe(at(49, 50));
  });

  test('tells apart other contents, a missing object, and an armed crash', () => {
    const worlds = [
      empty,
      created(empty, configMap('a')),
      created(empty, configMap('a', {size: 's'})),
      created(empty, configMap('b')),
      armCrash(empty, {process: 'provider', point: 'observe'}),
    ];
    expect(new Set(worlds.map(fingerprint)).size).toBe(worlds.length);
  });

  test('tells an owner that lives from one that is gone, though both are only uids', () => {
    const owner = created(empty, configMap('owner'), configMap('other'));
    const live = created(owner, configMap('child', {}, uidOf(owner, 'owner')));
    const elsewhere = created(owner, configMap('child', {}, uidOf(owner, 'other')));
    const dangling = created(owner, configMap('child', {}, '00000000-0000-4000-8000-00000000dead'));
    expect(new Set([live, elsewhere, dangling].map(fingerprint)).size).toBe(3);
  });

  test('forgets how often an object was written, where nobody holds an older version', () => {
    const written = created(empty, configMap('a', {size: 's'}));
    const ref = {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a'};
    const patch = (size: string) =>
      ({verb: 'patch', type: 'merge', ref, body: {data: {size}}, manager: 'user'}) as const;
    const there = submit(definition, written, 'user', patch('m')).world;
    const back = submit(definition, there, 'user', patch('s')).world;
    expect(fingerprint(back)).toBe(fingerprint(written));
    expect(fingerprint(there)).not.toBe(fingerprint(written));
  });
});
