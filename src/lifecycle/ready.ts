// Whether a resource says of itself that it is ready, as every managed resource and XR does.

import {isList, isObject} from './json.ts';
import type {ResourceView} from './snapshot.ts';

/** Whether its condition Ready is True. */
export function saysReady(view: ResourceView): boolean {
  const conditions = view.field(['status', 'conditions']);
  if (!isList(conditions)) return false;
  return conditions.some(
    (condition) => isObject(condition) && condition['type'] === 'Ready' && condition['status'] === 'True',
  );
}
