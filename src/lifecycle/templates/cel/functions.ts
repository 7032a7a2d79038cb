// The functions of CEL under a meter: cel-spec's standard library and its strings extension, as the library has them,
// each paying for what it is about to do. Without that an expression of a hundred characters can run for days or fill
// the memory, and one function serves every XR of a cluster. No function knows the time, and no two runs differ.
//
// A unit is about the work of one operation. Regular expressions are RE2, linear in the text, but a counted repetition is
// written out, so patterns pay for their counts.

import {
  type CelFunc,
  type CelList,
  CelScalar,
  type CelValue,
  celEnv,
  celFunc,
  celList,
  celMethod,
  isCelError,
  isCelList,
  isCelMap,
  listType,
} from '@bufbuild/cel';
import {strings} from '@bufbuild/cel/ext';
import {spendFunction} from './syntax.ts';

/** The work that one call may still cause, in units; below 0 nothing goes on. */
export interface Meter {
  left: number;
}

/** The work that all expressions of one call may cause together: well under a tenth of a second. */
export function fullMeter(): Meter {
  return {left: 50_000};
}

export interface MeteredFunctions {
  readonly all: readonly CelFunc[];
  readonly isFunction: (name: string) => boolean;
  /** Runs `work`, whose functions pay from this meter. */
  readonly metered: <T>(meter: Meter, work: () => T) => T;
}

// Nothing that a composed resource holds is longer; an object has to fit into etcd.
const textMax = 1_000_000;
// Before it matches anything a pattern is compiled, which takes longer than it does in proportion.
const patternMax = 4_096;
const {DOUBLE, DYN, INT, STRING} = CelScalar;
const LIST = listType(DYN);

export function functionsOf(): MeteredFunctions {
  // The library gives its functions nothing but their arguments. A run is synchronous, so one at a time is enough.
  let meter: Meter = {left: 0};
  const spend = (units: number) => {
    meter.left -= units;
    if (meter.left < 0) throw new Error('more work than an input may cause');
  };
  // Parts of a timestamp depend on the tables of time zones of the machine.
  const standard = [...celEnv({funcs: strings}).funcs].filter(({name}) => !/^get[A-Z]/.test(name));
  const names = new Set(standard.map(({name}) => name));
  return {
    all: [
      ...standard.map((func) => metering(func, spend)),
      ...mixedArithmetic(spend),
      ...copying(spend),
      celFunc(spendFunction, [DYN, INT], DYN, (condition: CelValue, units: bigint) => {
        spend(Number(units));
        return condition;
      }),
    ],
    isFunction: (name) => names.has(name),
    metered: (full, work) => {
      meter = full;
      return work();
    },
  };
}

function metering(func: CelFunc, spend: (units: number) => void): CelFunc {
  const run = function (this: CelValue | undefined, ...args: CelValue[]) {
    spend(1);
    pay(func.name, this, args, spend);
    const result = func.call(0, this, args);
    // Thrown anew, so that the error gets the place of the call.
    if (isCelError(result)) throw new Error(result.message);
    if (typeof result === 'string') checkLength(result.length);
    return result;
  };
  return func.target === undefined
    ? celFunc(func.name, func.arguments, func.result, run as never)
    : celMethod(func.name, func.target, func.arguments, func.result, run as never);
}

/** The cost of a call beyond being one, before it is made. */
function pay(name: string, target: CelValue | undefined, args: readonly CelValue[], spend: (units: number) => void) {
  const values = target === undefined ? args : [target, ...args];
  for (const value of values) if (typeof value === 'string') spend(value.length >> 6);
  const [first = null, second = null] = values;
  switch (name) {
    case '_==_':
    case '_!=_':
      weigh(first, spend);
      return;
    case '@in':
      weigh(second, spend);
      return;
    case '_+_':
      if (typeof first === 'string' && typeof second === 'string') checkLength(first.length + second.length);
      return;
    case 'join':
    case 'format':
      for (const value of values) weigh(value, spend);
      checkLength(joinedLength(values));
      return;
    case 'contains':
    case 'indexOf':
    case 'lastIndexOf':
    case 'split':
      if (typeof first === 'string' && typeof second === 'string') spend(searchCost(first, second));
      return;
    case 'matches':
      if (typeof first === 'string' && typeof second === 'string') {
        if (second.length > patternMax) throw new Error(`a pattern of more than ${patternMax} characters`);
        spend((first.length + 1) * patternCost(second) * 0.01);
      }
      return;
  }
}

