// Arithmetic, comparison and membership. Whole numbers have 64 bits and do not wrap.
// google/cel-go v0.26.0 common/types/{int,uint,double,overflow,duration,timestamp}.go;
// kubernetes/apiserver v0.34.4 pkg/cel/common/valuesunstructured.go (Add).

import type {Operator} from './syntax.ts';
import {
  compare,
  type Duration,
  EvaluationProblem,
  isEqual,
  isKind,
  itemsOf,
  type ListValue,
  listOf,
  type Moment,
  noSuchOverload,
  type Value,
} from './values.ts';

export function operate(operator: Exclude<Operator, '&&' | '||' | '?:'>, args: readonly Value[]): Value {
  const [left, right] = args as readonly [Value, Value];
  switch (operator) {
    case '!':
      if (typeof left !== 'boolean') throw noSuchOverload();
      return !left;
    case '-_':
      if (typeof left === 'number') return -left;
      if (typeof left !== 'bigint') throw noSuchOverload();
      return int(-left);
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return compare(left, right) < 0;
    case '<=':
      return compare(left, right) <= 0;
    case '>':
      return compare(left, right) > 0;
    case '>=':
      return compare(left, right) >= 0;
    case 'in':
      return isIn(left, right);
    case '+':
      return add(left, right);
    case '-':
      return subtract(left, right);
    case '*':
    case '/':
    case '%':
      return counted(operator, left, right);
    default:
      return operator;
  }
}

function isIn(item: Value, of: Value): boolean {
  if (isKind(of, 'map')) return of.find(item) !== undefined;
  if (!isKind(of, 'list')) throw noSuchOverload();
  return itemsOf(of).some((one) => isEqual(one, item));
}

export function add(left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isKind(left, 'list') && isKind(right, 'list')) return joined(left, right);
  if (isKind(left, 'bytes') && isKind(right, 'bytes')) return {kind: 'bytes', value: [...left.value, ...right.value]};
  if (isKind(left, 'duration')) {
    if (isKind(right, 'duration')) return duration(left.nanos + right.nanos);
    if (isKind(right, 'timestamp')) return moment(left.nanos + right.nanos);
  }
  if (isKind(left, 'timestamp') && isKind(right, 'duration')) return moment(left.nanos + right.nanos);
  return counted('+', left, right);
}

function subtract(left: Value, right: Value): Value {
  if (isKind(right, 'duration')) {
    if (isKind(left, 'duration')) return duration(left.nanos - right.nanos);
    if (isKind(left, 'timestamp')) return moment(left.nanos - right.nanos);
  }
  if (isKind(left, 'timestamp') && isKind(right, 'timestamp')) return duration(left.nanos - right.nanos);
  return counted('-', left, right);
}

interface Arithmetic {
  readonly whole: (left: bigint, right: bigint) => bigint;
  readonly double: (left: number, right: number) => number;
}

const arithmetic = {
  '+': {whole: (left, right) => left + right, double: (left, right) => left + right},
  '-': {whole: (left, right) => left - right, double: (left, right) => left - right},
  '*': {whole: (left, right) => left * right, double: (left, right) => left * right},
  '/': {whole: (left, right) => left / notZero(right, 'division'), double: (left, right) => left / right},
  '%': {
    whole: (left, right) => left % notZero(right, 'modulus'),
    double: () => {
      throw noSuchOverload();
    },
  },
} satisfies {readonly [operator: string]: Arithmetic};

function notZero(value: bigint, what: string): bigint {
  if (value === 0n) throw new EvaluationProblem(`${what} by zero`);
  return value;
}

/** Numbers of one type; there is no arithmetic across types. */
function counted(operator: keyof typeof arithmetic, left: Value, right: Value): Value {
  const {whole, double}: Arithmetic = arithmetic[operator];
  if (typeof left === 'bigint' && typeof right === 'bigint') return int(whole(left, right));
  if (typeof left === 'number' && typeof right === 'number') return double(left, right);
  if (!isKind(left, 'uint') || !isKind(right, 'uint')) throw noSuchOverload();
  return uint(whole(left.value, right.value));
}

export function int(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new EvaluationProblem('integer overflow');
  return value;
}

export function uint(value: bigint): Value {
  if (BigInt.asUintN(64, value) !== value) throw new EvaluationProblem('unsigned integer overflow');
  return {kind: 'uint', value};
}

export function duration(nanos: bigint): Duration {
  if (BigInt.asIntN(64, nanos) !== nanos) throw new EvaluationProblem('duration overflow');
  return {kind: 'duration', nanos};
}

const [firstSecond, lastSecond] = [-62_135_596_800n, 253_402_300_799n];

export function moment(nanos: bigint): Moment {
  const seconds = nanos / 1_000_000_000n;
  if (seconds < firstSecond || seconds > lastSecond) throw new EvaluationProblem('timestamp overflow');
  return {kind: 'timestamp', nanos};
}

/** One list after the other; lists that a schema keys keep the places of the left, and take what the right has for them. */
function joined(left: ListValue, right: ListValue): ListValue {
  const {keyed} = left;
  if (keyed === undefined) return listOf([...itemsOf(left), ...itemsOf(right)]);
  const items = new Map<string, Value>();
  for (const item of [...itemsOf(left), ...itemsOf(right)]) items.set(keyed.keyOf(item), item);
  return {...listOf([...items.values()]), keyed};
}
