// A JSON schema as far as a CRD and our input need it, its validator, and the TypeScript type of what passes.
// Not modelled: defaults, formats, combinators. An input that needs them would be too clever to read.

import {isList, isObject, type Json, type JsonObject, levelsMax, shortened, sortedNames} from '../words/json.ts';
import {unreachable} from '../words/unreachable.ts';
import {regexOf} from './regex.ts';

export type Schema =
  | StringSchema
  | {readonly type: 'boolean'; readonly description: string}
  | {readonly type: 'integer'; readonly description: string; readonly minimum?: number; readonly maximum?: number}
  | {readonly type: 'array'; readonly description: string; readonly items: Schema; readonly minItems?: number}
  | ObjectSchema;

interface StringSchema {
  readonly type: 'string';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The string is itself a regular expression, matched from beginning to end. */
  readonly holdsRegex?: true;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly description: string;
  readonly properties: {readonly [key: string]: Schema};
  readonly required?: readonly string[];
  readonly minProperties?: 1;
  /** Marks Kubernetes' own object metadata, which the API server and not we look after. */
  readonly open?: true;
  /** The CRD allows any content. */
  readonly preserved?: true;
}

/** The type of the values that pass a schema written `as const`. */
export type FromSchema<S> = S extends {readonly type: 'object'; readonly open: true}
  ? JsonObject
  : S extends {readonly type: 'object'; readonly properties: infer P}
    ? {readonly [K in Extract<keyof P, RequiredOf<S>>]: FromSchema<P[K]>} & {
        readonly [K in Exclude<keyof P, RequiredOf<S>>]?: FromSchema<P[K]>;
      }
    : S extends {readonly type: 'array'; readonly items: infer I}
      ? readonly FromSchema<I>[]
      : S extends {readonly type: 'string'; readonly enum: readonly (infer E)[]}
        ? E
        : S extends {readonly type: 'string'}
          ? string
          : S extends {readonly type: 'integer'}
            ? number
            : S extends {readonly type: 'boolean'}
              ? boolean
              : never;

type RequiredOf<S> = S extends {readonly required: readonly (infer R)[]} ? R : never;

export interface Problem {
  /** `usages[0].of`; '' for the value itself. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

/** The first way in which a value does not fit, in the order of the value's own keys sorted, or undefined if it fits. */
export function validate(schema: Schema, value: Json, path = ''): Problem | undefined {
  switch (schema.type) {
    case 'object':
      return validateObject(schema, value, path);
    case 'array': {
      if (!isList(value)) return {path, expected: 'a list', got: show(value)};
      if (value.length < (schema.minItems ?? 0)) {
        return {path, expected: `a list of at least ${schema.minItems}`, got: `a list of ${value.length}`};
      }
      for (const [index, item] of value.entries()) {
        const problem = validate(schema.items, item, `${path}[${index}]`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
    case 'string':
      return validateString(schema, value, path);
    case 'integer':
      return validateInteger(schema, value, path);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : {path, expected: 'true or false', got: show(value)};
    default:
      return unreachable(schema);
  }
}

/** A value as a sentence can quote it: short, one line. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (isList(value)) return `a list of ${value.length}`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    return keys.length === 0 ? 'an empty object' : `an object with ${keys.slice(0, 3).join(', ')}`;
  }
  const literal = JSON.stringify(value);
  return shortened(literal, 80);
}

function validateObject(schema: ObjectSchema, value: Json, path: string): Problem | undefined {
  if (!isObject(value)) return {path, expected: 'an object', got: show(value)};
  if (schema.open) return problemInside(value, path);
  const known = () => Object.keys(schema.properties).join(', ');
  const keys = sortedNames(Object.keys(value));
  for (const key of keys) {
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (property === undefined) {
      return {path: below(path, key), expected: `one of the fields ${known()}`, got: `the field ${show(key)}`};
    }
    const problem = validate(property, value[key] ?? null, below(path, key));
    if (problem !== undefined) return problem;
  }
  if (keys.length < (schema.minProperties ?? 0)) {
    return {path, expected: `at least one of the fields ${known()}`, got: show(value)};
  }
  const missing = schema.required?.find((key) => !Object.hasOwn(value, key));
  if (missing === undefined) return undefined;
  return {path: below(path, missing), expected: expectation(schema.properties[missing]), got: 'nothing'};
}

/** A whole number that arrived as another one than was written, and must not be applied as it arrived; or too many levels. */
function problemInside(value: Json, path: string, level = 0): Problem | undefined {
  if (level > levelsMax) return {path: shortened(path, 100), expected: `at most ${levelsMax} levels`, got: 'more'};
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined;
    return {path, expected: `a whole number of at most ${Number.MAX_SAFE_INTEGER}`, got: show(value)};
  }
  if (isList(value))
    return firstProblem(
      level,
      value.map((item, index) => [item, `${path}[${index}]`]),
    );
  if (!isObject(value)) return undefined;
  return firstProblem(
    level,
    Object.keys(value)
      .sort()
      .map((key) => [value[key] ?? null, below(path, key)]),
  );
}

function firstProblem(level: number, members: readonly (readonly [Json, string])[]): Problem | undefined {
  for (const [member, path] of members) {
    const problem = problemInside(member, path, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function validateString(schema: StringSchema, value: Json, path: string): Problem | undefined {
  const expected = expectation(schema);
  const isOneOf = (text: string) => schema.enum === undefined || schema.enum.includes(text);
  if (typeof value !== 'string' || !isOneOf(value) || value.length < (schema.minLength ?? 0)) {
    return {path, expected, got: show(value)};
  }
  if (value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) {
    return {path, expected: `a string of at most ${schema.maxLength} characters`, got: `${value.length} of them`};
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    return {path, expected, got: show(value)};
  }
  if (schema.holdsRegex && regexOf(value) === undefined)
    return {path, expected: 'a regular expression that RE2 reads, and not a large one', got: show(value)};
  return undefined;
}

function validateInteger(
  schema: {readonly minimum?: number; readonly maximum?: number},
  value: Json,
  path: string,
): Problem | undefined {
  const {minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER} = schema;
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum;
  if (fits) return undefined;
  const range = schema.maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return {
    path,
    expected: schema.minimum === undefined ? 'a whole number' : `a whole number ${range}`,
    got: show(value),
  };
}

function expectation(schema: Schema | undefined): string {
  switch (schema?.type) {
    case 'string':
      if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
      if (schema.pattern !== undefined) return `a string that matches ${schema.pattern}`;
      return (schema.minLength ?? 0) > 0 ? 'a string that is not empty' : 'a string';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'integer':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    default:
      return 'a value';
  }
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
