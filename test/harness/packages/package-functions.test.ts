import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {entrypointOf} from '../../../src/harness/packages/entrypoint.ts';
import {parseImageReference, referenceText, registryUrl} from '../../../src/harness/packages/image-reference.ts';
import {packageFunctions} from '../../../src/harness/packages/package-functions.ts';
import {architecture, type Pretended, publish} from './published-image.ts';
import {openRegistry, type Registry} from './registry.ts';

let scratch = '';
let registry: Registry;
beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'tether-packages-'));
  registry = await openRegistry();
  vi.stubEnv('DOCKER_CONFIG', scratch);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await registry.close();
  rmSync(scratch, {recursive: true, force: true});
});

/** A program of no library: prints its first argument's ten first letters. */
const program = elf(
  process.arch === 'x64' ? 62 : 183,
  Buffer.from('488b742410bf01000000ba0a000000b8010000000f0531ffb83c0000000f05', 'hex'),
);

/** A file in the format ELF with one segment, and perhaps the name of what loads it. */
function elf(machine: number, code: Buffer, loader?: string): Buffer {
  const header = Buffer.alloc(64 + 2 * 56);
  header.write('\x7fELF\x02\x01\x01', 0, 'latin1');
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(machine, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(0x400000n + 176n, 24);
  header.writeBigUInt64LE(64n, 32);
  for (const [at, value] of [
    [52, 64],
    [54, 56],
    [56, loader === undefined ? 1 : 2],
  ] as const)
    header.writeUInt16LE(value, at);
  const size = BigInt(header.length + code.length);
  segment(header, 64, {type: 1, offset: 0n, size});
  const name = Buffer.from(`${loader ?? ''}\0`);
  segment(header, 120, {type: loader === undefined ? 0 : 3, offset: size, size: BigInt(name.length)});
  return Buffer.concat([header, code, name]);
}

function segment(header: Buffer, at: number, {type, offset, size}: {type: number; offset: bigint; size: bigint}): void {
  header.writeUInt32LE(type, at);
  header.writeUInt32LE(5, at + 4);
  header.writeBigUInt64LE(offset, at + 8);
  header.writeBigUInt64LE(0x400000n + offset, at + 16);
  header.writeBigUInt64LE(0x400000n + offset, at + 24);
  header.writeBigUInt64LE(size, at + 32);
  header.writeBigUInt64LE(size, at + 40);
  header.writeBigUInt64LE(0x1000n, at + 48);
}

const cache = (): string => join(scratch, 'cache');
const prepare = (image: string, annotations = {}) =>
  packageFunctions([{name: 'function-a', package: image, annotations}], cache());

/** As if no container runtime were there, or this one. */
function withRuntime(script?: string): void {
  const folder = join(scratch, 'path');
  mkdirSync(folder, {recursive: true});
  if (script !== undefined) {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'docker'), 0o755);
  }
  vi.stubEnv('PATH', folder);
}

