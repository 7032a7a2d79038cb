// What a dialect makes of another function's input: ours, or what is wrong with it.

import type {InputSchema} from './schema.ts';
import type {FromSchema, Problem} from './validate.ts';

/** Whose names the Usages of a plan have. */
export type Naming = 'function-tether' | 'function-sequencer' | 'function-deletion-protection';

export type Translation =
  | {
      readonly input: FromSchema<InputSchema>;
      /** Where the other function's input says what ours says at `path`. */
      readonly placeOf: (path: string) => string;
      /** Whose names the Usages keep. */
      readonly naming: Naming;
    }
  | {readonly problem: Problem};
