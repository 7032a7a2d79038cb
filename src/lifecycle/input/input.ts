// The input of function-tether in a Composition, typed by the one schema (schema.ts) that the CRD is made of.

import type {InputSchema} from './schema.ts';
import type {FromSchema} from './validate.ts';

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

const secondsIn: {readonly [unit: string]: number} = {ms: 0.001, s: 1, m: 60, h: 3600};

/** How long the input lets an answer be reused: whole seconds, rounded up so that a short duration is not none. */
export function ttlIn({ttl}: Input): number | undefined {
  if (ttl === undefined) return undefined;
  const parts = ttl.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g);
  return Math.ceil(parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (secondsIn[unit] ?? 0), 0));
}

/** Whose names the Usages of a plan have. */
export type UsageNaming = 'function-tether' | 'function-sequencer' | 'function-deletion-protection';

/** An input that has been read, in our words whatever it was written in. */
export interface ParsedInput {
  readonly kind: 'input';
  readonly input: Input;
  /** Where a problem at this path of ours is in the input as it was written; left out where that is the same. */
  readonly placeOf?: (path: string) => string;
  /** Whose names the Usages have; left out where it is ours. */
  readonly naming?: UsageNaming;
}
