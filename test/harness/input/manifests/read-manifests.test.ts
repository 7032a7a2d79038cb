import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {readManifests} from '../../../../src/harness/input/manifests/read-manifests.ts';
import {tarOf} from '../source/tar-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'manifests-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

function write(files: {readonly [name: string]: string | Buffer}): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), text);
  }
}

const object = (name: string, kind = 'ConfigMap', apiVersion = 'v1'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n`;

function read(name: string): {readonly names: readonly string[]; readonly notes: readonly string[]} {
  const {objects, notes} = readManifests(name, folder);
  return {
    names: objects.map(({metadata}) => metadata.name),
    notes: notes.map((one) => one.replaceAll(`${folder}/`, '')),
  };
}

describe('a folder', () => {
  test('is read with all that is below it, by path', () => {
    write({
      'apis/b.yaml': object('b'),
      'apis/a/z.yml': object('z'),
      'apis/a/y.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"y"}}',
    });
    expect(read('apis')).toEqual({names: ['y', 'z', 'b'], notes: []});
  });

  test('has its definitions first, whatever the names of its files', () => {
    const crd = object('crd', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1');
    const xrd = object('xrd', 'CompositeResourceDefinition', 'apiextensions.crossplane.io/v1');
    write({'apis/a.yaml': object('a'), 'apis/b.yaml': xrd, 'apis/c.yaml': `${crd}---\n${object('ns', 'Namespace')}`});
    expect(read('apis').names).toEqual(['ns', 'crd', 'xrd', 'a']);
  });

  test('is read without what test tools assert of it, or patch it with', () => {
    const test = `apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
metadata: {name: install}
spec:
  steps:
    - try:
        - apply: {file: ../common/install.yaml}
        - assert: {file: ../common/ready.yaml}
        - patch: {file: larger.yaml}
      catch:
        - error: {file: gone.yaml}
`;
    write({
      'tests/aws/chainsaw-test.yaml': test,
      'tests/aws/gone.yaml': object('gone'),
      'tests/aws/larger.yaml': object('part-of-install'),
      'tests/common/install.yaml': object('install'),
      'tests/common/ready.yaml': object('ready'),
      'tests/kuttl/00-assert.yaml': object('kuttl'),
      'tests/kuttl/01-errors-2.yaml': object('errors'),
      'tests/kuttl/02-install.yaml': object('second'),
      'tests/assert.yaml': object('an-app-of-this-name'),
    });
    const {names, notes} = read('tests');
    expect(names).toEqual(['an-app-of-this-name', 'install', 'install', 'second']);
    expect(notes.join().match(/ \(an assertion or a patch of a test tool\)/g)).toHaveLength(5);
  });

  test('says what it passes over', () => {
    write({
      'apis/README.md': '# no',
      'apis/a.yaml': object('a'),
      'apis/values.yaml': 'size: 3\n',
      'apis/crossplane.yaml': object('c', 'Configuration', 'meta.pkg.crossplane.io/v1'),
      'apis/.github/ci.yaml': 'on: push\n',
      'apis/node_modules/x/package.json': '{}',
    });
    symlinkSync(join(folder, 'apis'), join(folder, 'apis/loop'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'apis/nothing.yaml'));
    const {names, notes} = read('apis');
    expect(names).toEqual(['a']);
    expect(notes).toEqual([
      'passed over in "apis": README.md (no YAML), loop (a link to a folder that it is in), nothing.yaml (a link to nothing), apis/crossplane.yaml:1 (Configuration is for tools, not for a cluster), apis/values.yaml:1 (no Kubernetes object)',
    ]);
  });

  test('follows a link to another folder', () => {
    write({'elsewhere/a.yaml': object('a'), 'apis/b.yaml': object('b')});
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'apis/link'));
    expect(read('apis').names).toEqual(['b', 'a']);
  });

  test('with half an object is refused at its place', () => {
    write({'apis/a.yaml': 'apiVersion: v1\nmetadata: {name: a}\n'});
    expect(() => read('apis')).toThrow(/apis\/a.yaml:1:1: the document must have a field "kind"/);
  });

  test('without manifests is refused', () => {
    write({'apis/main.k': 'x = 1'});
    expect(() => read('apis')).toThrow('folder "apis" must hold .yaml, .yml or .json files, got none');
  });
});

describe('a glob', () => {
  beforeEach(() =>
    write({
      'crds/ec2_vpcs.yaml': object('vpcs'),
      'crds/ec2_subnets.yaml': object('subnets'),
      'crds/rds_dbs.yml': object('dbs'),
      'crds/more/ec2_routes.yaml': object('routes'),
      'crds/more/.hidden.yaml': object('hidden'),
      'crds/README.md': '',
    }),
  );

  test.each([
    ['crds/ec2_*.yaml', ['subnets', 'vpcs']],
    ['crds/*.y?ml', ['subnets', 'vpcs']],
    ['crds/*.{yaml,yml}', ['subnets', 'vpcs', 'dbs']],
    ['crds/[e-f]*_[!v]*', ['subnets']],
    ['crds/**/ec2_*', ['subnets', 'vpcs', 'routes']],
    ['**/ec2_r*', ['routes']],
    ['crds/**', ['subnets', 'vpcs', 'routes', 'dbs']],
    ['crds/*/.h*', ['hidden']],
    ['crds/**/**/**/ec2_routes.yaml', ['routes']],
    ['**/crds/**/more/**/ec2_*', ['routes']],
  ])('%s', (glob, names) => {
    expect(read(glob).names).toEqual(names);
  });

  test.each(['crds/*.txt', 'nowhere/*.yaml', '*.yaml'])('%s, which matches nothing, is refused', (glob) => {
    expect(() => read(glob)).toThrow(`glob "${glob}" must match .yaml, .yml or .json files, got none`);
  });

  test('of many stars takes no longer than one of few', () => {
    const deep = Array.from({length: 24}, () => 'a').join('/');
    write({[`${deep}/${'a'.repeat(100)}.yaml`]: object('deep')});
    expect(read(`${'**/a/'.repeat(12)}a*.yaml`).names).toEqual(['deep']);
    expect(() => read(`**/${'a*'.repeat(40)}b.yaml`)).toThrow('must match .yaml, .yml or .json files, got none');
  });

  test('takes node_modules and hidden folders where it names them', () => {
    write({'node_modules/one/a.yaml': object('one'), '.more/a.yaml': object('more')});
    expect(read('**/node_modules/**/a.yaml').names).toEqual(['one']);
    expect(read('.m*/a.yaml').names).toEqual(['more']);
    expect(() => read('*/a.yaml')).toThrow('got none');
  });

  test('of other files says which', () => {
    expect(() => read('crds/*.md')).toThrow('got crds/README.md (no YAML)');
  });

  test('with a range that runs backwards is refused', () => {
    expect(() => read('crds/[z-a]*')).toThrow('glob "crds/[z-a]*" must be one, got "[z-a]*", which matches nothing');
  });

  test('is a name where a file has it', () => {
    write({'a[1].yaml': object('one')});
    expect(read('a[1].yaml').names).toEqual(['one']);
  });
});

describe('a file', () => {
  test('may be a List, as kubectl prints it', () => {
    write({
      'list.yaml': 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n',
    });
    expect(read('list.yaml').names).toEqual(['a']);
  });

  test('may be the stream of a package, whose metadata is passed over', () => {
    write({'package.yaml': `${object('provider', 'Provider', 'meta.pkg.crossplane.io/v1')}---\n${object('a')}`});
    expect(read('package.yaml')).toEqual({
      names: ['a'],
      notes: ['passed over in "package.yaml": package.yaml:1 (Provider is for tools, not for a cluster)'],
    });
  });

  test('must hold objects alone', () => {
    write({'values.yaml': 'size: 3\n', 'empty.yaml': ''});
    expect(() => read('values.yaml')).toThrow('the document must have a field "apiVersion"');
    expect(() => read('empty.yaml')).toThrow('file "empty.yaml" must hold Kubernetes objects, got none');
  });
});

describe('a package', () => {
  const stream = `${object('provider', 'Provider', 'meta.pkg.crossplane.io/v1')}---\n${object('a')}`;
  const layer = tar({'package.yaml': stream});

  test.each([
    ['as crossplane builds it', tar({'manifest.json': '[]', 'sha256:1': 'x', 'layer.tar.gz': gzipSync(layer)})],
    ['whole in gzip', gzipSync(tar({'blobs/sha256/1': layer}))],
    ['that is its one layer', layer],
  ])('%s', (_, bytes) => {
    write({'provider.xpkg': bytes});
    expect(read('provider.xpkg').names).toEqual(['a']);
  });

  test.each([
    ['that is text', 'hello', 'a package is a tar of an OCI image, got something else (no tar)'],
    ['cut short', gzipSync(layer).subarray(0, 60), 'got something else (unexpected end of file)'],
    [
      'without package.yaml',
      tar({'layer.tar.gz': gzipSync(tar({other: 'x'}))}),
      'none of its layers has a package.yaml',
    ],
  ])('%s is refused', (_, bytes, says) => {
    write({'provider.xpkg': bytes});
    expect(() => read('provider.xpkg')).toThrow(says);
  });
});

function tar(files: {readonly [name: string]: string | Buffer}): Buffer {
  return tarOf(Object.entries(files).map(([path, content]) => ({path, content})));
}
