// Owners of an object's fields: metadata.managedFields, decoded.
//
// The key of a manager is its name, operation and subresource, and for an updater also its apiVersion: an applier has one entry
// however often it changes version. kubernetes/apimachinery eed236ce pkg/util/managedfields/internal (managedfields.go,
// capmanagers.go, fieldmanager.go).

import {compareText, type JsonObject} from '../json.ts';
import {memo, remembering} from '../memo.ts';
import type {ManagedFieldsEntry} from '../object.ts';
import {decodeFields, encodeFields, type FieldSet, shared, union} from './field-set.ts';

export interface Manager {
  readonly name: ManagerName;
  readonly set: FieldSet;
  readonly apiVersion: string;
  readonly applied: boolean;
  /** RFC 3339, or absent where this manager never changed a value. */
  readonly time: string | undefined;
}

/** By manager identifier. */
export type Managers = ReadonlyMap<string, Manager>;

export const noManagers: Managers = new Map();

export interface ManagerName {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
}

/** Upstream's identifier: the entry as JSON without fields and time, an applier's without apiVersion as well. */
export function managerId({manager, operation, apiVersion, subresource}: ManagerName): string {
  return JSON.stringify({
    manager: manager === '' ? undefined : manager,
    operation,
    apiVersion: operation === 'Apply' || apiVersion === '' ? undefined : apiVersion,
    subresource: subresource === '' ? undefined : subresource,
  });
}

/** The managers of an object; undefined where an entry makes no sense, which a writer may have sent. */
export function decodeManagers(entries: readonly JsonObject[] | undefined): Managers | undefined {
  if (entries === undefined || entries.length === 0) return noManagers;
  const known = decoded.get(entries);
  if (known !== undefined) return known;
  const managers = new Map<string, Manager>();
  for (const entry of entries as readonly Partial<ManagedFieldsEntry>[]) {
    const {manager = '', operation, apiVersion, subresource, fieldsType, time, fieldsV1} = entry;
    if (operation !== 'Apply' && operation !== 'Update') return undefined;
    if (apiVersion === undefined || apiVersion === '' || fieldsType !== 'FieldsV1') return undefined;
    const set = decodeFields(fieldsV1 ?? emptyFields);
    if (set === undefined) return undefined;
    const name: ManagerName = {manager, operation, apiVersion, subresource};
    managers.set(managerId(name), {name, set: shared(set), apiVersion, applied: operation === 'Apply', time});
  }
  decoded.set(entries, managers);
  return managers;
}

/** managedFields as the server writes them; undefined if no field has an owner. */
export function encodeManagers(managers: Managers): readonly ManagedFieldsEntry[] | undefined {
  return managers.size === 0 ? undefined : encoded(managers);
}

/** The field that asks to forget all managers: an empty list, or a list of one empty entry. */
export function isReset(entries: readonly JsonObject[] | undefined): boolean {
  if (entries === undefined) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0);
}

/** At most ten updaters keep an entry of their own; the oldest beyond that share one per version. */
export function capUpdaters(managers: Managers): Managers {
  if (managers.size <= maxUpdaters) return managers;
  const updaters = [...managers].filter(([, manager]) => !manager.applied);
  if (updaters.length <= maxUpdaters) return managers;
  const oldestFirst = updaters.sort(([leftId, left], [rightId, right]) => {
    return compareText(second(left.time), second(right.time)) || (leftId < rightId ? -1 : 1);
  });
  const out = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [id, {set, apiVersion, time}] of oldestFirst) {
    if (count <= maxUpdaters) break;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id);
      continue;
    }
    const name: ManagerName = {manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: undefined};
    const bucket = managerId(name);
    const gathered = out.get(bucket) ?? out.get(first);
    if (!out.has(bucket)) out.delete(first);
    const both = shared(union(set, gathered?.set ?? new Map()));
    out.set(bucket, {name, set: both, apiVersion, applied: false, time});
    out.delete(id);
    count--;
  }
  return out;
}

const maxUpdaters = 10;
const emptyFields: JsonObject = {};

// Entries and managers are immutable, so either can remember the other.
const decoded = memo<readonly JsonObject[], Managers>();
const encoded = remembering((managers: Managers): readonly ManagedFieldsEntry[] => {
  const entries = [...managers.values()].map(entryOf).sort(byOperationThenTime);
  decoded.set(entries, managers);
  return entries;
});

const entryOf = remembering(({name, set, apiVersion, time}: Manager): ManagedFieldsEntry => {
  return {
    manager: name.manager,
    operation: name.operation,
    apiVersion,
    ...(time === undefined ? {} : {time}),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFields(set),
    ...(name.subresource === undefined ? {} : {subresource: name.subresource}),
  };
});

function byOperationThenTime(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  return (
    compareText(left.operation, right.operation) ||
    compareText(second(left.time), second(right.time)) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource ?? '', right.subresource ?? '')
  );
}

/** Up to the second; RFC 3339 times in UTC sort as text. */
function second(time: string | undefined): string {
  return time === undefined ? '' : time.slice(0, 19);
}
