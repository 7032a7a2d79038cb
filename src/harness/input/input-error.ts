/** Bad input: one sentence with the place, the expected value and the value that is there. Becomes exit code 2, never a stack. */
export class InputError extends Error {
  readonly place: string;

  /** `place`: `file:line:column`, or the file. */
  constructor(problem: string, {place = ''}: {readonly place?: string} = {}) {
    super(place === '' ? problem : `${place}: ${problem}`);
    this.name = 'InputError';
    this.place = place;
  }
}

/** A value as a sentence shows it: JSON, cut where it is long. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
