import {describe, expect, test} from 'vitest';
import {at, type JsonObject} from '../../../src/cluster/json.ts';
import {conditionOf, type KubeObject} from '../../../src/cluster/object.ts';
import {externalNameOf} from '../../../src/cluster/provider/annotations.ts';
import {type ManagedKind, managedKind} from '../../../src/cluster/provider/managed-kind.ts';
import {openWorld, type WorldOptions} from './provider-world.ts';

// Kinds as real providers have them: a network whose parts refer to each other, legacy (cluster-scoped) and modern
// (namespaced, without deletionPolicy).

const apiVersion = 'ec2.aws.upbound.io/v1beta1';
const types = {
  VPC: {idPrefix: 'vpc-', idStyle: 'hex', attributes: {arn: 'arn:aws:ec2:eu-west-1:123456789012:vpc/{id}'}},
  Subnet: {idPrefix: 'subnet-', idStyle: 'hex'},
} as const;

const vpcKind: ManagedKind = managedKind({apiVersion, kind: 'VPC', client: 'async'});
const subnetKind: ManagedKind = managedKind({
  apiVersion,
  kind: 'Subnet',
  client: 'async',
  references: [{field: 'vpcId', to: {apiVersion, kind: 'VPC'}}],
});

function openNetwork(options: Partial<WorldOptions> = {}) {
  return openWorld({kinds: [vpcKind, subnetKind], cloud: {createDelayMs: 200, types}, ...options});
}

function managed(kind: string, name: string, forProvider: JsonObject, metadata: JsonObject = {}): KubeObject {
  return {apiVersion, kind, metadata: {name, ...metadata}, spec: {forProvider}} as KubeObject;
}

const vpc = managed('VPC', 'main', {cidrBlock: '10.0.0.0/16'}, {labels: {network: 'a'}});

describe('a subnet that refers to its VPC', () => {
  test('waits for the VPC’s external-name, then is created in it', () => {
    const world = openNetwork();
    const subnet = managed('Subnet', 'public', {cidrBlock: '10.0.0.0/24', vpcIdRef: {name: 'main'}});
    world.start();
    world.create(subnet);
    world.run(3);
    expect(conditionOf(world.get(refTo('Subnet', 'public')), 'Synced')?.message).toContain(
      'cannot get referenced resource',
    );
    expect(world.counters().creates).toBe(0);
    world.create(vpc);
    world.run(120);
    const [live, made] = [world.get(refTo('VPC', 'main')), world.get(refTo('Subnet', 'public'))];
    expect(live && externalNameOf(live)).toMatch(/^vpc-[0-9a-f]{17}$/);
    expect(made?.spec?.['forProvider']).toMatchObject({vpcId: live && externalNameOf(live), vpcIdRef: {name: 'main'}});
    expect(world.conditions(subnet)).toEqual(['Ready=True/Available', 'Synced=True/ReconcileSuccess']);
    expect(live?.status?.['atProvider']).toMatchObject({
      arn: `arn:aws:ec2:eu-west-1:123456789012:vpc/${live && externalNameOf(live)}`,
    });
  });

  test('by label remembers which VPC it chose', () => {
    const world = openNetwork();
    world.start();
    world.create(vpc);
    world.create(managed('Subnet', 'public', {vpcIdSelector: {matchLabels: {network: 'a'}}}));
    world.create(managed('Subnet', 'lost', {vpcIdSelector: {matchLabels: {network: 'b'}}}));
    world.run(30);
    expect(world.get(refTo('Subnet', 'public'))?.spec?.['forProvider']).toMatchObject({vpcIdRef: {name: 'main'}});
    expect(conditionOf(world.get(refTo('Subnet', 'lost')), 'Synced')?.message).toContain(
      'no resources matched selector',
    );
  });

  test('by controller chooses only among the resources of its own XR', () => {
    const owner = (uid: string) => ({
      ownerReferences: [{apiVersion: 'aws.example.org/v1', kind: 'Network', name: uid, uid, controller: true}],
    });
    const world = openNetwork();
    world.start();
    world.create(managed('VPC', 'theirs', {}, owner('theirs')));
    world.create(managed('VPC', 'ours', {}, owner('ours')));
    world.create(managed('Subnet', 'public', {vpcIdSelector: {matchControllerRef: true}}, owner('ours')));
    world.run(30);
    expect(world.get(refTo('Subnet', 'public'))?.spec?.['forProvider']).toMatchObject({vpcIdRef: {name: 'ours'}});
  });
});

