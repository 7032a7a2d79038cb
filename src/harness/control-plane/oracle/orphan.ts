// An orphan: it lives, it was made for an XR, no XR lists it and nothing that lives controls it. No controller will ever delete
// it. Judged from the stored objects alone, by what Kubernetes and Crossplane document; no simulator code takes part.

import {addressOf, controllerOf, groupKindOf, isDeleting, type KubeObject} from '../../../cluster/object.ts';
import {resourceNameOf} from '../../../cluster/vocabulary.ts';
import {listedRefs} from '../../input/listed-refs.ts';

export interface Orphan {
  readonly object: KubeObject;
  /** Its name in the pipeline. */
  readonly resourceName: string;
}

export function orphansAmong(objects: readonly KubeObject[]): readonly Orphan[] {
  return unlistedAmong(objects).filter(({controller}) => controller === undefined);
}

/** Composed resources that no XR lists; each with what controls it, as after a change of its kind, which XRs forget. */
export function unlistedAmong(
  objects: readonly KubeObject[],
): readonly (Orphan & {controller: KubeObject | undefined})[] {
  const alive = new Map(objects.map((object) => [object.metadata.uid, object]));
  const listed = new Set(objects.flatMap(referencesOf));
  return objects.flatMap((object) => {
    const resourceName = resourceNameOf(object);
    if (resourceName === undefined || isDeleting(object) || listed.has(addressOf(object))) return [];
    return [{object, resourceName, controller: alive.get(controllerOf(object)?.uid ?? '')}];
  });
}

/** The addresses of the objects that an object lists as composed. */
function referencesOf(object: KubeObject): readonly string[] {
  return listedRefs(object).flatMap(({apiVersion, kind, name, namespace}) => {
    // Of a kind in no namespace the client leaves it out, too.
    const places = new Set([namespace ?? object.metadata.namespace ?? '', ...(namespace === undefined ? [''] : [])]);
    return [...places].map((where) => `${groupKindOf({apiVersion, kind})} ${where}/${name}`);
  });
}
