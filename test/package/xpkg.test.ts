import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {afterAll, describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {emptyImage, filesOf, readImage} from '../../package/oci-image.ts';
import {layoutTarball} from '../../package/oci-layout.ts';
import {readTar, writeTar} from '../../package/tar.ts';
import {xpkgOf} from '../../package/xpkg.ts';

const root = new URL('../../', import.meta.url).pathname;

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly mediaType: string;
  readonly annotations?: {readonly [key: string]: string};
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations: {readonly [key: string]: string};
}

interface Config {
  readonly architecture: string;
  readonly config: {readonly Labels: {readonly [key: string]: string}; readonly Entrypoint?: readonly string[]};
  readonly rootfs: {readonly diff_ids: readonly string[]};
}

/** The bytes of a package of one image: that of the tarball, or one that runs nothing. */
function buildXpkg(tarball?: Buffer): Buffer {
  return layoutTarball(xpkgOf([tarball === undefined ? emptyImage('amd64') : readImage(tarball)]));
}

/** The package as a tool reads it that knows OCI image layouts: every digest and size is looked at on the way. */
function opened(xpkg: Buffer) {
  const files = readTar(xpkg);
  const file = (name: string): Buffer => files.get(name) ?? expect.fail(`expected file ${name} in the package`);
  const blob = ({digest, size}: Descriptor): Buffer => {
    const bytes = file(`blobs/${digest.replace(':', '/')}`);
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
    expect(bytes.length).toBe(size);
    return bytes;
  };
  const read = <T>(bytes: Buffer): T => JSON.parse(bytes.toString('utf8')) as T;
  const index = read<{readonly manifests: readonly Descriptor[]}>(file('index.json'));
  const [described = expect.fail('expected a manifest')] = index.manifests;
  const manifest = read<Manifest>(blob(described));
  return {files, described, manifest, config: read<Config>(blob(manifest.config)), blob, file};
}

function documents(bytes: Buffer | undefined) {
  const list = parseAllDocuments((bytes ?? Buffer.alloc(0)).toString('utf8'));
  expect(list.flatMap((one) => one.errors)).toEqual([]);
  return list.map((one) => one.toJS() as {apiVersion: string; kind: string; metadata: {name: string}});
}

/** The tarball of an image of one layer, as `docker save` writes it. */
function runtimeTarball(layer: Buffer): Buffer {
  const config = {
    architecture: 'arm64',
    os: 'linux',
    config: {Labels: {of: 'the runtime'}, Entrypoint: ['/nodejs/bin/node', '/function/function.mjs']},
    rootfs: {type: 'layers', diff_ids: [`sha256:${createHash('sha256').update(gunzip(layer)).digest('hex')}`]},
  };
  return writeTar([
    {name: 'config.json', bytes: Buffer.from(JSON.stringify(config))},
    {name: 'abc/layer.tar', bytes: layer},
    {name: 'manifest.json', bytes: Buffer.from('[{"Config":"config.json","Layers":["abc/layer.tar"]}]')},
  ]);
}

function gunzip(layer: Buffer): Buffer {
  return layer[0] === 0x1f ? gunzipSync(layer) : layer;
}

