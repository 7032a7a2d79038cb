import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, describe, expect, test} from 'vitest';
import {type cliConfig, cliImage} from '../../package/cli-image.ts';
import {type Made, provenance, spdx} from '../../package/contents.ts';
import {type BaseImage, filesOf} from '../../package/oci-image.ts';
import {push} from '../../package/push.ts';
import {readDebianPackage} from '../../package/runtime/debian-package.ts';
import {download, type Get} from '../../package/runtime/download.ts';
import {type Architecture, architectures, debianPins, nodePin, nodeVersion} from '../../package/runtime/pins.ts';
import {functionProgram, runConfig, runtimeImage} from '../../package/runtime/runtime-image.ts';
import {type TarFile, writeTar} from '../../package/tar.ts';
import {xpkgOf} from '../../package/xpkg.ts';
import {parseImageReference} from '../../src/harness/packages/image-reference.ts';
import {imageRoot} from '../../src/harness/packages/image-root.ts';
import {digestOf, openRegistry} from '../harness/packages/registry.ts';
import {instructionsOf, readDockerfile} from './dockerfile.ts';

const root = new URL('../../', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'tether-runtime-'));
afterAll(() => rmSync(scratch, {recursive: true, force: true}));

/** An ar archive of named members. */
function ar(members: {readonly [name: string]: Buffer}): Buffer {
  const parts = Object.entries(members).flatMap(([name, bytes]) => {
    const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`;
    return [Buffer.from(header), bytes, Buffer.alloc(bytes.length % 2, '\n')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

function debianPackage(control: string, files: readonly TarFile[]): Buffer {
  return ar({
    'debian-binary': Buffer.from('2.0\n'),
    'control.tar.gz': gzipSync(writeTar([{name: './control', bytes: Buffer.from(control)}])),
    'data.tar': writeTar(files),
  });
}

const text = (words: string): Buffer => Buffer.from(words);
const libraries = [
  'libc.so.6',
  'libdl.so.2',
  'libgcc_s.so.1',
  'libm.so.6',
  'libpthread.so.0',
  'libresolv.so.2',
  'libstdc++.so.6',
];
const places: {readonly [name in Architecture]: {folder: string; loader: string}} = {
  amd64: {folder: 'lib/x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2'},
  arm64: {folder: 'lib/aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1'},
};

/** What the pins name, in the shape of the real files and a few bytes long. */
const pretended =
  (architecture: Architecture): Get =>
  async ({name, from}) => {
    if (from.kind === 'npm') {
      const files = ['LICENSE', 'bin/node', 'README.md'].map((path) => ({
        name: `package/${path}`,
        bytes: text(`${path} of ${architecture}`),
      }));
      return gzipSync(writeTar(files));
    }
    const {folder, loader} = places[architecture];
    const content: {readonly [name: string]: readonly string[]} = {
      'base-files': ['usr/lib/os-release', 'usr/share/common-licenses/GPL-3', 'etc/motd'],
      'gcc-14-base': ['usr/share/doc/gcc-14-base/copyright'],
      libc6: [loader, ...libraries.filter((one) => !/gcc|stdc/.test(one))].map((one) => `usr/${folder}/${one}`),
      'libgcc-s1': [`usr/${folder}/libgcc_s.so.1`],
      'libstdc++6': [`usr/${folder}/libstdc++.so.6`, 'usr/share/gdb/printers.py'],
    };
    const files = (content[name] ?? []).map((path) => ({name: `./${path}`, bytes: text(path)}));
    return debianPackage(`Package: ${name}\n`, files);
  };

async function images(): Promise<readonly BaseImage[]> {
  const folder = mkdtempSync(join(scratch, 'bundle-'));
  writeFileSync(join(folder, 'function.mjs'), 'serve();');
  return Promise.all(architectures.map((one) => runtimeImage(one, functionProgram(folder), pretended(one))));
}

describe('the image that is made without an engine', () => {
  test('is run as the one of the Dockerfile is', async () => {
    const [, stage] = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
    const [entrypoint] = instructionsOf(stage, 'ENTRYPOINT');
    expect(JSON.parse(entrypoint ?? '')).toEqual(runConfig.Entrypoint);
    expect(instructionsOf(stage, 'USER')).toEqual([runConfig.User]);
    expect(instructionsOf(stage, 'WORKDIR')).toEqual([runConfig.WorkingDir]);
    const ports = instructionsOf(stage, 'EXPOSE').flatMap((words) => words.split(' ').map((port) => `${port}/tcp`));
    expect(Object.keys(runConfig.ExposedPorts).sort()).toEqual(ports.sort());
    for (const {config} of await images()) expect(config.config).toMatchObject(runConfig);
  });

  test.each(architectures)('holds Node, what it is linked with and nothing else: %s', async (architecture) => {
    const [image] = (await images()).filter(({config}) => config.architecture === architecture);
    const files = (image?.layers ?? []).flatMap(({bytes}) => [...filesOf(bytes).keys()]);
    const {folder, loader} = places[architecture];
    const outside = files.filter(
      (file) => !/^(?:usr\/share\/(?:doc|common-licenses)|var\/lib\/dpkg\/status\.d)\//.test(file),
    );
    expect(outside.sort()).toEqual(
      [
        ...['etc/group', 'etc/nsswitch.conf', 'etc/os-release', 'etc/passwd', 'function/function.mjs'],
        ...['nodejs/LICENSE', 'nodejs/bin/node', `${architecture === 'amd64' ? 'lib64' : 'lib'}/${loader}`],
        ...libraries.map((one) => `${folder}/${one}`),
      ].sort(),
    );
    expect(files).toContain('usr/share/common-licenses/GPL-3');
    expect(files).toContain('var/lib/dpkg/status.d/libc6');
  });

  test('has the Node of the lock file, pinned for both architectures, as is every Debian package', () => {
    const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: {[path: string]: {version: string}};
    };
    expect(nodeVersion).toBe(packages['node_modules/node']?.version);
    for (const architecture of architectures) {
      expect(nodePin(architecture).digest).toMatch(/^sha512:[0-9a-f]{128}$/);
      for (const {digest} of debianPins(architecture)) expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
  });

  test('cannot be made where a package lacks what it should have', async () => {
    const get: Get = async (pin) =>
      pin.name === 'libc6' ? debianPackage('Package: libc6\n', []) : pretended('amd64')(pin);
    await expect(runtimeImage('amd64', {files: [], config: runConfig}, get)).rejects.toThrow(
      'expected file usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 in the Debian packages for amd64, got none',
    );
  });
});

test('the image of the command line holds the package in the place of the function', async () => {
  const get: Get = (pin) => pretended(JSON.stringify(pin).includes('arm64') ? 'arm64' : 'amd64')(pin);
  const {images} = await cliImage([{name: 'dist/main.js', bytes: text('tether')}], get);
  expect(images.map(({platform}) => platform.architecture)).toEqual(architectures);
  for (const {layers, config} of images) {
    const files = layers.flatMap(({bytes}) => [...filesOf(bytes).keys()]);
    const started = (JSON.parse(config.bytes.toString()) as {config: typeof cliConfig}).config.Entrypoint;
    expect(files).toEqual(expect.arrayContaining(started.map((file) => file.slice(1))));
    expect(files.filter((file) => file.startsWith('function/'))).toEqual([]);
  }
});

describe('a Debian package', () => {
  // A tar archive with the file `control`, as xz writes it.
  const xz =
    '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4Cf/AGtdABcLyOfZ5dHD1ZV9QtvcDlxs1FkS8hWWTiymsY3tY6ijV12CQN8kSjx6cBfxHL7Q9w3pMwH0vjbyLd3CaX6KHIGuXwyq6yzvD8ODCbDGgc9xqMG3aVjTCqjfHPQRxxkJBCkGiWbbJib7474AAAA0a/JwR1mcWAABhwGAUAAAhkFlfLHEZ/sCAAAAAARZWg==';

  test('is read as Debian compresses it', async () => {
    const members = {
      'control.tar.xz': Buffer.from(xz, 'base64'),
      'data.tar': writeTar([{name: './a', bytes: text('b')}]),
    };
    const read = await readDebianPackage(ar(members));
    expect(read.control).toBe('Package: small\n');
    expect(read.files.get('a')?.toString()).toBe('b');
  });

  test('is refused with a sentence where it is none', async () => {
    await expect(readDebianPackage(text('PK'))).rejects.toThrow('expected a Debian package, got other bytes at 0');
    await expect(readDebianPackage(ar({}))).rejects.toThrow('expected control.tar in the Debian package');
  });
});

describe('a pinned file', () => {
  test('is downloaded once, and not believed where it is another', async () => {
    const registry = await openRegistry();
    const good = text('as pinned');
    registry.blobs.set(digestOf(good), good);
    const url = `http://${registry.host}/v2/a/blobs/${digestOf(good)}`;
    const pin = {name: 'file', version: '1', digest: digestOf(good), from: {kind: 'urls', urls: [url]}} as const;
    const gone = {...pin, from: {kind: 'urls', urls: [`http://${registry.host}/gone`, url]}} as const;
    expect(await download(gone, join(scratch, 'one'))).toEqual(good);
    expect(await download(pin, join(scratch, 'one'))).toEqual(good);
    expect(registry.asked).toHaveLength(2);
    const other = {...pin, digest: digestOf(text('something else'))};
    await expect(download(other, join(scratch, 'two'))).rejects.toThrow(
      `cannot use file 1: expected digest ${other.digest}, got ${digestOf(good)}`,
    );
    await registry.close();
    await expect(download(pin, join(scratch, 'three'))).rejects.toThrow('cannot download file 1: http://localhost:');
  });
});

