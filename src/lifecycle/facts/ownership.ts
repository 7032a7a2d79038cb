// Adopt first, then change: after a restore the composed resources lack this XR's controller reference. Composed GC
// then skips what is undesired and the XR forgets it in the same reconcile (Crossplane 1.16.1 and main), an orphan for
// ever. One apply puts the reference on, on every version: so what leaves is adopted before, and gives the others one
// reconcile to be adopted in. Not more: an apply that is rejected for good must not keep everything else.
//
// Recorded: d-orphan, d-live-strip, d-readopt, e-wedge. Not helped, because no function is asked: objects restored with
// a stale controller reference (Kubernetes deletes them within 20 ms), and an object without its annotation
// crossplane.io/composition-resource-name (the XR stops before any function runs).

import {isObject, type JsonObject, objectsIn, type Path, text} from '../words/json.ts';
import type {Controller} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {labelComposite} from './marks.ts';
import {fieldEntriesOf, labelOf} from './metadata.ts';
import {composedFieldManager, compositeId, isComposedManager} from './naming.ts';
import {isApply} from './owned-fields.ts';
import {conditionsOf, statusOf} from './ready.ts';

export type Ownership =
  | {readonly kind: 'ours'}
  | {readonly kind: 'nobody'}
  | {readonly kind: 'stale'; readonly controller: Controller};

const ownersPath: Path = ['metadata', 'ownerReferences'];
const firstIsControllerPath: Path = [...ownersPath, 0, 'controller'];
const firstUidPath: Path = [...ownersPath, 0, 'uid'];
const deletionPath: Path = ['metadata', 'deletionTimestamp'];
const ours: Ownership = {kind: 'ours'};

/** Whose the object is, by the UID of its controller reference: names come back after a restore, UIDs never do. */
export function ownershipOf(view: ResourceView, xrUid: string): Ownership {
  // The usual case: the XR is the first owner, and two fields show it.
  if (view.field(firstIsControllerPath) === true && view.field(firstUidPath) === xrUid) return ours;
  const reference = controllerReference(view);
  if (reference === undefined) return {kind: 'nobody'};
  const uid = text(reference['uid']);
  if (uid === xrUid) return ours;
  return {
    kind: 'stale',
    controller: {
      apiVersion: text(reference['apiVersion']),
      kind: text(reference['kind']),
      name: text(reference['name']),
      uid,
    },
  };
}

/** True if the object has a controller reference. */
export function isControlled(view: ResourceView): boolean {
  return controllerReference(view) !== undefined;
}

function controllerReference(view: ResourceView): JsonObject | undefined {
  return ownerReferences(view).find(({controller}) => controller === true);
}

export function ownerReferences(view: ResourceView): readonly JsonObject[] {
  return objectsIn(view.field(ownersPath));
}

/** The owner of an observed resource. Without a controller, proof decides: the next apply adopts an unadopted one. */
export type Owner = Exclude<Ownership, {kind: 'nobody'}> | {readonly kind: 'unadopted'} | {readonly kind: 'unproven'};

/** The owners of everything observed. */
export interface Owners {
  readonly byName: ReadonlyMap<string, Owner>;
  /** Resource names of what is unadopted, sorted. */
  readonly unadopted: readonly string[];
}

/** `isTrusted`: whether the XR's own list is proof enough for an object without a controller. */
export function ownersOf(
  observed: ReadonlyMap<string, ResourceView>,
  claim: Claim,
  isTrusted: (view: ResourceView) => boolean,
): Owners {
  const byName = new Map<string, Owner>();
  const names: string[] = [];
  observed.forEach((view, resourceName) => {
    const ownership = ownershipOf(view, claim.uid);
    const isProven = () => proofOf(view, claim) !== 'none' || isTrusted(view);
    const owner: Owner = ownership.kind === 'nobody' ? {kind: isProven() ? 'unadopted' : 'unproven'} : ownership;
    if (owner.kind === 'unadopted') names.push(resourceName);
    byName.set(resourceName, owner);
  });
  return {byName, unadopted: names.sort()};
}

export function isDeleting(view: ResourceView): boolean {
  return view.field(deletionPath) !== undefined;
}

// Proof that this XR composed an object without a controller reference. An XR's editor may list anything in resourceRefs.
// Crossplane itself adopts or deletes a listed object only if its controller reference agrees (GHSA-77cv-mrm6-fr3c). So does
// function-tether: it adopts, holds and releases such an object only with proof on the object itself, which a user who can write
// only the XR cannot put there:
// - our label with this XR's identity, which a backup keeps, and
// - the entry in managedFields of Crossplane's apply for this XR, which an etcd backup keeps.
// The label crossplane.io/composite, the annotation for resource names and an entry in resourceRefs are names that anyone can
// write.
//
// A writer of the object can forge both, and could have deleted it as well. Evidence for another XR outweighs proof: then at least
// one of the two is false, and only a person can decide which.

/** The identity of an XR, as it appears on its objects. */
export interface Claim {
  /** compositeId(xr). */
  readonly id: string;
  /** composedFieldManager(xr). */
  readonly manager: string;
  /** The XR's namespace, '' if it is cluster-scoped. */
  readonly namespace: string;
  /** The XR's UID, as in its controller references. */
  readonly uid: string;
}

export type Proof = 'field-manager' | 'label' | 'none';

export function claimOf(xr: ResourceView): Claim {
  return {id: compositeId(xr), manager: composedFieldManager(xr), namespace: xr.namespace, uid: xr.uid};
}

/** The strongest proof on the object; 'none' if there is none, or if there is evidence of another XR. */
export function proofOf(view: ResourceView, claim: Claim): Proof {
  const evidence = evidenceOn(view, claim);
  return evidence === 'against' ? 'none' : evidence;
}

/** As proofOf; `against`: it carries evidence of another XR, or is in a namespace where this one composes nothing. */
export function evidenceOn(view: ResourceView, {id, manager, namespace}: Claim): Proof | 'against' {
  // The field manager lacks the XR's namespace, and a namespaced XR composes only in its own.
  if (namespace !== '' && view.namespace !== namespace) return 'against';
  const label = labelOf(view, labelComposite);
  if (label !== '' && label !== id) return 'against';
  // The field managers with which Crossplane applied the object for XRs.
  const managers = fieldEntriesOf(view)
    .filter(isApply)
    .map(({manager: applied}) => text(applied))
    .filter(isComposedManager);
  if (managers.some((other) => other !== manager)) return 'against';
  if (managers.length > 0) return 'field-manager';
  return label === '' ? 'none' : 'label';
}

// The composed resources that an XR lists, and those that it can list.
//
// resourceRefs of Crossplane v1 have no namespace (crossplane/crossplane v1.20.0 internal/xcrd/schemas.go:132; from v2.0.0 on they
// have, :141, those of LegacyCluster too), and an apply with one is refused. Every later apply of the XR's composed resources
// fails, too. v2 shows in `spec.crossplane`, or for XRs with claims in observedGeneration, which the conditions of v1 do not have.

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
