import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {profiles} from '../../src/cluster/crossplane/profiles.ts';

// docs/background/fidelity.md is for people; the head comments are the law. They must not drift apart.

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(join(root, 'docs/background/fidelity.md'), 'utf8');
const [modelled = '', others = ''] = page.split('## What is known and not modelled');
const [omitted = '', shown = ''] = others.split('## Which test shows what');

const sources = readdirSync(join(root, 'src/cluster'), {recursive: true, encoding: 'utf8'})
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join('src/cluster', path));

test('every file that leaves something out is on the page', () => {
  const leaving = sources.filter((path) => /not modelled/i.test(readFileSync(join(root, path), 'utf8')));
  expect(leaving.length).toBeGreaterThan(20);
  expect(leaving.filter((path) => !omitted.includes(path))).toEqual([]);
});

test('every file the page names is there', () => {
  const named = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every recording the page names is there', () => {
  const recordings = ['control-plane', 'control-plane-versions', 'managed', 'ssa'].flatMap((folder) =>
    readdirSync(join(root, 'test/recordings', folder)).map((file) => `${folder}/${file}`),
  );
  const patterns = [...modelled.matchAll(/`((?:control-plane(?:-versions)?|managed|ssa)\/[\w.*-]+)`/g)];
  expect(patterns.length).toBeGreaterThan(10);
  const missing = patterns
    .map(([, pattern = '']) => pattern)
    .filter((pattern) => !recordings.some((file) => file.startsWith(pattern.split('*')[0] ?? '')));
  expect(missing).toEqual([]);
});

test('every row of what is shown names a test that is there, by words of its title', () => {
  const rows = shown.split('\n').filter((line) => line.includes('| `test/'));
  expect(rows.length).toBeGreaterThan(100);
  const missing = rows.flatMap((row) => {
    const [, file = ''] = /`(test\/[\w./-]+)`/.exec(row) ?? [];
    const titles = titlesIn(readFileSync(join(root, file), 'utf8'));
    const quoted = [...row.matchAll(/“(.+?)”/g)].map(([, words = '']) => words);
    const absent = quoted.filter((words) => !titles.some((title) => title.includes(words)));
    return quoted.length === 0 ? [`${row} quotes no title`] : absent.map((words) => `${file} ${words}`);
  });
  expect(missing).toEqual([]);
});

test('every behaviour of a profile has a row', () => {
  const {version: _, usages, ...behaviours} = profiles.main;
  const names = [...Object.keys(behaviours), ...Object.keys(usages).map((name) => `usages.${name}`)];
  expect(names.length).toBeGreaterThan(35);
  expect(names.filter((name) => !shown.includes(`| \`${name}\``))).toEqual([]);
});

/** What follows `test(`, `describe(` or the table of `test.each`, on the line where the title is. */
function titlesIn(source: string): readonly string[] {
  return source.split('\n').filter((line) => /\b(?:test|describe)\b.*\(|^\s*\]( as const)?\)\(/.test(line));
}
