import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {parseInput} from '../../src/lifecycle/input/parse.ts';
import type {Json} from '../../src/lifecycle/words/json.ts';

// The pages on the stories: all of them, in one shape, with commands and inputs that work.

const root = new URL('../../', import.meta.url);
const folder = new URL('docs/background/stories/', root);
const pages = readdirSync(folder).map((file): [string, string] => [file, readFileSync(new URL(file, folder), 'utf8')]);
const sections = [
  'What happens',
  'On which Crossplane',
  'How to see it',
  'What function-tether does',
  'What it cannot',
];

test('there is a page for every story', () => {
  expect(pages.map(([file]) => file.slice(0, 2))).toEqual(['s0', 's1', 's2', 's3', 's4']);
});

describe.each(pages)('%s', (file, page) => {
  test('has the sections that every page has', () => {
    expect(page).toMatch(new RegExp(`^# ${file.slice(0, 2).toUpperCase()}: `));
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(sections);
  });

  test('says something of every version', () => {
    expect(page).toMatch(/^\|.*\| +1\.16 +\| 1\.19 +\| 1\.20 +\| 2\.3 +\| main +\|$/m);
  });

  test('names examples that are there', () => {
    const examples = [
      ...[...page.matchAll(/--story ([\w-]+)/g)].map(([, name]) => `examples/${name}/`),
      ...[...page.matchAll(/examples\/[\w/-]+\.yaml/g)].map(([path]) => path),
    ];
    expect(examples.length).toBeGreaterThan(0);
    for (const path of examples) expect(existsSync(new URL(path, root)), path).toBe(true);
  });

  test('has inputs that the function takes', () => {
    for (const [, input = ''] of page.matchAll(/```yaml\n([\s\S]*?)```/g)) {
      expect(parseInput(parse(input) as Json)).toMatchObject({kind: 'input'});
    }
  });
});
