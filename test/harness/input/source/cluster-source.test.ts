// A cluster behind a kubectl that answers from a file and keeps what it was asked.

import {chmodSync, existsSync, readFileSync} from 'node:fs';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {getRaw} from '../../../../src/harness/input/source/kubectl.ts';
import {readSource} from '../../../../src/harness/input/source/read-source.ts';
import {sourceFolder} from './folder.ts';

const folder = sourceFolder();
afterEach(() => vi.unstubAllEnvs());

const crd = (kind: string, group: string, categories: readonly string[]) => ({
  metadata: {name: `${kind.toLowerCase()}s.${group}`},
  spec: {
    group,
    scope: 'Cluster',
    names: {kind, plural: `${kind.toLowerCase()}s`, categories},
    versions: [{name: 'v1', served: true, storage: true}],
  },
});
const refs = [
  {apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'team'},
  {apiVersion: 'v1', kind: 'Secret', name: 's', namespace: 'team'},
  {apiVersion: 'e.org/v1', kind: 'Bucket', name: 'b'},
];
const lists: {readonly [path: string]: readonly object[]} = {
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': [
    crd('XApp', 'e.org', ['composite']),
    crd('Bucket', 'e.org', ['managed']),
    crd('Queue', 'e.org', ['managed']),
    crd('Certificate', 'cert-manager.io', []),
    crd('Composition', 'apiextensions.crossplane.io', ['crossplane']),
  ],
  '/api/v1/namespaces': ['team', 'other', 'third'].map((name) => ({metadata: {name}})),
  '/apis/e.org/v1/xapps': [{metadata: {name: 'shop'}, spec: {resourceRefs: refs}}],
  '/apis/e.org/v1/buckets': [{metadata: {name: 'b'}}],
  '/api/v1/configmaps': [{metadata: {name: 'c', namespace: 'team'}}],
};
const kinds: {readonly [path: string]: string} = {
  xapps: 'XApp',
  buckets: 'Bucket',
  configmaps: 'ConfigMap',
  namespaces: 'Namespace',
  customresourcedefinitions: 'CustomResourceDefinition',
};

/** Two to a page. */
const kubectl = `#!${process.execPath}
const {appendFileSync, readFileSync} = require('node:fs');
const [path, query] = process.argv.at(-1).split('?');
appendFileSync(__dirname + '/asked', process.argv.slice(2).join(' ') + '\\n');
// Of those that are asked together this one answers last.
if (path.includes('queues')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
if (path.includes('queues')) {
  console.error('Error from server (Forbidden): queues.e.org is forbidden');
  process.exit(1);
}
const {lists, kinds} = JSON.parse(readFileSync(__dirname + '/lists.json', 'utf8'));
if (lists[path] === undefined) {
  console.error('Error from server (NotFound): the server could not find the requested resource');
  process.exit(1);
}
if (typeof lists[path] === 'string') process.exit(console.log(lists[path]));
const from = Number(new URLSearchParams(query).get('continue') ?? 0);
const more = lists[path].length > from + 2 ? {continue: String(from + 2)} : {};
const apiVersion = path.replace(/^\\/apis?\\//, '').replace(/\\/[^/]+$/, '');
console.log(JSON.stringify({apiVersion, kind: kinds[path.split('/').at(-1)] + 'List', metadata: more, items: lists[path].slice(from, from + 2)}));
`;

function useFake(): void {
  chmodSync(folder.write('kubectl', kubectl), 0o755);
  folder.write('lists.json', JSON.stringify({lists, kinds}));
  vi.stubEnv('PATH', folder.path());
}

describe('a living cluster', () => {
  test('is read in pages, and only what belongs to Crossplane', async () => {
    useFake();
    const {origin, objects, notes, kinds: known} = await readSource('cluster', {access: {context: 'prod'}});
    expect(origin).toEqual({kind: 'cluster', name: 'prod'});
    expect(objects.map(({kind, metadata}) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Bucket b',
      'ConfigMap c',
      'CustomResourceDefinition buckets.e.org',
      'CustomResourceDefinition certificates.cert-manager.io',
      'CustomResourceDefinition compositions.apiextensions.crossplane.io',
      'CustomResourceDefinition queues.e.org',
      'CustomResourceDefinition xapps.e.org',
      'Namespace other',
      'Namespace team',
      'Namespace third',
      'XApp shop',
    ]);
    expect(known.find(({kind}) => kind === 'XApp')).toMatchObject({categories: ['composite'], knownBy: 'crd'});
    expect(notes.notUnderstood).toEqual([
      {why: 'a kind that may not be read', count: 1, first: '/apis/e.org/v1/queues'},
      {why: 'a kind that is not served', count: 1, first: '/apis/apiextensions.crossplane.io/v1/compositions'},
    ]);
  });

  test('is asked with GET alone, and never for Secrets', async () => {
    useFake();
    await readSource('cluster');
    const asked = readFileSync(`${folder.path()}/asked`, 'utf8').trim().split('\n');
    expect(asked.length).toBeGreaterThan(6);
    for (const line of asked) expect(line).toMatch(/^get --raw \/apis?\/[^ ]+\?limit=\d+(&continue=\d+)?$/);
    expect(asked.join('\n')).not.toMatch(/secret|certificates\?/i);
    expect(() => getRaw('/api/v1/secrets?limit=1', {})).toThrow('Secrets are never read');
  });

  test('whose definitions may not be read is not taken for an empty one', async () => {
    useFake();
    const {'/apis/apiextensions.k8s.io/v1/customresourcedefinitions': _, ...others} = lists;
    folder.write('lists.json', JSON.stringify({lists: others, kinds}));
    await expect(readSource('cluster')).rejects.toThrow(
      'customresourcedefinitions" is a kind that is not served, and no kind is known without it',
    );
  });

  test('that answers one kind with a page of a proxy is not taken for one without objects of it', async () => {
    useFake();
    folder.write('lists.json', JSON.stringify({lists: {...lists, '/apis/e.org/v1/buckets': '<html/>'}, kinds}));
    await expect(readSource('cluster')).rejects.toThrow(
      'cannot read the cluster: it answers "/apis/e.org/v1/buckets" with no list: does the context lead to an API server?',
    );
  });

  test('without kubectl is one sentence', async () => {
    vi.stubEnv('PATH', folder.path());
    await expect(readSource('cluster')).rejects.toThrow('cannot read the cluster: there is no kubectl on PATH');
    expect(existsSync(`${folder.path()}/asked`)).toBe(false);
  });

  test('that does not answer is one sentence', async () => {
    chmodSync(
      folder.write(
        'kubectl',
        `#!${process.execPath}\nconsole.error('The connection to the server localhost:8080 was refused');process.exit(1);`,
      ),
      0o755,
    );
    vi.stubEnv('PATH', folder.path());
    await expect(readSource('cluster')).rejects.toThrow(
      'cannot read the cluster: kubectl says The connection to the server localhost:8080 was refused',
    );
  });

  test.each([
    ['#!/bin/sh\nexit 7', 'kubectl ended with exit code 7 and gave no reason'],
    ['#!/bin/sh\nkill -9 $$', 'kubectl was ended by SIGKILL'],
  ])('that ends without a word is one sentence: %j', async (script, sentence) => {
    chmodSync(folder.write('kubectl', script), 0o755);
    vi.stubEnv('PATH', folder.path());
    await expect(readSource('cluster')).rejects.toThrow(`cannot read the cluster: ${sentence}`);
  });
});
