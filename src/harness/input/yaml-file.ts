import {readFileSync, statSync} from 'node:fs';
import type {Cursor} from './cursor.ts';
import {fileProblem} from './file-problem.ts';
import {InputError} from './input-error.ts';
import {type OnKeyTwice, parseYaml} from './yaml.ts';

/** Every document of a YAML (or JSON) file. Throws InputError: missing file, invalid YAML with its first error. */
export function readYamlFile(file: string, shownAs = file, onKeyTwice?: OnKeyTwice): readonly Cursor[] {
  return parseYaml(readText(file, shownAs), shownAs, onKeyTwice);
}

/** More than any scenario or test has; a file that is larger was named by mistake, and would take long to be refused. */
const storyBytesMax = 4 * 1024 * 1024;

/** Throws InputError at once where the file is too large for one that people write. */
export function checkStorySize(file: string): void {
  const bytes = statSync(file, {throwIfNoEntry: false})?.size ?? 0;
  if (bytes <= storyBytesMax) return;
  const [size, most] = [bytes, storyBytesMax].map((one) => `${Math.round(one / 1024 / 1024)} MiB`);
  throw new InputError(`cannot read file "${file}": a scenario or test may have ${most}, got ${size}`);
}

export function readText(file: string, shownAs = file): string {
  try {
    const bytes = readFileSync(file);
    return new TextDecoder(encodingOf(bytes)).decode(bytes);
  } catch (error) {
    throw new InputError(`cannot read file "${shownAs}": ${fileProblem(error)}`);
  }
}

/** The encoding of a text by the mark at its beginning: PowerShell writes UTF-16, and kubectl reads it. */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
