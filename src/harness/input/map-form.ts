// Forms of maps with known fields. Each field is required or optional and has a description. An unknown field is an error.
// `given` words stay the author's; `as` is the program's name of the field.

import {type Cursor, fail, onlyFields, optional, required} from './cursor.ts';
import type {Form, JsonSchema, Shared} from './form.ts';

type Presence = 'must' | 'may' | 'or' | 'refused';

export interface Field<T, G, P extends Presence, N extends string = never> {
  readonly presence: P;
  readonly form: Form<T, G>;
  readonly says?: string;
  /** The default that `or` reads, in the author's words; the sentence of `refused`. */
  readonly fallback?: unknown;
  readonly as?: N;
}

// biome-ignore lint/suspicious/noExplicitAny: a field of whatever it is, for bounds
type AnyField = Field<any, any, Presence, string>;

export interface Fields {
  readonly [name: string]: AnyField;
}

type ReadOf<F> = F extends Field<infer T, infer _, Presence, string> ? T : never;
type GivenOf<F> = F extends Field<infer _, infer G, Presence, string> ? G : never;
type NameOf<K, F> = F extends Field<infer _, infer _, Presence, infer N> ? ([N] extends [never] ? K : N) : K;
type Keys<F extends Fields, P extends Presence> = {
  readonly [K in keyof F]: F[K]['presence'] extends P ? K : never;
}[keyof F];
type Flat<T> = {readonly [K in keyof T]: T[K]};

export type ReadFields<F extends Fields> = Flat<
  {readonly [K in keyof F as K extends Keys<F, 'must' | 'or'> ? NameOf<K, F[K]> : never]: ReadOf<F[K]>} & {
    readonly [K in keyof F as K extends Keys<F, 'may'> ? NameOf<K, F[K]> : never]?: ReadOf<F[K]>;
  }
>;
type GivenFields<F extends Fields> = Flat<
  {readonly [K in keyof F as K extends Keys<F, 'must'> ? K : never]: GivenOf<F[K]>} & {
    readonly [K in keyof F as K extends Keys<F, 'may' | 'or'> ? K : never]?: GivenOf<F[K]>;
  }
>;

export function must<T, G>(form: Form<T, G>, says?: string): Field<T, G, 'must'> {
  return {presence: 'must', form, ...said(says)};
}

export function may<T, G>(form: Form<T, G>, says?: string): Field<T, G, 'may'> {
  return {presence: 'may', form, ...said(says)};
}

/** A field that is read as `fallback` where it is absent. */
export function or<T, G>(form: Form<T, G>, fallback: G, says?: string): Field<T, G, 'or'> {
  return {presence: 'or', form, fallback, ...said(says)};
}

/** A field that stands elsewhere, with the sentence for who writes it here. */
export function refused(sentence: string): Field<never, never, 'refused'> {
  const read = (cursor: Cursor): never => fail(cursor, sentence);
  return {presence: 'refused', form: {read, schema: () => ({not: {}})}};
}

/** The field under the name the program has for it. */
export function called<N extends string, T, G, P extends Presence>(as: N, field: Field<T, G, P>): Field<T, G, P, N> {
  return {...field, as} as unknown as Field<T, G, P, N>;
}

function said(says: string | undefined): {readonly says?: string} {
  return says === undefined ? {} : {says};
}

export function map<F extends Fields>(fields: F): Form<ReadFields<F>, GivenFields<F>> {
  const known = Object.entries(fields);
  const names = known.map(([name]) => name);
  return {
    read: (cursor) => {
      onlyFields(cursor, names);
      const read = known.flatMap(([name, field]) => readField(cursor, name, field));
      return Object.fromEntries(read) as ReadFields<F>;
    },
    schema: (shared) =>
      schemaOf(
        known.filter(([, {presence}]) => presence !== 'refused'),
        shared,
      ),
  };
}

function readField(cursor: Cursor, name: string, field: AnyField): readonly (readonly [string, unknown])[] {
  const value = field.presence === 'must' ? required(cursor, name) : optional(cursor, name);
  const key = field.as ?? name;
  if (value !== undefined) return [[key, field.form.read(value)]];
  if (field.presence !== 'or') return [];
  return [[key, field.form.read({...cursor, value: field.fallback as Cursor['value'], path: [...cursor.path, name]})]];
}

function schemaOf(known: readonly (readonly [string, AnyField])[], shared: Shared): JsonSchema {
  const properties = known.map(([name, {form, says, presence, fallback}]) => {
    const description = says === undefined ? {} : {description: says};
    const tells = presence === 'or' && typeof fallback !== 'object' && fallback !== '';
    return [name, {...form.schema(shared), ...description, ...(tells ? {default: fallback} : {})}] as const;
  });
  const required = known.filter(([, {presence}]) => presence === 'must').map(([name]) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : {required}),
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}
