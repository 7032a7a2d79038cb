// The form of remembered external names, and their place, for a restore that loses those of the managed resources: the XR's status, or a
// composed ConfigMap, which survives in a backup without status (Velero's default).
//
// Other writers than Crossplane can reach both: the edit role that Crossplane makes for an XR grants its status, and a namespace's
// tenant writes its ConfigMaps (docs/background/security.md). The second half decides which entries to trust; in the first a ConfigMap is
// read and written only if it is this XR's. Its name is made of the XR's group, kind, namespace and name, because XRs of other
// kinds may share a name.

import {externalNameOf, isCreating} from '../facts/external-policies.ts';
import {holdBody} from '../facts/hold-body.ts';
import {fieldEntriesOf} from '../facts/metadata.ts';
import {composedFieldManager, memoryName, stableName} from '../facts/naming.ts';
import {claimOf, isDeleting, type Owners, ownershipOf, proofOf} from '../facts/ownership.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import {ofObject, requirementOf} from '../questions/registry.ts';
import type {Wait} from '../words/decision.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {
  asObject,
  at,
  fromEntries,
  isLeftOut,
  isObject,
  type Json,
  type JsonObject,
  parsed,
  sortedNames,
  text,
} from '../words/json.ts';
import type {Unwritable} from '../words/reasons.ts';
import {groupOf, objectKey, refTo} from '../words/references.ts';
import type {DesiredView, ResourceView, Snapshot} from '../words/snapshot.ts';
import type {Seals} from './seal.ts';

export type Remember = NonNullable<NonNullable<Input['externalNames']>['remember']>;

/** A type and no interface: then it is JSON as it is. */
type Remembered = {
  readonly name: string;
  /** The object that had it. */
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly object: string;
  readonly uid: string;
  /** UID of the XR at that time. */
  readonly xr: string;
  /** '' without a key. */
  readonly seal: string;
};

const words = ['name', 'group', 'kind', 'namespace', 'object', 'uid', 'xr', 'seal'] as const;

/** The very object where it is written as this function writes it. */
function entryOf(json: Json | undefined): Remembered | undefined {
  if (!isObject(json) || text(json['name']) === '') return undefined;
  return isEntry(json) ? json : entryWith((word) => text(json[word]));
}

/** The entry with these values. */
function entryWith(read: (word: keyof Remembered) => string): Remembered {
  return Object.fromEntries(words.map((word) => [word, read(word)])) as Remembered;
}

/** True if the entry has exactly the fields that this function writes. */
function isEntry(json: JsonObject): json is Remembered {
  return Object.keys(json).length === words.length && words.every((word) => typeof json[word] === 'string');
}

/** The JSON to write. If nothing changed, it is the very object `written`, which costs nothing to write again. */
function asJson(names: ReadonlyMap<string, Remembered>, written: Json | undefined): JsonObject {
  if (isObject(written) && isWritten(names, written)) return written;
  return fromEntries(sortedNames([...names.keys()]).map((name) => [name, names.get(name) as Remembered]));
}

function isWritten(names: ReadonlyMap<string, Remembered>, written: JsonObject): boolean {
  const there = Object.keys(written);
  return there.length === names.size && there.every((name) => names.get(name) === written[name]);
}

export interface Recalled {
  readonly entry: Remembered;
  /** True if it may name an object: this function sealed it, or only the platform can write there. */
  readonly isProven: () => boolean;
}

/** The state of the memory. Without a configured memory, it is read and empty. */
export type NameMemory =
  | {
      readonly kind: 'read';
      readonly names: ReadonlyMap<string, Recalled>;
      /** As it is written there. */
      readonly written: Json | undefined;
      /** The ConfigMap that it is written in, if it is. */
      readonly found?: ResourceView;
    }
  /** The ConfigMap was not looked for yet, so its names are unknown. */
  | {readonly kind: 'pending'}
  /** The ConfigMap is not, or no longer, this XR's. `wait` says why, where it is not observed. */
  | {readonly kind: 'taken'; readonly wait: Wait | undefined};

/** The remembered external names: before this reconcile (`recalled`), and from then on (`kept`). */
export interface Memory {
  readonly recalled: NameMemory;
  readonly kept: ReadonlyMap<string, Remembered>;
  /** The composed ConfigMap that keeps them, undefined where they are kept elsewhere or not at all. */
  readonly configMap: MemoryConfigMap | undefined;
  /** True if new entries get a seal. */
  readonly isSealed: boolean;
}

/** The error of a cluster-scoped XR without a namespace for the ConfigMap, or of a composed resource that has its resource name. */
export function memoryProblem({xr, desired}: Snapshot, input: Input): InvalidInput | undefined {
  const remember = input.externalNames?.remember;
  if (remember?.in !== 'ConfigMap') return undefined;
  if (xr.namespace === '' && remember.namespace === undefined) {
    const path = 'externalNames.remember.namespace';
    return {kind: 'invalid-input', path, expected: 'a namespace, because this XR is cluster-scoped', got: 'nothing'};
  }
  const other = desired.get(memoryName);
  if (other === undefined || (other.kind === 'ConfigMap' && other.name === configMapOf(xr, remember).name)) {
    return undefined;
  }
  const path = 'externalNames.remember.in';
  const expected = `no other composed resource "${memoryName}", because that is the ConfigMap's resource name`;
  return {kind: 'invalid-input', path, expected, got: `${other.kind} ${other.name}`.trim()};
}

