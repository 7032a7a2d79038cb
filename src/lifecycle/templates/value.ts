// One template's base, with what its expressions come to. Three ends: the object; no value, so that the resource waits; or a
// mistake, which no waiting mends, at its place in the input.
//
// Others may write a value that an expression reads, and it may not fit: a word where the expression makes a number of it.
// That stops the one resource and never the XR.
//
// `${...}` in a string is an expression. A string that is one expression takes its value and its type; inside a longer one values are
// written as text. `$${` is a plain `${`.

import type {InvalidInput} from '../input/input.ts';
import {show} from '../input/validate.ts';
import {fromEntries, isList, isObject, type Json, sortedNames} from '../words/json.ts';
import type {Unresolved} from '../words/phrases.ts';
import {celProblem, compileCel, type Source} from './cel/cel.ts';
import type {Meter} from './cel/functions.ts';

export type Resolved = {readonly kind: 'value'; readonly value: Json} | NotYet | InvalidInput;

/** No value yet. */
export type NotYet = {readonly kind: 'unresolved'} & Unresolved;

type Part = {readonly kind: 'text'; readonly text: string} | {readonly kind: 'cel'; readonly text: string};

type Parts =
  | {readonly kind: 'parts'; readonly parts: readonly Part[]}
  | {readonly kind: 'malformed'; readonly problem: string};

/** The sources and the budget of one evaluation. */
export interface Scope {
  readonly variables: readonly string[];
  readonly sources: {readonly [variable: string]: Source | undefined};
  readonly meter: Meter;
}

/** The value with its expressions replaced. A mistake comes before a field that is not there, wherever it stands. */
export function resolve(value: Json, path: string, scope: Scope): Resolved {
  if (typeof value === 'string') return resolveText(value, path, scope);
  if (isList(value)) {
    return collected(
      value.map((item, index) => resolve(item, `${path}[${index}]`, scope)),
      // An item that is null by an expression is left out; one that is written so stays.
      (items) => items.filter((item, index) => item !== null || value[index] === null),
    );
  }
  if (!isObject(value)) return {kind: 'value', value};
  // Sorted, so that of two mistakes always the same one is reported.
  const keys = sortedNames(Object.keys(value));
  return collected(
    keys.map((key) => resolve(value[key] ?? null, `${path}${member(key)}`, scope)),
    (members) => {
      const entries = keys.map((key, index): [string, Json] => [key, members[index] ?? null]);
      return fromEntries(entries.filter(([key, resolved]) => resolved !== null || value[key] === null));
    },
  );
}

/** Every expression of a value, with its place. Texts with a mistake in them have none. */
export function* expressionsOf(value: Json, path: string): Iterable<{readonly path: string; readonly text: string}> {
  if (typeof value === 'string') {
    if (!value.includes('${')) return;
    const read = partsOfText(value);
    if (read.kind === 'malformed') return;
    for (const {kind, text} of read.parts) if (kind === 'cel') yield {path, text};
  } else if (isList(value)) {
    for (const [index, item] of value.entries()) yield* expressionsOf(item, `${path}[${index}]`);
  } else if (isObject(value)) {
    for (const key of sortedNames(Object.keys(value)))
      yield* expressionsOf(value[key] ?? null, `${path}${member(key)}`);
  }
}

/** The result of one expression. */
export function evaluate(
  text: string,
  path: string,
  scope: Scope,
  expected = 'an expression that has a value',
): Resolved {
  const program = compileCel(text, scope.variables);
  if (program.kind === 'failed') return {kind: 'invalid-input', path, expected, got: celProblem(text, program)};
  const outcome = program.run(scope.sources, scope.meter);
  switch (outcome.kind) {
    case 'value':
      return outcome;
    case 'unresolved':
      return {kind: 'unresolved', path, cause: {kind: 'missing', field: outcome.missing}};
    case 'failed':
      return unfitResult(path, expected, celProblem(text, outcome));
  }
}

