// An expression read and checked against the schema of its `self`.

import {goRegex} from '../go-regex.ts';
import type {Structural} from '../schema/structural.ts';
import {checkedType} from './check.ts';
import {evaluate, type Scope} from './evaluate.ts';
import {parse} from './parser.ts';
import {type Expression, partsOf, SyntaxProblem} from './syntax.ts';
import type {Value} from './values.ts';

export interface Program {
  readonly kind: 'program';
  readonly usesOldSelf: boolean;
  /** Throws an EvaluationProblem where there is no answer. */
  readonly run: (self: Value, oldSelf: Value | undefined) => Value;
}

export interface NoProgram {
  readonly kind: 'none';
  readonly problem: string;
}

/** Why there is none: the text is no expression, or none of this type for this schema. */
export function compile(
  source: string,
  structural: Structural,
  {type, optionalOldSelf}: {readonly type: 'bool' | 'string'; readonly optionalOldSelf: boolean},
): Program | NoProgram {
  const read = attempt(source, structural, optionalOldSelf);
  if (read.kind === 'none') return read;
  const {expression, result} = read;
  if (result !== undefined && result !== type) {
    return {
      kind: 'none',
      problem:
        type === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string',
    };
  }
  const unready = unreadyPattern(expression);
  if (unready !== undefined) return {kind: 'none', problem: `program instantiation failed: ${unready}`};
  return {
    kind: 'program',
    usesOldSelf: names(expression, 'oldSelf'),
    run: (self, oldSelf) => {
      const outer: Scope | undefined =
        oldSelf === undefined ? undefined : {name: 'oldSelf', value: oldSelf, outer: undefined};
      return evaluate(expression, {name: 'self', value: self, outer});
    },
  };
}

type Read = {readonly kind: 'read'; readonly expression: Expression; readonly result: string | undefined} | NoProgram;

function attempt(source: string, structural: Structural, optionalOldSelf: boolean): Read {
  try {
    const expression = parse(source);
    const result = checkedType(expression, structural, optionalOldSelf);
    const wrong = [...wrongPatternsAt(expression)].sort((left, right) => left - right);
    return wrong.length === 0 ? {kind: 'read', expression, result} : uncompiled(source, wrong.map(wrongPattern));
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return uncompiled(source, [problem]);
    throw problem;
  }
}

function wrongPattern(at: number): SyntaxProblem {
  return new SyntaxProblem(at, 'invalid matches argument');
}

function uncompiled(source: string, problems: readonly SyntaxProblem[]): NoProgram {
  return {
    kind: 'none',
    problem: `compilation failed: ${problems.map((problem) => shown(source, problem)).join('\n')}`,
  };
}

/** As cel-go shows where a problem is. */
function shown(source: string, {at, message}: SyntaxProblem): string {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length;
  const text = source.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${'.'.repeat(column)}^`;
}

/** True if the expression contains the name; no rule hides `oldSelf` behind a variable of its own. */
function names(expression: Expression, name: string): boolean {
  if (expression.kind === 'name') return expression.name === name;
  return partsOf(expression).some((part) => names(part, name));
}

// Regular expressions that an expression has as literals: one that is none is refused before the expression runs.
//
// google/cel-go v0.26.0 cel/validator.go (ValidateRegexLiterals: the first argument of matches, with a place) and
// interpreter/optimizations.go (the last one of what the program makes ready); kubernetes/apiserver v0.34.4
// pkg/cel/library/regex.go (find and findAll, likewise).

/** Where matches() is given a pattern that is none. */
function wrongPatternsAt(expression: Expression): readonly number[] {
  const below = partsOf(expression).flatMap(wrongPatternsAt);
  const pattern = expression.kind === 'call' && expression.name === 'matches' ? expression.args[0] : undefined;
  return pattern !== undefined && problemOf(pattern) !== undefined ? [pattern.at, ...below] : below;
}

/** The error of the first pattern that does not compile. */
function unreadyPattern(expression: Expression): string | undefined {
  for (const part of partsOf(expression)) {
    const problem = unreadyPattern(part);
    if (problem !== undefined) return problem;
  }
  if (expression.kind !== 'call') return undefined;
  const {name, target, args} = expression;
  const [, pattern] = target === undefined ? args : [target, ...args];
  return ready.has(name) && pattern !== undefined ? problemOf(pattern) : undefined;
}

const ready: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

function problemOf(pattern: Expression): string | undefined {
  if (pattern.kind !== 'literal' || typeof pattern.value !== 'string') return undefined;
  const regex = goRegex(pattern.value);
  return regex.kind === 'none' ? regex.problem : undefined;
}
