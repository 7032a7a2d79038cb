import {describe, expect, test} from 'vitest';
import {initialWorld} from '../../../src/cluster/kernel/draft.ts';
import {fingerprint} from '../../../src/cluster/kernel/fingerprint.ts';
import {advanceClock, armCrash, submit} from '../../../src/cluster/kernel/step.ts';
import {type Definition, defaultLatency, type World} from '../../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';

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