describe('the Crossplane package', () => {
  test('is an OCI image layout with the package layer annotated as Crossplane expects', () => {
    const {manifest, config, blob, file} = opened(buildXpkg());
    expect(JSON.parse(file('oci-layout').toString())).toEqual({imageLayoutVersion: '1.0.0'});
    const layers = manifest.layers.map((layer) => ({...layer.annotations, files: [...filesOf(blob(layer)).keys()]}));
    for (const {digest, size, annotations} of manifest.layers) {
      console.log(`layer ${digest.slice(0, 19)} ${size} bytes ${JSON.stringify(annotations)}`);
    }
    for (const [key, value] of Object.entries(manifest.annotations)) console.log(`annotation ${key}: ${value}`);
    expect(layers).toEqual([
      {'io.crossplane.xpkg': 'base', files: ['package.yaml']},
      {'io.crossplane.xpkg': 'upbound', files: ['.up/examples.yaml']},
    ]);
    const contents = manifest.layers.map((layer) => gunzip(blob(layer)));
    expect(config.rootfs.diff_ids).toEqual(
      contents.map((content) => `sha256:${createHash('sha256').update(content).digest('hex')}`),
    );
  });

  test('says the same in the labels that `crossplane xpkg push` reads, and in the manifest.json it starts from', () => {
    const {manifest, config, files, file} = opened(buildXpkg());
    const labels = manifest.layers.map(({digest, annotations}) => [
      `io.crossplane.xpkg:${digest}`,
      annotations?.['io.crossplane.xpkg'],
    ]);
    expect(config.config.Labels).toEqual(Object.fromEntries(labels));
    const [docker] = JSON.parse(file('manifest.json').toString()) as [{Config: string; Layers: string[]}];
    expect(docker.Config).toBe(`blobs/${manifest.config.digest.replace(':', '/')}`);
    expect(docker.Layers).toEqual(manifest.layers.map(({digest}) => `blobs/${digest.replace(':', '/')}`));
    expect(docker.Layers.filter((name) => !files.has(name))).toEqual([]);
  });

  test('holds the function, the schema of its input and nothing else', () => {
    const {manifest, blob} = opened(buildXpkg());
    const [base = expect.fail('expected a layer')] = manifest.layers;
    const stream = documents(filesOf(blob(base)).get('package.yaml'));
    expect(stream.map(({apiVersion, kind, metadata}) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
      'meta.pkg.crossplane.io/v1beta1 Function function-tether',
      'apiextensions.k8s.io/v1 CustomResourceDefinition inputs.tether.fn.crossplane.io',
    ]);
  });

  test('holds the manifests of the stories as examples: definition, composition, XR and functions of each', () => {
    const {manifest, blob} = opened(buildXpkg());
    const [, examples = expect.fail('expected a second layer')] = manifest.layers;
    const stream = documents(filesOf(blob(examples)).get('.up/examples.yaml'));
    const kinds = stream.map(({kind}) => kind);
    const stories = readdirSync(join(root, 'examples')).filter((story) => {
      const there = readdirSync(join(root, 'examples', story));
      return ['definition.yaml', 'composition.yaml', 'xr.yaml', 'functions.yaml'].every((name) => there.includes(name));
    });
    expect(stories.length).toBeGreaterThan(3);
    for (const kind of ['CompositeResourceDefinition', 'Composition']) {
      expect(kinds.filter((one) => one === kind).length).toBeGreaterThanOrEqual(stories.length);
    }
    expect(stream.every(({apiVersion, metadata}) => apiVersion !== '' && metadata.name !== '')).toBe(true);
  });

  test('has the same bytes whenever it is built', () => {
    expect(buildXpkg().equals(buildXpkg())).toBe(true);
  });

  test('carries the version of package.json, and the licence and source that the function says', () => {
    const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {version: string};
    expect(opened(buildXpkg()).manifest.annotations).toMatchObject({
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.title': 'function-tether',
    });
  });
});

describe('the Crossplane package with a runtime', () => {
  const content = writeTar([{name: 'function/function.mjs', bytes: Buffer.from('serve();')}]);

  test.each([
    ['compressed', gzipSync(content)],
    ['as it is', content],
  ])('has the layers of the image below its own: a layer that was %s', (_, layer) => {
    const {manifest, config, described, blob} = opened(buildXpkg(runtimeTarball(layer)));
    expect(manifest.layers.map(({annotations}) => annotations?.['io.crossplane.xpkg'])).toEqual([
      undefined,
      'base',
      'upbound',
    ]);
    const [runtime = expect.fail('expected a layer')] = manifest.layers;
    expect([...filesOf(blob(runtime)).keys()]).toEqual(['function/function.mjs']);
    expect(config.rootfs.diff_ids).toHaveLength(3);
    expect(config).toMatchObject({architecture: 'arm64', config: {Labels: {of: 'the runtime'}}});
    expect(config.config.Entrypoint).toEqual(['/nodejs/bin/node', '/function/function.mjs']);
    expect(described).toMatchObject({platform: {architecture: 'arm64', os: 'linux'}});
  });

  test('is refused with a sentence where the tarball holds no image, or something else', () => {
    const none = writeTar([{name: 'readme.txt', bytes: Buffer.from('hello')}]);
    expect(() => buildXpkg(none)).toThrow('expected file "manifest.json" in the image tarball, got none');
    const two = writeTar([{name: 'manifest.json', bytes: Buffer.from('[{},{}]')}]);
    expect(() => buildXpkg(two)).toThrow('expected one image in the image tarball, got 2');
    expect(() => buildXpkg(Buffer.alloc(1024, 7))).toThrow('expected a tar archive, got other bytes at 0');
    const zstd = Buffer.concat([Buffer.from('28b52ffd', 'hex'), Buffer.alloc(100)]);
    expect(() => buildXpkg(Buffer.from(runtimeTarball(zstd)))).toThrow('gzip or no compression, got zstd');
  });
});

