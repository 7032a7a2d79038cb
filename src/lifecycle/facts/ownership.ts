// Adopt first, then change: after a restore the composed resources lack this XR's controller reference. Composed GC
// then skips what is undesired and the XR forgets it in the same reconcile (Crossplane 1.16.1 and main), an orphan for
// ever. One apply puts the reference on, on every version: so what leaves is adopted before, and gives the others one
// reconcile to be adopted in. Not more: an apply that is rejected for good must not keep everything else.
//
// Recorded: d-orphan, d-live-strip, d-readopt, e-wedge. Not helped, because no function is asked: objects restored with
// a stale controller reference (Kubernetes deletes them within 20 ms), and an object without its annotation
// crossplane.io/composition-resource-name (the XR stops before any function runs).

import {type JsonObject, objectsIn, type Path, text} from '../words/json.ts';
import type {Controller} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {type Claim, proofOf} from './proof.ts';

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
