/**
 * The only error that this folder throws on purpose: bytes that are no RunFunction message, or a value that no RunFunction message
 * can hold. The message is one sentence without a subject ("a string holds invalid UTF-8 (byte 17)"); `place` is the path in the
 * message, outermost first, as the user would write it.
 */
export class WireError extends Error {
  readonly problem: string;
  readonly place: string;

  constructor(problem: string, place = '') {
    super(place === '' ? problem : `${place}: ${problem}`);
    this.name = 'WireError';
    this.problem = problem;
    this.place = place;
  }
}

/** `error` with `place` in front of its own place; anything but a WireError comes back as it is. */
export function atPlace(place: string, error: unknown): unknown {
  if (!(error instanceof WireError)) return error;
  const glue = error.place === '' || error.place.startsWith('[') ? '' : '.';
  return new WireError(error.problem, `${place}${glue}${error.place}`);
}

/** A map key as part of a place: `["db"]`. Very long keys are cut, so that a sentence stays a sentence. */
export function keyPlace(key: string): string {
  return `[${JSON.stringify(key.length > 80 ? `${key.slice(0, 77)}...` : key)}]`;
}
