// Whether a resource says of itself that it is ready, as every managed resource and XR does.

import {isList, isObject, type Json} from '../json.ts';
import type {ResourceView} from '../snapshot.ts';

/** Whether its condition Ready is True. */
export function saysReady(view: ResourceView): boolean {
  return readyStatus(view) === 'True';
}

/** Whether it has a condition Ready that is not True. */
export function saysUnready(view: ResourceView): boolean {
  const status = readyStatus(view);
  return status !== undefined && status !== 'True';
}

function readyStatus(view: ResourceView): Json | undefined {
  const conditions = view.field(['status', 'conditions']);
  if (!isList(conditions)) return undefined;
  const ready = conditions.find((condition) => isObject(condition) && condition['type'] === 'Ready');
  return isObject(ready) ? ready['status'] : undefined;
}
