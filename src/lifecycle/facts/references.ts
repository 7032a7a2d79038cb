// The composed resources that an XR lists, and those that it can list.
//
// resourceRefs of Crossplane v1 have no namespace (crossplane/crossplane v1.20.0 internal/xcrd/schemas.go:132; from v2.0.0 on they
// have, :141, those of LegacyCluster too), and an apply with one is refused. Every later apply of the XR's composed resources
// fails, too. v2 shows in `spec.crossplane`, or for XRs with claims in observedGeneration, which the conditions of v1 do not have.

import {isObject, type JsonObject, objectsIn, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {labelOf} from './metadata.ts';
import {conditionsOf, statusOf} from './ready.ts';

/** True if this XR is known to be able to list an object in a namespace. */
export function listsNamespaces(xr: ResourceView): boolean {
  if (xr.namespace !== '' || isObject(xr.field(['spec', 'crossplane']))) return true;
  if (objectsIn(xr.field(['spec', 'resourceRefs'])).some(({namespace}) => text(namespace) !== '')) return true;
  return conditionsOf(xr).some(({observedGeneration}) => observedGeneration !== undefined);
}

/** True if this XR can list an object like the view. One that it cannot list stops all its composing. */
export function canList(xr: ResourceView, view: ResourceView): boolean {
  return view.namespace === '' || listsNamespaces(xr);
}

/** True if it has a condition Synced: Crossplane has reconciled it, and it has not lost its status since. */
export function hasSynced(xr: ResourceView): boolean {
  return statusOf(xr, 'Synced') !== undefined;
}

/** True if Velero created it: d30d389 pkg/restore/restore.go addRestoreLabels, the label is on everything that it creates. */
export function isRestored(xr: ResourceView): boolean {
  return labelOf(xr, 'velero.io/restore-name') !== '';
}

/** Fields of every XR that ever composed. Other kinds may have a list named resourceRefs, too, but never these. */
const ofXrs = [
  ['spec', 'crossplane'],
  ['spec', 'compositionRef'],
  ['spec', 'compositionRevisionRef'],
];

export function isXr(view: ResourceView): boolean {
  return ofXrs.some((path) => isObject(view.field(path)));
}

/** True for the entry in managedFields of an XR with which Crossplane applies the status that the pipeline sets. */
export function isPipelineStatus({manager, operation, subresource}: JsonObject): boolean {
  return manager === 'apiextensions.crossplane.io/composite' && operation === 'Apply' && subresource === 'status';
}

/** Its resourceRefs, where Crossplane 2 or Crossplane 1 keeps them. */
export function listedBy(xr: ResourceView): readonly JsonObject[] {
  const paths = [
    ['spec', 'crossplane', 'resourceRefs'],
    ['spec', 'resourceRefs'],
  ];
  return paths.flatMap((path) => objectsIn(xr.field(path)));
}
