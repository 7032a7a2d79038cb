// Regular expressions that an expression has as literals: one that is none is refused before the expression runs.
//
// google/cel-go v0.26.0 cel/validator.go (ValidateRegexLiterals: the first argument of matches, with a place) and
// interpreter/optimizations.go (the last one of what the program makes ready); kubernetes/apiserver v0.34.4
// pkg/cel/library/regex.go (find and findAll, likewise).

import {goRegex} from '../go-regex.ts';
import {type Expression, partsOf} from './syntax.ts';

/** Where matches() is given a pattern that is none. */
export function wrongPatternsAt(expression: Expression): readonly number[] {
  const below = partsOf(expression).flatMap(wrongPatternsAt);
  const pattern = expression.kind === 'call' && expression.name === 'matches' ? expression.args[0] : undefined;
  return pattern !== undefined && problemOf(pattern) !== undefined ? [pattern.at, ...below] : below;
}

/** The error of the first pattern that does not compile. */
export function unreadyPattern(expression: Expression): string | undefined {
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