describe.runIf(process.platform === 'linux')('a function from its package', () => {
  const image: Pretended = {
    entries: [{name: 'function', content: program, mode: 0o755}],
    entrypoint: ['/function'],
    env: ['OF=image'],
  };

  test('is pulled by digest, unpacked, and started with the environment of its image alone', async () => {
    const {sources, notes} = await prepare(publish(registry, image), {
      'render.crossplane.io/runtime-docker-env': 'MORE=1,nonsense',
    });
    const source = sources['function-a'];
    if (source?.kind !== 'command') return expect.fail('expected a command');
    expect(source).toMatchObject({address: '127.0.0.1:{port}'});
    expect(source.command.slice(0, 4)).toEqual(['env', '-i', 'OF=image', 'MORE=1']);
    expect(source.command.slice(-3)).toEqual(['--insecure', '--address', '127.0.0.1:{port}']);
    expect(notes).toEqual([
      expect.stringMatching(
        /^Function "function-a" is \/function of localhost:\d+\/example\/function:v1@sha256:[0-9a-f]{64}, run on this machine without a container$/,
      ),
    ]);
    if (process.arch !== 'x64') return;
    const [name = '', ...args] = source.command;
    expect(spawnSync(name, args, {encoding: 'utf8'})).toMatchObject({status: 0, stdout: '--insecure'});
  });

  test('is downloaded once, and again where the tag names another', async () => {
    await prepare(publish(registry, image));
    const first = registry.asked.filter((line) => line.includes('/blobs/')).length;
    await prepare(publish(registry, image));
    expect(registry.asked.filter((line) => line.includes('/blobs/'))).toHaveLength(first);
    await prepare(publish(registry, {...image, env: ['OF=another']}));
    expect(readdirSync(join(cache(), 'images'))).toHaveLength(2);
  });

  test('is the image that the annotation of crossplane render names; what means nothing here is said', async () => {
    const {notes} = await prepare('registry.invalid/not/asked:v1', {
      'render.crossplane.io/runtime-docker-image': publish(registry, image),
      'render.crossplane.io/runtime-docker-cleanup': 'Orphan',
    });
    expect(notes[0]).toBe(
      'annotation render.crossplane.io/runtime-docker-cleanup of Function "function-a" has no meaning here',
    );
    expect(notes[1]).toContain('/example/function:v1@sha256:');
  });

  test.each<readonly [string, Partial<Pretended>, string]>([
    [
      'an interpreter with its script',
      {
        entries: [
          {name: 'usr/bin/python3', content: program},
          {name: 'main.py', content: ''},
        ],
        entrypoint: ['/usr/bin/python3', '/main.py'],
      },
      'it is started with /main.py, a file of its own root',
    ],
    [
      'an interpreter on its PATH',
      {entries: [{name: 'usr/bin/python3.13', content: program}], entrypoint: ['python3.13', '-m', 'function']},
      'python3.13 is an interpreter',
    ],
    [
      'a script',
      {entries: [{name: 'run', content: '#!/bin/sh\n'}], entrypoint: ['/run']},
      '/run is no Linux program, but a script perhaps',
    ],
    [
      'a program for another processor',
      {entries: [{name: 'function', content: elf(process.arch === 'x64' ? 183 : 62, Buffer.alloc(8))}]},
      "/function is for another processor than this machine's",
    ],
    [
      'a program without its loader',
      {entries: [{name: 'function', content: elf(process.arch === 'x64' ? 62 : 183, Buffer.alloc(8), '/lib/ld.so')}]},
      'its loader /lib/ld.so is not in the image',
    ],
    [
      'an entrypoint that leads to a file of this machine',
      {entries: [{name: 'function', type: 'link', target: '/bin/sh'}]},
      'its entrypoint /function is no file of the image',
    ],
    ['no entrypoint', {entrypoint: null}, 'the image names no entrypoint'],
  ])('is refused in one sentence without a container runtime: %s', async (_, change, why) => {
    withRuntime();
    const name = publish(registry, {...image, ...change});
    await expect(prepare(name)).rejects.toThrow(
      new RegExp(
        `^cannot run function "function-a" from ${name}@sha256:[0-9a-f]{64}: ${why.replaceAll(/[/.]/g, '\\$&')}, and neither Docker nor Podman answers here; start it yourself and name it with --function function-a=HOST:PORT$`,
      ),
    );
  });

  test('runs in a container, by its digest, where a container runtime answers', async () => {
    withRuntime('test "$1" = version');
    const name = publish(registry, {...image, entries: [{name: 'run', content: '#!/bin/sh\n'}], entrypoint: ['/run']});
    const {sources, notes} = await prepare(name, {'render.crossplane.io/runtime-docker-env': 'A=b'});
    const [digest = ''] = /sha256:[0-9a-f]{64}/.exec(notes[0] ?? '') ?? [];
    expect(sources['function-a']).toMatchObject({
      command: [
        ...['docker', 'run', '--rm', '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
        ...['--publish', '127.0.0.1:{port}:9443', '--env', 'A=b', `${name}@${digest}`, '--insecure'],
      ],
    });
  });
});

describe('an image that is not what its digest says', () => {
  const image: Pretended = {entries: [{name: 'function', content: program}], entrypoint: ['/function']};

  test.each(['layer', 'config', 'manifest'])(
    'is refused, and nothing of it is kept: its %s is another',
    async (what) => {
      const name = publish(registry, image);
      const blobs = [...registry.blobs.entries()];
      const [digest = ''] = blobs[{config: 0, layer: 1, manifest: 2}[what] ?? 0] ?? [];
      const bytes = Buffer.from(registry.blobs.get(digest) ?? '');
      bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
      registry.blobs.set(digest, bytes);
      await expect(prepare(name)).rejects.toThrow(
        `${what === 'manifest' ? 'expected a manifest' : 'expected a blob'} ${digest}, got sha256:`,
      );
      const kept = readdirSync(scratch, {recursive: true, encoding: 'utf8'}).filter((path) =>
        path.includes('function'),
      );
      expect(kept).toEqual([]);
    },
  );

  test('is refused where it is for other machines, not there, or nobody answers', async () => {
    await expect(prepare(publish(registry, {...image, architecture: 's390x'}))).rejects.toThrow(
      `expected an image for linux/${architecture}, got linux/s390x`,
    );
    await expect(prepare(`${registry.host}/example/function:v2`)).rejects.toThrow('the registry has no such image');
    await expect(prepare('localhost:1/example/function:v1')).rejects.toThrow('cannot reach localhost:1: ');
    await expect(prepare('localhost:1/Example:v1')).rejects.toThrow('expected an image REGISTRY/NAME:TAG');
  });
});

describe('a registry that asks who comes', () => {
  const image: Pretended = {entries: [{name: 'function', content: program}], entrypoint: ['/function']};

  async function pulledAs(password: string, files: {readonly [name: string]: string}): Promise<unknown> {
    await registry.close();
    registry = await openRegistry({password});
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(scratch, name), content.replaceAll('HOST', registry.host), {mode: 0o755});
    }
    const name = publish(registry, image);
    return prepare(name).then(
      ({notes}) => notes.length,
      (error: Error) => error.message,
    );
  }

  test.runIf(process.platform === 'linux')(
    'gives a token to everybody, to who has a password, and to who has a helper',
    async () => {
      expect(await pulledAs('', {})).toBe(1);
      const auth = Buffer.from('me:secret').toString('base64');
      expect(await pulledAs('me:secret', {'config.json': JSON.stringify({auths: {HOST: {auth}}})})).toBe(1);
      vi.stubEnv('PATH', `${scratch}:${process.env['PATH']}`);
      const helper =
        '#!/bin/sh\nread -r host\ntest "$1 $host" = "get HOST" && echo \'{"Username":"me","Secret":"helped"}\'\n';
      const config = JSON.stringify({credHelpers: {HOST: 'test'}});
      expect(await pulledAs('me:helped', {'config.json': config, 'docker-credential-test': helper})).toBe(1);
    },
  );

  test('is told of no password that is not its own, and says no in one sentence', async () => {
    const auth = Buffer.from('me:secret').toString('base64');
    const said = await pulledAs('me:other', {'config.json': JSON.stringify({auths: {'registry.example.org': {auth}}})});
    expect(said).toMatch(/^cannot get a token for localhost:\d+: localhost:\d+ answered 401$/);
    expect(said).not.toContain('secret');
  });

  test('is not asked with a configuration that nobody can read', async () => {
    expect(await pulledAs('me:secret', {'config.json': '{'})).toContain(
      'cannot read the credentials of registries: expected JSON',
    );
  });
});

