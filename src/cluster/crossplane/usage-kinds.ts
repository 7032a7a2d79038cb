// The kinds of Usage as Crossplane's own CRDs define them, with their CEL rules.
// Source: crossplane/crossplane 2d040d2da cluster/crds/{protection.crossplane.io_usages,
// protection.crossplane.io_clusterusages,apiextensions.crossplane.io_usages}.yaml; the legacy one by tag: v1.16.1 has
// v1alpha1 only, later versions have v1beta1 too but still store v1alpha1, which has the same fields.

import type {KindDefinition} from '../api/kinds.ts';
import {oneVersionKind} from '../api/one-version.ts';
import {flag, record, resource, ruled, text, textMap} from '../api/schema-pieces.ts';
import type {JsonObject} from '../json.ts';
import {groupOf} from '../object.ts';
import type {UsageBehaviour} from './profile.ts';
import {conditionList} from './xr-schema.ts';

const groupProtection = 'protection.crossplane.io';

/** One definition per kind of Usage that this version of Crossplane serves. */
export function usageKinds(behaviour: UsageBehaviour): readonly KindDefinition[] {
  return behaviour.kinds.map(({apiVersion, kind}) => {
    if (groupOf(apiVersion) !== groupProtection) return legacyUsage(apiVersion);
    return kind === 'Usage' ? namespacedUsage : clusterUsage;
  });
}

/** `place` is `{namespace: text}` where the end may be in another namespace. */
function end(place: JsonObject): JsonObject {
  const fields = {
    apiVersion: text,
    kind: text,
    resourceRef: record({name: text, ...place}, ['name']),
    resourceSelector: record({matchControllerRef: flag, matchLabels: textMap, ...place}),
  };
  return ruled(record(fields), [
    'either a resource reference or a resource selector should be set.',
    'has(self.resourceRef) || has(self.resourceSelector)',
  ]);
}

function schema(place: JsonObject, ...rules: readonly (readonly [string, string])[]): JsonObject {
  const spec = record({of: end(place), by: end({}), reason: text, replayDeletion: flag}, ['of']);
  const status = record({conditions: conditionList(true)});
  return {...resource(ruled(spec, ...rules), status), required: ['spec']};
}

const byOrReason = [
  'either "spec.by" or "spec.reason" must be specified.',
  'has(self.by) || has(self.reason)',
] as const;

const foreignOfNeedsBy = [
  'cross-namespace "spec.of" is not allowed without "spec.by" resource.',
  'has(self.by) || (!has(self.of.resourceRef) || !has(self.of.resourceRef.__namespace__)) && (!has(self.of.resourceSelector) || !has(self.of.resourceSelector.__namespace__))',
] as const;

const modern = `${groupProtection}/v1beta1`;
const ofNamespace = schema({namespace: text}, byOrReason, foreignOfNeedsBy);
const ofCluster = schema({}, byOrReason);
const namespacedUsage = oneVersionKind(modern, 'Usage', ofNamespace, {namespaced: true});
const clusterUsage = oneVersionKind(modern, 'ClusterUsage', ofCluster);

function legacyUsage(apiVersion: string): KindDefinition {
  const first = oneVersionKind('apiextensions.crossplane.io/v1alpha1', 'Usage', ofCluster);
  if (apiVersion.endsWith('/v1alpha1')) return first;
  return {...first, versions: first.versions.flatMap((one) => [one, {...one, name: 'v1beta1', storage: false}])};
}
