// Values of expressions. An int is a bigint and a double a number, so that the two cannot be confused.
// google/cel-go v0.26.0 common/types.

import type {Json} from '../json.ts';
import type {LiteralObject} from './syntax.ts';

export type Value =
  | null
  | boolean
  /** An int. */
  | bigint
  /** A double. */
  | number
  | string
  | LiteralObject
  | Duration
  | Moment
  | ListValue
  | MapValue
  | OptionalValue
  | {readonly kind: 'type'; readonly name: string}
  | OpaqueValue
  /** What a schema does not know, and expressions can only compare. */
  | {readonly kind: 'unknown'; readonly value: Json};

export interface Duration {
  readonly kind: 'duration';
  readonly nanos: bigint;
}

/** As the time since 1970. */
export interface Moment {
  readonly kind: 'timestamp';
  readonly nanos: bigint;
}

export interface ListValue {
  readonly kind: 'list';
  readonly size: number;
  readonly at: (index: number) => Value;
  /** Lists of a schema's type set and map are equal in any order, and are merged when added. */
  readonly keyed?: {readonly keyOf: (item: Value) => string};
}

export interface MapValue {
  readonly kind: 'map';
  /** How many fields there are, those that expressions cannot see included. */
  readonly size: number;
  readonly keys: () => readonly Value[];
  readonly find: (key: Value) => Value | undefined;
  /** The object of a custom resource it is, with the fields that its schema does not know. */
  readonly source?: {readonly unknown: ReadonlyMap<string, Json>};
}

export interface OptionalValue {
  readonly kind: 'optional';
  /** Undefined where it is none. */
  readonly value: Value | undefined;
}

/** A value of one of Kubernetes' libraries. */
export interface OpaqueValue {
  readonly kind: 'opaque';
  readonly type: string;
  /** Equal values print equally. */
  readonly text: string;
  readonly content: unknown;
}

/** Why an expression has no value. The words are those of cel-go. */
export class EvaluationProblem extends Error {}

/** The result of running, or the problem for which there is none. */
export function attempt(run: () => Value): Value | EvaluationProblem {
  try {
    return run();
  } catch (problem) {
    if (problem instanceof EvaluationProblem) return problem;
    throw problem;
  }
}

export function noSuchOverload(): EvaluationProblem {
  return new EvaluationProblem('no such overload');
}

export function listOf(items: readonly Value[]): ListValue {
  return {kind: 'list', size: items.length, at: (index) => items[index] as Value};
}

export function itemsOf(list: ListValue): readonly Value[] {
  return Array.from({length: list.size}, (_, index) => list.at(index));
}

export function mapOf(entries: readonly (readonly [Value, Value])[]): MapValue {
  return {
    kind: 'map',
    size: entries.length,
    keys: () => entries.map(([key]) => key),
    find: (key) => entries.find(([one]) => isEqual(one, key))?.[1],
  };
}

export const none: OptionalValue = {kind: 'optional', value: undefined};

export function optionalOf(value: Value): OptionalValue {
  return {kind: 'optional', value};
}

export function isKind<K extends string>(value: Value | undefined, kind: K): value is Extract<Value, {kind: K}> {
  return typeof value === 'object' && value !== null && value.kind === kind;
}

export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  if (typeof value !== 'object') return typeNames[typeof value] ?? typeof value;
  return value.kind === 'opaque' ? value.type : (typeNames[value.kind] ?? value.kind);
}

/** Types that CEL calls otherwise than they are called here. */
const typeNames: {readonly [name: string]: string} = {
  boolean: 'bool',
  bigint: 'int',
  number: 'double',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
  optional: 'optional_type',
};

/** The number behind an int, uint or double; undefined for everything else. */
function numeric(value: Value): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return isKind(value, 'uint') ? value.value : undefined;
}

export function isEqual(left: Value, right: Value): boolean {
  if (left === null || right === null) return left === right;
  const [one, other] = [numeric(left), numeric(right)];
  // JavaScript compares 1n and 1 by value, as CEL does.
  // biome-ignore lint/suspicious/noDoubleEquals: equal across int, uint and double.
  if (one !== undefined) return other !== undefined && one == other;
  if (typeof left !== 'object') return left === right;
  switch (left.kind) {
    case 'list':
      if (!isKind(right, 'list')) throw noSuchOverload();
      return sameLists(left, right);
    case 'map':
      if (!isKind(right, 'map')) throw noSuchOverload();
      return sameMaps(left, right);
    case 'bytes':
      return isKind(right, 'bytes') && left.value.join() === right.value.join();
    case 'duration':
    case 'timestamp':
      return isSpan(right) && left.kind === right.kind && left.nanos === right.nanos;
    case 'optional':
      if (!isKind(right, 'optional')) return false;
      if (left.value === undefined || right.value === undefined) return left.value === right.value;
      return isEqual(left.value, right.value);
    case 'type':
      return isKind(right, 'type') && left.name === right.name;
    case 'opaque':
      return isKind(right, 'opaque') && left.type === right.type && left.text === right.text;
    case 'unknown':
      return isKind(right, 'unknown') && JSON.stringify(left.value) === JSON.stringify(right.value);
    default:
      return false;
  }
}

function sameLists(left: ListValue, right: ListValue): boolean {
  if (left.size !== right.size) return false;
  const {keyed} = left;
  if (keyed === undefined) return itemsOf(left).every((item, index) => isEqual(item, right.at(index)));
  const mine = new Map(itemsOf(left).map((item) => [keyed.keyOf(item), item]));
  return itemsOf(right).every((item) => {
    const own = mine.get(keyed.keyOf(item));
    return own !== undefined && isEqual(own, item);
  });
}

function sameMaps(left: MapValue, right: MapValue): boolean {
  if (left.size !== right.size) return false;
  const isSame = left.keys().every((key) => {
    const [mine, theirs] = [left.find(key), right.find(key)];
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return isEqual(mine, theirs);
  });
  if (!isSame || left.source === undefined) return isSame;
  // A field that only one of them has is not looked at: the sizes are equal, so the other has another.
  const others = right.source?.unknown;
  if (others === undefined && left.source.unknown.size > 0) throw noSuchOverload();
  return [...left.source.unknown].every(([key, value]) => {
    const other = others?.get(key);
    return other === undefined || JSON.stringify(other) === JSON.stringify(value);
  });
}

/** Below, at or above zero; throws where the two have no order. */
export function compare(left: Value, right: Value): number {
  const [one, other] = [numeric(left), numeric(right)];
  if (one !== undefined && other !== undefined) {
    if (Number.isNaN(one) || Number.isNaN(other)) throw new EvaluationProblem('NaN values cannot be ordered');
    // As Go does it, which has no number for both: an int beside a double is one, too.
    const [low, high] = typeof one === typeof other ? [one, other] : [Number(one), Number(other)];
    return low < high ? -1 : low > high ? 1 : 0;
  }
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (isSpan(left) && isSpan(right) && left.kind === right.kind) {
    return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0;
  }
  if (isKind(left, 'bytes') && isKind(right, 'bytes')) {
    const at = left.value.findIndex((byte, index) => byte !== right.value[index]);
    if (at < 0) return left.value.length - right.value.length;
    return (left.value[at] ?? 0) - (right.value[at] ?? -1);
  }
  throw noSuchOverload();
}

function isSpan(value: Value): value is Duration | Moment {
  return isKind(value, 'duration') || isKind(value, 'timestamp');
}

/** Go orders texts by their bytes in UTF-8, which is the order of their characters. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const [mine, theirs] = [[...left], [...right]];
  for (const [index, character] of mine.entries()) {
    const other = theirs[index];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return -1;
}
