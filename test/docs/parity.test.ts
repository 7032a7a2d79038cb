import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';

// The page that compares us with the functions we replace: every row names a test, and the test is there.

const root = new URL('../../', import.meta.url);
// The formatter pads the cells of tables.
const page = readFileSync(new URL('docs/how-to/migrate-from-function-sequencer.md', root), 'utf8')
  .replaceAll(/ +\|/g, ' |')
  .replaceAll(/\| +/g, '| ');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\|[- |]+\|$/.test(line) && !line.endsWith('| shown by |'));
const shown = rows.map((row) => /\| `([\w/.-]+)` "(.+)" \|$/.exec(row)?.slice(1) ?? [row, '']);

test('every row names a test', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(shown.filter(([, name]) => name === '')).toEqual([]);
});

describe.each([...new Set(shown.map(([file = '']) => file))])('%s', (file) => {
  const path = new URL(`test/${file}`, root);

  test('is there, with the tests that the page names', () => {
    expect(existsSync(path)).toBe(true);
    const source = readFileSync(path, 'utf8');
    const titles = [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g)].map(([, a, b]) => a ?? b ?? '');
    const missing = shown
      .filter(([where, name = '']) => where === file && !titles.includes(name))
      .map(([, name]) => name);
    expect(missing).toEqual([]);
  });
});
