// From one type to another, and the names of types.
// google/cel-go v0.26.0 common/types (ConvertToType of every type).

import {utf8} from '../lexer.ts';
import {duration, int, moment, uint} from '../operators.ts';
import {EvaluationProblem, isKind, noSuchOverload, typeNameOf, type Value} from '../values.ts';
import type {Calls} from './call.ts';
import {sizeOf} from './lists.ts';
import {durationText, momentText, parseDuration, parseMoment} from './times.ts';

function failed(value: Value, type: string): EvaluationProblem {
  return new EvaluationProblem(`type conversion error from '${typeNameOf(value)}' to '${type}'`);
}

function toInt(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (isKind(value, 'uint')) return int(value.value);
  // Go has no double that becomes the least int.
  if (value === -(2 ** 63)) throw new EvaluationProblem('integer overflow');
  if (typeof value === 'number') return int(whole(value));
  if (isKind(value, 'timestamp')) return floorDivide(value.nanos, 1_000_000_000n);
  if (isKind(value, 'duration')) return value.nanos;
  const isNumber = typeof value === 'string' && /^[+-]?\d+$/.test(value);
  const read = isNumber ? BigInt(value.replace('+', '')) : undefined;
  if (read === undefined || BigInt.asIntN(64, read) !== read) throw failed(value, 'int');
  return read;
}

function floorDivide(value: bigint, by: bigint): bigint {
  return value / by - (value % by < 0n ? 1n : 0n);
}

function toUint(value: Value): Value {
  if (isKind(value, 'uint')) return value;
  if (typeof value === 'bigint') return uint(value);
  if (typeof value === 'number') return uint(whole(value));
  const read = typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined;
  if (read === undefined || BigInt.asUintN(64, read) !== read) throw failed(value, 'uint');
  return {kind: 'uint', value: read};
}

function whole(value: number): bigint {
  if (!Number.isFinite(value)) throw new EvaluationProblem('integer overflow');
  return BigInt(Math.trunc(value));
}

const decimal = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[iI]nf(?:inity)?|[nN]a[nN])$/;

function toDouble(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (isKind(value, 'uint')) return Number(value.value);
  if (typeof value !== 'string' || !decimal.test(value)) throw failed(value, 'double');
  return Number(value.replace(/inf(?:inity)?$/i, 'Infinity').replace(/nan$/i, 'NaN'));
}

export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return doubleText(value);
  if (isKind(value, 'uint')) return String(value.value);
  if (isKind(value, 'duration')) return durationText(value.nanos);
  if (isKind(value, 'timestamp')) return momentText(value.nanos);
  if (isKind(value, 'opaque') && (value.type === 'net.IP' || value.type === 'net.CIDR')) return value.text;
  if (isKind(value, 'bytes')) {
    const text = textOfBytes(value.value);
    if (text === undefined) throw new EvaluationProblem('invalid UTF-8 in bytes, cannot convert to string');
    return text;
  }
  throw failed(value, 'string');
}

/** As Go's %g: short, with an exponent of at least two digits from a million on. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function textOfBytes(bytes: readonly number[]): string | undefined {
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return undefined;
  }
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((word) => [word, false] as const),
]);

function toBool(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  const truth = typeof value === 'string' ? truths.get(value) : undefined;
  if (truth === undefined) throw failed(value, 'bool');
  return truth;
}

function toBytes(value: Value): Value {
  if (isKind(value, 'bytes')) return value;
  if (typeof value !== 'string') throw failed(value, 'bytes');
  return {kind: 'bytes', value: utf8(value)};
}

function toDuration(value: Value): Value {
  if (isKind(value, 'duration')) return value;
  const nanos = typeof value === 'string' ? parseDuration(value) : undefined;
  if (nanos === undefined) throw failed(value, 'google.protobuf.Duration');
  return duration(nanos);
}

function toMoment(value: Value): Value {
  if (isKind(value, 'timestamp')) return value;
  if (typeof value === 'bigint') return moment(value * 1_000_000_000n);
  const nanos = typeof value === 'string' ? parseMoment(value) : undefined;
  if (nanos === undefined) throw failed(value, 'google.protobuf.Timestamp');
  return moment(nanos);
}

function unary(convert: (value: Value) => Value) {
  return ([value, ...more]: readonly Value[]): Value => {
    if (value === undefined || more.length > 0) throw noSuchOverload();
    return convert(value);
  };
}

export const conversions: Calls = {
  bool: unary(toBool),
  bytes: unary(toBytes),
  double: unary(toDouble),
  duration: unary(toDuration),
  dyn: unary((value) => value),
  int: unary(toInt),
  size: unary(sizeOf),
  string: unary(textOf),
  timestamp: unary(toMoment),
  type: unary((value) => ({kind: 'type', name: typeNameOf(value)})),
  uint: unary(toUint),
};
