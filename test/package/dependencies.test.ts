import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';

// docs/background/dependencies.md has a reason for each package that package.json names, and all licences are permissive.

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(join(root, 'docs/background/dependencies.md'), 'utf8');

interface Locked {
  readonly license: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly peer?: true;
}

const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;

/** Names and reasons in the table below `heading`. */
function rowsOf(heading: string): readonly (readonly [string, string])[] {
  const text = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/^\| `([^`]+)` *\| (.+?) *\|$/gm)].map(([, name = '', why = '']) => [name, why]);
}

describe('the page of dependencies', () => {
  test.each([
    ['At run time', 'dependencies'],
    ['To develop', 'devDependencies'],
  ])('has "%s" a row for each of %s, with what it is for', (heading, field) => {
    const rows = rowsOf(heading);
    expect(rows.map(([name]) => name)).toEqual(Object.keys(manifest[field] ?? {}).sort());
    expect(rows.filter(([, why]) => why.length < 8)).toEqual([]);
  });
});

describe('licences are permissive', () => {
  const permissive =
    /^\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|PSF-2\.0|BlueOak-1\.0\.0)( (AND|OR) (MIT|Apache-2\.0|BSD|BSD-3-Clause))*\)?$/;

  test('of everything that comes with the package at run time', () => {
    const locked = Object.entries(packages).filter(
      ([path, one]) => path !== '' && !one.dev && !one.optional && !one.peer,
    );
    expect(locked.length).toBeGreaterThan(20);
    expect(locked.filter(([, {license}]) => !permissive.test(license)).map(([path]) => path)).toEqual([]);
  });

  test('of everything that package.json names', () => {
    const named = Object.keys({...manifest['dependencies'], ...manifest['devDependencies']});
    expect(named.filter((name) => !permissive.test(packages[`node_modules/${name}`]?.license ?? ''))).toEqual([]);
  });
});
