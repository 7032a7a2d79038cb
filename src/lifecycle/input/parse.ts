// Reads an input: ours by its schema, that of a function that this one replaces by its dialect.

import {at, fromEntries, isList, isObject, type Json} from '../words/json.ts';
import {fromSequencer} from './dialect-sequencer.ts';
import type {Input, InvalidInput, ParsedInput} from './input.ts';
import {fieldsOfDialects, flag, inputSchema, record} from './schema.ts';
import {type FromSchema, type Schema, validate} from './validate.ts';

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

// Inputs of function-deletion-protection v0.2.1 (966a356), unchanged: a resource with its label is protected, and the XR with it.
// The apiVersion selects this dialect.
//
// Kept: the label, in any case of letters, on the desired or the observed resource; the XR protected where it carries the label or
// any resource does; nothing protected before it is there. Not kept, because they are defects: dropping a protected resource
// together with its Usage, Usages that leave the XR unready, and one namespaced resource in v1 mode that drops the protection of
// all (reference/peers A.1). Required resources are protected by the label, and what a WatchOperation watches always, with the
// Usages of Crossplane 2 in an Operation, as there.

const schema = record('Input of function-deletion-protection.', {
  ...fieldsOfDialects,
  enableV1Mode: flag('Usages of Crossplane 1.'),
});

const blocked = {
  labels: [{key: 'protection.fn.crossplane.io/block-deletion', value: 'true', ignoreCase: true}],
  optional: true,
};

function fromDeletionProtection(json: Json): ParsedInput | InvalidInput {
  const problem = validate(schema, json);
  if (problem !== undefined) return {kind: 'invalid-input', ...problem};
  const {cacheTTL, enableV1Mode} = json as FromSchema<typeof schema>;
  return {
    kind: 'input',
    input: {
      protect: {
        resources: [{match: blocked}],
        xrMatch: blocked,
        required: [{match: {resources: ['ops.crossplane.io/watched-resource'], optional: true}}, {match: blocked}],
      },
      ...(cacheTTL === undefined ? {} : {ttl: cacheTTL}),
      ...(enableV1Mode ? {crossplane: '1.20'} : {}),
    },
    // Nothing of it can be wrong for one XR and right for another.
    placeOf: (path) => path,
    naming: 'function-deletion-protection',
  };
}
