// An object already has the name that a new composed resource will get: the name that the pipeline desires, or that Crossplane 2
// generates. An XR loses sight of such an object if it orphaned it and desires it again, or comes back with another UID. Crossplane
// then applies over the object with the same field manager as before. Fields that this manager owned and no longer sends are
// removed. So an external name that this function wrote, from status or in a move, would be lost, and the provider would create a
// second external resource. We therefore keep emitting it.
//
// If the object was given to another XR or orphaned, is being deleted and is wanted here again, the new one is created once it is
// gone. Applied over, it would get back the policies that delete its external resource, and the input may no longer have the rule
// against that.
//
// The object is requested only if the input has external names written or the XR has composed before, and if Crossplane answers
// which kinds it serves (v2.2 on): a failing answer stops the XR. Elsewhere `restore.lookup` finds the object.

import {deletesExternal} from '../facts/external-policies.ts';
import {objectOf} from '../facts/identity.ts';
import {isAskable, madeUpName} from '../facts/naming.ts';
import {hasSynced, isDeleting, proofOf} from '../facts/ownership.ts';
import type {Scene} from '../input/scene.ts';
import {type Answers, ofObject} from '../questions/registry.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {type ObjectRef, placedRef} from '../words/references.ts';
import type {Snapshot} from '../words/snapshot.ts';

interface Looking extends Scene {
  readonly answers: Answers;
}

/** By resource name: every object that has a name and is not observed, but for what `isMoving`. */
export function requirementsInPlace(
  {snapshot, input}: Scene,
  isMoving: (resourceName: string) => boolean,
): ReadonlyMap<string, ResourceSelector> {
  const requirements = new Map<string, ResourceSelector>();
  const writesNames = [input.handover, input.take, input.externalNames].some((part) => part !== undefined);
  if (snapshot.schemas === undefined || !(writesNames || hasSynced(snapshot.xr))) return requirements;
  snapshot.desired.forEach((_, resourceName) => {
    const isMade = snapshot.observed.has(resourceName) || isMoving(resourceName);
    const object = isMade ? undefined : objectToCreate(snapshot, resourceName);
    if (object === undefined || !isAskable(object)) return;
    requirements.set(resourceName, ofObject(object));
  });
  return requirements;
}

/** The object that Crossplane will create. A generated name is made of the XR's UID, so it is the same as before. */
function objectToCreate(snapshot: Snapshot, resourceName: string): ObjectRef | undefined {
  const said = objectOf(snapshot, resourceName);
  const desired = snapshot.desired.get(resourceName);
  if (said !== undefined || desired === undefined || snapshot.schemas === undefined) return said;
  return {...placedRef(desired, snapshot.xr), name: madeUpName(snapshot.xr, resourceName, desired)};
}

/** The object in its place that is being deleted and leaves its external resource alone, because it was given away or orphaned. */
export function leavingObjectInPlaceOf(
  resourceName: string,
  {snapshot, claim, answers}: Looking,
): ObjectRef | undefined {
  const object = objectToCreate(snapshot, resourceName);
  const view = object && answers.object(object);
  const isLeaving = view !== undefined && isDeleting(view) && !deletesExternal(view) && proofOf(view, claim) !== 'none';
  return isLeaving ? object : undefined;
}
