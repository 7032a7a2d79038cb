// Which remembered external name was lost, and may be put on an object again.
//
// The very same object under the same XR gets its name back. Under another UID of the XR, which is a restore or an XR that was
// deleted and made again, a name counts for the object that came back in the place of the old one, and for a new one once the old
// one is known to be gone. An old object that is being deleted, or that another UID controls and Kubernetes is about to collect,
// takes its external resource along, and a living one still has it. Then the new object is made as Crossplane makes it, without a
// name. An object that is gone under the same XR was deleted, its external resource with it.
//
// The new object gets the old one's name. A restore may bring the old one back later, and of two objects for one external resource
// the cleanup of one deletes the resource of both. Under one name the restore finds the object there. If the pipeline wants another
// name or namespace, no external name is given.
//
// Not known: that the old object's deletion ended before the first look. Then its provider finds no external resource of that name,
// as it does for a name of a restored object whose external resource is gone.

import {externalNameOf, isCreating} from '../facts/external-policies.ts';
import {withNames} from '../facts/named-view.ts';
import {isDeleting, type Owners, ownershipOf} from '../facts/ownership.ts';
import type {Input} from '../input/input.ts';
import {ofObject, questions} from '../questions/registry.ts';
import type {Requirement} from '../words/edit.ts';
import {text} from '../words/json.ts';
import type {DesiredView, ResourceView, Snapshot} from '../words/snapshot.ts';
import {type NameMemory, readMemory} from './name-memory.ts';
import {entryFor, isSameKind, isSameObject, isUpToDate, type Remembered} from './remembered.ts';
import type {Seals} from './seal.ts';

export type LostName =
  | {readonly kind: 'none'}
  | {readonly kind: 'lost'; readonly name: string /** Of the object that had it. */; readonly object: string}
  /** Whether the old object is gone is not answered yet. */
  | {readonly kind: 'pending'}
  /** There is one, and nothing proves that it is this resource's. */
  | {readonly kind: 'unproven'};

const none: LostName = {kind: 'none'};

/** The snapshot in which what is about to get a remembered external name has the name of the old object. */
export function withOldNames(snapshot: Snapshot, {externalNames}: Input, seals: Seals): Snapshot {
  const remember = externalNames?.remember;
  if (remember === undefined) return snapshot;
  let recalled: NameMemory | undefined;
  return withNames(snapshot, (resourceName) => {
    recalled ??= readMemory(snapshot, remember, seals);
    const lost = lostName(recalled, resourceName, undefined, snapshot);
    return lost.kind === 'lost' ? {name: lost.object} : undefined;
  });
}

/** The name that was lost for a desired resource. `target`: the object that it is going to be, undefined for a new one. */
export function lostName(
  memory: NameMemory,
  resourceName: string,
  target: ResourceView | undefined,
  {xr, desired, required}: Snapshot,
): LostName {
  const recalled = memory.kind === 'read' ? memory.names.get(resourceName) : undefined;
  const wanted = desired.get(resourceName);
  if (recalled === undefined || wanted === undefined || !isSameKind(recalled.entry, wanted)) return none;
  const {entry, isProven} = recalled;
  if (!isLostFor(entry, target, xr) || (target === undefined && !mayTakeOldName(entry, wanted, xr))) return none;
  if (!isProven) return {kind: 'unproven'};
  const lost: LostName = {kind: 'lost', name: entry.name, object: entry.object};
  if (target !== undefined) return lost;
  const answer = required.get(oldObjectOf(resourceName));
  if (answer === undefined) return {kind: 'pending'};
  return answer.length === 0 ? lost : none;
}

/** True if a new object may take the old one's name. The pipeline's name counts, not a stable name that this function put into it. */
function mayTakeOldName({namespace, object}: Remembered, wanted: DesiredView, xr: ResourceView): boolean {
  const said = text(wanted.field(['metadata', 'name']));
  return (xr.namespace || wanted.namespace) === namespace && (said === '' || said === object);
}

function isLostFor(entry: Remembered, target: ResourceView | undefined, xr: ResourceView): boolean {
  if (entry.xr === xr.uid) return target !== undefined && isSameObject(entry, target) && target.uid === entry.uid;
  // An object in the middle of a create is about to get a name of its own.
  return target === undefined || (isSameObject(entry, target) && !isCreating(target));
}

/** Asks for the old object of every name that a new object could get. */
export function oldObjectRequirements(memory: NameMemory, snapshot: Snapshot): [string, Requirement][] {
  if (memory.kind !== 'read') return [];
  const requirements: [string, Requirement][] = [];
  const unanswered = {...snapshot, required: new Map()};
  memory.names.forEach(({entry: {namespace, object: name}}, resourceName) => {
    const wanted = snapshot.observed.has(resourceName) ? undefined : snapshot.desired.get(resourceName);
    if (wanted === undefined || lostName(memory, resourceName, undefined, unanswered).kind !== 'pending') return;
    const {apiVersion, kind} = wanted;
    requirements.push([oldObjectOf(resourceName), ofObject({apiVersion, kind, namespace, name})]);
  });
  return requirements;
}

/**
 * The names to remember from now on: of every object that this XR controls, and of those from another UID of the XR that are not
 * back yet. A listed object without a controller may belong to another XR, so its name is not learned.
 */
export function namesToRemember(
  memory: NameMemory & {readonly kind: 'read'},
  {xr, observed, required}: Snapshot,
  {byName}: Owners,
  seals: Seals,
): ReadonlyMap<string, Remembered> {
  const names = new Map<string, Remembered>();
  const xrUid = xr.uid;
  observed.forEach((view, resourceName) => {
    const name = externalNameOf(view);
    if (name === '' || byName.get(resourceName)?.kind !== 'ours') return;
    const known = memory.names.get(resourceName)?.entry;
    const isKnown = known !== undefined && isUpToDate(known, name, resourceName, view, xr, seals);
    names.set(resourceName, isKnown ? known : entryFor(name, resourceName, view, xr, seals));
  });
  memory.names.forEach(({entry}, resourceName) => {
    if (names.has(resourceName)) return;
    const view = observed.get(resourceName);
    const isHere = view !== undefined && view.uid === entry.uid;
    const isAwaited = entry.xr !== xrUid && !takesExternalAlong(required.get(oldObjectOf(resourceName))?.[0], xrUid);
    if (isHere || isAwaited) names.set(resourceName, entry);
  });
  return names;
}

/** True if the old object takes its external resource along. */
function takesExternalAlong(old: ResourceView | undefined, xrUid: string): boolean {
  return old !== undefined && (isDeleting(old) || ownershipOf(old, xrUid).kind === 'stale');
}

/** The object that had the resource's external name before the restore. */
function oldObjectOf(resourceName: string): string {
  return `${questions.remembered.prefix}${resourceName}`;
}
