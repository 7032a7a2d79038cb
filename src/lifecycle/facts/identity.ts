// Resource names and objects come apart when a Composition is edited: another kind under an old name, or an old object under a new
// name. In the first case the object stays as it is until a rule moves it. In the second case it is the same object under any
// resource name, so it gets the new one (moves/handover/moves.ts).
//
// Another kind: Crossplane gives the new object the old one's name, applies it, and lists it in resourceRefs in place of the old
// one. It deletes nothing, because a resource of that name is desired. The old object lives on, with no controller and in no list
// (crossplane/crossplane 2d040d2da composite/composition_functions.go:552 SetName, :959 composed GC compares resource names alone,
// :1016 UpdateResourceRefs; the same in v1.16.1 to v2.3.4).
// Another name: composed GC deletes the object for its old name, and Crossplane creates a new one for the new name.

import {type End, type ObjectRef, objectKey, placedRef, refTo} from '../words/references.ts';
import type {Composition, ResourceView} from '../words/snapshot.ts';
import {isUsage} from './edges.ts';

/** The new key of an object: a resource name that desires the very object. `isTaken`: it has another one, whose name Crossplane keeps. */
export interface NewKey {
  readonly name: string;
  readonly isTaken: boolean;
}

/**
 * The name under which the object is desired that is observed as `at`; undefined for none, and if it is desired as `at`. A name with
 * an object of its own counts if nothing is desired as `at`: the object would be deleted, although the pipeline names it.
 */
export function newKeys({xr, observed, desired}: Composition): (at: string, view: ResourceView) => NewKey | undefined {
  const open: (readonly [string, ResourceView])[] = [];
  desired.forEach((wanted, name) => {
    if (!observed.has(name) && wanted.name !== '') open.push([name, wanted]);
  });
  const nameIn = (all: readonly (readonly [string, ResourceView])[], view: ResourceView) => {
    const key = objectKey(view);
    const names = all.filter(([, wanted]) => wanted.name === view.name && objectKey(placedRef(wanted, xr)) === key);
    return names.map(([name]) => name).sort()[0];
  };
  /** An object goes to no other name if `at` is desired with its name, or without any. */
  const goesOn = (at: string, view: ResourceView) => {
    const own = open.length === 0 ? '' : desired.get(at)?.name;
    return own === '' || own === view.name ? undefined : nameIn(open, view);
  };
  const isTaken = ([name, wanted]: readonly [string, ResourceView]) => {
    const view = observed.get(name);
    return view !== undefined && wanted.name !== '' && wanted.name !== view.name && goesOn(name, view) === undefined;
  };
  let taken: readonly (readonly [string, ResourceView])[] | undefined;
  return (at, view) => {
    const free = goesOn(at, view);
    if (free !== undefined) return {name: free, isTaken: false};
    if (desired.has(at) || isUsage(view)) return undefined;
    taken ??= [...desired].filter(isTaken);
    const name = nameIn(taken, view);
    return name === undefined ? undefined : {name, isTaken: true};
  };
}

/** The end of a Usage that has this resource name; undefined where `objectOf` is. */
export function endIn(snapshot: Composition, resourceName: string): End | undefined {
  const object = objectOf(snapshot, resourceName);
  return object && {resourceName, object};
}

/** The object of a resource name: the observed one, because Crossplane keeps its name, or else a desired one with a name. */
export function objectOf(snapshot: Composition, resourceName: string): ObjectRef | undefined {
  const observed = snapshot.observed.get(resourceName);
  if (observed !== undefined) return refTo(observed);
  const desired = snapshot.desired.get(resourceName);
  if (desired === undefined || desired.name === '') return undefined;
  return placedRef(desired, snapshot.xr);
}
