import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

// docs/fidelity.md is for people; the head comments are the law. They must not drift apart.

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(join(root, 'docs/fidelity.md'), 'utf8');
const [modelled = '', omitted = ''] = page.split('## What is known and not modelled');

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
