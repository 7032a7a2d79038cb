// What a dialect makes of another function's input: ours, or what is wrong with it.

import type {InputSchema} from './schema.ts';
import type {FromSchema, Problem} from './validate.ts';

export type Translation =
  | {
      readonly input: FromSchema<InputSchema>;
      /** Where the other function's input says what ours says at `path`. */
      readonly placeOf: (path: string) => string;
    }
  | {readonly problem: Problem};