/** Asks for the ConfigMap while it is not observed: the XR may have lost it, or be new. */
export function memoryRequirements(snapshot: Snapshot, remember: Remember | undefined): [string, ResourceSelector][] {
  if (remember?.in !== 'ConfigMap' || snapshot.observed.has(memoryName)) return [];
  const ref = {apiVersion: 'v1', kind: 'ConfigMap', ...configMapOf(snapshot.xr, remember)};
  return [[memoryName, ofObject(ref)]];
}

/**
 * `held`, and the memory as a field of the XR's status; undefined if there is nothing to write. An empty one is left out, not
 * written: an XRD's map applied as {} becomes null, which its schema refuses, and the whole status with it (recorded: ssa).
 */
export function statusWithMemory(
  held: JsonObject,
  memory: Memory,
  remember: Remember | undefined,
  xr: ResourceView,
): JsonObject | undefined {
  const isKept = remember?.in === 'Status';
  const field = statusField(isKept ? remember : undefined);
  const {recalled} = memory;
  // Names from the time before the input moved the memory elsewhere are left out now, too.
  const written = isKept && recalled.kind === 'read' ? recalled.written : xr.field(['status', field]);
  const kept: ReadonlyMap<string, Remembered> = isKept ? memory.kept : new Map();
  const emptied = emptiedNames(kept, written, field, xr);
  const all = emptied.size === 0 ? kept : new Map([...emptied, ...kept]);
  const {[field]: _, ...others} = held;
  const status = all.size === 0 ? others : {...others, ...fromEntries([[field, asJson(all, written)]])};
  return isLeftOut(status) ? undefined : status;
}

/** The desired ConfigMap, and the reason if it takes no new names. */
interface MemoryConfigMap {
  readonly body: JsonObject;
  readonly unwritable: Unwritable | undefined;
}

/** The memory as a ConfigMap, undefined if it is not kept there. One that takes no names stays as it is. */
function memoryConfigMap(
  names: ReadonlyMap<string, Remembered>,
  {found}: NameMemory & {readonly kind: 'read'},
  xr: ResourceView,
  remember: Remember,
): MemoryConfigMap | undefined {
  if (remember.in !== 'ConfigMap') return undefined;
  const data = {names: JSON.stringify(asJson(names, undefined))};
  const unwritable = found && unwritableReason(found, data.names);
  if (found !== undefined && unwritable !== undefined) {
    return {body: holdBody(found, composedFieldManager(xr)), unwritable};
  }
  return {body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: configMapOf(xr, remember), data}, unwritable};
}

/** True if only the platform can write there: it chose a namespace for a cluster-scoped XR. */
export function onlyPlatformWrites(xr: ResourceView, remember: Remember): boolean {
  return remember.in === 'ConfigMap' && xr.namespace === '';
}

/** Why a ConfigMap is neither read nor written. An object that this XR controls is, whatever became of it. */
function obstacleIn(found: ResourceView, xr: ResourceView, remember: Remember): Wait | undefined {
  const object = refTo(found);
  const {name, namespace} = configMapOf(xr, remember);
  const ownership = ownershipOf(found, xr.uid);
  if (found.kind !== 'ConfigMap' || found.name !== name || found.namespace !== namespace) {
    return {kind: 'wait', reason: 'unmarked', object};
  }
  if (ownership.kind === 'ours') return undefined;
  if (proofOf(found, claimOf(xr)) === 'none') return {kind: 'wait', reason: 'unmarked', object};
  // If an earlier XR of this name controls it, the owner GC will delete it with the names in it.
  if (ownership.kind === 'stale') {
    return {kind: 'wait', reason: 'stale-controller', object, controller: ownership.controller};
  }
  return isDeleting(found) ? {kind: 'wait', reason: 'still-deleting', object} : undefined;
}

function configMapOf(xr: ResourceView, remember: Remember): {readonly name: string; readonly namespace: string} {
  const namespace = xr.namespace || (remember.namespace ?? '');
  // No part of a name between two dots may begin with a hyphen.
  const prefix = xr.name.slice(0, 36).replace(/\.+$/, '');
  return {name: stableName(xr, memoryName, `${prefix}-external-names-`), namespace};
}

function statusField(remember: Remember | undefined): string {
  return remember?.field ?? 'externalNames';
}

// Names in the XR's status that are no longer remembered. They are set to empty there, not left out. If another field manager owns
// the map itself, such as an editor who wrote there first, a map that loses its last item becomes null. Its schema refuses null,
// and with it the whole status, in every later reconcile (kubernetes-sigs/structured-merge-diff 15d0754 typed/remove.go; recorded:
// ssa).

