import type {KindDefinition, KindVersion} from '../api/kinds.ts';
import type {Rule} from '../api/rules.ts';
import {isObject, type Json, type JsonObject} from '../json.ts';
import {groupOf} from '../object.ts';
import type {UsageBehaviour} from './profile.ts';

// The kinds of Usage as Crossplane's own CRDs define them, with their CEL rules as named validations.
// Source: crossplane/crossplane 2d040d2da cluster/crds/{protection.crossplane.io_usages,
// protection.crossplane.io_clusterusages,apiextensions.crossplane.io_usages}.yaml; the legacy one by tag: v1.16.1 has
// v1alpha1 only, later versions have v1beta1 too but still store v1alpha1, which has the same fields.

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
  return record({
    apiVersion: text,
    kind: text,
    resourceRef: record({name: text, ...place}, ['name']),
    resourceSelector: record({matchControllerRef: flag, matchLabels, ...place}),
  });
}

function schema(place: JsonObject): JsonObject {
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
      spec: record({of: end(place), by: end({}), reason: text, replayDeletion: flag}, ['of']),
      status: record({conditions}),
    },
    ['spec'],
  );
}

const byOrReason: Rule = {
  field: 'spec',
  message: 'either "spec.by" or "spec.reason" must be specified.',
  holds: (self) => has(self, 'by') || has(self, 'reason'),
};

const foreignOfNeedsBy: Rule = {
  field: 'spec',
  message: 'cross-namespace "spec.of" is not allowed without "spec.by" resource.',
  holds: (self) => has(self, 'by') || !['resourceRef', 'resourceSelector'].some((way) => namesNamespace(self, way)),
};

const ends: readonly Rule[] = ['of', 'by'].map((which) => ({
  field: `spec.${which}`,
  message: 'either a resource reference or a resource selector should be set.',
  holds: (self) => has(self, 'resourceRef') || has(self, 'resourceSelector'),
}));

const namespacedUsage: KindDefinition = {
  group: groupProtection,
  kind: 'Usage',
  plural: 'usages',
  namespaced: true,
  versions: [version('v1beta1', schema({namespace: text}), [byOrReason, foreignOfNeedsBy, ...ends])],
};

const clusterUsage: KindDefinition = {
  group: groupProtection,
  kind: 'ClusterUsage',
  plural: 'clusterusages',
  namespaced: false,
  versions: [version('v1beta1', schema({}), [byOrReason, ...ends])],
};

const v1alpha1 = version('v1alpha1', schema({}), [byOrReason, ...ends]);
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

function version(name: string, openApi: JsonObject, rules: readonly Rule[]): KindVersion {
  return {name, served: true, storage: true, status: true, schema: openApi, rules};
}

function has(value: Json | undefined, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key);
}

function namesNamespace(spec: Json, way: string): boolean {
  const of = isObject(spec) ? spec['of'] : undefined;
  return isObject(of) && has(of[way], 'namespace');
}
