// One schema for all versions of a kind whose CustomResourceDefinition has a webhook convert between them. The webhook is the
// provider's: it loses nothing (a list of one item becomes the item itself, for example), but its code is not known here. So an
// object is kept as it was written, and read so in every version. Fields that all versions shape alike are held to their schema,
// fields of different shapes to none. A field of one version exists in all.
//
// Left out: defaults, lists by key and required fields that the versions do not share, every rule about what they shape
// differently; a field that a conversion renames.

import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';

const rules = 'x-kubernetes-validations';
const open: JsonObject = {'x-kubernetes-preserve-unknown-fields': true};

/** The schema that holds what any of them holds; undefined where one of the versions has none. */
export function schemaOfAll(schemas: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const given = schemas.filter((schema) => schema !== undefined);
  return given.length === schemas.length && given.length > 0 ? given.reduce(both) : undefined;
}

function both(one: JsonObject, other: JsonObject): JsonObject {
  if (equal(one, other)) return one;
  if (one['type'] !== other['type']) return open;
  const {properties, items, additionalProperties} = one;
  const shared = Object.keys(one).filter((key) => key !== rules && equal(one[key], other[key]));
  return {
    ...Object.fromEntries(shared.map((key) => [key, one[key] as Json])),
    ...required(one, other),
    ...(isObject(properties) && isObject(other['properties'])
      ? {properties: members(properties, other['properties'])}
      : {}),
    ...inner('items', items, other['items']),
    ...inner('additionalProperties', additionalProperties, other['additionalProperties']),
  };
}

function members(one: JsonObject, other: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, ofMember(one[name], other[name])]));
}

function ofMember(one: Json | undefined, other: Json | undefined): Json {
  if (isObject(one) && isObject(other)) return both(one, other);
  return one ?? other ?? open;
}

function inner(key: string, one: Json | undefined, other: Json | undefined): JsonObject {
  return isObject(one) && isObject(other) ? {[key]: both(one, other)} : {};
}

function required({required: one}: JsonObject, {required: other}: JsonObject): JsonObject {
  if (!isList(one) || !isList(other)) return {};
  const shared = one.filter((name) => other.includes(name));
  return shared.length === 0 ? {} : {required: shared};
}
