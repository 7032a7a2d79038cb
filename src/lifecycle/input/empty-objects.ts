// A field that is written {} reaches us as null where the Composition was applied server-side (recorded: ssa, an empty map of
// a schema without fields). Where an object is expected null is that empty object: what selects everything goes on to.

import {fromEntries, isList, isObject, type Json} from '../words/json.ts';
import type {Schema} from './validate.ts';

/** The value in which every null that stands for an object is an empty one. */
export function withEmptyObjects(schema: Schema | undefined, value: Json): Json {
  if (schema?.type === 'array' && isList(value)) return value.map((item) => withEmptyObjects(schema.items, item));
  if (schema?.type !== 'object') return value;
  if (value === null) return {};
  if (!isObject(value) || schema.open) return value;
  return fromEntries(
    Object.keys(value).map((key) => {
      const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
      return [key, withEmptyObjects(property, value[key] ?? null)];
    }),
  );
}
