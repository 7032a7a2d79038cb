import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {importsOf, type Measures, structure} from './structure.ts';
import {words} from './words.ts';

// The measures of the structure and of the words stay within limits: `npm run ratchets -- --update` lowers those.

const limits = JSON.parse(readFileSync(new URL('limits.json', import.meta.url), 'utf8')) as Measures;

function over(measures: Measures): readonly string[] {
  return Object.entries(measures)
    .filter(([name, value]) => value > (limits[name] ?? 0))
    .map(([name, value]) => `${name}: expected at most ${limits[name] ?? 'a limit'}, got ${value}`);
}

test('no import is one that .dependency-cruiser.cjs forbids', async () => {
  expect((await importsOf()).broken).toEqual([]);
});

test('every file of src is seen: with the wrong compiler the tool finds no module and passes', async () => {
  const files = readdirSync(new URL('../../src/', import.meta.url), {recursive: true, encoding: 'utf8'});
  const {files: imports} = await importsOf();
  expect([...imports.keys()].sort()).toEqual(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `src/${file}`)
      .sort(),
  );
  expect([...imports.values()].filter(({size}) => size > 0).length).toBeGreaterThan(100);
});

describe('no measure is above its limit', () => {
  test('of the structure of src', async () => {
    const measures = await structure();
    expect(measures['lifecycle: arrows between rooms']).toBeGreaterThan(0);
    expect(over(measures)).toEqual([]);
  });

  test('of phrases that are hard to read', () => {
    const measures = words();
    expect(measures['docs: words, by wc -w']).toBeGreaterThan(1000);
    expect(over(measures)).toEqual([]);
  });

  test('and a measure without a limit is one', () => {
    expect(over({'a new measure': 1})).toHaveLength(1);
  });
});
