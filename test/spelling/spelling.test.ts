import {globSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {proseOf} from '../ratchets/words.ts';
import {misspelt, ownWords} from './misspelt.ts';
import {sentencesOf} from './sentences.ts';

// British spelling in the pages of docs, in comments and in messages. A term of ours, or of Kubernetes, goes into words.txt.

const root = new URL('../../', import.meta.url).pathname;
const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md'], {cwd: root});
const sources = globSync('src/**/*.ts', {cwd: root});

/** Each misspelt word with its file. */
function mistakes(paths: readonly string[], textOf: (path: string) => string): readonly string[] {
  return paths.flatMap((path) => misspelt(textOf(path)).map((word) => `${path}: ${word}`));
}

describe('no word is misspelt', () => {
  test('in the pages', () => {
    expect(pages.length).toBeGreaterThan(50);
    expect(mistakes(pages, proseOf)).toEqual([]);
  });

  test('in comments', () => {
    expect(mistakes(sources, proseOf)).toEqual([]);
  });

  test('in messages', () => {
    expect(mistakes(sources, (path) => sentencesOf(join(root, path)))).toEqual([]);
  });
});

describe('the check', () => {
  test('finds what is wrong, and American spellings', () => {
    expect(misspelt('It recieves a color, a behavior and its neighbor, labeled by Crossplane.')).toEqual([
      'recieves',
      'color',
      'behavior',
      'neighbor',
      'labeled',
    ]);
  });

  test('takes names and paths as they are', () => {
    expect(misspelt('The resourceRefs of metadata.namr, src/wirr, --flagg and XRs.')).toEqual([]);
  });

  test('has a sorted list without words that the dictionary knows', () => {
    const order = (a: string, b: string) => a.localeCompare(b, 'en');
    expect(ownWords).toEqual([...new Set(ownWords)].toSorted(order));
  });
});
