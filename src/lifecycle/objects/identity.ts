// Resource names and objects come apart when a Composition is edited: another kind under an old name, or an old object
// under a new name. Both are moves, which nobody makes by themselves; until then the object stays with its old name.
//
// Another kind: Crossplane gives the new object the old one's name, applies it, lists it in resourceRefs in place of the
// old one, and deletes nothing, because a resource of that name is desired: the old object lives on, controlled and listed
// by nobody (crossplane/crossplane 2d040d2da composite/composition_functions.go:552 SetName, :959 composed GC compares
// resource names alone, :1016 UpdateResourceRefs; the same in v1.16.1 to v2.3.4).
// Another name: composed GC deletes the object for its old name, and it is made anew for the new one.

import type {ObjectRef} from '../decision.ts';
import type {ResourceView, Snapshot} from '../snapshot.ts';
import {isSameKind, type Kind, objectKey, placedRef, refTo} from './naming.ts';
import type {Owner, Owners} from './ownership.ts';

/** What an XR is composed of, and is to be. */
type Composition = Pick<Snapshot, 'xr' | 'observed' | 'desired'>;

/** What is wanted, where it is of another kind or group than the observed object. */
export function changedKind(view: ResourceView, wanted: Kind | undefined): Kind | undefined {
  return wanted === undefined || isSameKind(view, wanted) ? undefined : wanted;
}

/** Who has another resource name now, in both directions. */
export interface Renames {
  readonly to: ReadonlyMap<string, string>;
  readonly from: ReadonlyMap<string, string>;
}

/** For objects that no step desires under their old name and one does, by kind, namespace and name, under a new one. */
export function renamesIn({xr, observed, desired}: Composition, {byName}: Owners): Renames {
  const isOwn = (resourceName: string) => isOurs(byName.get(resourceName));
  const dropped = new Map<string, string>();
  observed.forEach((view, resourceName) => {
    if (!desired.has(resourceName) && isOwn(resourceName)) dropped.set(objectKey(refTo(view)), resourceName);
  });
  const renames = {to: new Map<string, string>(), from: new Map<string, string>()};
  if (dropped.size === 0) return renames;
  for (const resourceName of [...desired.keys()].sort()) {
    if (observed.has(resourceName)) continue;
    const wanted = objectOf({xr, observed, desired}, resourceName);
    const old = wanted === undefined ? undefined : dropped.get(objectKey(wanted));
    if (old === undefined || renames.to.has(old)) continue;
    renames.to.set(old, resourceName);
    renames.from.set(resourceName, old);
  }
  return renames;
}

function isOurs(owner: Owner | undefined): boolean {
  return owner?.kind === 'ours' || owner?.kind === 'unadopted';
}

/**
 * The object a resource name stands for. Observed wins, because Crossplane keeps the observed name and namespace. A
 * desired resource counts once it says its name.
 */
export function objectOf(snapshot: Composition, resourceName: string): ObjectRef | undefined {
  const observed = snapshot.observed.get(resourceName);
  if (observed !== undefined) return refTo(observed);
  const desired = snapshot.desired.get(resourceName);
  if (desired === undefined || desired.name === '') return undefined;
  return placedRef(desired, snapshot.xr);
}
