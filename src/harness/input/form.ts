// The fields of an author's file, described once. A form reads a value and refuses it in one sentence at its place, is the type
// of the result, and is the JSON Schema for editors. Forms are made of forms. Not a library: libraries that derive a type and a
// JSON Schema from one description lose the place and the file of a value, so steps, expectations and manifests would need a
// second reader.

import type {Json} from '../../cluster/json.ts';
import {isList, isObject} from '../../cluster/json.ts';
import {
  asAmount,
  asBoolean,
  asCount,
  asOneOf,
  asString,
  type Cursor,
  entries,
  fail,
  items,
  optional,
} from './cursor.ts';

/** `T` is what it reads; `G` what is given to it. */
export interface Form<T, G = T> {
  readonly read: (cursor: Cursor) => T;
  readonly schema: (shared: Shared) => JsonSchema;
  /** Never there: it holds the type. */
  readonly given?: G;
}

export interface JsonSchema {
  readonly [word: string]: unknown;
}

/** Schemas that others refer to by name. */
export type Shared = Map<string, JsonSchema>;

export type Read<F> = F extends Form<infer T, infer _> ? T : never;
export type Given<F> = F extends Form<infer _, infer G> ? G : never;

// biome-ignore lint/suspicious/noExplicitAny: a form of whatever it is, for bounds
export type AnyForm = Form<any, any>;

function scalar<T>(read: (cursor: Cursor) => T, schema: JsonSchema): Form<T> {
  return {read, schema: () => schema};
}

export const text = scalar(asString, {type: 'string'});
export const flag = scalar(asBoolean, {type: 'boolean'});
export const amount = scalar(asAmount, {type: 'number', minimum: 0});
export const count = scalar(asCount, {type: 'integer', minimum: 0});
export const anything: Form<Json> = scalar(({value}) => value, {});

export function oneOf<T extends string>(...words: readonly T[]): Form<T> {
  return scalar((cursor) => asOneOf(cursor, words), {enum: words});
}

export function list<T, G>(item: Form<T, G>): Form<readonly T[], readonly G[]> {
  return {
    read: (cursor) => items(cursor).map(item.read),
    schema: (shared) => ({type: 'array', items: item.schema(shared)}),
  };
}

/** A map whose keys the author chooses. */
export function mapOf<T, G>(value: Form<T, G>): Form<{readonly [key: string]: T}, {readonly [key: string]: G}> {
  return {
    read: (cursor) => Object.fromEntries(entries(cursor).map(([key, one]) => [key, value.read(one)])),
    schema: (shared) => ({type: 'object', additionalProperties: value.schema(shared)}),
  };
}

/** Reads as the form does, and makes another value of it. */
export function to<T, G, U>(form: Form<T, G>, make: (value: T, cursor: Cursor) => U): Form<U, G> {
  return {read: (cursor) => make(form.read(cursor), cursor), schema: form.schema};
}

/** The same with its kind, which distinguishes the members of a union. */
export function tagged<K extends string, T extends object, G>(kind: K, form: Form<T, G>) {
  return to(form, (value) => ({kind, ...value}));
}

/** A form that many others are made of: its schema stands once, under this name. */
export function named<T, G>(name: string, form: Form<T, G>, description?: string): Form<T, G> {
  return {
    read: form.read,
    schema: (shared) => {
      if (!shared.has(name)) {
        shared.set(name, {});
        shared.set(name, {...(description === undefined ? {} : {description}), ...form.schema(shared)});
      }
      return {$ref: `#/$defs/${name}`};
    },
  };
}

/** A condition of a value beyond its form: a sentence if it fails, and its JSON Schema. */
export interface Rule {
  readonly problem: (cursor: Cursor) => string | undefined;
  readonly schema: JsonSchema;
}

export function where<T, G>(form: Form<T, G>, ...rules: readonly Rule[]): Form<T, G> {
  return {
    read: (cursor) => {
      const value = form.read(cursor);
      for (const {problem} of rules) {
        const sentence = problem(cursor);
        if (sentence !== undefined) fail(cursor, sentence);
      }
      return value;
    },
    schema: (shared) => Object.assign({}, form.schema(shared), ...rules.map(({schema}) => schema)),
  };
}

/** A list that holds something. */
export function filled(problem: string): Rule {
  return {
    problem: ({value}) => (isList(value) && value.length === 0 ? problem : undefined),
    schema: {minItems: 1},
  };
}

/** A map that has none of these fields, or one. */
export function oneAtMost(
  words: readonly string[],
  problem: (cursor: Cursor, given: readonly string[]) => string,
): Rule {
  const each = words.map((word) => ({required: [word]}));
  return {
    problem: (cursor) => {
      const given = givenOf(cursor, words);
      return given.length > 1 ? problem(cursor, given) : undefined;
    },
    schema: {oneOf: [...each, {not: {anyOf: each}}]},
  };
}

export function givenOf(cursor: Cursor, words: readonly string[]): readonly string[] {
  return words.filter((word) => optional(cursor, word) !== undefined);
}

/** A word with a meaning of its own, or what the form reads. */
export function wordOr<W extends string, U, T, G>(word: W, meaning: U, form: Form<T, G>): Form<U | T, W | G> {
  return {
    read: (cursor) => (cursor.value === word ? meaning : form.read(cursor)),
    schema: (shared) => ({anyOf: [{const: word}, form.schema(shared)]}),
  };
}

interface Shapes {
  readonly list?: AnyForm;
  readonly map?: AnyForm;
  readonly scalar: AnyForm;
}

type OneOfShapes<S extends Shapes> = Exclude<S[keyof S], undefined>;

/** One form for lists, one for maps, one for the rest; without one for its shape, a value is read as the shape that is there. */
export function byShape<S extends Shapes>(shapes: S): Form<Read<OneOfShapes<S>>, Given<OneOfShapes<S>>> {
  const formFor = (value: Json): AnyForm => {
    if (isList(value)) return shapes.list ?? shapes.map ?? shapes.scalar;
    return isObject(value) ? (shapes.map ?? shapes.scalar) : shapes.scalar;
  };
  return {
    read: (cursor) => formFor(cursor.value).read(cursor),
    schema: (shared) => ({anyOf: Object.values(shapes).map((form: AnyForm) => form.schema(shared))}),
  };
}

interface Branches {
  readonly [key: string]: AnyForm;
}

/**
 * One form for each of several fields: the field that is there chooses. `problem` where none is, and where several are;
 * without a sentence for several the first counts.
 */
export function byField<B extends Branches>(
  branches: B,
  problem: (cursor: Cursor, given: readonly string[], words: string) => string | undefined,
): Form<Read<B[keyof B]>, Given<B[keyof B]>> {
  const words = Object.keys(branches);
  return {
    read: (cursor) => {
      const given = givenOf(cursor, words);
      const sentence = given.length === 1 ? undefined : problem(cursor, given, words.join(', '));
      if (sentence !== undefined) fail(cursor, sentence);
      return branches[given[0] ?? '']?.read(cursor);
    },
    schema: (shared) => ({anyOf: Object.values(branches).map((form) => form.schema(shared))}),
  };
}
