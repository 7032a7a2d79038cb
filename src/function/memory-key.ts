// The keys that seal remembered external names: a file, usually of a mounted Secret, so that no key is ever in a command
// line or an environment that others can list. Its content is in no sentence.

import {readFileSync} from 'node:fs';

const shortest = 32;

type MemoryKeys =
  | {readonly kind: 'keys'; readonly keys: readonly string[]}
  | {readonly kind: 'invalid-keys'; readonly sentence: string};

/** The keys of the file, first the one that seals; or what is wrong with it, as one sentence. */
export function readMemoryKeys(file: string): MemoryKeys {
  const named = `--memory-key-file ${JSON.stringify(file)}`;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const cause = (error as NodeJS.ErrnoException).code ?? 'it cannot be read';
    return {kind: 'invalid-keys', sentence: `cannot read ${named}: ${cause}`};
  }
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '');
  const short = keys.find((key) => key.length < shortest);
  const got = keys.length === 0 ? 'none' : short === undefined ? undefined : `one of ${short.length}`;
  if (got === undefined) return {kind: 'keys', keys};
  const expected = `keys of ${shortest} characters or more, one a line`;
  return {kind: 'invalid-keys', sentence: `cannot use ${named}: expected ${expected}, got ${got}`};
}
