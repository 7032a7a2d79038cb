import {describe, expect, test} from 'vitest';
import {pluralOf} from '../../../../src/cluster/api/kinds.ts';
import type {KubeObject} from '../../../../src/cluster/object.ts';
import {withPlainKinds} from '../../../../src/harness/input/manifests/plain-kinds.ts';
import {openWorld} from '../../../../src/harness/library/harness.ts';

const object = (apiVersion: string, kind: string, name: string, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: namespace === undefined ? {name} : {name, namespace},
  spec: {a: {b: [1]}},
});

const unmodelled = [
  object('pkg.crossplane.io/v1beta1', 'ImageConfig', 'pull'),
  object('pkg.crossplane.io/v1beta1', 'DeploymentRuntimeConfig', 'small'),
  object('pkg.crossplane.io/v1', 'Provider', 'aws'),
  object('aws.m.upbound.io/v1beta1', 'ProviderConfig', 'default', 'default'),
  object('apps/v1', 'ReplicaSet', 'web', 'default'),
  object('v1', 'Endpoints', 'robot', 'default'),
];

test('objects of kinds that nobody models are there to be read, in every version', async () => {
  await using world = await openWorld({crossplane: '1.20', functions: {}, fixtures: unmodelled as never});
  for (const {kind, metadata, spec} of unmodelled) {
    expect(world.find({kind, name: metadata.name})).toMatchObject([{metadata, spec}]);
  }
  expect(world.notes).toHaveLength(unmodelled.length);
  expect(world.notes.find((note) => note.includes('ImageConfig'))).toBe(
    'not modelled: ImageConfig (pkg.crossplane.io/v1beta1), whose controllers are not there; "pull" can be read, and no controller acts on it',
  );
  expect(world.notes[0]).toBe(
    'not modelled: ProviderConfig (aws.m.upbound.io/v1beta1), which no CustomResourceDefinition in `fixtures` defines; "default" can be read, and no controller acts on it',
  );
});

test('what changes or refuses a write on a real API server is named, with nothing else said about it', () => {
  const admission = 'admissionregistration.k8s.io/v1';
  const versions = [{name: 'v1'}, {name: 'v2'}];
  const converting = (name: string, strategy: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name},
    spec: {group: 'example.org', names: {kind: name, plural: name}, versions, conversion: {strategy}},
  });
  const fixtures = [
    object(admission, 'MutatingWebhookConfiguration', 'sidecars'),
    object(admission, 'ValidatingAdmissionPolicy', 'labels'),
    object('v1', 'ResourceQuota', 'small', 'default'),
    converting('a', 'Webhook'),
    converting('b', 'Webhook'),
    converting('c', 'None'),
    object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'crossplane-no-usages'),
  ];
  expect(withPlainKinds(fixtures).notes.filter((note) => !note.includes('crossplane-no-usages'))).toEqual([
    'not modelled: conversion webhook of "a", "b", whose versions are taken for the same shape',
    'not modelled: MutatingWebhookConfiguration "sidecars", which may refuse or change what is written',
    'not modelled: ValidatingAdmissionPolicy "labels", which may refuse or change what is written',
    'not modelled: ResourceQuota "small", which may refuse or change what is written',
  ]);
});

describe('a definition is made up', () => {
  test('for no kind that is modelled or defined', () => {
    const given = [
      object('apiextensions.crossplane.io/v1', 'Composition', 'c'),
      object('protection.crossplane.io/v1beta1', 'Usage', 'u'),
      object('v1', 'Secret', 's'),
      {
        ...object('apiextensions.crossplane.io/v1', 'CompositeResourceDefinition', 'apps.example.org'),
        spec: {group: 'example.org', names: {kind: 'XApp', plural: 'xapps'}, claimNames: {kind: 'App', plural: 'apps'}},
      },
      object('example.org/v1', 'XApp', 'a'),
      object('example.org/v1', 'App', 'a', 'default'),
    ];
    expect(withPlainKinds(given)).toEqual({objects: given, notes: []});
  });

  test('once for all objects of a kind', () => {
    const {objects, notes} = withPlainKinds(['a', 'b', 'c', 'd'].map((name) => object('e.org/v1', 'Thing', name)));
    expect(objects.filter(({kind}) => kind === 'CustomResourceDefinition')).toHaveLength(1);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('4 objects can be read, and no controller acts on them');
  });

  test('for what a step applies only where the kind is Crossplane’s own', () => {
    const steps = [object('e.org/v1', 'Thing', 'a'), object('aws.upbound.io/v1beta1', 'ProviderConfig', 'e')];
    expect(withPlainKinds([], steps).objects.map(({metadata}) => metadata.name)).toEqual([
      'providerconfigs.aws.upbound.io',
    ]);
  });

  test('for no slip of the pen', () => {
    const slip = object('apiextensions.crossplane.io/v1', 'Compositon', 'c');
    expect(() => withPlainKinds([slip])).toThrow(
      'unknown kind "Compositon" of "c" (apiextensions.crossplane.io/v1): did you mean "Composition"?',
    );
  });
});

test.each([
  ['VPC', 'vpcs'],
  ['ManagedResourceActivationPolicy', 'managedresourceactivationpolicies'],
  ['Gateway', 'gateways'],
  ['Address', 'addresses'],
])('the plural of %s is %s', (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});
