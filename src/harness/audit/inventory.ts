// The objects of a source with their relations, computed once for all checks. An object that a source lacks may be gone, or may
// only be missing in the dump: `isComplete` decides between the two. If it is false, no check judges.

import {isUsage} from '../../cluster/crossplane/usage-object.ts';
import {isObject} from '../../cluster/json.ts';
import {controllerOf, groupKindOf, type KubeObject, type ResourceRef, refOf} from '../../cluster/object.ts';
import {listedRefs} from '../input/listed-refs.ts';
import type {Source} from '../input/source/source.ts';
import {addressText} from './finding.ts';

export interface Inventory {
  readonly objects: readonly KubeObject[];
  readonly nowMs: number;
  readonly xrs: readonly Xr[];
  readonly xrOf: ReadonlyMap<KubeObject, Xr>;
  readonly claims: readonly KubeObject[];
  readonly managed: readonly KubeObject[];
  readonly usages: readonly KubeObject[];
  readonly get: (ref: ResourceRef) => KubeObject | undefined;
  readonly hasUid: (uid: string) => boolean;
  /** The object that controls this one: by its uid, and by its name where the source has it without one. */
  readonly ownerOf: (object: KubeObject) => KubeObject | undefined;
  /** The XRs that list an object as composed. */
  readonly listing: (object: KubeObject) => readonly KubeObject[];
  /** True if an object at this place that is not in the source is not in the control plane either. */
  readonly isComplete: (ref: Omit<ResourceRef, 'name'>) => boolean;
}

export interface Xr {
  readonly object: KubeObject;
  readonly refs: readonly ResourceRef[];
}

export function inventoryOf({objects, kinds, asOfMs}: Source): Inventory {
  const byAddress = new Map(objects.map((object) => [addressText(refOf(object)), object]));
  const kindsWith = (category: string): ReadonlySet<string> =>
    new Set(kinds.filter(({categories}) => categories.includes(category)).map(({kind, group}) => nameOf(kind, group)));
  const [composite, claim, managed] = [kindsWith('composite'), kindsWith('claim'), kindsWith('managed')];
  const xrs = objects
    .filter((object) => composite.has(groupKindOf(object)) || refsIn(object).length > 0)
    .map((object): Xr => ({object, refs: refsIn(object)}));
  const listing = new Map<string, KubeObject[]>();
  for (const {object, refs} of xrs) {
    for (const ref of refs) listing.set(addressText(ref), [...(listing.get(addressText(ref)) ?? []), object]);
  }
  const seen = new Set(objects.map(groupKindOf));
  const defined = new Set(
    kinds.filter(({knownBy}) => knownBy !== 'objects').map(({kind, group}) => nameOf(kind, group)),
  );
  const namespaces = new Set(
    objects.map((object) => (isNamespace(object) ? object.metadata.name : object.metadata.namespace)),
  );
  const byUid = new Map(
    objects.flatMap((object) => (object.metadata.uid === undefined ? [] : [[object.metadata.uid, object] as const])),
  );
  return {
    objects,
    nowMs: asOfMs,
    xrs,
    xrOf: new Map(xrs.map((xr) => [xr.object, xr])),
    claims: objects.filter((object) => claim.has(groupKindOf(object))),
    managed: objects.filter((object) => managed.has(groupKindOf(object)) || isObject(object.spec?.['forProvider'])),
    usages: objects.filter(isUsage),
    get: (ref) => byAddress.get(addressText(ref)),
    hasUid: (uid) => byUid.has(uid),
    ownerOf: (object) => {
      const found = byUid.get(controllerOf(object)?.uid ?? '');
      if (found !== undefined) return found;
      return controllerPlaces(object)
        .map((ref) => byAddress.get(addressText(ref)))
        .find((owner) => owner !== undefined && owner.metadata.uid === undefined);
    },
    listing: (object) => listing.get(addressText(refOf(object))) ?? [],
    isComplete: (ref) => {
      const kind = groupKindOf(ref);
      return (seen.has(kind) || defined.has(kind)) && (ref.namespace === undefined || namespaces.has(ref.namespace));
    },
  };
}

/** True if another object than this XR controls it, or one that is not in the source. */
export function isForeign(object: KubeObject, {object: xr}: Xr, {ownerOf}: Inventory): boolean {
  return controllerOf(object) !== undefined && ownerOf(object) !== xr;
}

/** Empty if it has none: no XR composed it. */
/** Where the controller of an object may be: beside it if its kind has namespaces, and without a namespace if not. */
export function controllerPlaces(object: KubeObject): readonly ResourceRef[] {
  const controller = controllerOf(object);
  if (controller === undefined) return [];
  const {apiVersion, kind, name} = controller;
  const {namespace} = object.metadata;
  const bare = {apiVersion, kind, name};
  return namespace === undefined ? [bare] : [{apiVersion, kind, namespace, name}, bare];
}

/** Native patch-and-transform kept places for resources it had not made. */
function refsIn(xr: KubeObject): readonly ResourceRef[] {
  return listedRefs(xr).flatMap(({apiVersion, kind, name, namespace = xr.metadata.namespace}) => {
    if ([apiVersion, kind, name].includes('')) return [];
    return [namespace ? {apiVersion, kind, namespace, name} : {apiVersion, kind, name}];
  });
}

function isNamespace({apiVersion, kind}: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Namespace';
}

function nameOf(kind: string, group: string): string {
  return group === '' ? kind : `${kind}.${group}`;
}
