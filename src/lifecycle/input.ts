// What a Composition may tell function-tether, validated against the one schema (schema.ts) that the CRD is made of.

import type {Json} from './json.ts';
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

/** A step without an input gets every safe default. */
export function parseInput(json: Json | undefined): {readonly kind: 'input'; readonly input: Input} | InvalidInput {
  if (json === undefined || json === null) return {kind: 'input', input: {}};
  const problem = validate(inputSchema, json);
  if (problem !== undefined) return {kind: 'invalid-input', ...problem};
  return {kind: 'input', input: json as Input};
}
