import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';

// docs/background/dependencies.md says what the lock file says.

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(join(root, 'docs/background/dependencies.md'), 'utf8');

interface Locked {
  readonly version: string;
  readonly license: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly peer?: true;
}

interface Row {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly released: string;
  readonly why: string;
}

const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;

function rowsOf(section: string): readonly Row[] {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return text.split('\n').flatMap((line) => {
    const cells = /^\| `([^`]+)` *\| ([^|]+)\| ([^|]+)\| ([^|]+)\| (.+)\|$/.exec(line)?.map((cell) => cell.trim());
    const [, name = '', version = '', licence = '', released = '', why = ''] = cells ?? [];
    return cells === undefined ? [] : [{name, version, licence, released, why}];
  });
}

const atRunTime = rowsOf('At run time');
const toDevelop = rowsOf('To develop');

describe('the page of dependencies', () => {
  test('has a row for each of package.json, with what it is for', () => {
    const names = toDevelop.map(({name}) => name);
    expect(names).toEqual(Object.keys(manifest['devDependencies'] ?? {}).sort());
    for (const name of Object.keys(manifest['dependencies'] ?? {})) {
      expect(atRunTime.find((row) => row.name === name)?.why.length).toBeGreaterThan(20);
    }
    for (const {why} of toDevelop) expect(why).not.toBe('');
  });

  test('has a row for everything that comes with the package at run time', () => {
    const locked = Object.entries(packages).filter(
      ([path, one]) => path !== '' && !one.dev && !one.optional && !one.peer,
    );
    const names = locked.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(atRunTime.map(({name}) => name).sort()).toEqual(names.sort());
  });

  test('has versions and licences of the lock file, and days', () => {
    for (const {name, version, licence, released} of [...atRunTime, ...toDevelop]) {
      const locked = packages[`node_modules/${name}`];
      expect({name, version, licence}).toEqual({name, version: locked?.version, licence: locked?.license});
      expect(released).toMatch(/^(20\d\d-\d\d-\d\d|before 20\d\d-\d\d)$/);
    }
  });

  test('names permissive licences only', () => {
    const permissive =
      /^\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|PSF-2\.0|BlueOak-1\.0\.0)( (AND|OR) (MIT|Apache-2\.0|BSD-3-Clause))*\)?$/;
    for (const {licence} of [...atRunTime, ...toDevelop]) expect(licence).toMatch(permissive);
  });
});
