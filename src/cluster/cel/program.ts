// An expression read and checked against the schema of its `self`.

import type {Structural} from '../api/structural.ts';
import {checkedType} from './check.ts';
import {evaluate, type Scope} from './evaluate.ts';
import {parse} from './parser.ts';
import {type Expression, SyntaxProblem} from './syntax.ts';
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
    return {kind: 'read', expression, result: checkedType(expression, structural, optionalOldSelf)};
  } catch (problem) {
    if (problem instanceof SyntaxProblem)
      return {kind: 'none', problem: `compilation failed: ${shown(source, problem)}`};
    throw problem;
  }
}

/** As cel-go shows where a problem is. */
function shown(source: string, {at, message}: SyntaxProblem): string {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length;
  const text = source.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${'.'.repeat(column)}^`;
}

/** Whether the expression says the name anywhere; no rule hides `oldSelf` behind a variable of its own. */
function names(expression: Expression, name: string): boolean {
  const within = (part: Expression) => names(part, name);
  switch (expression.kind) {
    case 'literal':
      return false;
    case 'name':
      return expression.name === name;
    case 'select':
    case 'has':
      return within(expression.of);
    case 'index':
      return within(expression.of) || within(expression.index);
    case 'call':
      return (expression.target !== undefined && within(expression.target)) || expression.args.some(within);
    case 'operation':
      return expression.args.some(within);
    case 'list':
      return expression.items.some(({value}) => within(value));
    case 'map':
      return expression.entries.some(({key, value}) => within(key) || within(value));
    default:
      return [expression.over, expression.filter, expression.body].some((part) => part !== undefined && within(part));
  }
}
