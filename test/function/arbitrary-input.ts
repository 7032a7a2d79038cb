// Arbitrary inputs, made of the one schema: whatever the schema gets, the fuzz gets.

import fc from 'fast-check';
import {inputSchema} from '../../src/lifecycle/input/schema.ts';
import type {ObjectSchema, Schema} from '../../src/lifecycle/input/validate.ts';
import type {Json, JsonObject} from '../../src/lifecycle/words/json.ts';
import {json} from '../wire/arbitrary.ts';

/** Inputs that mostly fit the schema, with strings that are mostly `words`. */
export function arbitraryInput(words: readonly string[]): fc.Arbitrary<JsonObject> {
  return objectOf(inputSchema, words);
}

function anyOf(schema: Schema, words: readonly string[]): fc.Arbitrary<Json> {
  return fc.oneof({weight: 300, arbitrary: fittingOf(schema, words)}, {weight: 1, arbitrary: json});
}

function fittingOf(schema: Schema, words: readonly string[]): fc.Arbitrary<Json> {
  switch (schema.type) {
    case 'object':
      return objectOf(schema, words);
    case 'array':
      return fc.array(anyOf(schema.items, words), {minLength: schema.minItems ?? 0, maxLength: 3});
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({min: schema.minimum ?? 0, max: schema.maximum ?? 100});
    case 'string':
      if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern), {maxLength: 24});
      return fc.constantFrom(...words);
  }
}

function objectOf(schema: ObjectSchema, words: readonly string[]): fc.Arbitrary<JsonObject> {
  const members = Object.entries(schema.properties).map(([key, property]): [string, fc.Arbitrary<Json>] => [
    key,
    anyOf(property, words),
  ]);
  // Without apiVersion and kind of its own every second input would be somebody else's.
  const model = Object.fromEntries(members) as {[key: string]: fc.Arbitrary<Json>};
  const fitting = fc.record(model, {requiredKeys: [...(schema.required ?? [])]}) as fc.Arbitrary<JsonObject>;
  return fc.oneof(
    {weight: 300, arbitrary: fitting},
    {
      weight: 1,
      arbitrary: fc.tuple(fitting, json).map(([object, extra]): JsonObject => ({...object, surprise: extra})),
    },
  );
}
