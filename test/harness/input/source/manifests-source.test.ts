// Dumps of kubectl, folders, and files that are no dumps.

import {describe, expect, test} from 'vitest';
import {readSource} from '../../../../src/harness/input/source/read-source.ts';
import {sourceLines} from '../../../../src/harness/input/source/source-words.ts';
import {sourceFolder} from './folder.ts';

const folder = sourceFolder();

const db = {
  apiVersion: 'rds.example.org/v1beta1',
  kind: 'Instance',
  metadata: {name: 'db', uid: 'u1', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z'},
  status: {
    conditions: [{type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:05:00Z'}],
  },
};
const listOf = (...items: readonly object[]): string => JSON.stringify({apiVersion: 'v1', kind: 'List', items});
const failing = async (file: string): Promise<string> => {
  const read = readSource(file).then(() => 'was read');
  return (await read.catch((error: Error) => error.message)).replaceAll(`${folder.path()}/`, '');
};

describe('what kubectl printed', () => {
  test('as one List of JSON keeps uid, status and the newest moment', async () => {
    const source = await readSource(folder.write('state.json', listOf(db)));
    expect(source.objects).toEqual([db]);
    expect(new Date(source.asOfMs).toISOString()).toBe('2026-01-01T00:05:00.000Z');
    expect(source.kinds).toEqual([
      {
        group: 'rds.example.org',
        kind: 'Instance',
        plural: 'instances',
        versions: ['v1beta1'],
        namespaced: false,
        categories: [],
        knownBy: 'objects',
      },
    ]);
  });

  test('as many documents of JSON is all of them', async () => {
    const other = {...db, metadata: {...db.metadata, name: 'other', uid: 'u2'}};
    const file = folder.write('many.json', [db, other].map((one) => `${JSON.stringify(one)}\n`).join('---\n'));
    expect((await readSource(file)).objects).toEqual([db, other]);
  });

  test('as YAML reads scalars as Kubernetes does, in a List and in many documents', async () => {
    const one =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: "yes", b: 2024-01-01}\nspec: {on: yes, mode: 0644}\n';
    const list = 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: two}\n';
    const {objects} = await readSource(folder.write('state', `${one}---\n---\n${list}`));
    expect(objects.map(({metadata}) => metadata.name)).toEqual(['one', 'two']);
    expect(objects[0]).toMatchObject({data: {a: 'yes', b: '2024-01-01'}, spec: {true: true, mode: 0o644}});
  });
});

test('a List of YAML is read item by item, and a mistake keeps its line', async () => {
  const item = (name: string): string =>
    `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ${name}\n  data:\n    text: |\n      - a\n      kind: List\n`;
  const list = `apiVersion: v1\nitems:\n${item('one')}${item('two')}kind: List\nmetadata:\n  resourceVersion: ""\n`;
  const {objects} = await readSource(folder.write('state.yaml', list));
  expect(objects.map(({metadata, data}) => [metadata.name, data])).toEqual([
    ['one', {text: '- a\nkind: List\n'}],
    ['two', {text: '- a\nkind: List\n'}],
  ]);
  expect(await failing(folder.write('x.yaml', list.replace('name: two', 'name: two: three')))).toContain('x.yaml:14:');
});

test('a List of YAML whose items share an alias is read as a whole', async () => {
  const item = (name: string, labels: string): string =>
    `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ${name}\n    labels: ${labels}\n`;
  const list = `apiVersion: v1\nitems:\n${item('one', '&a {x: z}')}${item('two', '*a')}kind: List\n`;
  const {objects} = await readSource(folder.write('state.yaml', list));
  expect(objects.map(({metadata}) => metadata.labels)).toEqual([{x: 'z'}, {x: 'z'}]);
});

test('kinds come from definitions first, with the stored version first', async () => {
  const names = {kind: 'Instance', plural: 'instances', categories: ['managed']};
  const versions = [
    {name: 'v1beta1', served: true},
    {name: 'v1beta2', served: true, storage: true},
    {name: 'v1alpha1', served: false},
  ];
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'instances.rds.example.org'},
    spec: {group: 'rds.example.org', scope: 'Cluster', names, versions},
  };
  const xrd = {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: {name: 'xdbs.example.org'},
    spec: {
      group: 'example.org',
      names: {kind: 'XDb', plural: 'xdbs'},
      claimNames: {kind: 'Db', plural: 'dbs'},
      versions: [{name: 'v1', served: true, referenceable: true}],
    },
  };
  const {kinds} = await readSource(folder.write('state.json', listOf(db, crd, xrd)));
  const told = kinds.map(({kind, versions: served, namespaced, categories, knownBy}) => [
    kind,
    served,
    namespaced,
    categories,
    knownBy,
  ]);
  expect(told.slice(0, 3)).toEqual([
    ['Instance', ['v1beta2', 'v1beta1'], false, ['managed'], 'crd'],
    ['XDb', ['v1'], false, ['composite'], 'xrd'],
    ['Db', ['v1'], true, ['claim'], 'xrd'],
  ]);
});

test('a Secret is known by name alone', async () => {
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"p":"aHVudGVyMg=="}}',
    kept: 'yes',
  };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: 's', namespace: 'a', annotations},
    type: 'Opaque',
    data: {p: 'aHVudGVyMg=='},
    stringData: {q: 'x'},
  };
  const {objects} = await readSource(folder.write('state.json', listOf(secret)));
  expect(objects).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: 's', namespace: 'a', annotations: {kept: 'yes'}},
      type: 'Opaque',
    },
  ]);
});

