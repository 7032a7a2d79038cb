// What a hold emits: exactly the fields Crossplane owns in the observed object, so that holding takes over nothing and
// releases nothing. Ownership is read from managedFields, entry of this XR's composed field manager, in the FieldsV1
// format: kubernetes-sigs/structured-merge-diff 15d0754 fieldpath/serialize-pe.go ("f:" field, "k:" list item by keys,
// "v:" set item by value, "i:" list item by place, "." the item itself).
//
// After a restore that entry is missing or another's. Then the fallback is the whole object but status: the spec (or data,
// rules, ...), labels and annotations. Left out are keys whose values other controllers of Crossplane keep writing:
// owning them would write an older value over a newer one, or remove them once the hold ends. Leaving them out removes
// nothing, because server-side apply only removes what the same manager owned before (recorded: e-wedge.full, where the
// label `role` outlives an adopting apply without it).

import {guardOf} from './apply-guard.ts';
import {at, fromEntries, isList, isObject, type Json, type JsonObject} from './json.ts';
import type {ResourceView} from './snapshot.ts';

/** The object to put into desired for an observed resource that stays for now. `manager`: composedFieldManager(xr). */
export function holdBody(view: ResourceView, manager: string): JsonObject {
  const object = view.json();
  const owned = ownedFields(object, manager);
  const body = owned === undefined ? everything(object) : asObject(extract(object, owned));
  return {...body, apiVersion: view.apiVersion, kind: view.kind, metadata: heldMetadata(body['metadata'], view)};
}

/** The FieldsV1 of the entry with which Crossplane applies the resource, undefined if there is none. */
export function ownedFields(object: JsonObject, manager: string): JsonObject | undefined {
  const entries = at(object, ['metadata', 'managedFields']);
  if (!isList(entries)) return undefined;
  const entry = entries.find(
    (candidate) =>
      isObject(candidate) &&
      candidate['manager'] === manager &&
      candidate['operation'] === 'Apply' &&
      (candidate['subresource'] ?? '') === '',
  );
  const fields = at(entry, ['fieldsV1']);
  return isObject(fields) ? fields : undefined;
}

/** The part of a value that a FieldsV1 names. A leaf owns its whole value. Undefined where the value is gone. */
function extract(value: Json | undefined, fields: JsonObject): Json | undefined {
  const names = Object.keys(fields);
  if (names.every((name) => name === '.') || value === undefined) return value;
  if (isList(value)) return value.flatMap((item, index) => extractItem(item, index, fields));
  if (!isObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const name of names.filter((candidate) => candidate.startsWith('f:'))) {
    const key = name.slice(2);
    const part = Object.hasOwn(value, key) ? extract(value[key], asObject(fields[name])) : undefined;
    if (part !== undefined) entries.push([key, part]);
  }
  return fromEntries(entries);
}

/** The owned part of one list item, in a list of none or one. */
function extractItem(item: Json, index: number, fields: JsonObject): Json[] {
  for (const name of Object.keys(fields)) {
    const below = asObject(fields[name]);
    if (name === `i:${index}`) return [extract(item, below) ?? item];
    if (name.startsWith('v:') && same(item, JSON.parse(name.slice(2)) as Json)) return [item];
    if (name.startsWith('k:') && isObject(item)) {
      const keys = asObject(JSON.parse(name.slice(2)) as Json);
      const matches = Object.keys(keys).every((key) => same(item[key], keys[key]));
      // The keys go along even where others own them: without its keys an item names nothing.
      if (matches) return [{...keys, ...asObject(extract(item, below))}];
    }
  }
  return [];
}

function everything(object: JsonObject): JsonObject {
  const {status: _status, metadata, ...rest} = object;
  return {
    ...rest,
    metadata: {
      labels: without(asObject(at(metadata, ['labels'])), isForeignLabel),
      annotations: without(asObject(at(metadata, ['annotations'])), isForeignAnnotation),
    },
  };
}

// Crossplane renders the first three itself; the in-use label and usage annotations are the Usage controller's; Velero's
// labels tell of the last restore only.
function isForeignLabel(key: string): boolean {
  return key.startsWith('crossplane.io/') || key.startsWith('velero.io/');
}

// external-create-* and external-name are the provider's: a hold that owned them could write a stale value back, and
// would take the name along when it ends.
function isForeignAnnotation(key: string): boolean {
  return (
    key.startsWith('crossplane.io/') ||
    key.startsWith('usage.crossplane.io/') ||
    key === 'kubectl.kubernetes.io/last-applied-configuration'
  );
}

/** Names, labels, annotations and other owned metadata; never the controller reference, which Crossplane adds itself. */
function heldMetadata(owned: Json | undefined, view: ResourceView): JsonObject {
  const {ownerReferences, managedFields: _managedFields, ...rest} = asObject(owned);
  const others = isList(ownerReferences)
    ? ownerReferences.filter((reference) => isObject(reference) && reference['controller'] !== true)
    : [];
  return {
    ...rest,
    name: view.name,
    ...(view.namespace === '' ? {} : {namespace: view.namespace}),
    ...(isNamed(owned) ? guarded(view) : {}),
    ...(others.length === 0 ? {} : {ownerReferences: others}),
  };
}

// What is held must not put an external name back over one that somebody wrote meanwhile.
function isNamed(owned: Json | undefined): boolean {
  return at(owned, ['annotations', 'crossplane.io/external-name']) !== undefined;
}

function guarded(view: ResourceView): JsonObject {
  const resourceVersion = guardOf(view);
  return resourceVersion === '' ? {} : {resourceVersion};
}

function without(values: JsonObject, foreign: (key: string) => boolean): JsonObject {
  return fromEntries(Object.entries(values).filter(([key]) => !foreign(key)));
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
