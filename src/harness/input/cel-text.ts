// CEL over JSON values. Numbers are doubles, as in every JSON. A field that is not there is an error, as CEL has it.

import {
  type CelInput,
  type CelList,
  type CelMap,
  celEnv,
  celList,
  celMap,
  isCelError,
  isCelList,
  isCelMap,
  parse,
  plan,
  unparse,
} from '@bufbuild/cel';
import {strings} from '@bufbuild/cel/ext';
import {isList, isObject, type Json} from '../../cluster/json.ts';
import {remembering} from '../../cluster/memo.ts';
import {nearest} from './cursor.ts';
import {shownValue} from './input-error.ts';

const environment = celEnv({funcs: [...strings]});
/** They are no functions once they are read. */
const macros: readonly string[] = ['all', 'exists', 'exists_one', 'filter', 'has', 'map'];

export type CelBindings = {[name: string]: CelInput};

/** A condition: true or false, or why it is neither. */
type Condition = (bindings: CelBindings) => boolean | {readonly problem: string};

export type Compiled =
  | {
      readonly kind: 'condition';
      readonly condition: Condition;
      /** The values that make it false: `self.spec.size is "small"`, a sentence for each side of a comparison. */
      readonly why: (bindings: CelBindings) => readonly string[];
    }
  | {readonly kind: 'no-cel'; readonly problem: string};

/** The text as a condition, or why it is no CEL. With `variables` it may name no others. */
export function celCondition(text: string, variables?: readonly string[]): Compiled {
  try {
    const parsed = parse(text);
    const called = calledNames(parsed.expr).find((name) => environment.funcs.find(name) === undefined);
    if (called !== undefined) return {kind: 'no-cel', problem: unknownFunction(called)};
    const unknown =
      variables === undefined ? undefined : freeNames(parsed.expr).find((name) => !variables.includes(name));
    if (unknown !== undefined) {
      return {kind: 'no-cel', problem: `unknown variable "${unknown}": known are ${variables?.join(', ')}`};
    }
    const evaluate = plan(environment, parsed);
    return {
      kind: 'condition',
      condition: (bindings) => {
        const result: unknown = evaluate(bindings);
        if (typeof result === 'boolean') return result;
        return {problem: isCelError(result) ? result.message : `expected true or false, got ${typeof result}`};
      },
      why: (bindings) => causesOf(parsed, (part) => plan(environment, part)(bindings)),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {kind: 'no-cel', problem: message.replaceAll(/\s+/g, ' ')};
  }
}

/** CEL itself hears of it where it is called: behind a `||`, or in a macro over an empty list, never. */
function unknownFunction(name: string): string {
  if (macros.includes(name)) return `${name} has other arguments in CEL`;
  const near = nearest(name, [...macros, ...[...environment.funcs].map((one) => one.name)]);
  return `unknown function "${name}"${near === undefined ? '' : `: did you mean "${near}"?`}`;
}

/** The kinds that `objects` are asked for: a misspelled one would make every `all` true. None of what is no CEL. */
export function kindsAskedFor(text: string): readonly string[] {
  try {
    return kindsComparedIn(parse(text).expr, 'objects');
  } catch {
    return [];
  }
}

export function celRecord(record: {readonly [key: string]: CelInput}): CelMap {
  return celMap(new Map(Object.entries(record)));
}

// Objects are immutable, and most of them are the same from state to state.
export const celObjects = remembering((objects: readonly object[]): CelList => celList(objects.map(mapOf)));
const mapOf = remembering((object: object): CelMap => {
  const said = Object.entries(object).filter(([, value]) => value !== undefined);
  return celMap(new Map(said.map(([key, value]) => [key, celValue(value as Json)])));
});

export function celValue(json: Json): CelInput {
  if (isList(json)) return celList(json.map(celValue));
  return isObject(json) ? mapOf(json) : json;
}

// Which parts of a CEL expression make it false, and what the parts are: tests print them as assertion libraries do. A part
// is false by itself where both sides of a `&&` or a `||` count; a comparison shows each side that is not written out.

type Parsed = ReturnType<typeof parse>;
type Expr = Parsed['expr'];

const equalities: readonly string[] = ['_==_', '_!=_'];
const comparisons: readonly string[] = [...equalities, '_<_', '_<=_', '_>_', '_>=_', '@in'];

/** `evaluate` answers what a part comes to. */
function causesOf(parsed: Parsed, evaluate: (part: Parsed) => unknown): readonly string[] {
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
function freeNames(expr: Expr, bound: readonly string[] = []): readonly string[] {
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
function calledNames(expr: Expr): readonly string[] {
  const {exprKind} = expr;
  const own = exprKind.case === 'callExpr' && /^[a-z]/i.test(exprKind.value.function) ? [exprKind.value.function] : [];
  return [...own, ...partsOf(expr).flatMap(calledNames)];
}

/** The kinds that items of `list` are compared with in a macro over it: `objects.all(o, o.kind == 'VPC')`, `o.kind in ['VPC']`. */
function kindsComparedIn(expr: Expr, list: string, item?: string): readonly string[] {
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
