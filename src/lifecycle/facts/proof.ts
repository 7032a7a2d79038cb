// What proves that this XR composed an object that no controller reference says it of. An XR's editor may list anything
// in resourceRefs, and Crossplane itself adopts or deletes what is listed there only where a controller reference agrees
// (GHSA-77cv-mrm6-fr3c). So does function-tether: it adopts, holds and releases such an object only on proof on the
// object itself, which somebody who can write no more than the XR cannot put there:
// - our label with this XR's identity, which a backup keeps, and
// - the entry in managedFields of Crossplane's apply for this XR, which an etcd backup keeps.
// The label crossplane.io/composite, the annotation for resource names and being listed are names that anybody can say.
//
// Who can write the object can forge both, and could have deleted it as well. Evidence for another XR outweighs: then at
// least one of the two is not true, and nobody but a person can say which.

import {isList, isObject, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {labelComposite} from './marks.ts';
import {composedFieldManager, compositeId, isComposedManager} from './naming.ts';

/** Who an XR is: what proves that an object is its. */
export interface Claim {
  /** compositeId(xr). */
  readonly id: string;
  /** composedFieldManager(xr). */
  readonly manager: string;
  /** The XR's namespace, '' if it is cluster-scoped. */
  readonly namespace: string;
  /** The XR's UID, which its controller references say. */
  readonly uid: string;
}

export type Proof = 'field-manager' | 'label' | 'none';

export function claimOf(xr: ResourceView): Claim {
  const uid = text(xr.field(['metadata', 'uid']));
  return {id: compositeId(xr), manager: composedFieldManager(xr), namespace: xr.namespace, uid};
}

/** Whether something on the object says that it is another XR's, or it is where this one composes nothing. */
export function saysAnother(view: ResourceView, claim: Claim): boolean {
  return evidenceOn(view, claim) === 'against';
}

/** The strongest proof on the object, 'none' where there is none or where something on it says another XR. */
export function proofOf(view: ResourceView, claim: Claim): Proof {
  const evidence = evidenceOn(view, claim);
  return evidence === 'against' ? 'none' : evidence;
}

function evidenceOn(view: ResourceView, {id, manager, namespace}: Claim): Proof | 'against' {
  // The field manager does not say the XR's namespace, and a namespaced XR composes nothing outside of its own.
  if (namespace !== '' && view.namespace !== namespace) return 'against';
  const label = text(view.field(['metadata', 'labels', labelComposite]));
  if (label !== '' && label !== id) return 'against';
  const managers = composedManagers(view);
  if (managers.some((other) => other !== manager)) return 'against';
  if (managers.length > 0) return 'field-manager';
  return label === '' ? 'none' : 'label';
}

/** The field managers with which Crossplane applied the object for XRs. */
function composedManagers(view: ResourceView): readonly string[] {
  const entries = view.field(['metadata', 'managedFields']);
  if (!isList(entries)) return [];
  return entries.flatMap((entry) => {
    if (!isObject(entry) || entry['operation'] !== 'Apply' || text(entry['subresource']) !== '') return [];
    const manager = text(entry['manager']);
    return isComposedManager(manager) ? [manager] : [];
  });
}
