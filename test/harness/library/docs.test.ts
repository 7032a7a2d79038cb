import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {matchers, openWorld} from '../../../src/harness/library/harness.ts';

const docs = new URL('../../../docs/reference/', import.meta.url).pathname;
const text = readFileSync(join(docs, 'library.md'), 'utf8');

/** The names in code marks in the first column of the table below `heading`. */
function named(heading: string): readonly string[] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const cells = section.split('\n').flatMap((line) => /^\| (`[^|]*`) +\|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name ?? ''));
}

test('the page names every matcher, every call of a world and every builtin function', async () => {
  await using world = await openWorld({functions: {}, fixtures: []});
  const calls = Object.entries(world).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
  expect(named('A world').toSorted()).toEqual(['openWorld', ...calls.filter((name) => name !== 'close')].toSorted());
  expect(named('Matchers')).toEqual(Object.keys(matchers));
  for (const name of Object.keys(builtins)) expect(text).toContain(`\`${name}\``);
});

test('the page links to what is there', () => {
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? '');
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((target) => !existsSync(join(docs, target)))).toEqual([]);
});
