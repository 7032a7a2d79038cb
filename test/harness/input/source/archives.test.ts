// Velero backups and exports of up, and archives that nobody should trust.

import {readdirSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {readTar} from '../../../../src/harness/input/source/archive-source.ts';
import {readSource} from '../../../../src/harness/input/source/read-source.ts';
import {sourceLines} from '../../../../src/harness/input/source/source-words.ts';
import {sourceFolder} from './folder.ts';
import {archiveOf, tarOf, veleroBackup} from './tar-file.ts';

const folder = sourceFolder();

const app = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop', namespace: 'team', uid: 'u1'}};
const bucket = {apiVersion: 's3.example.org/v1', kind: 'Bucket', metadata: {name: 'b', uid: 'u2'}};
const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's', namespace: 'team'}, data: {a: 'aHVudGVyMg=='}};

const failing = async (file: string): Promise<string> => {
  const read = readSource(file).then(() => 'was read');
  return (await read.catch((error: Error) => error.message)).replaceAll(`${folder.path()}/`, '');
};

test('a Velero backup gives each object once, whatever versions were saved', async () => {
  const file = folder.write(
    'backup.tar.gz',
    veleroBackup({
      'apps.example.org/namespaces/team/shop': app,
      'apps.example.org/v1-preferredversion/namespaces/team/shop': app,
      'apps.example.org/v1beta1/namespaces/team/shop': {...app, apiVersion: 'example.org/v1beta1'},
      'buckets.s3.example.org/cluster/b': bucket,
      'secrets/namespaces/team/s': secret,
      'events/namespaces/team/e': {apiVersion: 'v1', kind: 'Event', metadata: {name: 'e'}},
    }),
  );
  const source = await readSource(file);
  expect(source.origin).toEqual({kind: 'velero-backup', name: file});
  const {data: _, ...named} = secret;
  expect(source.objects).toEqual([app, bucket, named]);
  expect(source.kinds.map(({plural, group, namespaced}) => [plural, group, namespaced])).toEqual([
    ['apps', 'example.org', true],
    ['buckets', 's3.example.org', false],
    ['secrets', '', true],
  ]);
  expect(sourceLines(source)[1]).toContain(
    'left aside: 2 × the same object in a folder of its version (first resources/apps.example.org/v1-preferredversion/namespaces/team/shop.json); 1 × an event',
  );
});

test('an export of up says its Crossplane, and the categories of its kinds', async () => {
  const file = folder.write(
    'xp-state.tar.gz',
    archiveOf([
      {path: 'buckets.s3.example.org/', type: 'Directory'},
      {path: 'buckets.s3.example.org/cluster/b.yaml', content: JSON.stringify(bucket)},
      {
        path: 'buckets.s3.example.org/metadata.yaml',
        content: 'categories: [crossplane, managed]\nwithStatusSubresource: true\n',
      },
      {path: 'export.yaml', content: 'version: v1alpha1\ncrossplane: {distribution: crossplane, version: v1.17.1}\n'},
    ]),
  );
  const {origin, objects, kinds} = await readSource(file);
  expect(origin).toEqual({kind: 'up-export', name: file, crossplane: 'v1.17.1'});
  expect(objects).toEqual([bucket]);
  expect(kinds).toMatchObject([{kind: 'Bucket', categories: ['crossplane', 'managed'], knownBy: 'objects'}]);
});

