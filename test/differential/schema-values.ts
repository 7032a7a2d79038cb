// Values drawn from the schema they are meant for: what fits mostly, what does not sometimes.

import fc from 'fast-check';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {jsonOf, maybe, objectOf} from './arbitrary.ts';

const words = ['x', 'y', 'xa', 'abc', '', 'TOOLONG', 'a', 'b', 'a,x', '10.1.2.3', '10.0.0.0/8', '::1', '1Gi', '100m'];
const integers = [0, 1, 5, 10, 80, -1, 101, 3_000_000_000];
const numbers = [0, 0.5, 1, 2];
const durations = ['1h', '5m', 'soon', '1', ''];
const times = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.5+02:00', '2024-01-01'];
const anything = jsonOf(fc.constantFrom<Json>(0, 1, -1, 2.5, true, 'v', '', null), ['p', 'q']);

/** One value in so many breaks a limit that its schema sets, and one in so many is anything at all. */
const misfit = 12;
const oddity = 60;

export function valueFor(schema: JsonObject): fc.Arbitrary<Json> {
  return fc.oneof({weight: oddity, arbitrary: fittingValue(schema)}, {weight: 1, arbitrary: anything});
}

function fittingValue(schema: JsonObject): fc.Arbitrary<Json> {
  if (schema['x-kubernetes-embedded-resource'] === true) return embedded;
  if (schema['x-kubernetes-int-or-string'] === true) return fc.constantFrom<Json>(1, '25%', 'x');
  const choices = schema['enum'] as readonly Json[] | undefined;
  if (choices !== undefined) {
    return mostly(choices, words);
  }
  switch (schema['type']) {
    case 'object':
      return objectFor(schema);
    case 'array':
      return fc.array(valueFor((schema['items'] ?? {}) as JsonObject), {maxLength: 3});
    case 'integer':
      return mostly(
        integers.filter((value) => isWithin(value, schema)),
        integers,
      );
    case 'number':
      return mostly(
        numbers.filter((value) => isWithin(value, schema)),
        numbers,
      );
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textFor(schema);
    default:
      return anything;
  }
}

function mostly(fitting: readonly Json[], all: readonly Json[]): fc.Arbitrary<Json> {
  return fc.oneof(
    {weight: misfit, arbitrary: fc.constantFrom(...(fitting.length === 0 ? all : fitting))},
    {weight: 1, arbitrary: fc.constantFrom(...all)},
  );
}

function isWithin(value: number, {minimum, maximum, exclusiveMaximum, multipleOf, format}: JsonObject): boolean {
  const limit = format === 'int32' ? 2 ** 31 - 1 : Infinity;
  const above = typeof minimum !== 'number' || value >= minimum;
  const below = typeof maximum !== 'number' || value < maximum || (value === maximum && exclusiveMaximum !== true);
  return above && below && value <= limit && (typeof multipleOf !== 'number' || value % multipleOf === 0);
}

function textFor({format, minLength, maxLength, pattern}: JsonObject): fc.Arbitrary<Json> {
  if (format === 'duration') return mostly(durations.slice(0, 2), durations);
  if (format === 'date-time') return mostly(times.slice(0, 2), times);
  const fits = (text: string): boolean =>
    text.length >= Number(minLength ?? 0) &&
    text.length <= Number(maxLength ?? Infinity) &&
    (typeof pattern !== 'string' || new RegExp(pattern).test(text));
  return mostly(words.filter(fits), words);
}

function objectFor(schema: JsonObject): fc.Arbitrary<Json> {
  const required = (schema['required'] ?? []) as readonly string[];
  const known = Object.entries((schema['properties'] ?? {}) as {readonly [key: string]: JsonObject});
  const fields = known.map(([key, child]) => [key, maybe(valueFor(child), required.includes(key) ? 95 : 50)] as const);
  const more = schema['additionalProperties'] as JsonObject | undefined;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const free = fc.dictionary(fc.constantFrom('extra', 'm'), anything, {maxKeys: isOpen ? 2 : 1});
  const extra =
    more === undefined
      ? maybe(free, isOpen ? 80 : 8)
      : maybe(fc.dictionary(fc.constantFrom('k1', 'k2', 'k3'), valueFor(more), {maxKeys: 3}), 90);
  return fc.tuple(objectOf(Object.fromEntries(fields)), extra).map(([own, others]) => ({...others, ...own}));
}

const embedded: fc.Arbitrary<Json> = objectOf({
  apiVersion: maybe(fc.constantFrom('v1', 'example.org/v1', ''), 95),
  kind: maybe(fc.constantFrom('Thing', ''), 95),
  metadata: maybe(
    objectOf({
      name: maybe(fc.constantFrom('in', 'Not A Name')),
      labels: maybe(fc.constantFrom<JsonObject>({a: 'b'}, {'bad key': 'x'})),
    }),
  ),
  spec: maybe(anything),
});