/** The mistake of an expression whose result does not fit its place. */
export function unfitResult(path: string, expected: string, got: string): NotYet {
  return {kind: 'unresolved', path, cause: {kind: 'unfit', expected, got}};
}

export const expectedBoolean = 'an expression that is true or false';

/** The result of an expression that is to be true or false. */
export function evaluateBoolean(text: string, path: string, scope: Scope): Resolved {
  const resolved = evaluate(text, path, scope, expectedBoolean);
  if (resolved.kind !== 'value' || typeof resolved.value === 'boolean') return resolved;
  return unfitResult(path, expectedBoolean, kindOfValue(resolved.value));
}

/** The kind of a value, without the value: an expression's result may contain any observed data. */
function kindOfValue(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return typeof value === 'boolean' ? 'true or false' : `a ${typeof value}`;
}

function resolveText(text: string, path: string, scope: Scope): Resolved {
  if (!text.includes('${')) return {kind: 'value', value: text};
  const read = partsOfText(text);
  if (read.kind === 'malformed') {
    return {kind: 'invalid-input', path, expected: 'a string with ${...}', got: read.problem};
  }
  const {parts} = read;
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'cel') return evaluate(only.text, path, scope);
  return collected(
    parts.map((part) => (part.kind === 'text' ? {kind: 'value', value: part.text} : inText(part.text, path, scope))),
    (texts) => texts.join(''),
  );
}

function inText(text: string, path: string, scope: Scope): Resolved {
  const resolved = evaluate(text, path, scope);
  if (resolved.kind !== 'value') return resolved;
  const written = asText(resolved.value);
  if (written !== undefined) return {kind: 'value', value: written};
  const expected = 'text, a number, true or false inside a longer string';
  return unfitResult(path, expected, `${kindOfValue(resolved.value)} of ${show(text)}`);
}

function collected(parts: readonly Resolved[], combine: (values: readonly Json[]) => Json): Resolved {
  const values: Json[] = [];
  let unresolved: Resolved | undefined;
  for (const part of parts) {
    if (part.kind === 'invalid-input') return part;
    if (part.kind === 'unresolved') unresolved ??= part;
    else values.push(part.value);
  }
  return unresolved ?? {kind: 'value', value: combine(values)};
}

function member(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** The parts of a string, or what is wrong with it. */
function partsOfText(text: string): Parts {
  const parts: Part[] = [];
  let from = 0;
  for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', from)) {
    if (text[at - 1] === '$' && at > from) {
      parts.push({kind: 'text', text: `${text.slice(from, at - 1)}\${`});
      from = at + 2;
      continue;
    }
    const end = endOfExpression(text, at + 2);
    if (end < 0) return {kind: 'malformed', problem: `\${ at character ${at + 1} without its }`};
    if (at > from) parts.push({kind: 'text', text: text.slice(from, at)});
    parts.push({kind: 'cel', text: text.slice(at + 2, end)});
    from = end + 1;
  }
  if (from < text.length) parts.push({kind: 'text', text: text.slice(from)});
  return {kind: 'parts', parts};
}

/** A value as a part of a text, undefined where it has no form that everybody would expect. */
function asText(value: Json): string | undefined {
  if (value === null || isList(value) || isObject(value)) return undefined;
  return String(value);
}

/** The place of the `}` that ends an expression, -1 if none does: those of maps and of string literals do not. */
function endOfExpression(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"' || character === "'") {
      at = endOfLiteral(text, at, /[rR]$/.test(text.slice(from, at)));
      if (at < 0) return -1;
    } else if (character === '{') depth++;
    else if (character === '}' && depth-- === 0) return at;
  }
  return -1;
}

/** The place of the quote that ends a string literal, -1 if none does. In raw literals a backslash is itself. */
function endOfLiteral(text: string, from: number, raw: boolean): number {
  const quote = text[from] ?? '"';
  const mark = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let at = from + mark.length; at < text.length; at++) {
    if (text[at] === '\\' && !raw) at++;
    else if (text.startsWith(mark, at)) return at + mark.length - 1;
  }
  return -1;
}
