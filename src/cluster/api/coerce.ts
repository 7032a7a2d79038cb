import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {type Structural, schemaOfKey} from './structural.ts';

// What decoding does to a custom resource before anything looks at it: unknown fields are pruned, nulls that the schema
// neither allows nor defaults are dropped, and defaults are filled in. Values that need no change are returned as they
// are, so states keep sharing them.
//
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apiserver/schema/{pruning,defaulting}. Not modelled: warnings about
// unknown fields, since nobody in the simulated world reads warnings.

/** The object pruned and without forbidden nulls. `apiVersion`, `kind` and `metadata` of the root are left alone. */
export function prune(object: JsonObject, structural: Structural | undefined): JsonObject {
  if (structural === undefined) return object;
  return pruneObject(object, structural, true);
}

/** The object with the schema's defaults where a key is missing or null without leave. */
export function withDefaults(object: JsonObject, structural: Structural | undefined): JsonObject {
  return defaulted(object, structural) as JsonObject;
}

const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

function pruneValue(value: Json, structural: Structural | undefined): Json {
  if (isList(value)) return mapped(value, (item) => pruneValue(item, structural?.items));
  if (isObject(value)) return pruneObject(value, structural, structural?.embeddedResource === true);
  return value;
}

function pruneObject(object: JsonObject, structural: Structural | undefined, isResource: boolean): JsonObject {
  return mappedKeys(object, (key, value) => {
    if (isResource && metaFields.has(key)) return value;
    const schema = schemaOfKey(structural, key);
    if (schema === undefined) return unknownValue(value, structural);
    if (value === null && !schema.nullable && schema.default === undefined) return undefined;
    return pruneValue(value, schema);
  });
}

/** `additionalProperties: true` keeps the key but, having no schema for what is below, empties objects there. */
function unknownValue(value: Json, structural: Structural | undefined): Json | undefined {
  if (structural?.preserveUnknownFields === true) return value;
  return structural?.additionalProperties === true ? pruneValue(value, undefined) : undefined;
}

function defaulted(value: Json, structural: Structural | undefined): Json {
  if (structural === undefined || !structural.hasDefaults) return value;
  if (isList(value)) return mapped(value, (item) => defaulted(filled(item, structural.items), structural.items));
  if (!isObject(value)) return value;
  const present = mappedKeys(value, (key, child) => {
    const schema = schemaOfKey(structural, key);
    return defaulted(filled(child, schema), schema);
  });
  const missing = [...structural.properties].filter(
    ([key, schema]) => schema.default !== undefined && !Object.hasOwn(value, key),
  );
  if (missing.length === 0) return present;
  const added = missing.map(([key, schema]) => [key, defaulted(schema.default as Json, schema)] as const);
  return {...present, ...Object.fromEntries(added)};
}

function filled(value: Json, structural: Structural | undefined): Json {
  if (value !== null || structural === undefined || structural.nullable) return value;
  return structural.default ?? null;
}

/** The list with every item mapped; the same list where no item changes. */
function mapped(list: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  let out: Json[] | undefined;
  list.forEach((item, index) => {
    const next = change(item);
    if (next !== item) {
      out ??= [...list];
      out[index] = next;
    }
  });
  return out ?? list;
}

/** The object with every value mapped, undefined leaving it out; the same object where nothing changes. */
function mappedKeys(object: JsonObject, change: (key: string, value: Json) => Json | undefined): JsonObject {
  let out: {[key: string]: Json} | undefined;
  for (const [key, value] of Object.entries(object)) {
    const next = change(key, value);
    if (next === value) continue;
    out ??= {...object};
    if (next === undefined) delete out[key];
    else out[key] = next;
  }
  return out ?? object;
}
