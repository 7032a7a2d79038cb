import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import ts from 'typescript';
import {describe, expect, test} from 'vitest';

// What keeps the rules honest: a checker that silently checks nothing, and what no linter rule of ours can say.

const root = new URL('../', import.meta.url).pathname;
const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly {readonly name: string; readonly to?: {readonly pathNot?: string}}[];
  readonly options: Record<string, unknown>;
};

/** The room that an import rule is of, if it is one of a room of the folder. */
function roomIn(folder: string, rule: string): string | undefined {
  const [, room] = new RegExp(`^${folder}-(.*)-imports$`).exec(rule) ?? [];
  return room === 'words' ? undefined : room;
}

function roomsOf(folder: string): readonly string[] {
  return config.forbidden.flatMap(({name}) => roomIn(folder, name) ?? []);
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** The paths of the sources that break a rule: one test names them all, so that the count of tests is a count of rules. */
function pathsOf(sources: readonly Source[], breaks: (source: Source) => boolean): readonly string[] {
  return sources.filter(breaks).map(({path}) => path);
}

function sourcesOf(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((path) => /\.[jt]s$/.test(path))
    .map((path) => ({path: join(folder, path), text: readFileSync(join(root, folder, path), 'utf8')}));
}

describe('the import rules', () => {
  test.each([
    ['src', ''],
    ['src/cluster', 'cluster-'],
    ['src/harness', 'harness-'],
  ])('name every folder of %s', (parent, prefix) => {
    const folders = readdirSync(join(root, parent), {withFileTypes: true}).filter((entry) => entry.isDirectory());
    const ruled = config.forbidden.map(({name}) => name);
    for (const folder of folders) expect(ruled).toContain(`${prefix}${folder.name}-imports`);
  });

  test.each(['cluster', 'harness'])('let no room of src/%s know one that stands above it', (folder) => {
    const rooms = config.forbidden.filter(({name}) => roomIn(folder, name) !== undefined);
    const order = roomsOf(folder);
    for (const [floor, {to}] of rooms.entries()) {
      const [own, ...allowed] = (/\((.*)\)/.exec(to?.pathNot ?? '')?.[1] ?? '').split('|');
      expect(own).toBe(order[floor]);
      for (const name of allowed) expect(order.slice(0, floor)).toContain(name);
    }
  });

  test('name every folder of src/lifecycle', () => {
    const entries = readdirSync(join(root, 'src/lifecycle'), {withFileTypes: true});
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const ruled = config.forbidden.map(({name}) => name.replace(/^lifecycle-(.*)-imports$/, '$1'));
    for (const folder of folders) expect(ruled).toContain(folder);
  });
});

describe('outcomes', () => {
  const byMember = /'\w+' in [a-z]/;

  test('are told apart by `kind`, not by a member that is present', () => {
    expect(pathsOf(sourcesOf('src'), ({text}) => byMember.test(text))).toEqual([]);
  });

  test('the rule sees what it is for', () => {
    expect("if ('problem' in read) return").toMatch(byMember);
  });
});

describe('pure folders', () => {
  const pure = ['hash', 'wire', 'lifecycle', 'cluster', 'explore'].flatMap((folder) => sourcesOf(`src/${folder}`));
  const impure = /\bMath\.random\b|\basync\b\s*(function|\()|\bawait\s+[\w(]/;

  test('use no ambient randomness and no asynchronous code', () => {
    const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(pathsOf(pure, ({text}) => impure.test(code(text)))).toEqual([]);
  });

  test('the rule sees what it is for', () => {
    expect('const luck = Math.random();').toMatch(impure);
    expect('export async function later() {}').toMatch(impure);
  });
});

describe('docs/background/architecture.md', () => {
  const page = readFileSync(join(root, 'docs/background/architecture.md'), 'utf8');

  test('names only files that exist', () => {
    const named = new Set([...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path));
    expect([...named].filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(named.size).toBeGreaterThan(10);
  });

  test.each([
    ['harness', 'The rooms of the harness'],
    ['cluster', 'The rooms of the simulated cluster'],
  ])('lists the rooms of src/%s as the import rules do', (folder, title) => {
    const [, section = ''] = page.split(`## ${title}\n`);
    const [table = ''] = section.split('\n## ');
    expect([...table.matchAll(/^(?:\||-) `([\w-]+)`(?: +\||:)/gm)].map(([, name]) => name)).toEqual(roomsOf(folder));
  });
});

/** A comment, and an empty line after it: else it is about the first line of code. */
const head = /^(#!.*\n)?(\/\/.*\n)+\n/;

/** A function is read at one look. */
const linesMax = 60;

describe('functions', () => {
  const long = sourcesOf('src')
    .filter(({path}) => path.endsWith('.ts'))
    .flatMap(longFunctions);

  test('are not longer than a page', () => {
    expect(Object.fromEntries(long)).toEqual({});
  });

  test('are measured', () => {
    const text = `export function endless() {\n${'work();\n'.repeat(linesMax)}}\n`;
    expect(longFunctions({path: 'a.ts', text})).toEqual([['a.ts endless', linesMax + 2]]);
  });
});

describe('files that do not fit on a screen', () => {
  const long = sourcesOf('src').filter(
    ({path, text}) => path.endsWith('.ts') && text.split('\n').length > linesMax + 1,
  );

  test('begin with a comment that gives their purpose', () => {
    expect(pathsOf(long, ({text}) => !head.test(text))).toEqual([]);
  });

  test('the rule sees what it is for', () => {
    expect('// Says why.\n\nimport fs from "node:fs";\n').toMatch(head);
    expect('import fs from "node:fs";\n\n// Says why.\n').not.toMatch(head);
    expect('// Says why.\nimport fs from "node:fs";\n').not.toMatch(head);
  });
});

/** By path and name, with the number of lines. */
function longFunctions({path, text}: {readonly path: string; readonly text: string}): readonly [string, number][] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const found: [string, number][] = [];
  const visit = (node: ts.Node): void => {
    const lines = lineAt(node.end) - lineAt(node.getStart(file)) + 1;
    if (ts.isFunctionLike(node) && lines > linesMax) found.push([`${path} ${node.name?.getText(file) ?? ''}`, lines]);
    if (lines > linesMax) ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('tables', () => {
  const rule = /\| ?-{2,}:? ?\|/;

  test('are written by src/command-line/tables.ts alone', () => {
    const sources = ['src', 'package', 'test/bench', 'test/field', 'test/ratchets', 'test/mutation'].flatMap(sourcesOf);
    expect(pathsOf(sources, ({text}) => rule.test(text))).toEqual([]);
  });

  test('the rule sees what it is for', () => {
    expect("'| command | sentence |\\n| --- | --: |'").toMatch(rule);
  });
});
