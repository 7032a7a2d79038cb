// The remembered external names of one plan, and the proof that makes one count. name-memory.ts has their form and place.
//
// A name on an object makes the provider adopt that external resource: change it, and delete it with the object. Other writers may
// reach the place of the memory, too (docs/background/security.md). So an entry names its owner down to UIDs, and a seal covers all
// of that. An entry without a valid seal is kept for people to read and used for nothing.

import {externalNameOf, isCreating} from '../facts/external-policies.ts';
import {isDeleting, type Owners, ownershipOf} from '../facts/ownership.ts';
import {memoryName} from '../facts/set-aside.ts';
import type {Scene} from '../input/scene.ts';
import {ofObject, questions} from '../questions/registry.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {isObject, type Json, parsed, text} from '../words/json.ts';
import {groupOf, objectKey} from '../words/references.ts';
import type {DesiredView, ResourceView, Snapshot} from '../words/snapshot.ts';
import {
  entryOf,
  type Memory,
  memoryConfigMap,
  type NameMemory,
  obstacleIn,
  onlyPlatformWrites,
  type Recalled,
  type Remember,
  type Remembered,
  statusField,
} from './name-memory.ts';
import type {Seals} from './seal.ts';

export function memoryOf({snapshot, input, owners}: Scene, seals: Seals): Memory {
  const remember = input.externalNames?.remember;
  const recalled = readMemory(snapshot, remember, seals);
  const isSealed = seals.hasKey;
  if (remember === undefined || recalled.kind !== 'read') {
    return {recalled, kept: new Map(), configMap: undefined, isSealed};
  }
  const kept = namesToRemember(recalled, snapshot, owners, seals);
  return {recalled, kept, configMap: memoryConfigMap(kept, recalled, snapshot.xr, remember), isSealed};
}

/** The names that earlier reconciles remembered, or the XR before the restore. */
export function readMemory(snapshot: Snapshot, remember: Remember | undefined, seals: Seals): NameMemory {
  if (remember === undefined) return {kind: 'read', names: new Map(), written: undefined};
  const {xr, observed, required} = snapshot;
  const read = (json: Json | undefined): NameMemory & {readonly kind: 'read'} => {
    return {kind: 'read', names: entriesIn(json, xr, seals, onlyPlatformWrites(xr, remember)), written: json};
  };
  if (remember.in === 'Status') return read(xr.field(['status', statusField(remember)]));
  const kept = observed.get(memoryName);
  const answer = required.get(memoryName);
  if (kept === undefined && answer === undefined) return {kind: 'pending'};
  const found = kept ?? answer?.[0];
  if (found === undefined) return read(undefined);
  const obstacle = obstacleIn(found, xr, remember);
  if (obstacle !== undefined) return {kind: 'taken', wait: kept === undefined ? obstacle : undefined};
  return {...read(parsed(text(found.field(['data', 'names'])))), found};
}

/** The entry to remember for an object with this external name. */
function entryFor(name: string, resourceName: string, view: ResourceView, xr: ResourceView, seals: Seals): Remembered {
  const entry = {
    name,
    group: groupOf(view.apiVersion),
    kind: view.kind,
    namespace: view.namespace,
    object: view.name,
    uid: view.uid,
    xr: xr.uid,
    seal: '',
  };
  return seals.hasKey ? {...entry, seal: seals.seal(sealedWords(entry, resourceName, xr))} : entry;
}

/**
 * True if the entry is up to date for an object with this external name. Any valid seal will do. Otherwise two replicas with
 * different keys, as during a rotation, would overwrite each other's seals for ever.
 */
function isUpToDate(
  entry: Remembered,
  name: string,
  resourceName: string,
  view: ResourceView,
  xr: ResourceView,
  seals: Seals,
): boolean {
  return (
    entry.name === name &&
    entry.uid === view.uid &&
    entry.xr === xr.uid &&
    isSameObject(entry, view) &&
    (!seals.hasKey || seals.isValid(sealedWords(entry, resourceName, xr), entry.seal))
  );
}

/** The entries in the memory. `isOpen`: only the platform can write there, so no seal is required. */
export function entriesIn(
  json: Json | undefined,
  xr: ResourceView,
  seals: Seals,
  isOpen: boolean,
): ReadonlyMap<string, Recalled> {
  const recalled = new Map<string, Recalled>();
  if (!isObject(json)) return recalled;
  for (const resourceName of Object.keys(json)) {
    const entry = entryOf(json[resourceName]);
    if (entry === undefined) continue;
    // Checked on use, because other writers may add any number of entries.
    const isSealed = () => seals.isValid(sealedWords(entry, resourceName, xr), entry.seal);
    recalled.set(resourceName, {entry, isProven: seals.hasKey ? isSealed : () => isOpen});
  }
  return recalled;
}

/** True if the object is of the entry's kind: a name of another kind means nothing to its provider. */
function isSameKind({group, kind}: Remembered, view: ResourceView): boolean {
  return view.kind === kind && groupOf(view.apiVersion) === group;
}

/** True if the object is the one of the entry, or came back in its place. */
function isSameObject(entry: Remembered, view: ResourceView): boolean {
  return isSameKind(entry, view) && view.namespace === entry.namespace && view.name === entry.object;
}

/** Everything that has to be true of an entry, so that none can be moved to another XR, resource, kind or object. */
function sealedWords(entry: Remembered, resourceName: string, xr: ResourceView): readonly string[] {
  const {name, group, kind, namespace, object, uid} = entry;
  const words = [objectKey(xr), entry.xr, resourceName, group, kind, namespace, object, uid, name];
  return ['tether.fn.crossplane.io/external-name', ...words];
}

// Lost names: those that may be put on an object again.
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

type LostName =
  | {readonly kind: 'none'}
  | {readonly kind: 'lost'; readonly name: string /** Of the object that had it. */; readonly object: string}
  /** Whether the old object is gone is not answered yet. */
  | {readonly kind: 'pending'}
  /** There is one, and nothing proves that it is this resource's. */
  | {readonly kind: 'unproven'};

const none: LostName = {kind: 'none'};

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
  if (!isProven()) return {kind: 'unproven'};
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
export function oldObjectRequirements(memory: NameMemory, snapshot: Snapshot): [string, ResourceSelector][] {
  if (memory.kind !== 'read') return [];
  const requirements: [string, ResourceSelector][] = [];
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
function namesToRemember(
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
