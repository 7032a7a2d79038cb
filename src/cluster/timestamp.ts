// Times as Kubernetes writes them: RFC 3339 in UTC, whole seconds. Pure folders have no Date, so the calendar is counted
// here, by the days-from-civil algorithm for the proleptic Gregorian calendar.

const dayMs = 86_400_000;

/** `2026-01-02T03:04:05Z` for milliseconds since 1970; the fraction of a second is cut off, as metav1.Time does. */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== latest.second) latest = {second, text: printed(second)};
  return latest.text;
}

/** The second that was printed last: every write asks, and many fall on one second. */
let latest = {second: Number.NaN, text: ''};

function printed(second: number): string {
  const days = Math.floor(second / 86_400);
  const seconds = second - days * 86_400;
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${dateOf(days)}T${time}Z`;
}

/** Milliseconds since 1970 of an RFC 3339 time in UTC; undefined where the text is none. A fraction is kept. */
export function parseTimestamp(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z$/.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0, fraction = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return daysOf(year, month, day) * dayMs + ((hours * 60 + minutes) * 60 + seconds + fraction) * 1000;
}

function dateOf(days: number): string {
  const {year, month, date} = civilDate(days);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}

/** The date of a day counted from 1970. */
export function civilDate(days: number): {readonly year: number; readonly month: number; readonly date: number} {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const date = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date};
}

/** Days from 1970 to a date. */
export function daysOf(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
