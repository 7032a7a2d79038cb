// A nested XR that uses something, by an order or a Usage, exists until its composed resources are gone.
//
// Deleted in the background, its object goes at once, because its controller only removes its own finalizer. Its composed resources
// are deleted after it, and may live for minutes without the resource that they use. Crossplane 1 deletes composed resources
// without a propagation policy (crossplane/crossplane v1.20.0 composition_functions.go GarbageCollectComposedResources), and so
// does the owner GC with those of a deleted XR. Both obey a finalizer that is there already: `foregroundDeletion` makes the API
// server and the owner GC delete first the objects that the object owns (kubernetes/kubernetes v1.34 apiserver
// registry/generic/registry/store.go shouldDeleteDependents; pkg/controller/garbagecollector/garbagecollector.go
// attemptToDeleteItem). So the nested XR has it as long as it uses something. Crossplane's controller references block the deletion
// of their owner. A delete with an explicit Background policy takes it off.
//
// It cannot be added to an object that is being deleted, and is not taken off there.

import {hasFinalizer} from '../facts/external-policies.ts';
import {isDeleting, isXr} from '../facts/ownership.ts';
import {isList, type Json} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

const foreground = 'foregroundDeletion';
const orphaning = 'orphan';

/** True if its object would go before its composed resources, if it were released now. */
export function goesBeforeComposed(view: ResourceView): boolean {
  return isXr(view) && !isDeleting(view) && ![foreground, orphaning].some((one) => hasFinalizer(view, one));
}

/** The finalizers to emit for a nested XR that uses something, beside those that are `wanted`; undefined if none is added. */
export function withForeground(view: ResourceView, wanted: Json | undefined): readonly Json[] | undefined {
  const others = isList(wanted) ? wanted : [];
  if (!isXr(view) || others.includes(foreground)) return undefined;
  return goesBeforeComposed(view) || hasFinalizer(view, foreground) ? [...others, foreground] : undefined;
}