describe('tar archives', () => {
  test('come back as they were written', () => {
    const files = [0, 1, 511, 512, 513].map((size) => ({name: `of/${size}`, bytes: Buffer.alloc(size, 'x')}));
    expect([...readTar(writeTar(files))]).toEqual(files.map(({name, bytes}) => [name, bytes]));
    const long = `${'folder/'.repeat(20)}${'x'.repeat(100)}`;
    expect([...readTar(writeTar([{name: long, bytes: Buffer.from('y')}]))]).toEqual([[long, Buffer.from('y')]]);
    expect(() => writeTar([{name: 'x'.repeat(101), bytes: Buffer.alloc(0)}])).toThrow('expected at most 100 bytes');
  });

  test('are read as Docker writes them, long names and links too', () => {
    const long = 'long'.repeat(40);
    const record = ` path=a/${long}\n`;
    const archive = Buffer.concat([
      entry('././@LongLink', 'L', '', `a/${long}\0`),
      entry('a/longlong', '0', '', 'by GNU'),
      entry('PaxHeaders/1', 'x', '', `${record.length + 3}${record}`),
      entry('b/longlong', '0', '', 'by pax'),
      entry('./a/file', '0', '', 'here'),
      entry('a/soft', '2', '../a/file', ''),
      entry('a/hard', '1', './a/file', ''),
      Buffer.alloc(1024),
    ]);
    const files = readTar(archive);
    expect([...files.keys()]).toEqual([`a/${long}`, 'a/file', 'a/soft', 'a/hard']);
    expect(files.get(`a/${long}`)?.toString()).toBe('by pax');
    for (const name of ['file', 'soft', 'hard']) expect(files.get(`a/${name}`)?.toString()).toBe('here');
  });
});

describe('the command that builds the package', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'tether-xpkg-'));
  afterAll(() => rmSync(scratch, {recursive: true, force: true}));

  function built(...flags: readonly string[]) {
    const args = [join(root, 'package/xpkg.ts'), '-o', join(scratch, 'built.xpkg'), ...flags];
    const {status, stdout, stderr} = spawnSync(process.execPath, args, {encoding: 'utf8'});
    return {status, stdout: stdout.replace(scratch, ''), stderr};
  }

  test('says that a package without a runtime has nothing to run, and what to do', () => {
    const {status, stdout, stderr} = built('--without-runtime', '--architecture', 'amd64');
    expect(stdout).toMatch(/^\/built\.xpkg: \d+ bytes\nlinux\/amd64: 0\.0 MiB to pull, sha256:[0-9a-f]{64}\n$/);
    expect(stderr).toMatch(/^without a runtime: .* DeploymentRuntimeConfig\nthat names an image\.$/m);
    expect(status).toBe(0);
  });

  test('says nothing of it where the runtime is in the package', () => {
    const image = join(scratch, 'image.tar');
    writeFileSync(image, runtimeTarball(writeTar([{name: 'function.mjs', bytes: Buffer.from('serve();')}])));
    expect(built('--embed-runtime-image-tarball', image)).toMatchObject({status: 0, stderr: ''});
  });
});

/** One entry, written apart from the writer that is tested. */
function entry(name: string, type: string, link: string, content: string): Buffer {
  const size = Buffer.byteLength(content);
  const block = Buffer.alloc(512 + Math.ceil(size / 512) * 512);
  const field = (text: string, at: number): unknown => block.write(text, at, 'latin1');
  field(name, 0);
  field('0000644\0', 100);
  field(`${size.toString(8).padStart(11, '0')} `, 124);
  field('        ', 148);
  field(type, 156);
  field(link, 157);
  field('ustar\x0000', 257);
  let sum = 0;
  for (const byte of block.subarray(0, 512)) sum += byte;
  field(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  field(content, 512);
  return block;
}
