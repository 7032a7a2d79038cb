// When a cron schedule is due next. robfig/cron bc59245fe parser.go (ParseStandard), spec.go (Next), constantdelay.go,
// of which Crossplane has v3.0.1: five fields, or a descriptor such as `@daily` or `@every 1h30m`.
//
// Not modelled: time zones but UTC. A schedule that names another is refused, in the words of a server that has no
// time zones. docs/background/dependencies.md has the reason against a library: croner refuses schedules that Crossplane accepts.

import {civilDate, daysOf} from '../../timestamp.ts';

/** When it is due next after a time, in milliseconds since 1970; undefined where it is not within five years. */
export type Schedule = (afterMs: number) => number | undefined;

export type ParsedSchedule =
  | {readonly ok: true; readonly next: Schedule}
  | {readonly ok: false; readonly message: string};

const dayMs = 86_400_000;
const minuteMs = 60_000;
const descriptors: {readonly [name: string]: string} = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const bounds: readonly Bounds[] = [
  {min: 0, max: 59},
  {min: 0, max: 23},
  {min: 1, max: 31},
  {min: 1, max: 12, names: ['', ...monthNames]},
  {min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']},
];

export function parseSchedule(text: string): ParsedSchedule {
  if (text === '') return refused('empty spec string');
  const zone = /^(?:CRON_)?TZ=(?<name>\S*)\s+(?<rest>.*)$/s.exec(text)?.groups;
  if (zone !== undefined && !['', 'UTC', 'Local'].includes(zone['name'] ?? '')) {
    return refused(`provided bad location ${zone['name']}: unknown time zone ${zone['name']}`);
  }
  const spec = (zone?.['rest'] ?? text).trim();
  if (spec.startsWith('@every ')) return every(spec);
  if (spec.startsWith('@') && descriptors[spec] === undefined) return refused(`unrecognized descriptor: ${spec}`);
  const fields = (descriptors[spec] ?? spec).split(/\s+/).filter((field) => field !== '');
  if (fields.length !== 5) {
    return refused(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  }
  const parsed: Field[] = [];
  for (const [index, field] of fields.entries()) {
    const one = parseField(field, bounds[index] as Bounds);
    if (typeof one === 'string') return refused(one);
    parsed.push(one);
  }
  const [minutes, hours, days, months, weekdays] = parsed as [Field, Field, Field, Field, Field];
  return {ok: true, next: (afterMs) => nextOf({minutes, hours, days, months, weekdays}, afterMs)};
}

function refused(message: string): ParsedSchedule {
  return {ok: false, message};
}

function every(spec: string): ParsedSchedule {
  const text = spec.slice('@every '.length);
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) {
    return refused(`failed to parse duration ${spec}: time: invalid duration "${text}"`);
  }
  const unitSeconds: {readonly [unit: string]: number} = {h: 3600, m: 60, s: 1, ms: 0.001};
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitSeconds[unit ?? ''] ?? 0), 0);
  const delayMs = Math.max(1, Math.floor(seconds)) * 1000;
  return {ok: true, next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + delayMs};
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Written with a star, or a question mark, and no step. */
  readonly any: boolean;
}

/** A sentence where it cannot be read. */
function parseField(text: string, {min, max, names}: Bounds): Field | string {
  const values = new Set<number>();
  let any = false;
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [span = '', stepText, ...more] = range.split('/');
    const [low = '', high, ...rest] = span.split('-');
    const star = low === '*' || low === '?';
    const start = star ? min : numberOf(low, names);
    if (typeof start === 'string') return start;
    if (!star && rest.length > 0) return `too many hyphens: ${range}`;
    const given = star ? max : high === undefined ? start : numberOf(high, names);
    if (typeof given === 'string') return given;
    if (more.length > 0) return `too many slashes: ${range}`;
    const step = stepText === undefined ? 1 : numberOf(stepText);
    if (typeof step === 'string') return step;
    const end = stepText !== undefined && high === undefined ? max : given;
    if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`;
    if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`;
    if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
    if (step === 0) return `step of range should be a positive number: ${range}`;
    for (let value = start; value <= end; value += step) values.add(value);
    any ||= star && step === 1;
  }
  return {values, any};
}

function numberOf(text: string, names: readonly string[] = []): number | string {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`;
  }
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}

interface Fields {
  readonly minutes: Field;
  readonly hours: Field;
  readonly days: Field;
  readonly months: Field;
  readonly weekdays: Field;
}

function nextOf({minutes, hours, ...calendar}: Fields, afterMs: number): number | undefined {
  const firstMs = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
  const firstDay = Math.floor(firstMs / dayMs);
  const lastDay = daysOf(civilDate(firstDay).year + 6, 1, 1);
  for (let day = firstDay; day < lastDay; day++) {
    if (!isDay(day, calendar)) continue;
    for (const hour of ascending(hours)) {
      for (const minute of ascending(minutes)) {
        const atMs = day * dayMs + (hour * 60 + minute) * minuteMs;
        if (atMs >= firstMs) return atMs;
      }
    }
  }
  return undefined;
}

// A day of the month and a weekday that are both given mean either of them.
function isDay(day: number, {days, months, weekdays}: Pick<Fields, 'days' | 'months' | 'weekdays'>): boolean {
  const {month, date} = civilDate(day);
  if (!months.values.has(month)) return false;
  const onDate = days.values.has(date);
  // The first day of 1970 was a Thursday.
  const onWeekday = weekdays.values.has((((day + 4) % 7) + 7) % 7);
  return days.any || weekdays.any ? onDate && onWeekday : onDate || onWeekday;
}

function ascending({values}: Field): readonly number[] {
  return [...values].sort((left, right) => left - right);
}
