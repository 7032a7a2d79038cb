// What a hold emits: exactly the fields Crossplane owns in the observed object, so that holding takes over nothing and
// releases nothing. Ownership is read from managedFields, entry of this XR's composed field manager, in the FieldsV1
// format: kubernetes-sigs/structured-merge-diff 15d0754 fieldpath/serialize-pe.go ("f:" field, "k:" list item by keys,
// "v:" set item by value, "i:" list item by place, "." the item itself).
//
// Where that entry is missing (after a restore, say) Crossplane owns nothing, and leaving a field out removes nothing:
// server-side apply only removes what the same manager owned before (recorded: e-wedge.full, where the label `role`
// outlives an adopting apply without it). Then a hold is the object's identity and our marks. More would take fields over
// from whoever has them: an autoscaler's replicas, a nested XR's resourceRefs, a name that a provider wrote meanwhile.
//
// A hold does not say metadata.uid, although the API server would then answer 409 where the object is gone or another one
// (recorded: ssa): Crossplane copies the uid of what is desired into the XR's resourceRefs, whose schema has no such field
// (crossplane/crossplane 2d040d2da composite/composition_functions.go:1016 UpdateResourceRefs, crossplane-runtime
// pkg/xcrd/schemas.go:131), so that no apply of the XR would pass while the hold lasts (recorded: differential/render,
// uid-of-desired). metadata.resourceVersion keeps nobody from creating: an apply of an absent object ignores it
// (kubernetes apiserver registry/generic/registry/store.go Update). So what is being deleted is not held (decide.ts), and an
// object that goes between two reads, without a finalizer, is made once more and then leaves as it was to.

import {at, fromEntries, isList, isObject, type Json, type JsonObject} from '../json.ts';
import {observedPhase} from '../objects/marks.ts';
import {isControlled} from '../objects/ownership.ts';
import type {ResourceView} from '../snapshot.ts';
import {guardOf} from './apply-guard.ts';

/** The object to put into desired for an observed resource that stays for now. `manager`: composedFieldManager(xr). */
export function holdBody(view: ResourceView, manager: string): JsonObject {
  const object = view.json();
  const owned = ownedFields(object, manager);
  const body = owned === undefined ? {} : asObject(extract(object, owned, fieldsOfOthers(object, owned)));
  const metadata = heldMetadata(body['metadata'], view);
  const isGuarded = isNamed(metadata) || (owned !== undefined && isComingBack(view));
  const guard = isGuarded ? guarded(view) : {};
  return {...body, apiVersion: view.apiVersion, kind: view.kind, metadata: {...metadata, ...guard}};
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

/** The FieldsV1 of everybody else. */
function fieldsOfOthers(object: JsonObject, owned: JsonObject): readonly JsonObject[] {
  const entries = at(object, ['metadata', 'managedFields']);
  return (isList(entries) ? entries : [])
    .map((entry) => asObject(at(entry, ['fieldsV1'])))
    .filter((fields) => fields !== owned);
}

/**
 * The part of a value that a FieldsV1 names. Undefined where the value is gone. A leaf owns its whole value, unless others own
 * what is in it: then it was applied empty, and what it holds by now is theirs.
 */
function extract(value: Json | undefined, fields: JsonObject, others: readonly JsonObject[]): Json | undefined {
  const names = Object.keys(fields);
  if (value === undefined) return value;
  if (names.every((name) => name === '.')) {
    if (!others.some((other) => Object.keys(other).some((name) => name !== '.'))) return value;
    return isList(value) ? [] : isObject(value) ? {} : value;
  }
  if (isList(value)) return value.flatMap((item, index) => extractItem(item, index, fields, others));
  if (!isObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const name of names.filter((candidate) => candidate.startsWith('f:'))) {
    const key = name.slice(2);
    const part = Object.hasOwn(value, key)
      ? extract(value[key], asObject(fields[name]), below(others, name))
      : undefined;
    if (part !== undefined) entries.push([key, part]);
  }
  return fromEntries(entries);
}

/** The owned part of one list item, in a list of none or one. */
function extractItem(item: Json, index: number, fields: JsonObject, others: readonly JsonObject[]): Json[] {
  for (const name of Object.keys(fields)) {
    const part = (): Json | undefined => extract(item, asObject(fields[name]), below(others, name));
    if (name === `i:${index}`) return [part() ?? item];
    if (name.startsWith('v:') && same(item, parsed(name.slice(2)))) return [item];
    if (name.startsWith('k:') && isObject(item)) {
      const keys = asObject(parsed(name.slice(2)));
      const matches = Object.keys(keys).every((key) => same(item[key], keys[key]));
      // The keys go along even where others own them: without its keys an item names nothing.
      if (matches) return [{...keys, ...asObject(part())}];
    }
  }
  return [];
}

function below(others: readonly JsonObject[], name: string): readonly JsonObject[] {
  return others.map((fields) => asObject(fields[name]));
}

/** What is no JSON names no item. */
function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}

/** Identity, and what is owned of labels and the like; never the controller reference, which Crossplane adds itself. */
function heldMetadata(owned: Json | undefined, view: ResourceView): JsonObject {
  const {ownerReferences, managedFields: _managedFields, ...rest} = asObject(owned);
  const others = isList(ownerReferences)
    ? ownerReferences.filter((reference) => isObject(reference) && reference['controller'] !== true)
    : [];
  return {
    ...rest,
    name: view.name,
    ...(view.namespace === '' ? {} : {namespace: view.namespace}),
    ...(others.length === 0 ? {} : {ownerReferences: others}),
  };
}

// What is held must not put an external name back over one that somebody wrote meanwhile.
function isNamed(metadata: JsonObject): boolean {
  return at(metadata, ['annotations', 'crossplane.io/external-name']) !== undefined;
}

/**
 * A backup tool makes an object first and puts its managedFields back after that (velero d30d389 pkg/restore/restore.go:1711).
 * In between the entry says less than Crossplane is about to own, and a hold that goes by it would have the rest removed.
 */
function isComingBack(view: ResourceView): boolean {
  return !isControlled(view) || observedPhase(view) === 'pending-adoption';
}

function guarded(view: ResourceView): JsonObject {
  const resourceVersion = guardOf(view);
  return resourceVersion === '' ? {} : {resourceVersion};
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
