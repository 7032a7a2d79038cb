import {describe, expect, test} from 'vitest';
import {profiles} from '../../../src/cluster/crossplane/profiles.ts';
import {claimCrd, isCrdOf, xrCrd} from '../../../src/cluster/crossplane/xr-crd.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {at} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {isTrue} from '../../../src/cluster/object.ts';

// The CustomResourceDefinitions an XRD stands for.

function xrd(spec: JsonObject = {}, schema: JsonObject = {type: 'object'}): KubeObject {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: {name: 'apps.example.org', uid: 'xrd', labels: {team: 'a'}},
    spec: {
      group: 'example.org',
      names: {kind: 'App', plural: 'apps'},
      claimNames: {kind: 'AppClaim', plural: 'appclaims'},
      versions: [{name: 'v1', served: true, referenceable: true, schema: {openAPIV3Schema: schema}}],
      ...spec,
    },
  };
}

const versionPath = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties'];
const fieldsOf = (crd: KubeObject, part: 'spec' | 'status', ...path: string[]): readonly string[] => {
  const properties = at(crd, [...versionPath, part, 'properties', ...path]) as JsonObject;
  return Object.keys(properties);
};

test('an XR’s CRD belongs to its XRD, has its labels and the category that tells it from claims', () => {
  const crd = xrCrd(xrd(), profiles.main);
  expect(crd.metadata).toMatchObject({
    name: 'apps.example.org',
    labels: {team: 'a'},
    ownerReferences: [{kind: 'CompositeResourceDefinition', uid: 'xrd', controller: true}],
  });
  expect(isCrdOf(crd, 'composite')).toBe(true);
  expect(isCrdOf(crd, 'claim')).toBe(false);
  expect(isTrue(crd, 'Established')).toBe(false);
});

describe('Crossplane’s own fields', () => {
  test('lie in spec.crossplane for XRs of v2, without claims and secrets', () => {
    const crd = xrCrd(xrd({scope: 'Cluster'}), profiles.main);
    expect(fieldsOf(crd, 'spec')).toEqual(['crossplane']);
    const machinery = fieldsOf(crd, 'spec', 'crossplane', 'properties');
    expect(machinery).toContain('resourceRefs');
    expect(machinery).not.toContain('claimRef');
  });

  test('lie in spec for legacy XRs', () => {
    const crd = xrCrd(xrd(), profiles.main);
    expect(fieldsOf(crd, 'spec')).toEqual(expect.arrayContaining(['resourceRefs', 'claimRef', 'compositionRef']));
  });

  test.each([
    ['Namespaced', 'main', false],
    ['Cluster', 'main', true],
    ['LegacyCluster', 'main', true],
    ['LegacyCluster', '1.20', false],
  ] as const)('resourceRefs of a %s XR under %s have a namespace: %s', (scope, version, expected) => {
    const crd = xrCrd(xrd(scope === 'LegacyCluster' ? {} : {scope}), profiles[version]);
    const path = scope === 'LegacyCluster' ? [] : ['crossplane', 'properties'];
    const item = at(crd, [...versionPath, 'spec', 'properties', ...path, 'resourceRefs', 'items', 'properties']);
    expect(Object.hasOwn(item as JsonObject, 'namespace')).toBe(expected);
  });

  test('win over fields of the same name that the author defined', () => {
    const schema = {
      type: 'object',
      properties: {spec: {type: 'object', properties: {resourceRefs: {type: 'string'}, size: {type: 'string'}}}},
    };
    const crd = xrCrd(xrd({}, schema), profiles.main);
    expect(at(crd, [...versionPath, 'spec', 'properties', 'resourceRefs', 'type'])).toBe('array');
    expect(fieldsOf(crd, 'spec')).toContain('size');
  });
});

test('defaults of the XRD become defaults of the fields', () => {
  const policies = {defaultCompositionUpdatePolicy: 'Manual', defaultCompositeDeletePolicy: 'Foreground'};
  const definition = xrd(policies);
  const xr = at(xrCrd(definition, profiles.main), [...versionPath, 'spec', 'properties', 'compositionUpdatePolicy']);
  const claim = at(claimCrd(definition, profiles.main), [
    ...versionPath,
    'spec',
    'properties',
    'compositeDeletePolicy',
  ]);
  expect(xr).toHaveProperty('default', 'Manual');
  expect(claim).toHaveProperty('default', 'Foreground');
});

test('a claim is namespaced and knows its XR, not its resources', () => {
  const crd = claimCrd(xrd(), profiles.main);
  expect(crd.metadata.name).toBe('appclaims.example.org');
  expect(crd.spec).toHaveProperty('scope', 'Namespaced');
  expect(fieldsOf(crd, 'spec')).toContain('resourceRef');
  expect(fieldsOf(crd, 'spec')).not.toContain('resourceRefs');
});

test('names are at most 63 characters, since they become labels, and fewer where the author says so', () => {
  const lengthOf = (schema: JsonObject) =>
    at(xrCrd(xrd({}, schema), profiles.main), [...versionPath, 'metadata', 'properties', 'name', 'maxLength']);
  const named = (maxLength: number) => ({
    type: 'object',
    properties: {metadata: {type: 'object', properties: {name: {type: 'string', maxLength}}}},
  });
  expect(lengthOf({type: 'object'})).toBe(63);
  expect(lengthOf(named(20))).toBe(20);
  expect(lengthOf(named(200))).toBe(63);
});

test('external secret stores are known until v2', () => {
  for (const crdOf of [xrCrd, claimCrd]) {
    expect(fieldsOf(crdOf(xrd(), profiles['1.20']), 'spec')).toContain('publishConnectionDetailsTo');
    expect(fieldsOf(crdOf(xrd(), profiles.main), 'spec')).not.toContain('publishConnectionDetailsTo');
  }
});

test('conditions know observedGeneration since v2', () => {
  const path = [...versionPath, 'status', 'properties', 'conditions', 'items', 'properties', 'observedGeneration'];
  expect(at(xrCrd(xrd(), profiles['1.20']), path)).toBeUndefined();
  expect(at(xrCrd(xrd(), profiles.main), path)).toBeDefined();
});
