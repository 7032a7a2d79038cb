// What stands in the input, in sentences: where, what was expected, and what was got instead.

import type {NoValue} from '../lifecycle/words/obstacle.ts';
import {unreachable} from '../lifecycle/words/unreachable.ts';

export function gotOf({expected, got}: {readonly expected: string; readonly got: string}): string {
  return `expected ${expected}, got ${got}`;
}

/** Why what stands at `path` of the input has no value. */
export function noValue(path: string, cause: NoValue): string {
  switch (cause.kind) {
    case 'missing':
      return `input.${path} reads ${cause.field}, which is not there yet`;
    case 'unfit':
      return `input.${path} has no value: ${gotOf(cause)}`;
    default:
      return unreachable(cause);
  }
}
