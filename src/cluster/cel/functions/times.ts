// Moments and lengths of time, in nanoseconds.
// google/cel-go v0.26.0 common/types/{duration,timestamp}.go; Go's time.ParseDuration and RFC 3339. Not modelled: time
// zones by name, which need a database of them.

import {civilDate, daysOf} from '../../timestamp.ts';
import {EvaluationProblem, isKind, noSuchOverload, type Value} from '../values.ts';
import type {Call, Methods} from './call.ts';

const second = 1_000_000_000n;
const day = 86_400n * second;

const units: {readonly [unit: string]: bigint} = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** A duration as Go reads it; undefined where it does not. */
export function parseDuration(text: string): bigint | undefined {
  const [, sign, body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (body === '0') return 0n;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = units[unit] ?? 1n;
    nanos += BigInt(whole || '0') * scale + (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  return sign === '-' ? -nanos : nanos;
}

export function durationText(nanos: bigint): string {
  const whole = nanos < 0n ? -nanos : nanos;
  const fraction = String(whole % second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${whole / second}${fraction === '' ? '' : `.${fraction}`}s`;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A moment as RFC 3339 writes it; undefined where the text is none. */
export function parseMoment(text: string): bigint | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year, month, date, hours, minutes, seconds] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = '', sign, offsetHours, offsetMinutes] = match.slice(7);
  if (month < 1 || month > 12 || date < 1 || date > daysIn(year, month)) return undefined;
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === '-' ? -1 : 1);
  const total = daysOf(year, month, date) * 86_400 + hours * 3600 + (minutes - offset) * 60 + seconds;
  return BigInt(total) * second + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** A date alone is its midnight. */
export function parseDay(text: string): bigint | undefined {
  return parseMoment(`${text}T00:00:00Z`);
}

function daysIn(year: number, month: number): number {
  const next = month === 12 ? daysOf(year + 1, 1, 1) : daysOf(year, month + 1, 1);
  return next - daysOf(year, month, 1);
}

export function momentText(nanos: bigint): string {
  const {year, month, date, hours, minutes, seconds, nanosOfSecond} = partsOf(nanos);
  const two = (value: number) => String(value).padStart(2, '0');
  const fraction = String(nanosOfSecond).padStart(9, '0').replace(/0+$/, '');
  const clock = [hours, minutes, seconds].map(two).join(':');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}T${clock}${fraction === '' ? '' : `.${fraction}`}Z`;
}

function partsOf(nanos: bigint) {
  const days = nanos / day - (nanos % day < 0n ? 1n : 0n);
  const within = nanos - days * day;
  const seconds = Number(within / second);
  const civil = civilDate(Number(days));
  return {
    ...civil,
    dayOfWeek: (((Number(days) + 4) % 7) + 7) % 7,
    dayOfYear: Number(days) - daysOf(civil.year, 1, 1),
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
    nanosOfSecond: Number(within % second),
  };
}

type Parts = ReturnType<typeof partsOf>;

function part(read: (parts: Parts) => number): Call {
  return ([target, zone]) => {
    if (!isKind(target, 'timestamp')) throw noSuchOverload();
    return BigInt(read(partsOf(target.nanos + offsetOf(zone))));
  };
}

function offsetOf(zone: Value | undefined): bigint {
  if (zone === undefined || zone === 'UTC' || zone === '') return 0n;
  const [, sign, hours, minutes] = typeof zone === 'string' ? (/^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? []) : [];
  if (hours === undefined) throw new EvaluationProblem(`unknown time zone ${String(zone)}`);
  return BigInt((sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)) * second;
}

export const momentMethods: Methods = {
  of: (target) => isKind(target, 'timestamp'),
  calls: {
    getFullYear: part(({year}) => year),
    getMonth: part(({month}) => month - 1),
    getDate: part(({date}) => date),
    getDayOfMonth: part(({date}) => date - 1),
    getDayOfWeek: part(({dayOfWeek}) => dayOfWeek),
    getDayOfYear: part(({dayOfYear}) => dayOfYear),
    getHours: part(({hours}) => hours),
    getMinutes: part(({minutes}) => minutes),
    getSeconds: part(({seconds}) => seconds),
    getMilliseconds: part(({nanosOfSecond}) => Math.floor(nanosOfSecond / 1_000_000)),
  },
};

function amount(unit: bigint): Call {
  return ([target]) => {
    if (!isKind(target, 'duration')) throw noSuchOverload();
    return target.nanos / unit;
  };
}

export const durationMethods: Methods = {
  of: (target) => isKind(target, 'duration'),
  calls: {
    getHours: amount(3600n * second),
    getMinutes: amount(60n * second),
    getSeconds: amount(second),
    getMilliseconds: amount(1_000_000n),
  },
};
