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

import {text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {labelComposite} from './marks.ts';
import {fieldEntriesOf, labelOf} from './metadata.ts';
import {composedFieldManager, compositeId, isComposedManager} from './naming.ts';
import {isApply} from './owned-fields.ts';

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
