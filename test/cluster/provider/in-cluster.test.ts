import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {inClusterId} from '../../../src/cluster/provider/in-cluster.ts';
import {managedKind} from '../../../src/cluster/provider/managed-kind.ts';
import {openWorld} from './provider-world.ts';

const kind = managedKind({apiVersion: 'kubernetes.crossplane.io/v1alpha2', kind: 'Object'});
const release = managedKind({apiVersion: 'helm.crossplane.io/v1beta1', kind: 'Release'});

function object(
  name: string,
  more: JsonObject = {},
  manifest: JsonObject = {name: 'aws-auth', namespace: 'kube-system'},
) {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {name},
    spec: {
      forProvider: {manifest: {apiVersion: 'v1', kind: 'ConfigMap', metadata: manifest}},
      managementPolicies: ['*'],
      ...more,
    },
  };
}

function open() {
  const world = openWorld({kinds: [kind, release]});
  world.start();
  return world;
}

const ids = (world: ReturnType<typeof open>) => world.alive();

describe('an Object', () => {
  test('is about the object of its manifest, and its external name is its own', () => {
    const world = open();
    const made = world.create(object('shop-x7k2p')).object as KubeObject;
    world.run(20);
    expect(ids(world)).toEqual(['ConfigMap/kube-system/aws-auth@default']);
    const {apiVersion, kind: name} = kind;
    expect(
      world.get({apiVersion, kind: name, name: 'shop-x7k2p'})?.metadata.annotations?.['crossplane.io/external-name'],
    ).toBe('shop-x7k2p');
    expect(world.conditions(made)).toEqual(['Ready=True/Available', 'Synced=True/ReconcileSuccess']);
  });

  test('of the same manifest makes nothing, and deletes what both have', () => {
    const world = open();
    world.create(object('one'));
    world.run(20);
    const second = world.create(object('two')).object as KubeObject;
    world.run(20);
    expect(world.counters()).toMatchObject({creates: 1, deletes: 0});
    world.delete(second);
    world.run(5);
    expect(world.counters()).toMatchObject({deletes: 1});
  });

  test('that only observes sees what another made, and one of another cluster does not', () => {
    const world = open();
    world.create(object('one', {providerConfigRef: {name: 'eu'}}));
    world.run(20);
    const observer = (name: string, config: string) =>
      world.create(object(name, {managementPolicies: ['Observe'], providerConfigRef: {name: config}}))
        .object as KubeObject;
    const [near, far] = [observer('near', 'eu'), observer('far', 'us')];
    world.run(20);
    expect(world.conditions(near)).toContain('Ready=True/Available');
    expect(world.conditions(far)).toContain('Synced=False/ReconcileError');
  });
});

test.each([
  ['Default', {deletes: 1}, []],
  ['ObserveCreateUpdate', {deletes: 0}, ['ConfigMap/kube-system/aws-auth@default']],
])('a v1alpha1 Object whose managementPolicy is %s makes what its manifest has', (managementPolicy, deletes, left) => {
  const old = managedKind({apiVersion: 'kubernetes.crossplane.io/v1alpha1', kind: 'Object'});
  const world = openWorld({kinds: [old]});
  world.start();
  const {managementPolicies, ...spec} = object('one').spec;
  expect(managementPolicies).toEqual(['*']);
  const made = world.create({...object('one'), apiVersion: old.apiVersion, spec: {...spec, managementPolicy}});
  world.run(20);
  expect(world.counters()).toMatchObject({creates: 1, deletes: 0});
  world.delete(made.object as KubeObject);
  world.run(5);
  expect(world.counters()).toMatchObject(deletes);
  expect(ids(world)).toEqual(left);
});

test('a Release of one name is another one in another namespace', () => {
  const world = open();
  for (const namespace of ['a', 'b']) {
    world.create({
      apiVersion: release.apiVersion,
      kind: release.kind,
      metadata: {name: `shop-${namespace}`, annotations: {'crossplane.io/external-name': 'nginx'}},
      spec: {forProvider: {namespace}, managementPolicies: ['*']},
    });
  }
  world.run(20);
  expect(ids(world)).toEqual(['a/nginx@default', 'b/nginx@default']);
  expect(world.counters()).toMatchObject({creates: 2, deletes: 0});
});

test.each([
  ['without a namespace, named as the Object', object('shop', {}, {}), 'ConfigMap/shop@default'],
  [
    'of a config of its namespace',
    {
      ...object('shop', {providerConfigRef: {kind: 'ProviderConfig', name: 'eu'}}),
      apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
      metadata: {name: 'shop', namespace: 'team'},
    },
    'ConfigMap/kube-system/aws-auth@team/eu',
  ],
  [
    'of a config of the cluster',
    {
      ...object('shop', {providerConfigRef: {kind: 'ClusterProviderConfig', name: 'eu'}}),
      apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
      metadata: {name: 'shop', namespace: 'team'},
    },
    'ConfigMap/kube-system/aws-auth@eu',
  ],
  ['of S3', {...object('shop'), apiVersion: 's3.aws.upbound.io/v1beta1'}, undefined],
])('an Object %s', (_, managed, id) => {
  expect(inClusterId(managed as unknown as KubeObject)).toBe(id);
});
