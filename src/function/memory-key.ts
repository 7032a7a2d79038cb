// The keys that seal remembered external names: a file, usually of a mounted Secret, so that no key is ever in a command
// line or an environment that others can list. Its content is in no sentence.

import {readFileSync} from 'node:fs';

const shortest = 32;

/** The keys of the file, first the one that seals; or what is wrong with it, as one sentence. */
export function readMemoryKeys(file: string): readonly string[] | {readonly sentence: string} {
  const read = contentOf(file);
  if ('cause' in read) return {sentence: `cannot read --memory-key-file ${JSON.stringify(file)}: ${read.cause}`};
  const keys = read.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const short = keys.find((key) => key.length < shortest);
  const got = keys.length === 0 ? 'none' : short === undefined ? undefined : `one of ${short.length}`;
  if (got === undefined) return keys;
  const expected = `keys of ${shortest} characters or more, one a line`;
  return {sentence: `cannot use --memory-key-file ${JSON.stringify(file)}: expected ${expected}, got ${got}`};
}

function contentOf(file: string): {readonly text: string} | {readonly cause: string} {
  try {
    return {text: readFileSync(file, 'utf8')};
  } catch (error) {
    return {cause: (error as NodeJS.ErrnoException).code ?? 'it cannot be read'};
  }
}
