// Owners of the fields of an observed object: read from managedFields, in the FieldsV1 format of
// kubernetes-sigs/structured-merge-diff 15d0754 fieldpath/serialize-pe.go ("f:" field, "k:" list item by keys, "v:" set item by
// value, "i:" list item by place, "." the item itself).

import {
  asObject,
  fromEntries,
  isList,
  isObject,
  type Json,
  type JsonObject,
  levelsMax,
  parsed,
  text,
} from '../words/json.ts';

/** The FieldsV1 of the entry with which Crossplane applies the resource, undefined if there is none. */
export function ownedFields(entries: readonly JsonObject[], manager: string): JsonObject | undefined {
  const entry = entries.find((candidate) => isApply(candidate) && candidate['manager'] === manager);
  const fields = entry?.['fieldsV1'];
  return isObject(fields) ? fields : undefined;
}

/** True for the entry of an apply of the object itself, and of no subresource. */
export function isApply({operation, subresource}: JsonObject): boolean {
  return operation === 'Apply' && text(subresource) === '';
}

/** The FieldsV1 of everybody else. */
export function fieldsOfOthers(entries: readonly JsonObject[], owned: JsonObject | undefined): readonly JsonObject[] {
  return entries.map(({fieldsV1}) => asObject(fieldsV1)).filter((fields) => fields !== owned);
}

/**
 * The part of a value that a FieldsV1 names. Undefined where the value is gone. A leaf owns its whole value, unless others own
 * what is in it: then it was applied empty, and what it holds by now is theirs.
 */
export function ownedPart(
  value: Json | undefined,
  fields: JsonObject,
  others: readonly JsonObject[],
  level = 0,
): Json | undefined {
  // Below that all counts as owned.
  if (value === undefined || level > levelsMax) return value;
  if (isLeaf(fields, value)) {
    if (others.every((other) => isLeaf(other, value))) return value;
    return isList(value) ? [] : isObject(value) ? {} : value;
  }
  if (isList(value)) {
    const names = new ItemNames(fields);
    return value.flatMap((item, index) => {
      const name = names.of(item, index);
      return name === undefined
        ? []
        : [itemPart(item, name, asObject(fields[name]), fieldsBelow(others, name), level + 1)];
    });
  }
  if (!isObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const name of Object.keys(fields).filter((candidate) => candidate.startsWith('f:'))) {
    const key = name.slice(2);
    const part = Object.hasOwn(value, key)
      ? ownedPart(value[key], asObject(fields[name]), fieldsBelow(others, name), level + 1)
      : undefined;
    if (part !== undefined) entries.push([key, part]);
  }
  return fromEntries(entries);
}

/** The owned part of a list item, with its keys, also where others own those: without them an item names nothing. */
function itemPart(item: Json, name: string, fields: JsonObject, others: readonly JsonObject[], level: number): Json {
  if (name.startsWith('v:')) return item;
  const part = ownedPart(item, fields, others, level);
  return name.startsWith('k:') ? {...asObject(parsed(name.slice(2))), ...asObject(part)} : (part ?? item);
}

/** By which name a FieldsV1 has the items of a list. Each name is read once: a list and its names may be long. */
class ItemNames {
  readonly #fields: JsonObject;
  readonly #byValue = new Map<string, string>();
  /** By the names of the keys, and then by their values. */
  readonly #byKeys = new Map<string, {readonly keys: readonly string[]; readonly names: Map<string, string>}>();

  constructor(fields: JsonObject) {
    this.#fields = fields;
    for (const name of Object.keys(fields)) {
      const value = name.startsWith('v:') ? boundedText(parsed(name.slice(2)) ?? null) : undefined;
      if (value !== undefined) this.#byValue.set(value, name);
      if (name.startsWith('k:')) this.#addKeys(name);
    }
  }

  #addKeys(name: string): void {
    const said = asObject(parsed(name.slice(2)));
    const keys = Object.keys(said).sort();
    if (keys.length === 0) return;
    const known = this.#byKeys.get(keys.join()) ?? {keys, names: new Map<string, string>()};
    this.#byKeys.set(keys.join(), known);
    known.names.set(valuesOf(said, keys), name);
  }

  of(item: Json, index: number): string | undefined {
    const byPlace = `i:${index}`;
    if (Object.hasOwn(this.#fields, byPlace)) return byPlace;
    if (!isObject(item)) return this.#named(item);
    for (const {keys, names} of this.#byKeys.values()) {
      const name = names.get(valuesOf(item, keys));
      if (name !== undefined) return name;
    }
    return this.#named(item);
  }

  #named(item: Json): string | undefined {
    const value = this.#byValue.size === 0 ? undefined : boundedText(item);
    return value === undefined ? undefined : this.#byValue.get(value);
  }
}

/** '' where a value is nested too deep to be a key. */
function valuesOf(object: JsonObject, keys: readonly string[]): string {
  return boundedText(keys.map((key) => object[key] ?? null)) ?? '';
}

/**
 * True if a FieldsV1 names nothing inside the value. It is of the API version that it was written in: a list there may be an object
 * in the observed version, as lists of one item are from v1beta2 of many kinds on, and then its names are of nothing here.
 */
export function isLeaf(fields: JsonObject, value: Json | undefined): boolean {
  return Object.keys(fields).every((name) => name === '.' || name.startsWith('f:') === isList(value));
}

/** The FieldsV1 of others below the field or item `name`. */
export function fieldsBelow(others: readonly JsonObject[], name: string): readonly JsonObject[] {
  return others.map((fields) => asObject(fields[name]));
}

/** The value as text; undefined if it is nested too deep. */
function boundedText(value: Json): string | undefined {
  let inner: readonly Json[] = [value];
  for (let level = 0; inner.length > 0; level++) {
    if (level > levelsMax) return undefined;
    inner = inner.flatMap((one) => (isList(one) ? one : isObject(one) ? Object.values(one) : []));
  }
  return JSON.stringify(value);
}
