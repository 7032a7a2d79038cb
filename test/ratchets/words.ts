// Counts of phrases that are hard to read, in the comments of src and in the pages of docs, per thousand words.
//
// docs/background/architecture.md has the words to use. These patterns are the ones that readers stumbled over: objects that speak,
// actors without names, a clause as subject, a condition behind its consequence.

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import ts from 'typescript';
import type {Measures} from './structure.ts';

const root = new URL('../../', import.meta.url).pathname;

const patterns: {readonly [name: string]: RegExp} = {
  'says, said': /\b(?:says?|said|saying|tells?|told)\b/gi,
  'nobody, somebody, whoever': /\b(?:nobody|somebody|whoever|nobody's|somebody's)\b/gi,
  'a clause as subject': /(?:^|[.:;!?]\s+)(?:What|Who|Whether)\s/gm,
  'of before': /\bof before\b/gi,
};

/** Counted in all areas together: a word that architecture.md replaces. */
const counted: {readonly [name: string]: RegExp} = {
  'parent, child': /\b(?:parents?|child|children)\b/gi,
};

const areas: {readonly [name: string]: readonly string[]} = {
  lifecycle: ['src/lifecycle/**/*.ts'],
  function: ['src/function/**/*.ts'],
  cluster: ['src/cluster/**/*.ts'],
  explore: ['src/explore/**/*.ts'],
  wire: ['src/wire/**/*.ts', 'src/hash/**/*.ts', 'src/*.ts'],
  harness: ['src/harness/**/*.ts'],
  cli: ['src/cli/**/*.ts', 'src/command-line/**/*.ts'],
  docs: ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md'],
};

/** Words of an area, and of each pattern how many there are in a thousand words, to one decimal. */
export function words(): Measures {
  const proses = Object.entries(areas).map(([area, globs]) => {
    const texts = globSync([...globs], {cwd: root}).map((path) => proseOf(path));
    return [area, texts.join('\n\n')] as const;
  });
  return Object.fromEntries([
    ['docs: words, by wc -w', wordsOfPages()],
    ['docs: sentences of more than 30 words', longSentences('docs').length],
    ...proses.flatMap(([area, prose]) => {
      const count = matches(prose, /[\p{L}\p{N}'’-]+/gu);
      return [
        ...Object.entries(patterns).map(([name, pattern]) => [
          `${area}: "${name}" in 1,000 words`,
          Math.round((matches(prose, pattern) / count) * 10_000) / 10,
        ]),
      ];
    }),
    ...Object.entries(counted).map(([name, pattern]) => [
      `everywhere: "${name}"`,
      proses.reduce((sum, [, prose]) => sum + matches(prose, pattern), 0),
    ]),
  ]);
}

/** What `find docs -name '*.md' | xargs cat | wc -w` counts: tables and code, too. */
function wordsOfPages(): number {
  const pages = globSync('docs/**/*.md', {cwd: root}).map((path) => readFileSync(join(root, path), 'utf8'));
  return pages.reduce((sum, page) => sum + matches(page, /\S+/g), 0);
}

/** Sentences of more than 30 words in an area, with the file. */
export function longSentences(area: string): readonly {readonly path: string; readonly sentence: string}[] {
  const paths = globSync([...(areas[area] ?? [])], {cwd: root}).sort();
  return paths.flatMap((path) =>
    proseOf(path)
      .split(/(?<=[.!?])\s+|\n{2,}|\n\s*(?:[-*]|\d+\.)\s+/)
      .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
      .filter((sentence) => sentence.split(' ').length > 30)
      .map((sentence) => ({path, sentence})),
  );
}

function matches(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

export function proseOf(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  return path.endsWith('.md') ? proseOfPage(text) : commentsOf(path, text);
}

/** Without code blocks, tables, code spans, addresses of links and markup. */
function proseOfPage(text: string): string {
  return text
    .replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, '')
    .replaceAll(/^\|.*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'x')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<[^>]*>/g, '');
}

function commentsOf(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const ranges = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    for (const {pos, end} of ts.getLeadingCommentRanges(text, node.pos) ?? []) ranges.set(pos, end);
    ts.forEachChild(node, visit);
  };
  visit(file);
  visit(file.endOfFileToken);
  const comments = [...ranges].map(([pos, end]) => text.slice(pos, end));
  const bare = comments.map((comment) => comment.replaceAll(/^\s*(?:\/\/|\/\*\*?|\*\/|\*)\s?|\*\/$/gm, ''));
  return bare.join('\n').replaceAll(/`[^`\n]*`/g, 'x');
}
