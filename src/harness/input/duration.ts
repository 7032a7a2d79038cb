import {type Cursor, fail} from './cursor.ts';
import {type Form, named} from './form.ts';
import {InputError, shownValue} from './input-error.ts';

const units: {readonly [unit: string]: number} = {ms: 1, s: 1000, m: 60_000, h: 3_600_000};

const written = {type: 'string', pattern: '^([0-9]+([.][0-9]+)?(ms|s|m|h))+$'};

/** `500ms`, `90s`, `1m30s`, `2h` in milliseconds. */
export const duration: Form<number, string> = named(
  'Duration',
  {read: readDuration, schema: () => written},
  'A duration of virtual time, such as 500ms, 90s, 1m30s or 2h.',
);

function readDuration(cursor: Cursor): number {
  const ms = typeof cursor.value === 'string' ? durationOf(cursor.value) : undefined;
  return ms ?? fail(cursor, `a duration must look like 500ms, 90s or 1m30s, got ${shownValue(cursor.value)}`);
}

export function parseDuration(flag: string, text: string): number {
  const ms = durationOf(text);
  if (ms !== undefined) return ms;
  throw new InputError(`${flag} must look like 500ms, 90s or 1m30s, got ${shownValue(text)}`);
}

/** In milliseconds, as Go reads a duration; undefined where it is none. */
export function durationOf(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (text === '' || parts.map(([whole]) => whole).join('') !== text) return undefined;
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? 's'] ?? 0), 0);
}

/** Milliseconds for people: `0.4 s`, `75 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const rest = seconds % 60;
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}
