// Golden files: what a run is expected to print, kept beside the test and rewritten with --update.

import {mkdirSync, readFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {fileProblem, writeText} from '../../input/file-problem.ts';
import {InputError, shownValue} from '../../input/input-error.ts';

export interface Goldens {
  /**
   * The difference, as a sentence; undefined if there is none. `same` compares two texts, by default for equality. With
   * --update a file with another text, or none, is written instead.
   */
  readonly compare: (
    file: string,
    text: string,
    same?: (golden: string, text: string) => boolean,
  ) => string | undefined;
  /** The files written so far, in order. */
  readonly written: readonly string[];
}

export function openGoldens(update: boolean): Goldens {
  const written: string[] = [];
  return {
    written,
    compare: (file, text, same = (left, right) => left === right) => {
      const golden = contentOf(file);
      if (golden !== undefined && same(golden, text)) return undefined;
      if (!update)
        return golden === undefined
          ? `expected golden file "${file}", got none; --update writes it`
          : difference(file, golden, text);
      mkdirSync(dirname(file), {recursive: true});
      writeText(file, text, 'golden file');
      if (!written.includes(file)) written.push(file);
      return undefined;
    },
  };
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new InputError(`cannot read golden file "${file}": ${fileProblem(error)}`);
  }
}

function difference(file: string, golden: string, text: string): string {
  const [wanted, got] = [golden.split('\n'), text.split('\n')];
  const index = wanted.findIndex((line, at) => line !== got[at]);
  const line = index < 0 ? wanted.length : index;
  return `golden file "${file}" differs in line ${line + 1}: expected ${shownValue(wanted[line])}, got ${shownValue(got[line])}; --update accepts what was got`;
}
