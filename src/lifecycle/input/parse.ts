// Reads an input: ours by its schema, that of a function that this one replaces by its dialect.

import {at, fromEntries, isList, isObject, type Json} from '../words/json.ts';
import {fromDeletionProtection} from './dialect-deletion-protection.ts';
import {fromSequencer} from './dialect-sequencer.ts';
import type {Input, InvalidInput, ParsedInput} from './input.ts';
import {inputSchema} from './schema.ts';
import {type Schema, validate} from './validate.ts';

/** A step without an input gets every safe default. Inputs of the functions that this one replaces are understood. */
export function parseInput(json: Json | undefined): ParsedInput | InvalidInput {
  if (json === undefined || json === null) return {kind: 'input', input: {}};
  switch (at(json, ['apiVersion'])) {
    case 'sequencer.fn.crossplane.io/v1beta1':
      return fromSequencer(json);
    case 'protection.fn.crossplane.io/v1beta1':
      return fromDeletionProtection(json);
    default: {
      // A null in place of an object never fits.
      const asItCame = checked(json);
      return asItCame.kind === 'input' ? asItCame : checked(withEmptyObjects(inputSchema, json));
    }
  }
}

function checked(json: Json): ParsedInput | InvalidInput {
  const problem = validate(inputSchema, json);
  return problem === undefined ? {kind: 'input', input: json as Input} : {kind: 'invalid-input', ...problem};
}

/**
 * The value in which every null that stands for an object is an empty one. A field that is written {} reaches us as null where the
 * Composition was applied server-side (recorded: ssa, an empty map of a schema without fields): what selects everything goes on to.
 */
function withEmptyObjects(schema: Schema | undefined, value: Json): Json {
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
