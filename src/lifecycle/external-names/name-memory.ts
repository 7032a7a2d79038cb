// The memory of external names, for a restore that loses those of the managed resources. It is kept in the XR's status, or in a
// composed ConfigMap, which survives in a backup without status (Velero's default).
//
// Other writers than Crossplane can reach both: the edit role that Crossplane makes for an XR grants its status, and a namespace's
// tenant writes its ConfigMaps (docs/background/security.md). remembered.ts decides which entries to trust; here a ConfigMap is
// read and written only if it is this XR's. Its name is made of the XR's group, kind, namespace and name, because XRs of other
// kinds may share a name.

import {holdBody} from '../facts/hold-body.ts';
import {fieldEntriesOf} from '../facts/metadata.ts';
import {composedFieldManager, stableName} from '../facts/naming.ts';
import {isDeleting, type Owners, ownershipOf} from '../facts/ownership.ts';
import {claimOf, proofOf} from '../facts/proof.ts';
import {memoryName} from '../facts/set-aside.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import {ofObject} from '../questions/registry.ts';
import type {Wait} from '../words/decision.ts';
import type {Requirement} from '../words/edit.ts';
import {at, fromEntries, isLeftOut, isObject, type Json, type JsonObject, parsed, text} from '../words/json.ts';
import type {Unwritable} from '../words/reasons.ts';
import {refTo} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {
  asJson,
  entriesIn,
  entryWith,
  isEntry,
  type NameMemory,
  namesToRemember,
  type Remembered,
} from './remembered.ts';
import type {Seals} from './seal.ts';
import {unwritableReason} from './unwritable.ts';

export type Remember = NonNullable<NonNullable<Input['externalNames']>['remember']>;

/** The remembered external names: before this reconcile (`recalled`), and from then on (`kept`). */
export interface Memory {
  readonly recalled: NameMemory;
  readonly kept: ReadonlyMap<string, Remembered>;
  /** The composed ConfigMap that keeps them, undefined where they are kept elsewhere or not at all. */
  readonly configMap: MemoryConfigMap | undefined;
  /** True if new entries get a seal. */
  readonly isSealed: boolean;
}

export function memoryOf(snapshot: Snapshot, {externalNames}: Input, owners: Owners, seals: Seals): Memory {
  const remember = externalNames?.remember;
  const recalled = readMemory(snapshot, remember, seals);
  const isSealed = seals.hasKey;
  if (remember === undefined || recalled.kind !== 'read') {
    return {recalled, kept: new Map(), configMap: undefined, isSealed};
  }
  const kept = namesToRemember(recalled, snapshot, owners, seals);
  return {recalled, kept, configMap: memoryConfigMap(kept, recalled, snapshot.xr, remember), isSealed};
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

/** Asks for the ConfigMap while it is not observed: the XR may have lost it, or be new. */
export function memoryRequirements(snapshot: Snapshot, remember: Remember | undefined): [string, Requirement][] {
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