function mixedArithmetic(spend: (units: number) => void): CelFunc[] {
  const operations: readonly (readonly [string, (left: number, right: number) => number])[] = [
    ['_+_', (left, right) => left + right],
    ['_-_', (left, right) => left - right],
    ['_*_', (left, right) => left * right],
    ['_/_', (left, right) => left / right],
  ];
  return operations.flatMap(([name, operate]) => {
    const paid = (left: number, right: number) => {
      spend(1);
      return operate(left, right);
    };
    return [
      celFunc(name, [INT, DOUBLE], DOUBLE, (left: bigint, right: number) => paid(Number(left), right)),
      celFunc(name, [DOUBLE, INT], DOUBLE, (left: number, right: bigint) => paid(left, Number(right))),
    ];
  });
}

// The library's replace copies the whole text at every find, and its concatenation of lists nests one list in another.
function copying(spend: (units: number) => void): CelFunc[] {
  const replace = (text: string, from: string, to: string, count: number) => {
    spend(1 + (text.length >> 3) + searchCost(text, from));
    const pieces = text.split(from);
    const replaced = Math.min(pieces.length - 1, count < 0 ? pieces.length : count);
    checkLength(text.length + replaced * (to.length - from.length));
    const rest = pieces.slice(replaced).join(from);
    return replaced === 0 ? text : `${pieces.slice(0, replaced).join(to)}${to}${rest}`;
  };
  return [
    celFunc('_+_', [LIST, LIST], LIST, (left: CelList, right: CelList) => {
      spend(1 + ((left.size + right.size) >> 7));
      const items = itemsOf(left).concat(itemsOf(right));
      const list = celList(items);
      arrays.set(list, items);
      return list;
    }),
    celMethod('replace', STRING, [STRING, STRING], STRING, function (from: string, to: string) {
      return replace(`${this}`, from, to, -1);
    }),
    celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (from: string, to: string, count: bigint) {
      return replace(`${this}`, from, to, Number(count));
    }),
  ];
}

// A comprehension makes its list longer one item at a time; to read the list anew each time would be slow.
const arrays = new WeakMap<CelList, CelValue[]>();

function itemsOf(list: CelList): CelValue[] {
  return arrays.get(list) ?? [...list];
}

/** Pays for every value that a value is made of, as often as it occurs: a chain of maps doubles one with every dot. */
function weigh(value: CelValue, spend: (units: number) => void): void {
  spend(1);
  if (typeof value === 'string') spend(value.length >> 6);
  else if (isCelList(value)) for (const item of value) weigh(item, spend);
  else if (isCelMap(value)) for (const item of value.values()) weigh(item, spend);
}

function joinedLength(values: readonly CelValue[]): number {
  const [list = null, separator = ''] = values;
  if (!isCelList(list) || typeof separator !== 'string') return 0;
  let length = list.size * separator.length;
  for (const item of list) if (typeof item === 'string') length += item.length;
  return length;
}

function checkLength(length: number): void {
  if (length > textMax) throw new Error(`a text of more than ${textMax} characters`);
}

/** At worst a search compares what it looks for at every place of the text, and both may be an XR editor's. */
function searchCost(text: string, part: string): number {
  return (text.length * part.length) / 65_536;
}

function patternCost(pattern: string): number {
  const counts = [...pattern.matchAll(/\{([0-9]+)(?:,([0-9]*))?\}/g)].map(([, min, max]) => Number(max || min));
  // Counts of groups multiply those within.
  if (/\)\{/.test(pattern)) return counts.reduce((product, count) => product * Math.max(1, count), pattern.length);
  return counts.reduce((sum, count) => sum + count, pattern.length);
}
