// What is in the place of an object that is about to be made, under the name that the pipeline says or Crossplane 2 makes up. An XR
// that lost sight of it, as one that was orphaned and is asked for again or that comes back with another UID, has Crossplane apply its
// own over it, with the field manager of before: what that manager owned and does not say now is taken away. An external name that
// this function wrote, from status or in a move, would be lost, and the provider make a second external resource. So it is said again.
//
// What was given to another XR, or orphaned, and is wanted here again while it still goes is made once it is gone: applied over, it would
// be told to delete its external resource after all, and the rule that told it otherwise may not be in the input any more.
//
// Asked for only where the input has external names written or the XR has composed before, and where Crossplane tells which kinds it
// serves (v2.2 on): an answer that fails stops the XR. Elsewhere `restore.lookup` finds it.

import {deletesExternal} from '../facts/external-policies.ts';
import {objectOf} from '../facts/identity.ts';
import {isAskable, madeUpName, placedRef, prefixOf} from '../facts/naming.ts';
import {isDeleting} from '../facts/ownership.ts';
import {type Claim, proofOf} from '../facts/proof.ts';
import {saysSynced} from '../facts/references.ts';
import type {Input} from '../input/input.ts';
import {placeOf} from '../questions/registry.ts';
import type {Answers} from '../restore/answers.ts';
import type {Decision} from '../words/decision.ts';
import type {Requirement} from '../words/edit.ts';
import {text} from '../words/json.ts';
import type {ObjectRef} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

/** By requirement name: every object that has a name and is not observed, but for what `isMoving`. */
export function placeRequirements(
  snapshot: Snapshot,
  input: Input,
  isMoving: (resourceName: string) => boolean,
): ReadonlyMap<string, Requirement> {
  const requirements = new Map<string, Requirement>();
  if (snapshot.schemas === undefined || !(writesNames(input) || saysSynced(snapshot.xr))) return requirements;
  snapshot.desired.forEach((_, resourceName) => {
    const isMade = snapshot.observed.has(resourceName) || isMoving(resourceName);
    const object = isMade ? undefined : placeIn(snapshot, resourceName);
    if (object === undefined || !isAskable(object)) return;
    const {apiVersion, kind, namespace, name} = object;
    requirements.set(placeOf(resourceName), {apiVersion, kind, namespace, match: {kind: 'name', name}});
  });
  return requirements;
}

/** Where Crossplane will make it. What has no name gets one that is made of the XR's UID, so the same as before. */
function placeIn(snapshot: Snapshot, resourceName: string): ObjectRef | undefined {
  const said = objectOf(snapshot, resourceName);
  const desired = snapshot.desired.get(resourceName);
  if (said !== undefined || desired === undefined || snapshot.schemas === undefined) return said;
  const prefix = text(desired.field(['metadata', 'generateName'])) || `${prefixOf(snapshot.xr)}-`;
  return {...placedRef(desired, snapshot.xr), name: madeUpName(snapshot.xr, resourceName, prefix)};
}

/** The object that a new one will be applied over, as one of this XR's; undefined where none is known. */
export function inPlaceOf(
  resourceName: string,
  decision: Decision,
  snapshot: Snapshot,
  claim: Claim,
  answers: Answers,
): ResourceView | undefined {
  const object = decision.kind === 'create' ? objectOf(snapshot, resourceName) : undefined;
  const view = object && answers.object(object);
  return view === undefined || isDeleting(view) || proofOf(view, claim) === 'none' ? undefined : view;
}

/** The object in its place that goes and was told to let its external resource be, as one that was given away or orphaned. */
export function leavingFrom(
  resourceName: string,
  snapshot: Snapshot,
  claim: Claim,
  answers: Answers,
): ObjectRef | undefined {
  const object = placeIn(snapshot, resourceName);
  const view = object && answers.object(object);
  const isLeaving = view !== undefined && isDeleting(view) && !deletesExternal(view) && proofOf(view, claim) !== 'none';
  return isLeaving ? object : undefined;
}

function writesNames({handover, take, externalNames}: Input): boolean {
  return [handover, take, externalNames].some((part) => part !== undefined);
}
