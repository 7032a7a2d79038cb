// Readiness by a resource's own conditions, as every managed resource and XR has them.

import {isList, isObject, type Json, type JsonObject, objectsIn} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

/** True if its condition Ready is True. */
export function hasReadyTrue(view: ResourceView): boolean {
  return statusOf(view, 'Ready') === 'True';
}

/** The status of its condition of that type, undefined if it has none. */
export function statusOf(view: ResourceView, type: string): Json | undefined {
  return condition(view, type)?.['status'];
}

/** Its condition of that type, undefined if it has none. */
export function condition(view: Pick<ResourceView, 'field'>, type: string): JsonObject | undefined {
  const conditions = view.field(['status', 'conditions']);
  // Asked for every resource in every call, so no list is made of them.
  const found = isList(conditions) ? conditions.find((one) => isObject(one) && one['type'] === type) : undefined;
  return found as JsonObject | undefined;
}

const configKinds = new Set(['ClusterProviderConfig', 'ConfigMap', 'EnvironmentConfig', 'ProviderConfig', 'Secret']);

/** True of a kind that others read, and that has no readiness of its own. */
export function isConfig({kind}: Pick<ResourceView, 'kind'>): boolean {
  return configKinds.has(kind);
}

export function conditionsOf(view: ResourceView): readonly JsonObject[] {
  return objectsIn(view.field(['status', 'conditions']));
}
