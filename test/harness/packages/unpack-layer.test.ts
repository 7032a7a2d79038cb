import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {type Allowance, unpackLayer} from '../../../src/harness/packages/unpack-layer.ts';
import {type Entry, tarOf} from './tar-of.ts';

// Layers as registries have them, and as nobody should. Whatever they hold, nothing is written beside the root.

let scratch = '';
let root = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'tether-layer-'));
  root = join(scratch, 'image/root');
  mkdirSync(root, {recursive: true});
});
afterEach(() => rmSync(scratch, {recursive: true, force: true}));

async function unpack(entries: readonly Entry[] | Buffer, allowance: Allowance = {bytes: 2 ** 20, entries: 100}) {
  const file = join(scratch, 'layer');
  writeFileSync(file, Buffer.isBuffer(entries) ? entries : gzipSync(tarOf(entries)));
  await unpackLayer(file, root, allowance);
}

const text = (path: string): string => readFileSync(join(root, path), 'utf8');
/** What is there, links not followed. */
function everything(folder = ''): readonly string[] {
  const entries = readdirSync(join(scratch, folder), {withFileTypes: true});
  const paths = entries.map((entry) => ({path: join(folder, entry.name), isFolder: entry.isDirectory()}));
  return paths.flatMap(({path, isFolder}) => [path, ...(isFolder ? everything(path) : [])]).sort();
}

describe('a layer', () => {
  test('may have as much after its end as it likes: it costs nothing', async () => {
    const tar = Buffer.concat([tarOf([{name: 'a', content: 'x'}]), Buffer.alloc(2 ** 26)]);
    await unpack(gzipSync(tar), {bytes: 2 ** 27, entries: 1});
    expect(text('a')).toBe('x');
  });

  test('puts files, folders and links there, with the rights to execute and no others', async () => {
    await unpack([
      {name: './bin/', type: 'folder', mode: 0o555},
      {name: 'bin/program', content: 'run', mode: 0o6755},
      {name: '/etc/name', content: 'v1'},
      {name: 'usr/bin', type: 'link', target: '../bin'},
      {name: 'bin/same', type: 'hard-link', target: 'bin/program'},
      {name: 'dev/null', type: 'device'},
    ]);
    expect(text('usr/bin/program')).toBe('run');
    expect(statSync(join(root, 'bin/program')).mode & 0o7777).toBe(0o755);
    expect(statSync(join(root, 'bin/same')).ino).toBe(statSync(join(root, 'bin/program')).ino);
    expect(text('etc/name')).toBe('v1');
    expect(existsSync(join(root, 'dev/null'))).toBe(false);
  });

  test('takes the place of what is below it, and its whiteouts take away what is below, not its own', async () => {
    await unpack([
      {name: 'etc/old', content: 'old'},
      {name: 'etc/kept', content: 'old'},
      {name: 'opt/a/deep', content: 'old'},
      {name: 'opt/b', content: 'old'},
      {name: 'var', content: 'a file'},
    ]);
    await unpack([
      {name: 'etc/.wh.old', content: ''},
      {name: 'etc/kept', content: 'new'},
      {name: 'opt/own', content: 'new'},
      {name: 'opt/.wh..wh..opq', content: ''},
      {name: 'var', type: 'folder'},
      {name: 'var/file', content: 'new'},
    ]);
    expect(everything().filter((path) => /etc|opt|var/.test(path))).toEqual(
      ['etc', 'etc/kept', 'opt', 'opt/own', 'var', 'var/file'].map((path) => `image/root/${path}`),
    );
    expect(text('etc/kept')).toBe('new');
  });

  test('writes through a link of the image as a container would: an absolute one leads on from the root', async () => {
    await unpack([{name: 'lib', type: 'link', target: '/usr/lib'}]);
    await unpack([{name: 'lib/a.so', content: 'here'}]);
    expect(text('usr/lib/a.so')).toBe('here');
  });
});

describe('a layer that leads out of the root, or has no end', () => {
  const outside: readonly (readonly [string, readonly Entry[], string])[] = [
    ['a path with ..', [{name: '../evil', content: 'x'}], 'cannot use path "../evil": it leads out of the image'],
    ['.. inside of a path', [{name: 'a/../../evil', content: 'x'}], 'it leads out of the image'],
    [
      'a file below a link that leads out',
      [
        {name: 'a', type: 'link', target: '../../../..'},
        {name: 'a/evil', content: 'x'},
      ],
      'it leads out of the image',
    ],
    [
      'a hard link to a file outside',
      [{name: 'a', type: 'hard-link', target: '../layer'}],
      'it leads out of the image',
    ],
    [
      'a hard link through a link that leads out',
      [
        {name: 'a', type: 'link', target: '../..'},
        {name: 'b', type: 'hard-link', target: 'a/layer'},
      ],
      'it leads out of the image',
    ],
    ['a whiteout of what is above', [{name: 'a/.wh...', content: ''}], 'it leads out of the image'],
    [
      'links without an end',
      [
        {name: 'a', type: 'link', target: 'b'},
        {name: 'b', type: 'link', target: 'a'},
        {name: 'a/evil', content: 'x'},
      ],
      'its links have no end',
    ],
    [
      'a hard link to nothing',
      [{name: 'a', type: 'hard-link', target: 'gone'}],
      'expected every hard link to name a file of the image',
    ],
  ];

  test.each(outside)('is refused: %s', async (_, entries, sentence) => {
    await expect(unpack(entries)).rejects.toThrow(sentence);
    expect(everything().filter((path) => path.includes('evil'))).toEqual([]);
    expect(everything().filter((path) => !path.startsWith('image'))).toEqual(['layer']);
  });

  test('is refused where a link with an absolute target would be written over: the link goes, its target stays', async () => {
    const victim = join(scratch, 'victim');
    writeFileSync(victim, 'untouched');
    await unpack([{name: 'a', type: 'link', target: victim}]);
    await unpack([{name: 'a', content: 'mine'}]);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(lstatSync(join(root, 'a')).isSymbolicLink()).toBe(false);
  });

  test('is refused as a bomb: more bytes, or more files, than an image may be', async () => {
    const zeros = '\0'.repeat(100_000);
    await expect(unpack([{name: 'a', content: zeros}], {bytes: 50_000, entries: 10})).rejects.toThrow(
      'it unpacks to more than an image may be',
    );
    const many = Array.from({length: 11}, (_, index) => ({name: `${index}`, content: ''}));
    await expect(unpack(many, {bytes: 2 ** 20, entries: 10})).rejects.toThrow('it holds more files than an image may');
    const twice = gzipSync(gzipSync(tarOf([{name: 'a', content: zeros}])));
    await expect(unpack(twice, {bytes: 50_000, entries: 10})).rejects.toThrow('in gzip once');
  });

  test('is refused where it breaks off, or is something else', async () => {
    const whole = gzipSync(tarOf([{name: 'a', content: 'x'.repeat(10_000)}]), {level: 0});
    await expect(unpack(whole.subarray(0, 6000))).rejects.toThrow('expected a whole tar archive, plain or in gzip');
    await expect(unpack(Buffer.from('PK'.repeat(1000)))).rejects.toThrow(
      'expected a whole tar archive, plain or in gzip',
    );
    await expect(unpack(Buffer.from('28b52ffd00000000', 'hex'))).rejects.toThrow('in gzip once');
  });
});
