// CEL for the input: compiles an expression, lists its reads, and evaluates it. A failure has a text with the character in the
// expression; the caller adds the place in the input.
//
// Why @bufbuild/cel: it is the JavaScript evaluator that runs the conformance tests of cel-spec, it has no clock and no I/O, and
// its regular expressions are RE2, linear in the text. Three things for expressions of strangers are added here: a bound for the
// work (functions.ts), names checked before anything runs, and reading only the fields that are named.
//
// Numbers of a request are google.protobuf.Struct numbers, doubles all of them. Comparisons mix doubles and ints by the
// specification; arithmetic does not, so `xr.spec.replicas + 1` would be an error for ever. So mixed arithmetic is doubles' here,
// and nothing that is valid CEL changes its meaning. For `has()`, null counts as not set.

import {
  type CelInput,
  type CelValue,
  celEnv,
  isCelError,
  isCelList,
  isCelMap,
  isCelUint,
  parse,
  plan,
} from '@bufbuild/cel';
import {fromEntries, isList, isObject, type Json, levelsMax, shortened, sortedNames} from '../../words/json.ts';
import {remembered} from '../../words/memo.ts';
import {functionsOf, type Meter} from './functions.ts';
import {chainOf, type Expr, partsOf, type Reads, survey} from './syntax.ts';

export type CelOutcome =
  | {readonly kind: 'value'; readonly value: Json}
  /** A field that is not there: `resources.vpc.status.id`. It may come. */
  | {readonly kind: 'unresolved'; readonly missing: string}
  | CelFailure;

/** Nothing that waiting would help. `problem` is one line; `character` counts from 1. */
export interface CelFailure {
  readonly kind: 'failed';
  readonly problem: string;
  readonly character: number;
}

export interface CelProgram {
  readonly kind: 'program';
  readonly text: string;
  readonly reads: Reads;
  /** The arguments of `has()`: `resources.vpc`. */
  readonly asked: ReadonlySet<string>;
  /** Sources by variable; one that is absent counts as a field that is not there. The meter is left poorer. */
  readonly run: (sources: {readonly [variable: string]: Source | undefined}, meter: Meter) => CelOutcome;
}

// Longer ones are programs, and the time to plan them grows faster than they do.
const charactersMax = 2048;

// So that no machine's stack decides what an input means.
const depthMax = 100;

// An input is read anew in every call, and planning an expression takes longer than running it.
const programs = remembered((key: string) => {
  const [variables = '', ...text] = key.split(' ');
  return compile(text.join(' '), variables.split(','));
}, 5000);

/** The expression, ready to run; the same one for the same text. `variables` are the names it may use. */
export function compileCel(text: string, variables: readonly string[]): CelProgram | CelFailure {
  return programs(`${variables.join()} ${text}`);
}

/** A failure in the form of a value: `an error at character 5 of "xr.spec +": …`. */
export function celProblem(text: string, {problem, character}: CelFailure): string {
  return `an error at character ${character} of ${JSON.stringify(shortened(text, 80))}: ${problem}`;
}

function compile(text: string, variables: readonly string[]): CelProgram | CelFailure {
  if (text.length > charactersMax) {
    return failed(`an expression of ${text.length} characters, of which there may be ${charactersMax},`, charactersMax);
  }
  if (depthOf(text) > depthMax) return failed(`more than ${depthMax} brackets within each other`, 1);
  try {
    const parsed = parse(text);
    const surveyed = survey(parsed.expr, variables, isFunction);
    if (surveyed.kind === 'unknown') return failed(surveyed.problem, placeOf(parsed, surveyed.id));
    const evaluate = plan(environment, parsed);
    const {reads, asked} = surveyed;
    return {
      kind: 'program',
      text,
      reads,
      asked,
      run: (sources, meter) =>
        metered(meter, () => {
          const values = valuesOf(reads, sources);
          if (values === undefined) return failed(`a value of more than ${levelsMax} levels`, 1);
          const result = evaluate(values);
          if (meter.left < 0) return failed('more work than an input may cause', 1);
          if (!isCelError(result)) return jsonOf(result, meter);
          const missing = missingOf(result.message, find(parsed.expr, result.exprId));
          if (missing !== undefined) return {kind: 'unresolved', missing: missing || shortened(text, 80)};
          return failed(withoutValues(result.message), placeOf(parsed, result.exprId));
        }),
    };
  } catch (error) {
    return syntaxError(error);
  }
}

const functions = functionsOf();
const environment = celEnv({funcs: [...functions.all]});
const {isFunction, metered} = functions;

/** The field that is not there, '' for an item of a list, undefined for any other error. The words of @bufbuild/cel 0.6. */
function missingOf(message: string, expr: Expr | undefined): string | undefined {
  const call = expr?.exprKind.case === 'callExpr' ? expr.exprKind.value.function : '_[_]';
  if (call !== '_[_]') return undefined;
  if (/^index -?[0-9.e+]+ out of bounds /.test(message)) return '';
  if (!/^(field not found: |unresolved attribute$)/.test(message)) return undefined;
  const chain = ((expr && chainOf(expr)) ?? []).join('.');
  // Of `resources["a-b"]` the library shows the variable alone, which is always there.
  return ['xr', 'resources'].includes(chain) ? '' : chain;
}