test('a list of references is filled in the order of the external-names', () => {
  const groupKind = managedKind({
    apiVersion,
    kind: 'SubnetGroup',
    references: [
      {
        field: 'subnetIds',
        to: {apiVersion, kind: 'Subnet'},
        many: {refs: 'subnetIdRefs', selector: 'subnetIdSelector'},
      },
    ],
  });
  const world = openNetwork({kinds: [subnetKind, groupKind]});
  const labels = {labels: {tier: 'data'}};
  world.start();
  for (const name of ['a', 'b', 'c']) world.create(managed('Subnet', name, {}, name === 'c' ? {} : labels));
  world.create(managed('SubnetGroup', 'data', {subnetIdSelector: {matchLabels: {tier: 'data'}}}));
  world.run(60);
  const group = world.get(refTo('SubnetGroup', 'data'));
  const subnetIds = at(group, ['spec', 'forProvider', 'subnetIds']) as readonly string[];
  expect(subnetIds).toEqual([...subnetIds].sort());
  const refs = at(group, ['spec', 'forProvider', 'subnetIdRefs']);
  expect(refs).toEqual(expect.arrayContaining([{name: 'a'}, {name: 'b'}]));
  expect(refs).toHaveLength(2);
});

describe('a modern kind', () => {
  const kinds = [
    {...vpcKind, legacy: false},
    {...subnetKind, legacy: false},
  ];
  const inTeam = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: {...object.metadata, namespace: 'default'},
  });

  test('lives in a namespace, finds its references there and is deleted with its external resource', () => {
    const world = openNetwork({kinds, namespaced: true});
    const subnet = inTeam(managed('Subnet', 'public', {vpcIdRef: {name: 'main'}}));
    world.start();
    world.create(inTeam(vpc));
    world.create(subnet);
    world.run(60);
    expect(world.alive()).toHaveLength(2);
    world.delete(subnet);
    world.run(60);
    expect(world.get({...refTo('Subnet', 'public'), namespace: 'default'})).toBeUndefined();
    expect(world.alive()).toHaveLength(1);
  });

  test('knows no deletionPolicy: only managementPolicies keep the external resource', () => {
    const world = openNetwork({kinds, namespaced: true});
    const object = inTeam(vpc);
    world.start();
    world.create({
      ...object,
      spec: {...object.spec, managementPolicies: ['Observe', 'Create', 'Update', 'LateInitialize']},
    });
    world.run(60);
    world.delete(object);
    world.run(5);
    expect(world.get({...refTo('VPC', 'main'), namespace: 'default'})).toBeUndefined();
    expect(world.alive()).toHaveLength(1);
  });
});

describe('connection details', () => {
  const kind = managedKind({
    apiVersion: 'rds.aws.upbound.io/v1beta1',
    kind: 'Instance',
    publishes: {endpoint: '{id}.rds.amazonaws.com'},
  });
  const secret = {apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'db-conn'};
  const db: KubeObject = {
    apiVersion: kind.apiVersion,
    kind: 'Instance',
    metadata: {name: 'db'},
    spec: {forProvider: {}, writeConnectionSecretToRef: {namespace: 'default', name: 'db-conn'}},
  };

  test('are published as a Secret that the managed resource controls', () => {
    const world = openWorld({kinds: [kind]});
    world.start();
    world.create(db);
    world.run(10);
    const published = world.get(secret);
    expect(published?.['data']).toEqual({endpoint: 'ZXh0LTEucmRzLmFtYXpvbmF3cy5jb20='});
    expect(published?.metadata.ownerReferences?.[0]).toMatchObject({kind: 'Instance', name: 'db', controller: true});
    const version = published?.metadata.resourceVersion;
    world.run(30);
    expect(world.get(secret)?.metadata.resourceVersion).toBe(version);
  });

  test('never overwrite a Secret that somebody else controls', () => {
    const world = openWorld({kinds: [kind]});
    const ownerReferences = [{apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'other', controller: true}];
    world.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: 'db-conn', namespace: 'default', ownerReferences},
    });
    world.start();
    world.create(db);
    world.run(10);
    expect(world.get(secret)?.['data']).toBeUndefined();
    expect(world.conditions(db)).toContain('Synced=False/ReconcileError');
  });
});

function refTo(kind: string, name: string) {
  return {apiVersion, kind, name};
}
