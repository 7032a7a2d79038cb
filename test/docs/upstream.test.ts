// The reports for upstream: a page and a scenario each, and every scenario ends as its page says.

import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {tether} from '../cli/tether.ts';

const root = new URL('../../', import.meta.url);
const files = readdirSync(new URL('examples/upstream/', root));
const pages = files.filter((file) => file.endsWith('.md') && file !== 'README.md');
const index = read('examples/upstream/README.md');

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** What the simulated control plane does not show yet. A page says so, and what the expectations fail with. */
const notShown: {readonly [report: string]: string} = {};

const reports = pages.map((file) => file.replace(/\.md$/, ''));

describe.each(reports)('%s', (report) => {
  const page = read(`examples/upstream/${report}.md`);
  const file = `examples/upstream/${report}.yaml`;

  test('says what, how to see it, where, with which test, what could be done, and who else knows', () => {
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['See it', 'Where', 'A test', 'What a fix could be', 'Threads']);
    expect(page).toContain(`$ tether test ${file} --timeline`);
    const goTest = read(`examples/upstream/${report}_test.go.txt`);
    expect(page).toContain(`](${report}_test.go.txt)`);
    expect(goTest).toMatch(/^func Test\w+\(t \*testing\.T\) \{$/m);
    expect(goTest).toContain('2d040d2da');
  });

  test('is in the index under its title', () => {
    expect(index).toContain(`[${/^# (.*)$/m.exec(page)?.[1]}](${report}.md)`);
  });

  test('ends as the page says', () => {
    const {code, out} = tether(['test', file], root.pathname);
    const missing = notShown[report];
    expect(page.includes('does not show it')).toBe(missing !== undefined);
    if (missing !== undefined) expect(out.replaceAll(/\s+/g, ' ')).toContain(missing);
    expect(code).toBe(missing === undefined ? 0 : 3);
  });
});

test('every scenario has its page', () => {
  const yaml = files.filter((file) => file.endsWith('.yaml'));
  const scenarios = yaml.filter((file) => 'steps' in ((parseFirst(file) ?? {}) as object));
  expect(scenarios.map((file) => file.replace(/\.yaml$/, '')).sort()).toEqual([...reports].sort());
});

function parseFirst(file: string): unknown {
  return parse(read(`examples/upstream/${file}`).split(/^---$/m)[0] ?? '');
}
