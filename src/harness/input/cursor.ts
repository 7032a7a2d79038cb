// Reads untyped input (YAML, JSON) as typed values. A cursor is a value together with its place in the file, so that
// every complaint names file, line and column, and the path in words the author wrote.

import type {Json, JsonObject} from '../../cluster/json.ts';
import {isList, isObject} from '../../cluster/json.ts';
import {InputError, shownValue} from './input-error.ts';

export interface Cursor {
  readonly value: Json;
  readonly path: readonly (string | number)[];
  /** `file:line:column` of the value at a path of this document. */
  readonly placeOf: (path: readonly (string | number)[]) => string;
  /** The same of the key that ends the path. */
  readonly placeOfKey: (path: readonly (string | number)[]) => string;
}

export function fail(cursor: Cursor, problem: string): never {
  throw new InputError(problem, {place: cursor.placeOf(cursor.path)});
}

function expected(cursor: Cursor, what: string): never {
  fail(cursor, `${pathText(cursor)} must be ${what}, got ${shownValue(cursor.value)}`);
}

/** The path as an author would write it: `steps[2].apply.kind`. */
export function pathText(cursor: Cursor): string {
  const text = cursor.path.reduce<string>(
    (sum, part) => (typeof part === 'number' ? `${sum}[${part}]` : sum === '' ? part : `${sum}.${part}`),
    '',
  );
  return text === '' ? 'the document' : text;
}

/** The field, or undefined where it is absent; programs write undefined for that, too. An explicit null is a value. */
export function optional(cursor: Cursor, key: string): Cursor | undefined {
  const object = asObject(cursor);
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value === undefined ? undefined : {...cursor, value, path: [...cursor.path, key]};
}

export function required(cursor: Cursor, key: string): Cursor {
  return optional(cursor, key) ?? fail(cursor, `${pathText(cursor)} must have a field "${key}"`);
}

/** Refuses unknown fields: a misspelled field must never pass in silence. */
export function onlyFields(cursor: Cursor, known: readonly string[]): void {
  for (const key of Object.keys(asObject(cursor))) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    const advice = near === undefined ? `known are ${[...known].sort().join(', ')}` : `did you mean "${near}"?`;
    const place = cursor.placeOfKey([...cursor.path, key]);
    throw new InputError(`unknown field "${key}" in ${pathText(cursor)}: ${advice}`, {place});
  }
}

export function asObject(cursor: Cursor): JsonObject {
  return isObject(cursor.value) ? cursor.value : expected(cursor, 'a map');
}

export function asString(cursor: Cursor): string {
  return typeof cursor.value === 'string' ? cursor.value : expected(cursor, 'a string');
}

export function asBoolean(cursor: Cursor): boolean {
  return typeof cursor.value === 'boolean' ? cursor.value : expected(cursor, 'true or false');
}

/** A finite number, zero or more. */
export function asAmount(cursor: Cursor): number {
  const {value} = cursor;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : expected(cursor, 'a number >= 0');
}

export function asCount(cursor: Cursor): number {
  const value = asAmount(cursor);
  return Number.isInteger(value) ? value : expected(cursor, 'a whole number');
}

export function asOneOf<T extends string>(cursor: Cursor, words: readonly T[]): T {
  const found = words.find((word) => word === cursor.value);
  return found ?? expected(cursor, `one of ${words.join(', ')}`);
}

export function items(cursor: Cursor): readonly Cursor[] {
  const {value} = cursor;
  if (!isList(value)) return expected(cursor, 'a list');
  return value.map((item, index) => ({...cursor, value: item, path: [...cursor.path, index]}));
}

/** The fields of a map whose keys the author chooses. */
export function entries(cursor: Cursor): readonly (readonly [string, Cursor])[] {
  return Object.entries(asObject(cursor)).map(([key, value]) => [key, {...cursor, value, path: [...cursor.path, key]}]);
}

export function strings(cursor: Cursor): readonly string[] {
  return items(cursor).map(asString);
}

/** `read` of the optional field, or undefined. */
export function maybe<T>(cursor: Cursor, key: string, read: (cursor: Cursor) => T): T | undefined {
  const field = optional(cursor, key);
  return field === undefined ? undefined : read(field);
}

/** The known word within two edits, for `did you mean`. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const scored = known
    .map((candidate) => ({candidate, distance: edits(word.toLowerCase(), candidate.toLowerCase())}))
    .filter(({candidate, distance}) => distance <= Math.min(2, Math.floor(candidate.length / 2)));
  return scored.sort((left, right) => left.distance - right.distance)[0]?.candidate;
}

/** Levenshtein distance. */
function edits(left: string, right: string): number {
  let previous = Array.from({length: right.length + 1}, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const choices = [(previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + same];
      current.push(Math.min(...choices));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
