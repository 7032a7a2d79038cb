// The kinds of Usage as Crossplane's own CRDs define them, with their CEL rules.
// Source: crossplane/crossplane 2d040d2da cluster/crds/{protection.crossplane.io_usages,
// protection.crossplane.io_clusterusages,apiextensions.crossplane.io_usages}.yaml; the legacy one by tag: v1.16.1 has
// v1alpha1 only, later versions have v1beta1 too but still store v1alpha1, which has the same fields.

import type {KindDefinition, KindVersion} from '../api/kinds.ts';
import {ruled} from '../api/schema-pieces.ts';
import type {JsonObject} from '../json.ts';
import {groupOf} from '../object.ts';
import type {UsageBehaviour} from './profile.ts';

const groupProtection = 'protection.crossplane.io';

/** One definition per kind of Usage that this version of Crossplane serves. */
export function usageKinds(behaviour: UsageBehaviour): readonly KindDefinition[] {
  return behaviour.kinds.map(({apiVersion, kind}) => {
    if (groupOf(apiVersion) !== groupProtection) return legacyUsage(apiVersion);
    return kind === 'Usage' ? namespacedUsage : clusterUsage;
  });
}

const text: JsonObject = {type: 'string'};
const flag: JsonObject = {type: 'boolean'};

function record(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return required.length === 0 ? {type: 'object', properties} : {type: 'object', properties, required};
}

/** `place` is `{namespace: text}` where the end may be in another namespace. */
function end(place: JsonObject): JsonObject {
  const matchLabels = {type: 'object', additionalProperties: text};
  const fields = {
    apiVersion: text,
    kind: text,
    resourceRef: record({name: text, ...place}, ['name']),
    resourceSelector: record({matchControllerRef: flag, matchLabels, ...place}),
  };
  return ruled(record(fields), [
    'either a resource reference or a resource selector should be set.',
    'has(self.resourceRef) || has(self.resourceSelector)',
  ]);
}

function schema(place: JsonObject, ...rules: readonly (readonly [string, string])[]): JsonObject {
  const condition = record(
    {
      lastTransitionTime: {type: 'string', format: 'date-time'},
      message: text,
      observedGeneration: {type: 'integer', format: 'int64'},
      reason: text,
      status: text,
      type: text,
    },
    ['lastTransitionTime', 'reason', 'status', 'type'],
  );
  const conditions = {
    type: 'array',
    items: condition,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  };
  return record(
    {
      apiVersion: text,
      kind: text,
      metadata: {type: 'object'},
      spec: ruled(record({of: end(place), by: end({}), reason: text, replayDeletion: flag}, ['of']), ...rules),
      status: record({conditions}),
    },
    ['spec'],
  );
}

const byOrReason = [
  'either "spec.by" or "spec.reason" must be specified.',
  'has(self.by) || has(self.reason)',
] as const;

const foreignOfNeedsBy = [
  'cross-namespace "spec.of" is not allowed without "spec.by" resource.',
  'has(self.by) || (!has(self.of.resourceRef) || !has(self.of.resourceRef.__namespace__)) && (!has(self.of.resourceSelector) || !has(self.of.resourceSelector.__namespace__))',
] as const;

const namespacedUsage: KindDefinition = {
  group: groupProtection,
  kind: 'Usage',
  plural: 'usages',
  namespaced: true,
  versions: [version('v1beta1', schema({namespace: text}, byOrReason, foreignOfNeedsBy))],
};

const clusterUsage: KindDefinition = {
  group: groupProtection,
  kind: 'ClusterUsage',
  plural: 'clusterusages',
  namespaced: false,
  versions: [version('v1beta1', schema({}, byOrReason))],
};

const v1alpha1 = version('v1alpha1', schema({}, byOrReason));
const legacyVersions: readonly KindVersion[] = [v1alpha1, {...v1alpha1, name: 'v1beta1', storage: false}];

function legacyUsage(apiVersion: string): KindDefinition {
  return {
    group: 'apiextensions.crossplane.io',
    kind: 'Usage',
    plural: 'usages',
    namespaced: false,
    versions: apiVersion.endsWith('/v1alpha1') ? [v1alpha1] : legacyVersions,
  };
}

function version(name: string, openApi: JsonObject): KindVersion {
  return {name, served: true, storage: true, status: true, schema: openApi};
}