// Messages of the library and the meter that contain no value: names of functions and types, and bounds. All others may quote
// observed data, even a Secret's, and observed data is never printed.
const valueless = [
  /^found no matching overload for '[^']*' applied to '\([a-z_.]*(, [a-z_.]*)*\)'$/,
  /^found no matching overload for '[^']*' applied to '[a-z_]+\.\([a-z_.]*(, [a-z_.]*)*\)'$/,
  /^u?int overflow during [a-z]+$/,
  /^u?int (divide|modulus) by zero$/,
  /^type mismatch: [a-z ]+,? ?(vs|but got|expected bool, got) [a-z_]+$/,
  /^type mismatch: expected bool, got [a-z_]+$/,
  /^more work than an input may cause$/,
  /^a text of more than [0-9]+ characters$/,
];

function withoutValues(message: string): string {
  const line = oneLine(message);
  return valueless.some((known) => known.test(line)) ? line : 'a value that does not fit';
}

function find(expr: Expr, id: bigint | undefined): Expr | undefined {
  if (expr.id === id) return expr;
  for (const part of partsOf(expr)) {
    const found = find(part, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function placeOf(parsed: ReturnType<typeof parse>, id: bigint | undefined): number {
  return (parsed.sourceInfo?.positions[`${id}`] ?? 0) + 1;
}

function syntaxError(error: unknown): CelFailure {
  const message = error instanceof Error ? error.message : String(error);
  const [, character = '1', problem = message] = /^<input>:[0-9]+:([0-9]+): (.*)$/s.exec(message) ?? [];
  return failed(oneLine(problem), Number(character));
}

function failed(problem: string, character: number): CelFailure {
  return {kind: 'failed', problem, character};
}

/** The deepest nesting of brackets; those within string literals count, which no honest expression notices. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if ('([{'.includes(character)) deepest = Math.max(deepest, ++depth);
    else if (')]}'.includes(character)) depth--;
  }
  return deepest;
}

function oneLine(text: string): string {
  return shortened(text.replaceAll(/\s+/g, ' '), 160);
}

// Between JSON and CEL. Values go in as far as an expression names them: of an observed XR of hundreds of fields the
// expression `xr.spec.region` makes one string be decoded. They come out as JSON, or not at all.

/** The content of a variable: the value at a path below it, undefined if there is none. */
export type Source = (path: readonly string[]) => Json | undefined;

class TooDeep extends Error {}

/** The variables of one run, with the fields that are read and no others; undefined where one has more than `levelsMax` levels. */
function valuesOf(
  reads: Reads,
  sources: {readonly [variable: string]: Source | undefined},
): {[variable: string]: CelInput} | undefined {
  const values: {[variable: string]: CelInput} = {};
  try {
    for (const [variable, below] of reads) {
      const source = sources[variable];
      const value = source === undefined ? undefined : read(below, source, []);
      if (value !== undefined) values[variable] = value;
    }
    return values;
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/** The JSON of a result. Every value costs, because a small expression can make a large one out of itself. */
function jsonOf(value: unknown, meter: Meter): CelOutcome {
  meter.left -= 1;
  if (meter.left < 0) return failed('more work than an input may cause', 1);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return {kind: 'value', value};
  if (typeof value === 'number') {
    return Number.isFinite(value) ? {kind: 'value', value} : failed(`a result that JSON does not know: ${value}`, 1);
  }
  if (typeof value === 'bigint' || isCelUint(value)) return integer(isCelUint(value) ? value.value : value);
  if (isCelList(value)) return listOf([...value], meter);
  if (isCelMap(value)) return objectOf(value.entries(), meter);
  return failed('a result that JSON does not know: use string() on bytes, timestamps and durations', 1);
}

function read(below: Reads | 'whole', source: Source, path: readonly string[]): CelInput | undefined {
  if (below === 'whole') return celOf(source(path));
  const entries: [string, CelInput][] = [];
  for (const [key, deeper] of below) {
    const value = read(deeper, source, [...path, key]);
    if (value !== undefined) entries.push([key, value]);
  }
  if (entries.length > 0) return new Map(entries);
  // None of the fields is there. Only now does it matter what holds them.
  const holder = source(path);
  return isObject(holder) ? new Map() : celOf(holder);
}

function celOf(json: Json | undefined, level = 0): CelInput | undefined {
  if (json === undefined) return undefined;
  if (level > levelsMax) throw new TooDeep();
  const deeper = (value: Json | undefined): CelInput => celOf(value, level + 1) ?? null;
  if (isList(json)) return json.map(deeper);
  if (!isObject(json)) return json;
  // Maps of a request come in any order, and an expression may make a list of one: map.map(key, key).
  return new Map(sortedNames(Object.keys(json)).map((key): [string, CelInput] => [key, deeper(json[key])]));
}

function integer(value: bigint): CelOutcome {
  const number = Number(value);
  return Number.isSafeInteger(number) ? {kind: 'value', value: number} : failed('a whole number too large for JSON', 1);
}

function listOf(items: readonly CelValue[], meter: Meter): CelOutcome {
  const list: Json[] = [];
  for (const item of items) {
    const json = jsonOf(item, meter);
    if (json.kind !== 'value') return json;
    list.push(json.value);
  }
  return {kind: 'value', value: list};
}

function objectOf(entries: Iterable<readonly [unknown, unknown]>, meter: Meter): CelOutcome {
  const members: [string, Json][] = [];
  for (const [key, value] of entries) {
    if (typeof key !== 'string') return failed('an object with a key that is no string', 1);
    const json = jsonOf(value, meter);
    if (json.kind !== 'value') return json;
    members.push([key, json.value]);
  }
  return {kind: 'value', value: fromEntries(members)};
}
