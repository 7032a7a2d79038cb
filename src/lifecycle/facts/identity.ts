// Resource names and objects come apart when a Composition is edited: another kind under an old name, or an old object under a new
// name. In the first case the object stays as it is until a rule moves it. In the second case it is the same object under any
// resource name, so it gets the new one (moves/handover/moves.ts).
//
// Another kind: Crossplane gives the new object the old one's name, applies it, and lists it in resourceRefs in place of the old
// one. It deletes nothing, because a resource of that name is desired. The old object lives on, with no controller and in no list
// (crossplane/crossplane 2d040d2da composite/composition_functions.go:552 SetName, :959 composed GC compares resource names alone,
// :1016 UpdateResourceRefs; the same in v1.16.1 to v2.3.4).
// Another name: composed GC deletes the object for its old name, and Crossplane creates a new one for the new name.

import {isSameKind, type Kind, type ObjectRef} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {objectKey, placedRef, refTo} from './naming.ts';

/** The observed and desired composition of an XR. */
type Composition = Pick<Snapshot, 'xr' | 'observed' | 'desired'>;

/** The desired kind, if it differs from the observed object's kind or group. */
export function changedKind(view: ResourceView, wanted: Kind | undefined): Kind | undefined {
  return wanted === undefined || isSameKind(view, wanted) ? undefined : wanted;
}

/**
 * For an object that is observed as `at` the resource name, without an object of its own, that desires the very same; undefined
 * for none.
 */
export function newNames({xr, observed, desired}: Composition): (at: string, view: ResourceView) => string | undefined {
  const open: (readonly [string, ResourceView])[] = [];
  desired.forEach((wanted, name) => {
    if (!observed.has(name)) open.push([name, wanted]);
  });
  return (at, view) => {
    if (desired.has(at)) return undefined;
    const key = objectKey(refTo(view));
    const names = open.filter(([, wanted]) => wanted.name === view.name && objectKey(placedRef(wanted, xr)) === key);
    return names.map(([name]) => name).sort()[0];
  };
}

/** The object of a resource name: the observed one, because Crossplane keeps its name, or else a desired one with a name. */
export function objectOf(snapshot: Composition, resourceName: string): ObjectRef | undefined {
  const observed = snapshot.observed.get(resourceName);
  if (observed !== undefined) return refTo(observed);
  const desired = snapshot.desired.get(resourceName);
  if (desired === undefined || desired.name === '') return undefined;
  return placedRef(desired, snapshot.xr);
}
