import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {profiles} from '../../src/cluster/crossplane/profiles.ts';
import {ofApiServer, ofCrossplane, ofOwnerGc, ofProfiles, ofProviders, surprises} from './shown.ts';

// docs/background/fidelity.md is for people; the head comments are the law. They must not drift apart.

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(join(root, 'docs/background/fidelity.md'), 'utf8');
const [, omitted = ''] = page.split('## What is left out');

const sources = readdirSync(join(root, 'src/cluster'), {recursive: true, encoding: 'utf8'})
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join('src/cluster', path));

test('every folder with a file that leaves something out has a row on the page', () => {
  const leaving = sources.filter((path) => /not modelled/i.test(readFileSync(join(root, path), 'utf8')));
  expect(leaving.length).toBeGreaterThan(20);
  const folders = [...omitted.matchAll(/`(src\/cluster\/[\w/-]+\/)`/g)].map(([, folder = '']) => folder);
  expect(folders.length).toBeGreaterThan(5);
  const alone = ['src/cluster/go-regex.ts'];
  expect(leaving.filter((path) => !alone.includes(path) && !folders.some((one) => path.startsWith(one)))).toEqual([]);
});

test('every file and folder that the page names is there', () => {
  const named = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('every behaviour names tests that are there, by words of their titles', () => {
  test.each(Object.entries({ofApiServer, ofOwnerGc, ofCrossplane, ofProviders, surprises, ofProfiles}))(
    '%s',
    (_, rows) => {
      expect(rows.length).toBeGreaterThan(4);
      const missing = rows.flatMap(([behaviour, file, quoted]) => {
        const titles = titlesIn(readFileSync(join(root, 'test', file), 'utf8'));
        const absent = quoted.filter((words) => !titles.some((title) => title.includes(words)));
        return quoted.length === 0 ? [`${behaviour} quotes no title`] : absent.map((words) => `${file} ${words}`);
      });
      expect(missing).toEqual([]);
    },
  );

  test('and so does every behaviour of a profile', () => {
    const {version: _, usages, ...behaviours} = profiles.main;
    const names = [...Object.keys(behaviours), ...Object.keys(usages).map((name) => `usages.${name}`)];
    expect(names.length).toBeGreaterThan(35);
    expect(ofProfiles.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  });
});

/** What follows `test(`, `describe(` or the table of `test.each`, on the line where the title is. */
function titlesIn(source: string): readonly string[] {
  return source.split('\n').filter((line) => /\b(?:test|describe)\b.*\(|^\s*\]( as const)?\)\(/.test(line));
}
