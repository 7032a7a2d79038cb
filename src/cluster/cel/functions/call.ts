// Building blocks of the function libraries.

import {isKind, noSuchOverload, type OpaqueValue, type Value} from '../values.ts';

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

export function ofText(read: (text: string) => Value): Call {
  return ([text]) => {
    if (typeof text !== 'string') throw noSuchOverload();
    return read(text);
  };
}

/** A type of a library: which values are of it, what they hold, and how one is made. */
export function opaqueType<T>(type: string) {
  return {
    of: (value: Value | undefined): boolean => isKind(value, 'opaque') && value.type === type,
    contentOf: (value: Value | undefined): T => {
      if (!isKind(value, 'opaque') || value.type !== type) throw noSuchOverload();
      return value.content as T;
    },
    make: (text: string, content: T): OpaqueValue => ({kind: 'opaque', type, text, content}),
  };
}

/** The methods of a type that has an order: -1, 0 or 1. */
export function comparing(order: (left: Value | undefined, right: Value | undefined) => bigint): Calls {
  return {
    isGreaterThan: ([left, right]) => order(left, right) === 1n,
    isLessThan: ([left, right]) => order(left, right) === -1n,
    compareTo: ([left, right]) => order(left, right),
  };
}
