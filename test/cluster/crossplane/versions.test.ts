// What becomes of composed resources whose kind has several served versions, when a Composition names another one.
// kube-apiserver 1.34.2 answers the single writes so (test/recordings/differential/server).

import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject, ResourceRef} from '../../../src/cluster/object.ts';
import {Platform} from './platform.ts';

const text = {type: 'string'};

/** Gadgets are stored in v1. Only v1beta1 has a field `old`. */
function gadgets(): KubeObject {
  const version = (name: string, fields: JsonObject) => ({
    name,
    served: true,
    storage: name === 'v1',
    subresources: {status: {}},
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {type: 'object', properties: fields},
          status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
        },
      },
    },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'gadgets.test.example.org'},
    spec: {
      group: 'test.example.org',
      scope: 'Cluster',
      names: {kind: 'Gadget', plural: 'gadgets'},
      versions: [version('v1', {of: text}), version('v1beta1', {of: text, old: text})],
    },
  } as unknown as KubeObject;
}

function gadget(version: string, spec: JsonObject): JsonObject {
  return {name: 'A', ready: 'True', base: {apiVersion: `test.example.org/${version}`, kind: 'Gadget', spec}};
}

/** With one gadget composed in v1. */
function composed(): Platform {
  const platform = new Platform({crossplane: 'main'});
  platform.apply(gadgets());
  platform.compose([gadget('v1', {of: 'x'})]);
  platform.order();
  platform.pass(10);
  return platform;
}

function refs(platform: Platform): readonly ResourceRef[] {
  return (
    (platform.xr()?.spec?.['crossplane'] as unknown as {resourceRefs?: readonly ResourceRef[]})?.resourceRefs ?? []
  );
}

/** The one gadget, as v1 has it. */
function only(platform: Platform): KubeObject {
  const [found, ...more] = platform.composed('A', 'Gadget');
  if (found === undefined || more.length > 0) throw new Error('there must be one gadget');
  return found;
}

describe('a Composition that names another served version', () => {
  test('keeps the object, and its reference follows', () => {
    const platform = composed();
    const {uid} = only(platform).metadata;
    platform.compose([gadget('v1beta1', {of: 'y'})]);
    platform.pass(70);
    expect(platform.condition('Synced')).toBe('True/ReconcileSuccess');
    expect(only(platform).metadata.uid).toBe(uid);
    expect(only(platform).spec).toEqual({of: 'y'});
    expect(refs(platform).map(({apiVersion}) => apiVersion)).toEqual(['test.example.org/v1beta1']);
  });

  test('and a field that the version before does not have is refused until it is taken back', () => {
    const platform = composed();
    platform.compose([gadget('v1beta1', {of: 'y', old: 'z'})]);
    platform.pass(70);
    expect(platform.condition('Synced')).toBe('False/ReconcileError');
    expect(platform.message('Synced')).toContain(
      'failed to prune fields: failed to convert merged object to last applied version: .spec.old: field not declared in schema',
    );
    expect(only(platform).spec).toEqual({of: 'x'});
    platform.compose([gadget('v1beta1', {of: 'y'})]);
    platform.pass(70);
    expect(platform.condition('Synced')).toBe('True/ReconcileSuccess');
    expect(only(platform).spec).toEqual({of: 'y'});
  });
});

test('a field that the stored version does not have makes every apply a write, until the circuit breaker opens', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.apply(gadgets());
  platform.compose([gadget('v1beta1', {of: 'x', old: 'z'})]);
  platform.order();
  const generation = () => only(platform).metadata.generation ?? 0;
  platform.pass(70);
  expect(only(platform).spec).toEqual({of: 'x'});
  const before = generation();
  expect(before).toBeGreaterThan(30);
  expect(platform.condition('Responsive')).toBe('False/WatchCircuitOpen');
  expect(platform.condition('Synced')).toBe('True/ReconcileSuccess');
  platform.pass(300);
  expect(generation()).toBeGreaterThan(before);
});
