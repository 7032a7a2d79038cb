// External names remembered outside the managed resources, for the restore in which those are lost: in the XR's status, or
// in a composed ConfigMap, which a backup keeps where it drops status (Velero does unless told otherwise).
//
// A name is lost if the XR is another than the one it was remembered under (a new UID: a restore), or if the very same
// object has no name any more. An object that is gone under the same XR was deleted, its external resource with it: its
// name is forgotten, or the next object would be tied to a resource that is no more.

import type {Requirement} from './edit.ts';
import {externalNameOf, type Remembered} from './external-names.ts';
import type {Input, InvalidInput} from './input.ts';
import {fromEntries, isObject, type Json, type JsonObject, sortedMap, text} from './json.ts';
import type {ResourceView, Snapshot} from './snapshot.ts';

/** Resource name and requirement name of the ConfigMap. */
export const memoryName = 'tether-external-names';

/** By resource name; undefined while the ConfigMap was not looked for yet, so nobody knows what it remembers. */
export type NameMemory = ReadonlyMap<string, Remembered> | undefined;

type Remember = NonNullable<NonNullable<Input['externalNames']>['remember']>;

/** A cluster-scoped XR has no namespace to put a ConfigMap into; and one that is somebody else's is not written over. */
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

/** What earlier reconciles, or the XR before the restore, remembered. */
export function recall(snapshot: Snapshot, remember: Remember | undefined): NameMemory {
  if (remember === undefined) return new Map();
  if (remember.in === 'Status') return read(snapshot.xr.field(['status', statusField(remember)]));
  const observed = snapshot.observed.get(memoryName);
  const found = observed ?? snapshot.required.get(memoryName)?.[0];
  if (found !== undefined) return read(parsed(text(found.field(['data', 'names']))));
  return snapshot.required.has(memoryName) ? new Map() : undefined;
}

/** Asks for the ConfigMap while it is not observed: the XR may have lost it, or be new. */
export function memoryRequirements(snapshot: Snapshot, remember: Remember | undefined): [string, Requirement][] {
  if (remember?.in !== 'ConfigMap' || snapshot.observed.has(memoryName)) return [];
  const {name, namespace} = configMapOf(snapshot.xr, remember);
  return [[memoryName, {apiVersion: 'v1', kind: 'ConfigMap', namespace, match: {kind: 'name', name}}]];
}

/** The name that was lost for this resource, undefined if none was. */
export function lostName(memory: NameMemory, resourceName: string, snapshot: Snapshot): Remembered | undefined {
  const remembered = memory?.get(resourceName);
  if (remembered === undefined) return undefined;
  if (remembered.xr !== uidOf(snapshot.xr)) return remembered;
  const observed = snapshot.observed.get(resourceName);
  return observed !== undefined && uidOf(observed) === remembered.object ? remembered : undefined;
}

/** What to remember from now on: every name that is observed, and those of another XR UID that are not back yet. */
export function remembered(memory: NameMemory, {xr, observed}: Snapshot): ReadonlyMap<string, Remembered> {
  const names = new Map<string, Remembered>();
  const xrUid = uidOf(xr);
  observed.forEach((view, resourceName) => {
    const name = externalNameOf(view);
    if (name === '') return;
    const object = uidOf(view);
    const known = memory?.get(resourceName);
    const isSame = known?.name === name && known.object === object && known.xr === xrUid;
    names.set(resourceName, isSame ? known : {name, object, xr: xrUid});
  });
  memory?.forEach((entry, resourceName) => {
    if (names.has(resourceName)) return;
    const view = observed.get(resourceName);
    const stillLost = entry.xr !== xrUid || (view !== undefined && uidOf(view) === entry.object);
    if (stillLost) names.set(resourceName, entry);
  });
  return names;
}

/** The memory as a field of the XR's status, undefined if it is not kept there. */
export function memoryStatus(names: ReadonlyMap<string, Remembered>, remember: Remember | undefined) {
  return remember?.in === 'Status' ? fromEntries([[statusField(remember), asJson(names)]]) : undefined;
}

/** The memory as a ConfigMap, undefined if it is not kept there. */
export function memoryConfigMap(
  names: ReadonlyMap<string, Remembered>,
  xr: ResourceView,
  remember: Remember | undefined,
): JsonObject | undefined {
  if (remember?.in !== 'ConfigMap') return undefined;
  const metadata = configMapOf(xr, remember);
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {names: JSON.stringify(asJson(names))}};
}

function configMapOf(xr: ResourceView, remember: Remember): {readonly name: string; readonly namespace: string} {
  return {name: `${xr.name}-external-names`, namespace: xr.namespace || (remember.namespace ?? '')};
}

function statusField(remember: Remember): string {
  return remember.field ?? 'externalNames';
}

function asJson(names: ReadonlyMap<string, Remembered>): JsonObject {
  return fromEntries(sortedMap(names));
}

function read(json: Json | undefined): ReadonlyMap<string, Remembered> {
  const names = new Map<string, Remembered>();
  if (!isObject(json)) return names;
  for (const resourceName of Object.keys(json)) {
    const entry = json[resourceName];
    if (!isObject(entry)) continue;
    const remembered = {name: text(entry['name']), object: text(entry['object']), xr: text(entry['xr'])};
    if (remembered.name !== '') names.set(resourceName, remembered);
  }
  return names;
}

// A ConfigMap that a person broke remembers nothing; it is written anew.
function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}

function uidOf(view: ResourceView): string {
  return text(view.field(['metadata', 'uid']));
}
