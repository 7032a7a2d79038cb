import {describe, expect, test} from 'vitest';
import {crdFinalizer} from '../../../src/cluster/api-controllers/crd-finalizer.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {smallWorld} from '../small-world.ts';

const crds = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'};
const crdRef = {...crds, name: 'gadgets.test.example.org'};
const gadgets = {apiVersion: 'test.example.org/v1', kind: 'Gadget'};

const crd: KubeObject = {
  ...crds,
  metadata: {name: crdRef.name},
  spec: {
    group: 'test.example.org',
    scope: 'Namespaced',
    names: {kind: 'Gadget', plural: 'gadgets'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
};

function worldWith(metadata: JsonObject) {
  const gadget = {...gadgets, metadata: {name: 'g', namespace: 'default', ...metadata}};
  return smallWorld({processes: [crdFinalizer as never], objects: [crd, gadget]});
}

const gadgetRef = {...gadgets, namespace: 'default', name: 'g'};

describe('a deleted CustomResourceDefinition', () => {
  test('takes its objects along and is gone within moments', () => {
    const world = worldWith({});
    world.delete(crdRef);
    world.pass(1000);
    expect(world.get(crdRef)).toBeUndefined();
    expect(world.request({verb: 'list', ...gadgets})).toMatchObject({ok: false, code: 404});
  });

  test('waits for the finalizers of its objects, and notices only at its next look', () => {
    const world = worldWith({finalizers: ['example.org/f']});
    world.delete(crdRef);
    world.pass(1000);
    expect(world.get(gadgetRef)?.metadata.deletionTimestamp).toBeDefined();
    world.request({verb: 'patch', type: 'merge', ref: gadgetRef, body: {metadata: {finalizers: null}}, manager: 'u'});
    world.pass(1000);
    expect(world.get(crdRef)?.metadata.deletionTimestamp).toBeDefined();
    world.pass(5000);
    expect(world.get(crdRef)).toBeUndefined();
  });

  test('gives up after a minute and tries again', () => {
    const world = worldWith({finalizers: ['example.org/f']});
    world.delete(crdRef);
    world.pass(90_000);
    expect(world.get(crdRef)).toBeDefined();
    world.request({verb: 'patch', type: 'merge', ref: gadgetRef, body: {metadata: {finalizers: null}}, manager: 'u'});
    world.pass(10_000);
    expect(world.get(crdRef)).toBeUndefined();
  });

  test('is finished by a server that was restarted meanwhile', () => {
    const world = worldWith({finalizers: ['example.org/f']});
    world.delete(crdRef);
    world.pass(1000);
    world.session.kill('kube-apiserver', 'power cut');
    world.request({verb: 'patch', type: 'merge', ref: gadgetRef, body: {metadata: {finalizers: null}}, manager: 'u'});
    world.pass(20_000);
    expect(world.get(crdRef)).toBeDefined();
    world.session.start('kube-apiserver');
    world.pass(6000);
    expect(world.get(crdRef)).toBeUndefined();
  });
});