const emptied = entryWith(() => '');

/** By resource name, of what is `written` in the field and is none of `names`; nothing where Crossplane alone owns the field. */
function emptiedNames(
  names: ReadonlyMap<string, Remembered>,
  written: Json | undefined,
  field: string,
  xr: ResourceView,
): ReadonlyMap<string, Remembered> {
  const left = new Map<string, Remembered>();
  if (!isObject(written)) return left;
  for (const name of Object.keys(written)) {
    const entry = written[name];
    if (!names.has(name) && isObject(entry) && isEntry(entry))
      left.set(name, Object.values(entry).every((word) => word === '') ? entry : emptied);
  }
  const path = ['fieldsV1', 'f:status', `f:${field}`];
  const owners = fieldEntriesOf(xr).filter((entry) => at(entry, path) !== undefined);
  return left.size === 0 || owners.length < 2 ? new Map() : left;
}

// The reason for which the ConfigMap of external names can no longer be written. Anyone with write access to ConfigMaps in its
// namespace can cause this. Crossplane would then fail to apply it in every reconcile, and the XR would never be Synced again. So
// it is left as it is, an event reports it, and no new names are remembered; the names in it are still read.
//
// kubernetes/kubernetes v1.34 pkg/apis/core/validation/validation.go ValidateConfigMap, ValidateConfigMapUpdate; each of the three
// was seen on a kube-apiserver v1.34.2.

const bytesMax = 1024 * 1024;

/** Why the API server would not have `names` in this ConfigMap, undefined if it would. */
function unwritableReason(found: ResourceView, names: string): Unwritable | undefined {
  if (found.field(['immutable']) === true) return 'immutable';
  const binary = asObject(found.field(['binaryData']));
  if (Object.hasOwn(binary, 'names')) return 'binary';
  const {names: _before, ...others} = asObject(found.field(['data']));
  const bytes =
    sum(Object.values(others), (value) => bytesOf(text(value))) +
    sum(Object.values(binary), (value) => decodedBytesOf(text(value)));
  return bytes + bytesOf(names) > bytesMax ? 'full' : undefined;
}

function sum<T>(values: readonly T[], bytes: (value: T) => number): number {
  return values.reduce((total, value) => total + bytes(value), 0);
}

function bytesOf(value: string): number {
  return new TextEncoder().encode(value).length;
}

/** How many bytes base64 stands for. */
function decodedBytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}

// The remembered external names of one plan, and the proof that makes one count. Their form and place are above.
//
// A name on an object makes the provider adopt that external resource: change it, and delete it with the object. Other writers may
// reach the place of the memory, too (docs/background/security.md). So an entry names its owner down to UIDs, and a seal covers all
// of that. An entry without a valid seal is kept for people to read and used for nothing.

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

/**
 * The entry to remember for an object: the known one while it is up to date. Any valid seal will do. Otherwise two replicas with
 * different keys, as during a rotation, would overwrite each other's seals for ever.
 */
function entryFor(
  resourceName: string,
  view: ResourceView,
  known: Remembered | undefined,
  {xr, seals}: {readonly xr: ResourceView; readonly seals: Seals},
): Remembered {
  const entry: Remembered = {
    name: externalNameOf(view),
    group: groupOf(view.apiVersion),
    kind: view.kind,
    namespace: view.namespace,
    object: view.name,
    uid: view.uid,
    xr: xr.uid,
    seal: '',
  };
  const isSame = known !== undefined && words.every((word) => word === 'seal' || known[word] === entry[word]);
  if (!seals.hasKey) return isSame ? known : entry;
  const sealed = sealedWords(entry, resourceName, xr);
  return isSame && seals.isValid(sealed, known.seal) ? known : {...entry, seal: seals.seal(sealed)};
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
  const answer = required.get(requirementOf('remembered', resourceName));
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
    requirements.push([requirementOf('remembered', resourceName), ofObject({apiVersion, kind, namespace, name})]);
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
    if (externalNameOf(view) === '' || byName.get(resourceName)?.kind !== 'ours') return;
    names.set(resourceName, entryFor(resourceName, view, memory.names.get(resourceName)?.entry, {xr, seals}));
  });
  memory.names.forEach(({entry}, resourceName) => {
    if (names.has(resourceName)) return;
    const view = observed.get(resourceName);
    const isHere = view !== undefined && view.uid === entry.uid;
    const isAwaited =
      entry.xr !== xrUid && !takesExternalAlong(required.get(requirementOf('remembered', resourceName))?.[0], xrUid);
    if (isHere || isAwaited) names.set(resourceName, entry);
  });
  return names;
}

/** True if the old object takes its external resource along. */
function takesExternalAlong(old: ResourceView | undefined, xrUid: string): boolean {
  return old !== undefined && (isDeleting(old) || ownershipOf(old, xrUid).kind === 'stale');
}
