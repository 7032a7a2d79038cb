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

import {celEnv, isCelError, parse, plan} from '@bufbuild/cel';
import {type Json, levelsMax, shortened} from '../../words/json.ts';
import {functionsOf, type Meter} from './functions.ts';
import {chainOf, type Expr, partsOf, type Reads, survey} from './syntax.ts';
import {jsonOf, type Source, valuesOf} from './values.ts';

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
const programs = new Map<string, CelProgram | CelFailure>();
const programsMax = 5000;

/** The expression, ready to run; the same one for the same text. `variables` are the names it may use. */
export function compileCel(text: string, variables: readonly string[]): CelProgram | CelFailure {
  const key = `${variables.join()} ${text}`;
  const known = programs.get(key);
  if (known !== undefined) return known;
  const program = compile(text, variables);
  if (programs.size >= programsMax) programs.clear();
  programs.set(key, program);
  return program;
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
          if (!isCelError(result)) return outcomeOf(result, meter);
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

function outcomeOf(result: unknown, meter: Meter): CelOutcome {
  const json = jsonOf(result, meter);
  return json.kind === 'value' ? json : failed(json.problem, 1);
}

/** The field that is not there, '' for an item of a list, undefined for any other error. The words of @bufbuild/cel 0.6. */
function missingOf(message: string, expr: Expr | undefined): string | undefined {
  const call = expr?.exprKind.case === 'callExpr' ? expr.exprKind.value.function : '_[_]';
  if (call !== '_[_]') return undefined;
  if (/^index -?[0-9.e+]+ out of bounds /.test(message)) return '';
  if (!/^(field not found: |unresolved attribute$)/.test(message)) return undefined;
  return expr === undefined ? '' : (chainOf(expr)?.join('.') ?? '');
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
