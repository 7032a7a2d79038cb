// The names in a parsed expression: the fields that it reads, and the functions that it calls. Both are checked before it runs, so
// that a misspelt variable is an error in every case and not only in the branch that reads it.
//
// Every comprehension (all, exists, exists_one, filter, map) is made to count: a few nested ones take longer than any server lives.

import type {parse} from '@bufbuild/cel';

export type Expr = NonNullable<ReturnType<typeof parse>['expr']>;

/** Fields by name, from the variables down; 'whole' where the expression wants all, empty where only whether it is there. */
export type Reads = ReadonlyMap<string, Reads | 'whole'>;

/** Name of the function that a comprehension is made to call; no expression can call it. */
export const spendFunction = '@spend';

type Surveyed =
  | {
      readonly kind: 'reads';
      readonly reads: Reads;
      /** The arguments of `has()`: `resources.vpc`. */
      readonly asked: ReadonlySet<string>;
    }
  | {readonly kind: 'unknown'; readonly problem: string; readonly id: bigint};

// Types are values in CEL: `type(x) == int`.
const types = new Set(['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint']);
// Operators, which are written as functions.
const operators = new Set(['_[_]', '_?_:_', '_&&_', '_||_', '@not_strictly_false', '__not_strictly_false__']);

/** Surveys an expression that was just parsed, and makes its comprehensions count. */
export function survey(expr: Expr, variables: readonly string[], isFunction: (name: string) => boolean): Surveyed {
  const chains: Chain[] = [];
  let unknown: {readonly kind: 'unknown'; readonly problem: string; readonly id: bigint} | undefined;
  const visit = (part: Expr, bound: ReadonlySet<string>): void => {
    const chain = chainOf(part);
    const [variable = ''] = chain ?? [];
    if (chain !== undefined && !bound.has(variable)) {
      const asked = part.exprKind.case === 'selectExpr' && part.exprKind.value.testOnly;
      if (variables.includes(variable)) chains.push({path: chain, asked});
      else if (!types.has(variable))
        unknown ??= {kind: 'unknown', problem: unknownVariable(variable, variables), id: rootOf(part)};
      return;
    }
    const {exprKind} = part;
    if (exprKind.case === 'callExpr') {
      const {function: name, target, args} = exprKind.value;
      const isQualified = target !== undefined && isFunction(`${chainOf(target)?.join('.')}.${name}`);
      if (isQualified) {
        for (const arg of args) visit(arg, bound);
        return;
      }
      if (!operators.has(name) && !isFunction(name)) {
        unknown ??= {kind: 'unknown', problem: `an unknown function ${name}()`, id: part.id};
      }
    }
    if (exprKind.case === 'comprehensionExpr') visitComprehension(exprKind.value, bound, visit);
    else for (const inner of partsOf(part)) visit(inner, bound);
  };
  visit(expr, new Set());
  const asked = chains.filter((chain) => chain.asked).map(({path}) => path.join('.'));
  return unknown ?? {kind: 'reads', reads: merged(chains), asked: new Set(asked)};
}

/** A variable and the fields below it, `a.b["c"]` as `a`, `b`, `c`; undefined for anything else. */
export function chainOf(expr: Expr): readonly string[] | undefined {
  const {exprKind} = expr;
  if (exprKind.case === 'identExpr') return [exprKind.value.name];
  if (exprKind.case === 'selectExpr') {
    const chain = exprKind.value.operand === undefined ? undefined : chainOf(exprKind.value.operand);
    return chain === undefined ? undefined : [...chain, exprKind.value.field];
  }
  if (exprKind.case !== 'callExpr' || exprKind.value.function !== '_[_]') return undefined;
  const [operand, index] = exprKind.value.args;
  const chain = operand === undefined ? undefined : chainOf(operand);
  const key = index?.exprKind.case === 'constExpr' ? index.exprKind.value.constantKind : undefined;
  return chain === undefined || key?.case !== 'stringValue' ? undefined : [...chain, key.value];
}

/** The expressions that an expression is directly made of. */
export function partsOf({exprKind}: Expr): readonly Expr[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return there([exprKind.value.operand]);
    case 'callExpr':
      return there([exprKind.value.target, ...exprKind.value.args]);
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return there(
        exprKind.value.entries.flatMap(({keyKind, value}) => [
          keyKind.case === 'mapKey' ? keyKind.value : undefined,
          value,
        ]),
      );
    case 'comprehensionExpr': {
      const {iterRange, accuInit, loopCondition, loopStep, result} = exprKind.value;
      return there([iterRange, accuInit, loopCondition, loopStep, result]);
    }
    default:
      return [];
  }
}

/** A path from a variable down. An argument of `has()` is not read. */
interface Chain {
  readonly path: readonly string[];
  readonly asked: boolean;
}

type Comprehension = (Expr['exprKind'] & {readonly case: 'comprehensionExpr'})['value'];

function visitComprehension(
  comprehension: Comprehension,
  bound: ReadonlySet<string>,
  visit: (part: Expr, bound: ReadonlySet<string>) => void,
): void {
  const {iterRange, accuInit, loopCondition, loopStep, result, iterVar, accuVar} = comprehension;
  for (const part of there([iterRange, accuInit])) visit(part, bound);
  const inner = new Set([...bound, iterVar, accuVar]);
  for (const part of there([loopCondition, loopStep, result])) visit(part, inner);
  if (loopCondition === undefined || loopStep === undefined) return;
  const weight = weightOf(loopCondition) + weightOf(loopStep);
  // The parser just made the tree, and only this call holds it.
  comprehension.loopCondition = call(spendFunction, loopCondition, [loopCondition, constant(loopCondition, weight)]);
}

function weightOf(expr: Expr): number {
  return partsOf(expr).reduce((sum, part) => sum + weightOf(part), 1);
}

function call(name: string, {id}: Expr, args: Expr[]): Expr {
  const value = {$typeName: 'cel.expr.Expr.Call', function: name, args} as const;
  return {$typeName: 'cel.expr.Expr', id, exprKind: {case: 'callExpr', value}};
}

function constant({id}: Expr, number: number): Expr {
  const constantKind = {case: 'int64Value', value: BigInt(number)} as const;
  const value = {$typeName: 'cel.expr.Constant', constantKind} as const;
  return {$typeName: 'cel.expr.Expr', id, exprKind: {case: 'constExpr', value}};
}

function rootOf(expr: Expr): bigint {
  const [first] = partsOf(expr);
  return first === undefined ? expr.id : rootOf(first);
}

function unknownVariable(variable: string, variables: readonly string[]): string {
  return `an unknown variable ${variable} (there are ${variables.join(', ')})`;
}

function there(parts: readonly (Expr | undefined)[]): readonly Expr[] {
  return parts.filter((part) => part !== undefined);
}

function merged(chains: readonly Chain[]): Reads {
  const reads = new Map<string, Reads | 'whole'>();
  for (const [first, below] of Map.groupBy(chains, ({path}) => path[0] ?? '')) {
    const isWhole = below.some(({path, asked}) => path.length === 1 && !asked);
    const deeper = below.filter(({path}) => path.length > 1).map(({path, asked}) => ({path: path.slice(1), asked}));
    reads.set(first, isWhole ? 'whole' : merged(deeper));
  }
  return reads;
}
