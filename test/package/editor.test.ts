import {readdirSync, readFileSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {schemaCatalog, schemaCatalogFile} from '../../package/json-schemas.ts';
import {committedSchema} from './json-schemas.ts';
import {type Editor, openEditor, schemaUri} from './language-server.ts';

// The editor as an author has it: the YAML language server of VS Code's extension itself, with the schema of Compositions.

const root = new URL('../../', import.meta.url);
let editor: Editor;
beforeAll(async () => {
  editor = await openEditor(root, {
    [schemaUri('composition.schema.json')]: ['composition*.yaml', '*-composition.yaml'],
  });
});
afterAll(() => editor[Symbol.asyncDispose]());

const composition = (input: string, more = ''): string => `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: shop}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XShop}
  mode: Pipeline
  pipeline:
    - step: tether
      functionRef: {name: function-tether}
      input:
${input.replaceAll(/^/gm, '        ')}
${more}`;
const ours = (more: string): string => composition(`apiVersion: tether.fn.crossplane.io/v1beta1\nkind: Input\n${more}`);
const theirs = (more: string): string => composition(`apiVersion: example.org/v1\nkind: Other\n${more}`);

let count = 0;
const name = (): string => `composition-${++count}.yaml`;
const messages = async (text: string): Promise<readonly string[]> =>
  (await editor.open(name(), text)).map(({message}) => message);

describe.concurrent('marks', () => {
  test('a field that the input does not have, with its line', async () => {
    const [first, ...more] = await editor.open(name(), ours('restor: {lookup: true}'));
    expect(first?.message).toMatch(/restor/);
    expect(first?.range.start.line).toBe(12);
    expect(more).toEqual([]);
  });

  test.each([
    ['a value of another type', ours('restore: {lookup: maybe}'), /boolean/],
    ['a value that is none of a list', ours('removal: {policies: [{policy: Forget}]}'), /Release|Hold|Retain/],
    ['a step without a function', composition('apiVersion: a/v1\nkind: B', '    - step: two'), /functionRef/],
    ['a misspelled field of the Composition', composition('apiVersion: a/v1\nkind: B', '  pipelin: []'), /pipelin/],
    ['an input that no API server takes', composition('kind: B'), /apiVersion/],
  ])('%s', async (_, text, message) => expect(await messages(text)).toEqual([expect.stringMatching(message)]));

  test.each([
    ['what fits', ours('restore: {lookup: true}')],
    ['the input of another function, whatever is in it', theirs('restor: {lookup: true}')],
    ['a definition in the same file', `${ours('restore: {}')}\n---\napiVersion: v1\nkind: ConfigMap\nanything: 1\n`],
    [
      'a file without Compositions',
      'apiVersion: apiextensions.crossplane.io/v2\nkind: CompositeResourceDefinition\nspec: {}\n',
    ],
  ])('not %s', async (_, text) => expect(await messages(text)).toEqual([]));

  const examples = readdirSync(new URL('examples/', root), {recursive: true, encoding: 'utf8'}).filter((file) =>
    /(^|\/)composition[^/]*\.yaml$/.test(file),
  );
  test('nothing in the Compositions of the examples', async () => {
    expect(examples.length).toBeGreaterThan(40);
    // The server waits a moment before it checks a file: all at once they wait once.
    const marked = examples.map(async (file) => {
      const marks = await editor.open(`examples/${file}`, readFileSync(new URL(`examples/${file}`, root), 'utf8'));
      return marks.map(({message}) => `${file}: ${message}`);
    });
    expect((await Promise.all(marked)).flat()).toEqual([]);
  });
});

describe.concurrent('offers', () => {
  test('the fields of the input, each with what it is for', async () => {
    const offered = await editor.complete(name(), ours('re|'));
    expect([...offered.keys()]).toEqual(expect.arrayContaining(['removal', 'restore', 'resources']));
    expect(offered.get('removal')).not.toBe('');
  });

  test('the values of a field', async () => {
    const offered = await editor.complete(name(), ours('removal:\n  policies:\n    - policy: |'));
    expect([...offered.keys()]).toContain('Retain');
  });

  test('none of them in the input of another function', async () => {
    expect([...(await editor.complete(name(), theirs('re|'))).keys()]).not.toContain('restore');
  });

  test('the fields of a step', async () => {
    const offered = await editor.complete(name(), composition('apiVersion: a/v1\nkind: B', '    - |'));
    expect([...offered.keys()]).toEqual(expect.arrayContaining(['step', 'functionRef', 'credentials']));
  });

  test('what an expectation of a scenario may be, where the first line names the schema', async () => {
    const head = `# yaml-language-server: $schema=${schemaUri('scenario.schema.json')}\nname: x\nsteps: [{wait: 1s}]\n`;
    const offered = await editor.complete('any.yaml', `${head}expect:\n  - |`);
    expect([...offered.keys()]).toEqual(expect.arrayContaining(['holds', 'orphans', 'untouched']));
  });
});

test('explains a field under the cursor', async () => {
  expect(await editor.hover(name(), ours('rem|oval: {policies: []}'))).toMatch(/desired|remov|gone|delet/i);
});

test('the catalog is the one that the generator makes, of schemas that are there', () => {
  expect(committedSchema(schemaCatalogFile)).toBe(schemaCatalog());
  const {schemas} = JSON.parse(schemaCatalog()) as {readonly schemas: readonly {readonly url: string}[]};
  for (const {url} of schemas) {
    expect(JSON.parse(committedSchema(url.split('/').at(-1) ?? ''))).toMatchObject({$id: url});
  }
});
