// What a dialect makes of another function's input: ours, or what is wrong with it.

import type {InputSchema} from './schema.ts';
import type {Naming} from './usage-names.ts';
import type {FromSchema, Problem} from './validate.ts';

export type Translation =
  | {
      readonly input: FromSchema<InputSchema>;
      /** Where the other function's input says what ours says at `path`. */
      readonly placeOf: (path: string) => string;
      /** Whose names the Usages keep. */
      readonly naming: Naming;
    }
  | {readonly problem: Problem};
