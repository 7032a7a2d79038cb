import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {operationsPage} from '../../package/operations-page.ts';
import {inlineAnswerer} from '../../src/function/answerer.ts';
import {Metrics} from '../../src/function/metrics.ts';
import {parseServeArgs} from '../../src/function/serve-args.ts';
import {inputSchema} from '../../src/lifecycle/input/schema.ts';
import type {Schema} from '../../src/lifecycle/input/validate.ts';
import {plain, reasons} from '../../src/lifecycle/words/reasons.ts';

// The page for operators has every word that the function says: flags, metrics, reasons, marks.

// The formatter pads the cells of tables.
const page = read('docs/reference/operations.md').replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| ');
const help = parseServeArgs(['--help'], {});
const serveHelp = help.kind === 'help' ? help.text : '';

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The first groups of all matches, each once. At least `atLeast`, so that a change of the source is noticed. */
function wordsIn(text: string, pattern: RegExp, atLeast: number): readonly string[] {
  const words = [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
  expect(words.length, String(pattern)).toBeGreaterThanOrEqual(atLeast);
  return words;
}

const sources = [
  'facts/marks',
  'restore/coming-back',
  'usages/usages',
  'external-names/external-names',
  'removal/policies',
]
  .map((file) => read(`src/lifecycle/${file}.ts`))
  .join('');

describe('the page names', () => {
  test.each(wordsIn(serveHelp, /^ {2}(--[a-z-]+)/gm, 9))('the flag %s', (flag) => {
    expect(page).toMatch(new RegExp(`^\\| [^|]*\`${flag}[ \`]`, 'm'));
  });

  test.each(wordsIn(new Metrics(inlineAnswerer({})).render(), /^# TYPE (\w+)/gm, 5))('the metric %s', (metric) => {
    expect(page).toContain(`| \`${metric}\` |`);
  });

  test.each(wordsIn(sources, /'(tether\.fn\.crossplane\.io\/[a-z-]+)'/g, 7))('the mark %s', (mark) => {
    expect(page).toContain(`\`${mark}`);
  });
});

test('no flag is told that is not there', () => {
  for (const flag of wordsIn(page, /^\| `(--[a-z-]+)/gm, 9)) expect(serveHelp).toContain(flag);
});

describe('the tables of conditions, decisions and events', () => {
  test('are those of src/lifecycle: run `node package/generate.ts`', () => {
    expect(operationsPage()).toBe(read('docs/reference/operations.md'));
  });

  const asked = Object.values<{readonly asked: readonly string[]}>({...plain, ...reasons}).flatMap((row) => row.asked);
  test.each([...new Set(asked)])('name the part %s of the input', (part) => {
    const fieldOf = (schema: Schema | undefined, name: string) =>
      schema?.type === 'object' ? schema.properties[name] : undefined;
    expect(part.split('.').reduce<Schema | undefined>(fieldOf, inputSchema)).toBeDefined();
  });
});