describe('an archive that cannot be trusted is told in one sentence', () => {
  const backup = veleroBackup({'buckets.s3.example.org/cluster/b': bucket});
  const item = 'resources/buckets.s3.example.org/cluster/b.json';
  const cut = tarOf([{path: item, content: JSON.stringify(bucket)}]).subarray(0, 600);
  test.each<[string, Uint8Array, string]>([
    ['a gzip that is cut off', backup.subarray(0, backup.length - 30), 'it is cut off: its gzip stream has no end'],
    [
      'a gzip that is damaged',
      Buffer.concat([backup.subarray(0, 40), Buffer.from('x'), backup.subarray(41)]),
      'its gzip stream is wrong',
    ],
    ['a tar that is cut off', gzipSync(cut), 'it is cut off: its tar has no end'],
    [
      'no tar',
      gzipSync('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'.repeat(50)),
      'expected a tar inside of the gzip, got something else or a damaged one',
    ],
    [
      'a path above it',
      archiveOf([{path: 'resources/../../../etc/passwd', content: 'x'}]),
      'expected paths inside of it, got "resources/../../../etc/passwd"',
    ],
    [
      'a path from the root',
      archiveOf([{path: '/etc/passwd', content: 'x'}]),
      'expected paths inside of it, got "/etc/passwd"',
    ],
    [
      'a link',
      archiveOf([{path: item, type: 'SymbolicLink', linkpath: '/etc/passwd'}]),
      `expected files and folders, got "${item}", which is a SymbolicLink`,
    ],
    ['a hard link', archiveOf([{path: item, type: 'Link', linkpath: '/etc/passwd'}]), 'which is a Link'],
    ['a device', archiveOf([{path: item, type: 'CharacterDevice'}]), 'which is a CharacterDevice'],
    [
      'a file larger than any object',
      archiveOf([{path: item, size: 65 * 1024 * 1024}]),
      'expected files of at most 64 MiB',
    ],
    [
      'another tar',
      archiveOf([{path: 'README.md', content: 'x'}]),
      'expected a Velero backup or an export of up, got neither',
    ],
    [
      'both formats',
      archiveOf([
        {path: item, content: JSON.stringify(bucket)},
        {path: 'export.yaml', content: 'version: v1alpha1'},
      ]),
      'got files of both',
    ],
    [
      'another format of backups',
      archiveOf([{path: 'metadata/version', content: '2.0.0\n'}]),
      'expected format 1 of Velero\'s backups, got "2.0.0"',
    ],
    [
      'another version of exports',
      archiveOf([{path: 'export.yaml', content: 'version: v2\n'}]),
      'expected version v1alpha1 of up\'s exports, got "v2"',
    ],
    [
      'half an object',
      archiveOf([{path: item, content: '{"kind":'}]),
      'expected JSON, got a file that ends too early or is none',
    ],
    ['nothing', Buffer.from([0x1f, 0x8b]), 'it is cut off'],
    ['a tar without its gzip', tarOf([{path: item, content: '{}'}]), 'expected a tar in gzip, got a plain tar'],
  ])('%s', async (_, content, sentence) => {
    expect(await failing(folder.write('x.tgz', content))).toContain(sentence);
    expect(readdirSync(folder.path())).toEqual(['x.tgz']);
  });

  const most = {entries: 3, entryBytes: 1000, bytes: 100_000, ratio: 20, ratioFrom: 5000};
  const reading = (content: Uint8Array): Promise<unknown> =>
    readTar(
      folder.write('x.tgz', content),
      () => true,
      () => {},
      most,
    ).catch((error: Error) => error.message);

  test.each<[string, Uint8Array, string]>([
    [
      'more files than any backup has',
      archiveOf(['a', 'b', 'c', 'd'].map((path) => ({path}))),
      'expected at most 3 entries, got more',
    ],
    [
      'more than it can be',
      gzipSync(Buffer.alloc(20_000)),
      'expected objects, got what unpacks to more than 20 times its size',
    ],
    ['more than anybody has', gzipSync(Buffer.alloc(200_000), {level: 0}), 'MiB unpacked, got more'],
  ])('%s', async (_, content, sentence) => {
    expect(await reading(content)).toContain(sentence);
  });
});

test('what stands after the end of an archive costs nothing, however much it is', async () => {
  const tar = tarOf([{path: 'a', content: 'x'}]);
  const file = folder.write('x.tgz', gzipSync(Buffer.concat([tar, Buffer.alloc(2 ** 26)])));
  const read = await readTar(
    file,
    () => true,
    () => {},
  );
  expect(read).toEqual({files: 1, bytes: tar.length + 2 ** 26});
});