describe('the name of an image', () => {
  test.each([
    ['localhost:5000/a/b:v1', 'http://localhost:5000/', 'localhost:5000/a/b:v1'],
    ['127.0.0.1:5000/a', 'http://127.0.0.1:5000/', '127.0.0.1:5000/a:latest'],
    ['xpkg.crossplane.io/a/b:v1', 'https://xpkg.crossplane.io/', 'xpkg.crossplane.io/a/b:v1'],
    ['a/b:v1', 'https://registry-1.docker.io/', 'index.docker.io/a/b:v1'],
    ['b', 'https://registry-1.docker.io/', 'index.docker.io/library/b:latest'],
    [`ghcr.io/a/b:v1@sha256:${'0'.repeat(64)}`, 'https://ghcr.io/', 'ghcr.io/a/b:v1'],
    ['localhost.example.org/a:1', 'https://localhost.example.org/', 'localhost.example.org/a:1'],
  ])('%s is asked at %s', (given, url, shown) => {
    const reference = parseImageReference(given);
    expect([registryUrl(reference).href, referenceText(reference)]).toEqual([url, shown]);
  });

  test.each(['', 'a b', 'http://a/b', 'a/../b', 'a:v1:v2', `a@sha256:0`, 'user@host/a:1', 'host/A:v1', 'a/b?c:1'])(
    'is not %s',
    (given) => {
      expect(() => parseImageReference(given)).toThrow(
        'expected an image REGISTRY/NAME:TAG or REGISTRY/NAME@sha256:..., got ',
      );
    },
  );
});

describe('an entrypoint', () => {
  test('with its own loader is started by that loader and with its own libraries', () => {
    const root = join(scratch, 'root');
    for (const folder of ['app', 'lib64']) mkdirSync(join(root, folder), {recursive: true});
    writeFileSync(join(root, 'app/function'), elf(process.arch === 'x64' ? 62 : 183, Buffer.alloc(8), '/lib64/ld.so'));
    writeFileSync(join(root, 'lib64/ld.so'), '');
    const config = {config: {Entrypoint: ['./function', '--flag'], WorkingDir: '/app'}};
    const found = entrypointOf({root, digest: '', config});
    expect(found).toMatchObject({kind: 'program', folder: join(root, 'app')});
    if (found.kind !== 'program') return;
    const [loader, flag, path, ...rest] = found.command;
    expect([loader, flag, ...rest]).toEqual([
      join(root, 'lib64/ld.so'),
      '--library-path',
      join(root, 'app/function'),
      '--flag',
    ]);
    for (const one of (path ?? '').split(':')) expect(one.startsWith(`${root}/`)).toBe(true);
  });
});
