import type {Value} from '../values.ts';

/** Values in, a value out; a method's first is what it is called on. It throws where it has none for these. */
export type Call = (args: readonly Value[]) => Value;

export interface Calls {
  readonly [name: string]: Call;
}

/** Methods of one kind of value: libraries share names, such as `indexOf` of texts and of lists. */
export interface Methods {
  readonly of: (target: Value | undefined) => boolean;
  readonly calls: Calls;
}