test('a kustomization has no name, and is for tools', async () => {
  folder.write(
    'kustomization.yaml',
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [db.json]\n',
  );
  folder.write('db.json', listOf(db));
  const lines = sourceLines(await readSource(folder.path()));
  expect(lines.join()).toContain('left aside: 1 × for tools, not for a cluster');
  expect(lines.join()).not.toContain('not understood');
});

test('a folder says in numbers what it has besides', async () => {
  folder.write('a.json', listOf(db, db, {...db, metadata: {...db.metadata, resourceVersion: '9'}}));
  folder.write('b.yaml', 'just: text\n---\napiVersion: v1\nkind: Event\nmetadata: {name: e}\n');
  folder.write('broken.yaml', 'a: [1\nb: {{ .Values.password }}\n');
  folder.write('notes.txt', 'hello');
  const source = await readSource(folder.path());
  expect(source.objects.map(({metadata}) => metadata.resourceVersion)).toEqual(['9']);
  expect(sourceLines(source).map((line) => line.replaceAll(`${folder.path()}`, 'dump'))).toEqual([
    'read manifests "dump": 1 object of 1 kind (3 files, 1 kB)',
    'left aside: 1 × no manifest (notes.txt (no YAML)); 1 × the same object again (dump/a.json, item 2); 1 × another state of an object (dump/a.json, item 3); 1 × an event (dump/b.yaml, document 2)',
    'not understood: 1 × no Kubernetes object (dump/b.yaml); 1 × a Helm template: render it first (dump/broken.yaml:2:1)',
  ]);
});

describe('a dump that is none is told in one sentence', () => {
  const laughs = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...[...'bcdefgh'].map((key, at) => `${key}: &${key} [${`*${'abcdefgh'[at]},`.repeat(9)}]`),
  ];
  const conflicting = listOf(db, {...db, metadata: {...db.metadata, uid: 'u2'}});
  test.each<[string, string, string | Uint8Array, string]>([
    [
      'Latin-1',
      'x.yaml',
      Buffer.from([0x61, 0x3a, 0x20, 0xe4]),
      'cannot read "x.yaml": expected UTF-8, got bytes that are none',
    ],
    [
      'half of JSON',
      'x.json',
      '{"kind": "List", "items": [',
      'cannot read "x.json": expected JSON, got a file that ends too early or is none',
    ],
    [
      'broken JSON',
      'x.json',
      '{"kind": "List",\n "password" "hunter2"}',
      'x.json:2:13: expected JSON, got something else',
    ],
    ['broken YAML', 'x.yaml', 'a: b\n c: d\n', 'x.yaml:2:3: invalid YAML: bad indentation of a mapping entry'],
    [
      'a document of aliases',
      'x.yaml',
      laughs.join('\n'),
      'x.yaml: invalid YAML: expected a document as large as its text, got aliases that multiply it',
    ],
    [
      'deep nesting',
      'x.yaml',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'cannot read "x.yaml": expected at most 100 levels, got more',
    ],
    [
      'deep YAML',
      'x.yaml',
      `a: ${'['.repeat(1000)}${']'.repeat(1000)}`,
      'x.yaml:1:103: invalid YAML: nesting exceeded maxDepth (100)',
    ],
    ['no objects', 'x.yaml', 'a: b', 'cannot read "x.yaml": expected Kubernetes objects, got none'],
    ['an empty file', 'x.yaml', '', 'cannot read "x.yaml": expected Kubernetes objects, got none'],
    [
      'contradicting objects',
      'x.json',
      conflicting,
      'Instance "db" is there twice, in x.json, item 1 and in x.json, item 2, with another uid: a source is one moment of one control plane',
    ],
  ])('%s', async (_, name, content, sentence) => {
    expect(await failing(folder.write(name, content))).toContain(sentence);
  });

  test('fields of another form are counted, not trusted', async () => {
    const odd = [
      {...db, metadata: {name: 'a', ownerReferences: 'x'}},
      {...db, metadata: {name: 'b', annotations: {a: 1}}},
      {...db, metadata: {name: 'c'}, spec: 'text'},
      {...db, metadata: {name: 7}},
    ];
    const {objects, notes} = await readSource(folder.write('x.json', listOf(...odd, db)));
    expect(objects).toHaveLength(1);
    expect(notes.notUnderstood.map(({count}) => count)).toEqual([3, 1]);
  });
});

test('overlays of a repository are counted, and what was written counts for nothing beside its state', async () => {
  const named = (more: object) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'c', ...more}});
  folder.write('dev.json', JSON.stringify({...named({}), data: {stage: 'dev'}}));
  folder.write('prod.json', JSON.stringify({...named({}), data: {stage: 'prod'}}));
  const overlaid = await readSource(folder.path());
  expect(overlaid.objects).toMatchObject([{data: {stage: 'dev'}}]);
  expect(overlaid.notes.notUnderstood).toMatchObject([
    {why: 'an object that another file has in another form, as overlays do', count: 1},
  ]);
  expect(overlaid.notes.notUnderstood[0]?.first).toMatch(/prod\.json, where ConfigMap "c" is not as in .*dev\.json$/);
  folder.write('state.json', JSON.stringify({...named({uid: 'u-1'}), data: {stage: 'lives'}}));
  const lived = await readSource(folder.path());
  expect(lived.objects).toMatchObject([{metadata: {uid: 'u-1'}}]);
});
