// Manifests that leave out their namespace, as kubectl takes them: an object of a namespaced kind is in `default`. A kind that
// nothing defines is namespaced if one of its objects has a namespace.

import {coreKinds} from '../../../cluster/api/core-kinds.ts';
import {writtenScope} from '../../../cluster/crossplane/xrd.ts';
import {groupKindDefined} from '../../../cluster/defined-kinds.ts';
import {at} from '../../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../../cluster/object.ts';

/** The objects, each of a namespaced kind in a namespace. `definitions` are objects with what defines their kinds among them. */
export function inDefaultNamespace(
  objects: readonly KubeObject[],
  definitions: readonly KubeObject[],
): readonly KubeObject[] {
  if (objects.every(({metadata}) => metadata.namespace !== undefined)) return objects;
  const namespaced = namespacedKinds([...definitions, ...objects]);
  return objects.map((object) => {
    if (object.metadata.namespace !== undefined || !namespaced.has(groupKindOf(object))) return object;
    return {...object, metadata: {...object.metadata, namespace: 'default'}};
  });
}

function namespacedKinds(objects: readonly KubeObject[]): ReadonlySet<string> {
  const own = coreKinds.map(({group, kind, namespaced}): readonly [string, boolean] => {
    return [groupKindOf({apiVersion: `${group === '' ? '' : `${group}/`}v1`, kind}), namespaced];
  });
  const used = objects.flatMap((object): readonly (readonly [string, boolean])[] => {
    return object.metadata.namespace === undefined ? [] : [[groupKindOf(object), true]];
  });
  // The definition of a kind wins.
  const known = new Map([...used, ...own, ...objects.flatMap(scopesDefined)]);
  return new Set([...known].flatMap(([name, namespaced]) => (namespaced ? [name] : [])));
}

/** Each kind that the object defines, and whether it is namespaced. */
function scopesDefined(object: KubeObject): readonly (readonly [string, boolean])[] {
  if (object.kind === 'CustomResourceDefinition') {
    return [[groupKindDefined(object), object.spec?.['scope'] === 'Namespaced']];
  }
  if (object.kind !== 'CompositeResourceDefinition') return [];
  const claim = at(object.spec, ['claimNames', 'kind']);
  return [
    [groupKindDefined(object), writtenScope(object) === 'Namespaced'],
    ...(typeof claim === 'string' ? [[`${claim}.${String(object.spec?.['group'])}`, true] as const] : []),
  ];
}
