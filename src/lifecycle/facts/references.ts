// What an XR lists among its composed resources, and what it can.
//
// resourceRefs of Crossplane v1 have no namespace (crossplane/crossplane v1.20.0 internal/xcrd/schemas.go:132; from v2.0.0
// on they have, :141, those of LegacyCluster too), and an apply that says one is refused. So is everything that the XR
// composes from then on. That it is v2 shows in `spec.crossplane`, or for XRs with claims in observedGeneration, which the
// conditions of v1 do not know.

import {at, isList, isObject, type Json, type JsonObject, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {isSameObject, refTo} from './naming.ts';

/** Whether this XR is known to be able to list an object that is in a namespace. */
export function listsNamespaces(xr: ResourceView): boolean {
  if (xr.namespace !== '' || isObject(xr.field(['spec', 'crossplane']))) return true;
  const hasNamespace = some(xr.field(['spec', 'resourceRefs']), (ref) => text(at(ref, ['namespace'])) !== '');
  return (
    hasNamespace || some(xr.field(['status', 'conditions']), (one) => at(one, ['observedGeneration']) !== undefined)
  );
}

/**
 * Whether Crossplane 1 reconciled this XR last: it says Synced, and knows no generation that it observed. It serves no Usages of
 * Crossplane 2, and an XR that once listed one is never read again: that no such kind is there is an error (v1.20.0 composition_functions.go ObserveComposedResources).
 */
export function isOfCrossplane1(xr: ResourceView): boolean {
  return saysSynced(xr) && !listsNamespaces(xr);
}

/** Whether it says whether it is Synced: Crossplane has reconciled it, and it has not lost its status since. */
export function saysSynced(xr: ResourceView): boolean {
  return some(xr.field(['status', 'conditions']), (one) => at(one, ['type']) === 'Synced');
}

/** Whether Crossplane lets hardly any event of what it composes through: its circuit breaker is open. */
export function saysDeaf(xr: ResourceView): boolean {
  return some(
    xr.field(['status', 'conditions']),
    (one) => at(one, ['type']) === 'Responsive' && at(one, ['status']) === 'False',
  );
}

/** Whether Velero made it: d30d389 pkg/restore/restore.go addRestoreLabels, the label is on everything that it creates. */
export function isRestored(xr: ResourceView): boolean {
  return text(xr.field(['metadata', 'labels', 'velero.io/restore-name'])) !== '';
}

/**
 * What every XR has that ever composed something. Other kinds may have a list of that name, too, and no status ever tells of a reconcile
 * of theirs.
 */
const ofXrs = [
  ['spec', 'crossplane'],
  ['spec', 'compositionRef'],
  ['spec', 'compositionRevisionRef'],
];

export function isXr(view: ResourceView): boolean {
  return ofXrs.some((path) => isObject(view.field(path)));
}

/** Its resourceRefs, where Crossplane 2 or Crossplane 1 keeps them. */
export function listedBy(xr: ResourceView): readonly JsonObject[] {
  const paths = [
    ['spec', 'crossplane', 'resourceRefs'],
    ['spec', 'resourceRefs'],
  ];
  return paths.flatMap((path) => {
    const refs = xr.field(path);
    return isList(refs) ? refs.filter(isObject) : [];
  });
}

/** Whether the XR lists the object; one of v1 says no namespace. */
export function lists(xr: ResourceView, view: ResourceView): boolean {
  return listedBy(xr).some((ref) => {
    const said = (key: string) => text(ref[key]);
    const namespace = said('namespace') || view.namespace;
    return isSameObject(
      {apiVersion: said('apiVersion'), kind: said('kind'), namespace, name: said('name')},
      refTo(view),
    );
  });
}

function some(list: Json | undefined, holds: (item: Json) => boolean): boolean {
  return isList(list) && list.some(holds);
}
