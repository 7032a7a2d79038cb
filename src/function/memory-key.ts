// The keys that seal remembered external names: a file, usually of a mounted Secret, so that no key is ever in a command
// line or an environment that others can list. Its content is in no sentence.

import {readFileSync} from 'node:fs';

const shortest = 32;

interface MemoryKeys {
  readonly kind: 'keys';
  readonly keys: readonly string[];
}

interface InvalidKeys {
  readonly kind: 'invalid-keys';
  readonly sentence: string;
}

/** The keys of the file, first the one that seals; or what is wrong with it, as one sentence. */
export function readMemoryKeys(file: string): MemoryKeys | InvalidKeys {
  const read = contentOf(file);
  if (read.kind === 'unreadable')
    return invalid(`cannot read --memory-key-file ${JSON.stringify(file)}: ${read.cause}`);
  const keys = read.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const short = keys.find((key) => key.length < shortest);
  const got = keys.length === 0 ? 'none' : short === undefined ? undefined : `one of ${short.length}`;
  if (got === undefined) return {kind: 'keys', keys};
  const expected = `keys of ${shortest} characters or more, one a line`;
  return invalid(`cannot use --memory-key-file ${JSON.stringify(file)}: expected ${expected}, got ${got}`);
}

function invalid(sentence: string): InvalidKeys {
  return {kind: 'invalid-keys', sentence};
}

type Content =
  | {readonly kind: 'content'; readonly text: string}
  | {readonly kind: 'unreadable'; readonly cause: string};

function contentOf(file: string): Content {
  try {
    return {kind: 'content', text: readFileSync(file, 'utf8')};
  } catch (error) {
    return {kind: 'unreadable', cause: (error as NodeJS.ErrnoException).code ?? 'it cannot be read'};
  }
}
