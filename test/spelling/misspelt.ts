// Words of a text that neither the British dictionary nor words.txt knows.

import {readFileSync} from 'node:fs';
import dictionary from 'dictionary-en-gb';
import nspell from 'nspell';

const terms = readFileSync(new URL('words.txt', import.meta.url), 'utf8');

/** The project's own terms, a line each. */
export const ownWords: readonly string[] = terms.trim().split('\n');

const checker = nspell(dictionary).personal(terms);
const known = new Map<string, boolean>();

/**
 * The words of `text` that are misspelt, each once. Names are none: words with a capital letter inside, a digit, or a sign that
 * joins them to another, as in `metadata.name`, `lost-KIND` and `src/wire`.
 */
export function misspelt(text: string): readonly string[] {
  const words = text.matchAll(/(?<![\p{L}\p{N}_$@#.:/\\=*+-])\p{L}[\p{Ll}'’]*(?![\p{L}\p{N}_$@#:/\\=*(+-]|\.\p{L})/gu);
  const bare = [...words].map(([word]) => word.replaceAll('’', "'").replace(/'s?$/, ''));
  return [...new Set(bare)].filter((word) => word.length > 2 && !isKnown(word));
}

function isKnown(word: string): boolean {
  const seen = known.get(word);
  if (seen !== undefined) return seen;
  const isCorrect = checker.correct(word) || checker.correct(word.toLowerCase());
  known.set(word, isCorrect);
  return isCorrect;
}
