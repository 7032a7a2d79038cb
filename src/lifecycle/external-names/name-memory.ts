// The form of remembered external names, and their place, for a restore that loses those of the managed resources: the XR's status, or a
// composed ConfigMap, which survives in a backup without status (Velero's default).
//
// Other writers than Crossplane can reach both: the edit role that Crossplane makes for an XR grants its status, and a namespace's
// tenant writes its ConfigMaps (docs/background/security.md). remembered.ts decides which entries to trust; here a ConfigMap is
// read and written only if it is this XR's. Its name is made of the XR's group, kind, namespace and name, because XRs of other
// kinds may share a name.

import {holdBody} from '../facts/hold-body.ts';
import {fieldEntriesOf} from '../facts/metadata.ts';
import {composedFieldManager, stableName} from '../facts/naming.ts';
import {claimOf, isDeleting, ownershipOf, proofOf} from '../facts/ownership.ts';
import {memoryName} from '../facts/set-aside.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import {ofObject} from '../questions/registry.ts';
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
  sortedNames,
  text,
} from '../words/json.ts';
import type {Unwritable} from '../words/reasons.ts';
import {refTo} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

export type Remember = NonNullable<NonNullable<Input['externalNames']>['remember']>;

/** A type and no interface: then it is JSON as it is. */
export type Remembered = {
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
export function entryOf(json: Json | undefined): Remembered | undefined {
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
export interface MemoryConfigMap {
  readonly body: JsonObject;
  readonly unwritable: Unwritable | undefined;
}

/** The memory as a ConfigMap, undefined if it is not kept there. One that takes no names stays as it is. */
export function memoryConfigMap(
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
export function obstacleIn(found: ResourceView, xr: ResourceView, remember: Remember): Wait | undefined {
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

export function statusField(remember: Remember | undefined): string {
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
