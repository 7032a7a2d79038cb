// Prints text that may come from foreign objects: control characters never reach the terminal.

import {paintFor, plain, visibleLines} from '../harness/report/paint.ts';
import {visible} from '../harness/report/visible.ts';

/** Prints what was asked for, with the colours of `paintFor(process.stdout, process.env)`. */
export function print(text: string): void {
  const isPlain = paintFor(process.stdout, process.env) === plain;
  console.log(isPlain ? visible(text) : visibleLines(text));
}

/** Prints a note on stderr. */
export function printAside(text: string): void {
  console.error(visible(text));
}
