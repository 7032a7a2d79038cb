import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {type ManagedKind, managedKind} from '../../../src/cluster/provider/managed-kind.ts';
import {openWorld} from './provider-world.ts';

// Two kinds that lead to the same external resource, as a move from one provider, or one group, to another has them.

const old = managedKind({apiVersion: 'ec2.aws.upbound.io/v1beta1', kind: 'VPC'});
const modern = managedKind({apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'VPC', legacy: false});

for (const client of ['sync', 'async'] as const) {
  describe(`two kinds for one external resource, with ${client} clients`, () => {
    test('the second observes what the first made, and makes nothing', () => {
      const {world, name} = withFirst({...modern, client});
      const second = world.create(vpc(modern, {name, policies: ['Observe']})).object as KubeObject;
      world.run(20);
      expect(world.conditions(second)).toEqual(['Ready=True/Available', 'Synced=True/ReconcileSuccess']);
      expect(atProviderId(world.get(refTo(modern)))).toBe(atProviderId(world.get(refTo(old))));
      expect(world.counters()).toMatchObject({creates: 1, deletes: 0});
    });

    test('the first goes without its external resource once it may not delete, and the second keeps it', () => {
      const {world, name, first} = withFirst({...modern, client});
      world.create(vpc(modern, {name, policies: ['*']}));
      world.run(20);
      world.patch(first, {spec: {managementPolicies: ['Observe'], deletionPolicy: 'Orphan'}});
      world.run(5);
      world.delete(first);
      world.run(20);
      expect(world.get(refTo(old))).toBeUndefined();
      expect(world.counters()).toMatchObject({creates: 1, deletes: 0});
      expect(world.alive()).toHaveLength(1);
    });

    test('a name in the format of the other kind leads nowhere, and all policies make a second one', () => {
      const other = {...modern, client, nameFormat: 'eu-central-1/{id}'};
      const {world, name} = withFirst(other);
      world.create(vpc(other, {name: `eu-west-1/${name}`, policies: ['*']}));
      world.run(20);
      expect(world.counters().creates).toBe(2);
    });

    test('a name in its own format leads to it', () => {
      const other = {...modern, client, nameFormat: 'eu-central-1/{id}'};
      const {world, name} = withFirst(other);
      const second = world.create(vpc(other, {name: `eu-central-1/${name}`, policies: ['*']})).object as KubeObject;
      world.run(20);
      expect(world.conditions(second)).toEqual(['Ready=True/Available', 'Synced=True/ReconcileSuccess']);
      expect(world.counters().creates).toBe(1);
    });
  });
}

test('what a kind with a format of its own creates has a name in that format', () => {
  const kind = {...modern, nameFormat: 'eu-central-1/{id}'};
  for (const client of ['sync', 'async'] as const) {
    const world = openWorld({kinds: [{...kind, client}]});
    world.start();
    const made = world.create(vpc(kind, {policies: ['*']})).object as KubeObject;
    world.run(20);
    expect(externalName(world.get({...kind, name: made.metadata.name}))).toBe(`eu-central-1/${world.alive()[0]}`);
  }
});

test('kinds of one type share it, whatever they are called', () => {
  const community = managedKind({
    apiVersion: 'database.aws.crossplane.io/v1beta1',
    kind: 'RDSInstance',
    type: 'Instance',
  });
  const upjet = managedKind({apiVersion: 'rds.aws.m.upbound.io/v1beta1', kind: 'Instance', legacy: false});
  const world = openWorld({kinds: [community, upjet]});
  world.start();
  world.create(vpc(community, {policies: ['*']}));
  world.run(20);
  const name = externalName(world.get(refTo(community)));
  world.create(vpc(upjet, {name, policies: ['*']}));
  world.run(20);
  expect(world.counters().creates).toBe(1);
});

function withFirst(second: ManagedKind) {
  const world = openWorld({kinds: [{...old, client: second.client}, second]});
  world.start();
  const first = world.create(vpc(old, {policies: ['*']})).object as KubeObject;
  world.run(20);
  return {world, first, name: externalName(world.get(refTo(old)))};
}

function vpc(kind: ManagedKind, {name, policies}: {name?: string; policies: readonly string[]}): KubeObject {
  const annotations = name === undefined ? {} : {'crossplane.io/external-name': name};
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {name: 'network', annotations},
    spec: {managementPolicies: policies, forProvider: {region: 'eu-central-1'}},
  };
}

function refTo({apiVersion, kind}: ManagedKind) {
  return {apiVersion, kind, name: 'network'};
}

function externalName(object: KubeObject | undefined): string {
  return object?.metadata.annotations?.['crossplane.io/external-name'] ?? '';
}

function atProviderId(object: KubeObject | undefined): unknown {
  return (object?.status?.['atProvider'] as {id?: string} | undefined)?.id;
}
