// Decoding of a custom resource before admission and validation. Unknown fields are pruned, nulls that the schema neither allows
// nor defaults are dropped, and defaults are filled in. Values that need no change are returned as they are, so states keep sharing
// them.
//
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apiserver/schema/{pruning,defaulting}. Not modelled: warnings about unknown
// fields, since no client of the simulated world reads warnings.

import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import {type Structural, schemaOfKey} from '../schema/structural.ts';

/**
 * The object pruned, without forbidden nulls, and with the schema's defaults where a key is missing or null without
 * leave. `apiVersion`, `kind` and `metadata` of the root are left alone.
 */
export function coerce(object: JsonObject, structural: Structural | undefined): JsonObject {
  return structural === undefined ? object : coerceObject(object, structural, true);
}

/** The object pruned and without forbidden nulls, and nothing filled in: what a change of version does. */
export function pruned(object: JsonObject, structural: Structural | undefined): JsonObject {
  return structural === undefined ? object : withBelow(object, structural, true, prunedValue);
}

/** Only the defaults: what happens to the result of an apply, whose nulls the schema is to judge. */
export function withDefaults(object: JsonObject, structural: Structural | undefined): JsonObject {
  return defaulted(object, structural) as JsonObject;
}

const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

function coerceValue(value: Json, structural: Structural | undefined): Json {
  if (isList(value))
    return mappedItems(value, (item) => coerceValue(filled(item, structural?.items), structural?.items));
  if (isObject(value)) return coerceObject(value, structural, structural?.embeddedResource === true);
  return value;
}

/** Objects found to need nothing, with the schema they were found under: a write leaves most of an object alone. */
const clean = memo<JsonObject, Structural>();

function coerceObject(object: JsonObject, structural: Structural | undefined, isResource: boolean): JsonObject {
  if (structural !== undefined && clean.get(object) === structural) return object;
  const kept = withBelow(object, structural, isResource, (value, schema) => coerceValue(filled(value, schema), schema));
  if (structural === undefined) return kept;
  const out = structural.hasDefaults ? withMissing(kept, structural) : kept;
  if (out === object) clean.set(object, structural);
  return out;
}

/** The object with what `below` makes of each value that its schema has. */
function withBelow(
  object: JsonObject,
  structural: Structural | undefined,
  isResource: boolean,
  below: (value: Json, schema: Structural) => Json,
): JsonObject {
  return mappedKeys(object, (key, value) => {
    if (isResource && metaFields.has(key)) return value;
    const schema = schemaOfKey(structural, key);
    if (schema === undefined) return unknownValue(value, structural);
    if (value === null && !schema.nullable && schema.default === undefined) return undefined;
    return below(value, schema);
  });
}

function prunedValue(value: Json, structural: Structural | undefined): Json {
  if (isList(value)) return mappedItems(value, (item) => prunedValue(item, structural?.items));
  return isObject(value) ? withBelow(value, structural, structural?.embeddedResource === true, prunedValue) : value;
}

/** `additionalProperties: true` keeps the key but, having no schema for what is below, empties objects there. */
function unknownValue(value: Json, structural: Structural | undefined): Json | undefined {
  if (structural?.preserveUnknownFields === true) return value;
  return structural?.additionalProperties === true ? coerceValue(value, undefined) : undefined;
}

function withMissing(object: JsonObject, structural: Structural): JsonObject {
  let out: {[key: string]: Json} | undefined;
  for (const [key, schema] of structural.properties) {
    if (schema.default === undefined || Object.hasOwn(object, key)) continue;
    out ??= {...object};
    out[key] = coerceValue(schema.default, schema);
  }
  return out ?? object;
}

function defaulted(value: Json, structural: Structural | undefined): Json {
  if (structural === undefined || !structural.hasDefaults) return value;
  if (isList(value)) return mappedItems(value, (item) => defaulted(filled(item, structural.items), structural.items));
  if (!isObject(value)) return value;
  const present = mappedKeys(value, (key, child) => {
    const schema = schemaOfKey(structural, key);
    return defaulted(filled(child, schema), schema);
  });
  return withMissing(present, structural);
}

function filled(value: Json, structural: Structural | undefined): Json {
  if (value !== null || structural === undefined || structural.nullable) return value;
  return structural.default ?? null;
}

/** The list with every item mapped; the same list where no item changes. */
function mappedItems(list: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  let out: Json[] | undefined;
  for (const [index, item] of list.entries()) {
    const next = change(item);
    if (next === item) continue;
    out ??= [...list];
    out[index] = next;
  }
  return out ?? list;
}

/** The object with every value mapped, undefined leaving it out; the same object where nothing changes. */
function mappedKeys(object: JsonObject, change: (key: string, value: Json) => Json | undefined): JsonObject {
  let out: {[key: string]: Json} | undefined;
  for (const key in object) {
    const value = object[key] as Json;
    const next = change(key, value);
    if (next === value) continue;
    out ??= {...object};
    if (next === undefined) delete out[key];
    else out[key] = next;
  }
  return out ?? object;
}
