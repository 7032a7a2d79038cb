// What a dialect makes of another function's input: ours, or what is wrong with it.

import type {InputSchema} from './schema.ts';
import type {FromSchema, Problem} from './validate.ts';

export type Translation = {readonly input: FromSchema<InputSchema>} | {readonly problem: Problem};
