// Manifests that nobody should trust: a sentence each, and nothing is written.

import {readdirSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {readSource} from '../../../../src/harness/input/source/read-source.ts';
import {sourceFolder} from './folder.ts';

const folder = sourceFolder();
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const json = (rest: string): string => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}${rest}}`;
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
const multiplied = [
  '  a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
  ...Array.from({length: 9}, (_, index) => `  a${index + 1}: &a${index + 1} [${Array(10).fill(`*a${index}`).join()}]`),
].join('\n');

describe('a file that cannot be trusted is refused in one sentence', () => {
  test.each<[string, string, string | Uint8Array, string]>([
    ['Latin-1', 'x.yaml', Buffer.from(`${head}data: {a: "Gr\u00fc\u00dfe"}\n`, 'latin1'), 'got bytes that are none'],
    ['a NUL in YAML', 'x.yaml', `${head}data: {a: "x\0y"}\n`, 'null byte is not allowed'],
    ['a NUL after JSON', 'x.json', `${json('')}\0\0`, 'expected JSON, got something else'],
    ['deep JSON', 'x.json', json(`,"data":${deep}`), 'expected at most 100 levels, got more'],
    ['deep YAML', 'x.yaml', `${head}data: ${deep}\n`, 'nesting exceeded maxDepth (100)'],
    ['aliases of aliases', 'x.yaml', `${head}data:\n${multiplied}\n`, 'got aliases that multiply it'],
    [
      'one name twice',
      'x.yaml',
      [1, 2].map((uid) => head.replace('a}', `a, uid: u${uid}}`)).join('---\n'),
      'with another uid',
    ],
    ['nothing', 'x.yaml', '', 'expected Kubernetes objects, got none'],
    ['no text', 'x.yaml', Buffer.from([1, 0x80, 0xfe, 7]), 'expected UTF-8'],
  ])('%s', async (_, name, content, sentence) => {
    const file = folder.write(name, content);
    const message = await readSource(file).then(
      () => 'was read',
      (error: Error) => error.message,
    );
    expect(message).toContain(sentence);
    expect(message.split('\n')).toHaveLength(1);
    expect(message.length - file.length).toBeLessThan(160);
    expect(readdirSync(folder.path())).toEqual([name]);
  });

  test('a device', async () => {
    await expect(readSource('/dev/zero')).rejects.toThrow('expected a file or a folder, got a device or a socket');
  });
});

test.each(['x.json', 'x.yaml'])('the names of what every object has are names like any other in %s', async (name) => {
  const text = json(',"__proto__":{"kind":"Other"},"data":{"__proto__":{"mine":"1"},"constructor":"c"}');
  const [object] = (await readSource(folder.write(name, name.endsWith('json') ? text : `---\n${text}\n`))).objects;
  expect(object?.kind).toBe('ConfigMap');
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  expect(({} as {readonly mine?: string}).mine).toBeUndefined();
});

test.each<[string, object]>([
  ['name', {metadata: {name: 'a\u001b[2Jb'}}],
  ['namespace', {metadata: {name: 'b', namespace: 'a\u009b2Jb'}}],
  ['kind', {kind: 'A\rB', metadata: {name: 'b'}}],
  ['owner', {metadata: {name: 'b', ownerReferences: [{apiVersion: 'v1', kind: 'A', name: 'a\u0007', uid: 'u'}]}}],
])('an object whose %s would command a terminal is no object', async (_, change) => {
  const items = [{metadata: {name: 'sound'}}, change].map((one) => ({apiVersion: 'v1', kind: 'ConfigMap', ...one}));
  const {objects, notes} = await readSource(
    folder.write('x.json', JSON.stringify({apiVersion: 'v1', kind: 'List', items})),
  );
  expect(objects.map(({metadata}) => metadata.name)).toEqual(['sound']);
  expect(notes.notUnderstood).toEqual([
    {why: 'an object with control characters in a name', count: 1, first: expect.stringContaining('item 2')},
  ]);
});
