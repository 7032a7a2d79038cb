// What a Composition may tell function-tether, validated against the one schema (schema.ts) that the CRD is made of.

import {at, type Json} from '../json.ts';
import type {Naming, Translation} from './dialect.ts';
import {fromDeletionProtection} from './dialect-deletion-protection.ts';
import {fromSequencer} from './dialect-sequencer.ts';
import {type InputSchema, inputSchema} from './schema.ts';
import {type FromSchema, validate} from './validate.ts';

/** The input as a Composition writes it, once it has passed the schema. */
export type Input = FromSchema<InputSchema>;

/** Bad input: where, what was expected, what was there. Becomes one sentence and a FATAL result; nothing else happens. */
export interface InvalidInput {
  readonly kind: 'invalid-input';
  /** For people: `usages[0].of`, '' for the whole input. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

interface ParsedInput {
  readonly kind: 'input';
  readonly input: Input;
  /** Where a problem at this path of ours is in the input as it was written; left out where that is the same. */
  readonly placeOf?: (path: string) => string;
  /** Whose names the Usages have; left out where it is ours. */
  readonly naming?: Naming;
}

/** A step without an input gets every safe default. Inputs of the functions that this one replaces are understood. */
export function parseInput(json: Json | undefined): ParsedInput | InvalidInput {
  if (json === undefined || json === null) return {kind: 'input', input: {}};
  switch (at(json, ['apiVersion'])) {
    case 'sequencer.fn.crossplane.io/v1beta1':
      return answered(fromSequencer(json));
    case 'protection.fn.crossplane.io/v1beta1':
      return answered(fromDeletionProtection(json));
    default: {
      const problem = validate(inputSchema, json);
      return problem === undefined ? {kind: 'input', input: json as Input} : {kind: 'invalid-input', ...problem};
    }
  }
}

function answered(translation: Translation): ParsedInput | InvalidInput {
  if ('problem' in translation) return {kind: 'invalid-input', ...translation.problem};
  return {kind: 'input', ...translation};
}
