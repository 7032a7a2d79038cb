// Lists and sets, and how large things are.
// google/cel-go v0.26.0 ext/{lists,sets}.go, cel/library.go (first, last); kubernetes/apiserver v0.34.4
// pkg/cel/library/lists.go. Not modelled: that sum() of nothing is a zero of the list's declared type; here it is an int.

import {add} from '../operators.ts';
import {
  compare,
  EvaluationProblem,
  isEqual,
  isKind,
  itemsOf,
  type ListValue,
  listOf,
  none,
  noSuchOverload,
  optionalOf,
  type Value,
} from '../values.ts';
import type {Calls, Methods} from './call.ts';

function list(value: Value | undefined): ListValue {
  if (!isKind(value, 'list')) throw noSuchOverload();
  return value;
}

function number(value: Value | undefined): number {
  if (typeof value !== 'bigint') throw noSuchOverload();
  return Number(value);
}

export function sizeOf(value: Value): bigint {
  if (typeof value === 'string') return BigInt([...value].length);
  if (isKind(value, 'bytes')) return BigInt(value.value.length);
  if (isKind(value, 'list') || isKind(value, 'map')) return BigInt(value.size);
  throw noSuchOverload();
}

function extreme(name: string, isBetter: (order: number) => boolean) {
  return ([target]: readonly Value[]): Value => {
    const [first, ...rest] = itemsOf(list(target));
    if (first === undefined) throw new EvaluationProblem(`${name} called on empty list`);
    return rest.reduce((best, item) => (isBetter(compare(item, best)) ? item : best), first);
  };
}

function position([target, wanted]: readonly Value[], of: 'findIndex' | 'findLastIndex'): bigint {
  if (wanted === undefined) throw noSuchOverload();
  return BigInt(itemsOf(list(target))[of]((item) => isEqual(item, wanted)));
}

function slice([target, from, to]: readonly Value[]): Value {
  const items = itemsOf(list(target));
  const [start, end] = [number(from), number(to)];
  if (start < 0 || end < 0) {
    throw new EvaluationProblem(`cannot slice(${start}, ${end}), negative indexes not supported`);
  }
  if (start > end) {
    throw new EvaluationProblem(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  }
  if (end > items.length) throw new EvaluationProblem(`cannot slice(${start}, ${end}), list is length ${items.length}`);
  return listOf(items.slice(start, end));
}

function flattened(items: readonly Value[], depth: number): readonly Value[] {
  return items.flatMap((item) => {
    if (!isKind(item, 'list')) return [item];
    return depth > 0 ? flattened(itemsOf(item), depth - 1) : [item];
  });
}

function distinct(items: readonly Value[]): readonly Value[] {
  return items.filter((item, at) => items.findIndex((other) => isEqual(other, item)) === at);
}

function joined([target, separator = '']: readonly Value[]): string {
  if (typeof separator !== 'string') throw noSuchOverload();
  const items = itemsOf(list(target));
  const odd = items.find((item) => typeof item !== 'string');
  if (odd !== undefined) throw new EvaluationProblem(`join: invalid input: ${String(odd)}`);
  return items.join(separator);
}

export const listMethods: Methods = {
  of: (target) => isKind(target, 'list'),
  calls: {
    isSorted: ([target]) => {
      const items = itemsOf(list(target));
      return items.every((item, at) => at === 0 || compare(items[at - 1] as Value, item) <= 0);
    },
    sum: ([target]) => {
      const [first, ...rest] = itemsOf(list(target));
      return rest.reduce(add, first ?? 0n);
    },
    max: extreme('max', (order) => order > 0),
    min: extreme('min', (order) => order < 0),
    indexOf: (args) => position(args, 'findIndex'),
    lastIndexOf: (args) => position(args, 'findLastIndex'),
    join: joined,
    slice,
    flatten: ([target, depth = 1n]) => {
      if (number(depth) < 0) throw new EvaluationProblem('level must be non-negative');
      return listOf(flattened(itemsOf(list(target)), number(depth)));
    },
    sort: ([target]) => listOf([...itemsOf(list(target))].sort(compare)),
    reverse: ([target]) => listOf([...itemsOf(list(target))].reverse()),
    distinct: ([target]) => listOf(distinct(itemsOf(list(target)))),
    first: ([target]) => (list(target).size === 0 ? none : optionalOf(list(target).at(0))),
    last: ([target]) => (list(target).size === 0 ? none : optionalOf(list(target).at(list(target).size - 1))),
  },
};

export const sizeMethods: Methods = {
  of: () => true,
  calls: {size: ([target]) => sizeOf(target as Value)},
};

function contains(whole: Value | undefined, part: Value | undefined): boolean {
  const items = itemsOf(list(whole));
  return itemsOf(list(part)).every((item) => items.some((other) => isEqual(other, item)));
}

export const listFunctions: Calls = {
  'sets.contains': ([whole, part]) => contains(whole, part),
  'sets.equivalent': ([left, right]) => contains(left, right) && contains(right, left),
  'sets.intersects': ([left, right]) => {
    const items = itemsOf(list(left));
    return itemsOf(list(right)).some((item) => items.some((other) => isEqual(other, item)));
  },
  'lists.range': ([size]) => listOf(Array.from({length: number(size)}, (_, at) => BigInt(at))),
};
