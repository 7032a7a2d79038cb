import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parity} from './parity.ts';

// The functions that we replace: every row names a test, the test is there, and the page shows rows only.

const root = new URL('../../', import.meta.url);
const rows = Object.values(parity).flat();

test('the table has a row for every field and behaviour', () => {
  expect(rows.length).toBeGreaterThan(80);
});

describe.each([...new Set(rows.map(([, , file]) => file))])('%s', (file) => {
  const path = new URL(`test/${file}`, root);

  test('is there, with the tests that the table names', () => {
    expect(existsSync(path)).toBe(true);
    const source = readFileSync(path, 'utf8');
    const titles = [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g)].map(([, a, b]) => a ?? b ?? '');
    const missing = rows.filter(([, , where, name]) => where === file && !titles.includes(name));
    expect(missing).toEqual([]);
  });
});

test('the page shows rows of the table', () => {
  const page = readFileSync(new URL('docs/how-to/migrate-from-function-sequencer.md', root), 'utf8');
  const lines = page.split('\n').filter((line) => line.startsWith('| ') && !/^\|[- |]+\|$|^\| theirs /.test(line));
  // The formatter pads the cells of tables.
  const shown = lines.map((line) => line.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| '));
  expect(shown.length).toBeGreaterThan(20);
  const known = rows.map(([theirs, ours]) => `| ${theirs} | ${ours} |`);
  expect(shown.filter((line) => !known.includes(line))).toEqual([]);
});
