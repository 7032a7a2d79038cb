import {readFileSync} from 'node:fs';
import {NotModelled} from '../cluster/not-modelled.ts';
import {InputError} from '../harness/input/input-error.ts';
import {visible} from '../harness/report/visible.ts';
import {WireError} from '../wire/text.ts';

/**
 * Prints the reason of a failed command on stderr, and returns its exit code. Bad input is one sentence, with the line of the file if it
 * has a place (2). Anything else is a bug of ours, with its stack (1).
 */
export function complain(command: string, error: unknown): number {
  if (error instanceof InputError || error instanceof WireError || error instanceof NotModelled) {
    const place = error instanceof InputError && !ofDumps.includes(command) ? error.place : '';
    console.error(visible(`${error.message}${excerpt(place)}`));
    return 2;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(visible(`tether ${command} failed: ${text}`));
  return 1;
}

/** Commands that read what is not the reader's own, and may hold secrets: none of its lines is quoted. */
const ofDumps: readonly string[] = ['audit', 'rehearse', 'explain'];

/** A line may be a whole file. */
const quotedMax = 160;

/** The line at `file:line:column`, and a caret below the column; '' where there is no such line. */
function excerpt(place: string): string {
  const match = /^(.*):(\d+):(\d+)$/s.exec(place);
  if (match === null) return '';
  const [, file = '', line = '', column = ''] = match;
  const source = lineOf(file, Number(line));
  if (source === undefined || source.length > quotedMax) return '';
  const gutter = `  ${line} | `;
  // Tabs stay tabs, so that the caret stands where the column is.
  const indent = source.slice(0, Number(column) - 1).replaceAll(/[^\t]/g, ' ');
  return `\n\n${gutter}${source}\n${' '.repeat(gutter.length - 2)}| ${indent}^`;
}

function lineOf(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[line - 1];
  } catch {
    return undefined;
  }
}
