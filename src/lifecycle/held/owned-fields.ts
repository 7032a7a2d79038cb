// Who owns which fields of an observed object: read from managedFields, in the FieldsV1 format of
// kubernetes-sigs/structured-merge-diff 15d0754 fieldpath/serialize-pe.go ("f:" field, "k:" list item by keys, "v:" set item
// by value, "i:" list item by place, "." the item itself).

import {asObject, at, fromEntries, isList, isObject, type Json, type JsonObject, parsed} from '../json.ts';

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
export function fieldsOfOthers(object: JsonObject, owned: JsonObject | undefined): readonly JsonObject[] {
  const entries = at(object, ['metadata', 'managedFields']);
  return (isList(entries) ? entries : [])
    .map((entry) => asObject(at(entry, ['fieldsV1'])))
    .filter((fields) => fields !== owned);
}

/**
 * The part of a value that a FieldsV1 names. Undefined where the value is gone. A leaf owns its whole value, unless others own
 * what is in it: then it was applied empty, and what it holds by now is theirs.
 */
export function ownedPart(
  value: Json | undefined,
  fields: JsonObject,
  others: readonly JsonObject[],
): Json | undefined {
  if (value === undefined) return value;
  if (isLeaf(fields)) {
    if (others.every(isLeaf)) return value;
    return isList(value) ? [] : isObject(value) ? {} : value;
  }
  if (isList(value)) return value.flatMap((item, index) => extractItem(item, index, fields, others));
  if (!isObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const name of Object.keys(fields).filter((candidate) => candidate.startsWith('f:'))) {
    const key = name.slice(2);
    const part = Object.hasOwn(value, key)
      ? ownedPart(value[key], asObject(fields[name]), below(others, name))
      : undefined;
    if (part !== undefined) entries.push([key, part]);
  }
  return fromEntries(entries);
}

/** The owned part of one list item, in a list of none or one. */
function extractItem(item: Json, index: number, fields: JsonObject, others: readonly JsonObject[]): Json[] {
  for (const name of Object.keys(fields)) {
    const part = (): Json | undefined => ownedPart(item, asObject(fields[name]), below(others, name));
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

/** Whether a FieldsV1 names nothing inside the value. */
export function isLeaf(fields: JsonObject): boolean {
  return Object.keys(fields).every((name) => name === '.');
}

/** What the FieldsV1 of others say below the field or item `name`. */
export function below(others: readonly JsonObject[], name: string): readonly JsonObject[] {
  return others.map((fields) => asObject(fields[name]));
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
