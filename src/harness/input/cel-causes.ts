// Which parts of a CEL expression make it false, and what the parts are: tests print them as assertion libraries do. A part
// is false by itself where both sides of a `&&` or a `||` count; a comparison shows each side that is not written out.

import {isCelError, isCelList, isCelMap, type parse, unparse} from '@bufbuild/cel';
import type {Json} from '../../cluster/json.ts';
import {shownValue} from './input-error.ts';

type Parsed = ReturnType<typeof parse>;
type Expr = Parsed['expr'];

const equalities: readonly string[] = ['_==_', '_!=_'];
const comparisons: readonly string[] = [...equalities, '_<_', '_<=_', '_>_', '_>=_', '@in'];

/** `evaluate` answers what a part comes to. */
export function causesOf(parsed: Parsed, evaluate: (part: Parsed) => unknown): readonly string[] {
  return [...new Set(causesIn(parsed, evaluate))];
}

function causesIn(parsed: Parsed, evaluate: (part: Parsed) => unknown): readonly string[] {
  const {exprKind} = parsed.expr;
  if (exprKind.case !== 'callExpr') return [];
  const {function: name, args} = exprKind.value;
  const parts = args.map((expr): Parsed => ({...parsed, expr}));
  if (name === '_&&_') return parts.filter((part) => evaluate(part) !== true).flatMap((part) => of(part, evaluate));
  if (name === '_||_') return parts.flatMap((part) => of(part, evaluate));
  return comparisons.includes(name) ? parts.filter(isVariable).map((part) => valueText(part, evaluate)) : [];
}

/** A part that compares nothing is named itself. */
function of(part: Parsed, evaluate: (part: Parsed) => unknown): readonly string[] {
  const causes = causesIn(part, evaluate);
  return causes.length > 0 ? causes : [valueText(part, evaluate)];
}

function isVariable({expr}: Parsed): boolean {
  return freeNames(expr).length > 0;
}

function valueText(part: Parsed, evaluate: (part: Parsed) => unknown): string {
  const value = evaluate(part);
  return `${unparse(part)} is ${isCelError(value) ? `an error: ${value.message}` : shownValue(jsonOf(value))}`;
}

function jsonOf(value: unknown): Json {
  if (isCelList(value)) return [...value].map(jsonOf);
  if (isCelMap(value)) return Object.fromEntries([...value].map(([key, one]) => [String(key), jsonOf(one)]));
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : String(value);
}

// Types are values in CEL: `type(x) == int`.
const types: readonly string[] = [
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
];

/** The variables that an expression names, but for those that a macro as `exists` brings. */
export function freeNames(expr: Expr, bound: readonly string[] = []): readonly string[] {
  const {exprKind} = expr;
  if (exprKind.case === 'identExpr') {
    const {name} = exprKind.value;
    return bound.includes(name) || types.includes(name) ? [] : [name];
  }
  if (exprKind.case !== 'comprehensionExpr') return partsOf(expr).flatMap((part) => freeNames(part, bound));
  const {iterRange, accuInit, iterVar, iterVar2, accuVar} = exprKind.value;
  return partsOf(expr).flatMap((part) => {
    const isOutside = part === iterRange || part === accuInit;
    return freeNames(part, isOutside ? bound : [...bound, iterVar, iterVar2, accuVar]);
  });
}

/** The functions and methods that an expression calls by their names. Operators have names like `_==_`. */
export function calledNames(expr: Expr): readonly string[] {
  const {exprKind} = expr;
  const own = exprKind.case === 'callExpr' && /^[a-z]/i.test(exprKind.value.function) ? [exprKind.value.function] : [];
  return [...own, ...partsOf(expr).flatMap(calledNames)];
}

/** The kinds that items of `list` are compared with in a macro over it: `objects.all(o, o.kind == 'VPC')`, `o.kind in ['VPC']`. */
export function kindsComparedIn(expr: Expr, list: string, item?: string): readonly string[] {
  const {exprKind} = expr;
  if (exprKind.case === 'comprehensionExpr') {
    const {iterRange, iterVar} = exprKind.value;
    const isOver = iterRange?.exprKind.case === 'identExpr' && iterRange.exprKind.value.name === list;
    return partsOf(expr).flatMap((part) => kindsComparedIn(part, list, isOver ? iterVar : item));
  }
  const below = partsOf(expr).flatMap((part) => kindsComparedIn(part, list, item));
  if (exprKind.case !== 'callExpr' || ![...equalities, '@in'].includes(exprKind.value.function)) return below;
  const {args} = exprKind.value;
  return args.some((side) => isKindOf(item, side)) ? [...args.flatMap(textIn), ...below] : below;
}

function isKindOf(item: string | undefined, {exprKind}: Expr): boolean {
  if (exprKind.case !== 'selectExpr' || exprKind.value.field !== 'kind') return false;
  const of = exprKind.value.operand?.exprKind;
  return of?.case === 'identExpr' && of.value.name === item;
}

function textIn({exprKind}: Expr): readonly string[] {
  if (exprKind.case === 'listExpr') return exprKind.value.elements.flatMap(textIn);
  const constant = exprKind.case === 'constExpr' ? exprKind.value.constantKind : undefined;
  return constant?.case === 'stringValue' ? [constant.value] : [];
}

function partsOf({exprKind}: Expr): readonly Expr[] {
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

function there(parts: readonly (Expr | undefined)[]): readonly Expr[] {
  return parts.filter((part) => part !== undefined);
}
