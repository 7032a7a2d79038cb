// What random stories of either kind are made of.

import fc from 'fast-check';
import type {Json, JsonObject} from '../../src/wire/json.ts';

/** There in so many of a hundred; leaving it out is the smaller story. */
export function maybe<T>(value: fc.Arbitrary<T>, percent = 50): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    {withCrossShrink: true},
    {weight: 100 - percent, arbitrary: fc.constant(undefined)},
    {weight: percent, arbitrary: value},
  );
}

/** An object with the fields that are not undefined. */
export function objectOf(fields: {readonly [key: string]: fc.Arbitrary<unknown>}): fc.Arbitrary<JsonObject> {
  return fc.record(fields).map(defined);
}

export function defined(fields: object): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Small JSON of any shape around the given leaves. */
export function jsonOf(leaves: fc.Arbitrary<Json>, keys: readonly string[]): fc.Arbitrary<Json> {
  return fc.letrec<{value: Json}>((tie) => ({
    value: fc.oneof(
      {depthSize: 'small', withCrossShrink: true},
      leaves,
      fc.array(tie('value'), {maxLength: 2}),
      fc.dictionary(fc.constantFrom(...keys), tie('value'), {maxKeys: 2}),
    ),
  })).value;
}
