// The runbooks: one shape, messages and marks that the function or the simulated control plane really has, commands that parse.

import {globSync, readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = new URL('docs/runbooks/', root);
const pages = readdirSync(folder).map((file): [string, string] => [file, readFileSync(new URL(file, folder), 'utf8')]);
const words = globSync(
  [
    'src/{function,lifecycle,cluster,harness/audit}/**/*.ts',
    'test/{function,stories,cli}/*.ts',
    'examples/scale/*.yaml',
  ],
  {
    cwd: root.pathname,
  },
)
  .map((path) => readFileSync(new URL(path, root), 'utf8'))
  .join('\n');

/** Flags of Crossplane and of Node. */
const ofOthers = ['--max-reconcile-rate', '--max-semi-space-size', '--heap-growing-percent'];

test('every symptom that needs a person has its page, and the contents link all of them', () => {
  const contents = readFileSync(new URL('docs/README.md', root), 'utf8');
  const linked = [...contents.matchAll(/\(runbooks\/([\w-]+\.md)\)/g)].map(([, file]) => file);
  expect(linked.toSorted()).toEqual(pages.map(([file]) => file).toSorted());
});

describe.each(pages)('%s', (_, page) => {
  test('has symptom, look and do', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(['Symptom', 'Look', 'Do']);
  });

  test('quotes messages that exist', () => {
    const [, ...rows] = page.split(/^\| the message contains .*\n/m);
    const quoted = rows.flatMap((rows) =>
      [...rows.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]),
    );
    expect(quoted.map(([, message = '']) => message).filter((message) => !words.includes(message))).toEqual([]);
  });

  test('names marks, classes, metrics and flags that exist', () => {
    const classes = [...page.matchAll(/^The class(?:es)? (.*)$/gm)].flatMap(([, list = '']) => [
      ...list.matchAll(/`([a-z-]+)`/g),
    ]);
    const names = [
      ...[...page.matchAll(/tether\.fn\.crossplane\.io\/[a-z-]*[a-z]/g)].map(([mark]) => mark),
      ...[...page.matchAll(/`(tether_\w+|--[a-z-]+)/g)].map(([, name = '']) => name),
      ...classes.map(([, name]) => `'${name}'`),
    ];
    expect(names.filter((name) => !words.includes(name) && !ofOthers.includes(name))).toEqual([]);
  });

  test('has commands whose JSON parses', () => {
    for (const [, json = ''] of page.matchAll(/-p '([^']+)'/g)) expect(() => JSON.parse(json)).not.toThrow();
  });
});