describe('a package of both architectures', () => {
  test('is pushed as one, and each is what is pulled back for it', async () => {
    const registry = await openRegistry();
    const layout = xpkgOf(await images());
    const name = `${registry.host}/example/function-tether:v1`;
    expect(await push(layout, name)).toBe(layout.index?.digest);
    expect(registry.tags.get('example/function-tether:v1')).toBe(layout.index?.digest);
    const puts = registry.asked.filter((line) => line.startsWith('PUT'));
    expect(puts.at(-1)).toBe('PUT /v2/example/function-tether/manifests/v1');
    for (const architecture of architectures) {
      const pulled = await imageRoot(parseImageReference(name), {os: 'linux', architecture}, join(scratch, 'cache'));
      expect(layout.images.map(({manifest}) => manifest.digest)).toContain(pulled.digest);
      expect(readFileSync(join(pulled.root, 'nodejs/bin/node'), 'utf8')).toBe(`bin/node of ${architecture}`);
      expect(pulled.config.config).toMatchObject({Entrypoint: runConfig.Entrypoint});
    }
    await push(layout, name);
    expect(registry.asked.filter((line) => line.startsWith('POST')).length).toBeLessThan(puts.length);
    await registry.close();
  });

  test('says what is in it and where that comes from, of each architecture, by the digest of what was pushed', async () => {
    const layout = xpkgOf(await images());
    const made: Made = {
      name: 'function-tether',
      version: '1.0.0',
      source: 'https://example.org/function-tether',
      commit: 'c0ffee',
      createdAt: new Date(0),
      lockDigest: digestOf(text('lock')),
      architectures,
      bundled: [{name: '@grpc/grpc-js', version: '1.0.0', license: 'Apache-2.0'}],
      builder: 'https://example.org/builder',
    };
    const list = spdx(made, layout) as {
      packages: {SPDXID: string; externalRefs?: {referenceLocator: string}[]}[];
      relationships: {relatedSpdxElement: string}[];
    };
    const urls = list.packages.flatMap(
      ({externalRefs}) => externalRefs?.map(({referenceLocator}) => referenceLocator) ?? [],
    );
    expect(urls).toContain('pkg:npm/%40grpc/grpc-js@1.0.0');
    for (const architecture of architectures) {
      for (const {name} of debianPins(architecture)) {
        expect(
          urls.filter(
            (url) =>
              url.startsWith(`pkg:deb/debian/${encodeURIComponent(name)}@`) && url.includes(`arch=${architecture}`),
          ),
        ).toHaveLength(1);
      }
    }
    const ids = list.packages.map(({SPDXID}) => SPDXID);
    expect(new Set(ids).size).toBe(ids.length);
    expect(list.relationships.map((one) => one.relatedSpdxElement).sort()).toEqual(ids.sort());
    const statement = JSON.stringify(provenance(made, layout, {name: 'a.xpkg', digest: digestOf(text('a'))}));
    for (const digest of [layout.index?.digest, nodePin('arm64').digest, made.lockDigest]) {
      expect(statement).toContain(digest?.split(':')[1]);
    }
    expect(statement).toContain('"gitCommit":"c0ffee"');
  });
});
