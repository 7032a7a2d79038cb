import {describe, expect, test} from 'vitest';
import {namespaceController} from '../../../src/cluster/api-controllers/namespace-controller.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {smallWorld} from '../small-world.ts';

const home: KubeObject = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'home'}};
const homeRef = {apiVersion: 'v1', kind: 'Namespace', name: 'home'};
const secretRef = {apiVersion: 'v1', kind: 'Secret', namespace: 'home', name: 's'};

function worldWith(metadata: JsonObject) {
  const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's', namespace: 'home', ...metadata}};
  const outside = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's', namespace: 'default'}};
  return smallWorld({
    processes: [namespaceController([]) as never],
    objects: [home, secret as KubeObject, outside],
  });
}

describe('a deleted Namespace', () => {
  test('is emptied and goes; other namespaces keep what they have', () => {
    const world = worldWith({});
    world.delete(homeRef);
    world.pass(1000);
    expect([world.get(homeRef), world.get(secretRef)]).toEqual([undefined, undefined]);
    expect(world.get({...secretRef, namespace: 'default'})).toBeDefined();
  });

  test('stays while something in it has a finalizer', () => {
    const world = worldWith({finalizers: ['example.org/f']});
    world.delete(homeRef);
    world.pass(60_000);
    expect(world.get(homeRef)?.status).toEqual({phase: 'Terminating'});
    world.request({verb: 'patch', type: 'merge', ref: secretRef, body: {metadata: {finalizers: null}}, manager: 'u'});
    world.pass(8000);
    expect(world.get(homeRef)).toBeUndefined();
  });
});
