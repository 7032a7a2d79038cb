// Prints text that may come from foreign objects: control characters never reach the terminal.

import {type Paint, paintFor, plain, visibleLines} from '../harness/report/paint.ts';
import {visible} from '../harness/report/visible.ts';

/** The colours of the terminal, if it has any. */
export function paintHere(): Paint {
  return paintFor(process.stdout, process.env);
}

/** Prints what was asked for, with the colours of `paintHere()`. */
export function print(text: string): void {
  console.log(paintHere() === plain ? visible(text) : visibleLines(text));
}

/** Prints a note on stderr. */
export function printAside(text: string): void {
  console.error(visible(text));
}
