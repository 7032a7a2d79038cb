// Readiness by a resource's own conditions, as every managed resource and XR has them.

import {isList, isObject, type Json, type JsonObject} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

/** True if its condition Ready is True. */
export function hasReadyTrue(view: ResourceView): boolean {
  return statusOf(view, 'Ready') === 'True';
}

/** True if it has a condition Ready that is not True. */
export function hasReadyFalse(view: ResourceView): boolean {
  const status = statusOf(view, 'Ready');
  return status !== undefined && status !== 'True';
}

/** True if it is ready and does not report a restore of its own. Objects of Kubernetes' own kinds have Available instead. */
export function isBackAndReady(view: ResourceView): boolean {
  if (readiness(view)?.['status'] !== 'True') return false;
  const tethered = condition(view, 'Tethered');
  return tethered?.['status'] !== 'False' || tethered['reason'] !== 'Restoring';
}

/** The condition of readiness, undefined if there is none. */
export function readiness(view: ResourceView): JsonObject | undefined {
  return condition(view, 'Ready') ?? condition(view, 'Available');
}

/** The status of its condition of that type, undefined if it has none. */
export function statusOf(view: ResourceView, type: string): Json | undefined {
  return condition(view, type)?.['status'];
}

/** Its condition of that type, undefined if it has none. */
export function condition(view: ResourceView, type: string): JsonObject | undefined {
  const conditions = view.field(['status', 'conditions']);
  const found = isList(conditions) ? conditions.find((one) => isObject(one) && one['type'] === type) : undefined;
  return isObject(found) ? found : undefined;
}
