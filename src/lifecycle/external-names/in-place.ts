// What is in the place of an object that is about to be made, under the name that the pipeline says. An XR that lost sight of it, as one
// that was orphaned and is asked for again or that comes back with another UID, has Crossplane apply its own over it, with the field
// manager of before: what that manager owned and does not say now is taken away. An external name that this function wrote, from status
// or in a move, would be lost, and the provider make a second external resource. So it is said again.
//
// Asked for only where the input has external names written, and where Crossplane tells which kinds it serves (v2.2 on): an answer that
// fails stops the XR. Elsewhere `restore.lookup` finds it.

import type {Decision} from '../decision.ts';
import type {Requirement} from '../edit.ts';
import type {Input} from '../input/input.ts';
import {objectOf} from '../objects/identity.ts';
import {isDeleting} from '../objects/ownership.ts';
import {type Claim, proofOf} from '../objects/proof.ts';
import {placeOf} from '../objects/requirement-names.ts';
import type {Answers} from '../restore/answers.ts';
import type {ResourceView, Snapshot} from '../snapshot.ts';

/** By requirement name: every object that has a name and is not observed, but for what `isMoving`. */
export function placeRequirements(
  snapshot: Snapshot,
  input: Input,
  isMoving: (resourceName: string) => boolean,
): ReadonlyMap<string, Requirement> {
  const requirements = new Map<string, Requirement>();
  if (snapshot.schemas === undefined || !writesNames(input)) return requirements;
  snapshot.desired.forEach((_, resourceName) => {
    const isMade = snapshot.observed.has(resourceName) || isMoving(resourceName);
    const object = isMade ? undefined : objectOf(snapshot, resourceName);
    if (object === undefined) return;
    const {apiVersion, kind, namespace, name} = object;
    requirements.set(placeOf(resourceName), {apiVersion, kind, namespace, match: {kind: 'name', name}});
  });
  return requirements;
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

function writesNames({handover, take, externalNames}: Input): boolean {
  return [handover, take, externalNames].some((part) => part !== undefined);
}
