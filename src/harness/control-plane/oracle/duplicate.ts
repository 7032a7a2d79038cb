// Two live objects for one composed resource of one XR: what a restore without resourceRefs leaves behind.

import {groupKindOf, isDeleting, type KubeObject} from '../../../cluster/object.ts';
import {labelComposite, resourceNameOf} from '../../../cluster/vocabulary.ts';

export interface Duplicate {
  readonly xr: string;
  readonly resourceName: string;
  readonly objects: readonly KubeObject[];
}

export function duplicatesAmong(objects: readonly KubeObject[]): readonly Duplicate[] {
  const groups = new Map<string, KubeObject[]>();
  for (const object of objects) {
    const xr = object.metadata.labels?.[labelComposite];
    const resourceName = resourceNameOf(object);
    if (xr === undefined || resourceName === undefined || isDeleting(object)) continue;
    const key = JSON.stringify([xr, resourceName, groupKindOf(object), object.metadata.namespace ?? '']);
    groups.set(key, [...(groups.get(key) ?? []), object]);
  }
  return [...groups].flatMap(([key, group]) => {
    const [xr = '', resourceName = ''] = JSON.parse(key) as string[];
    return group.length > 1 ? [{xr, resourceName, objects: group}] : [];
  });
}
