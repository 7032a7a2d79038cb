// Reads an input: ours by its schema, that of a function that this one replaces by its dialect.

import {at, type Json} from '../words/json.ts';
import {fromDeletionProtection} from './dialect-deletion-protection.ts';
import {fromSequencer} from './dialect-sequencer.ts';
import {withEmptyObjects} from './empty-objects.ts';
import type {Input, InvalidInput, ParsedInput} from './input.ts';
import {inputSchema} from './schema.ts';
import {validate} from './validate.ts';

/** A step without an input gets every safe default. Inputs of the functions that this one replaces are understood. */
export function parseInput(json: Json | undefined): ParsedInput | InvalidInput {
  if (json === undefined || json === null) return {kind: 'input', input: {}};
  switch (at(json, ['apiVersion'])) {
    case 'sequencer.fn.crossplane.io/v1beta1':
      return fromSequencer(json);
    case 'protection.fn.crossplane.io/v1beta1':
      return fromDeletionProtection(json);
    default: {
      const input = withEmptyObjects(inputSchema, json);
      const problem = validate(inputSchema, input);
      return problem === undefined ? {kind: 'input', input: input as Input} : {kind: 'invalid-input', ...problem};
    }
  }
}
