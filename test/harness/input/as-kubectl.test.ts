// YAML as kubectl reads it: what people apply every day goes in, and what is passed over is said.

import {writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {readConfiguration} from '../../../src/harness/init/configuration.ts';
import {readManifests} from '../../../src/harness/input/manifests/read-manifests.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {emptyFolder} from '../../cli/folder.ts';

const folder = emptyFolder();

test.each([
  ['in double quotes', 'a:\n  b: "one\n  two"\nc: 1', {a: {b: 'one two'}, c: 1}],
  ['in single quotes, with one of them', "a:\n  b: 'it''s\n  two'\nc: 1", {a: {b: "it's two"}, c: 1}],
  ['at the margin', 'a:\n  b: "one\ntwo"\nc: 1', {a: {b: 'one two'}, c: 1}],
  ['with an escaped quote', 'a:\n  b: "one \\"\n  two"\nc: 1', {a: {b: 'one " two'}, c: 1}],
  ['in a list', 'a:\n  - "one\n  two"\n  - three', {a: ['one two', 'three']}],
  ['in a flow', 'a: {b: "one\ntwo", c: [d, "e\nf"]}', {a: {b: 'one two', c: ['d', 'e f']}}],
  [
    'beside a block that has quotes of its own',
    'a: |\n  echo "one\n  two\nb:\n  c: "three\n  four"\n',
    {a: 'echo "one\ntwo\n', b: {c: 'three four'}},
  ],
  [
    'beside a plain text with quotes',
    'a: it\'s "so\nb:\n  c: "three\n  four" # "\n',
    {a: 'it\'s "so', b: {c: 'three four'}},
  ],
  ['over an empty line', 'a:\n  b: "one\n\n  two"', {a: {b: 'one\ntwo'}}],
])('a quoted line goes on without being indented, %s', (_, text, value) => {
  expect(parseYaml(text, 'x.yaml').map((one) => one.value)).toEqual([value]);
});

test('what is no YAML for kubectl is none here, at its own place', () => {
  expect(() => parseYaml('a:\n  b: "one\n  two\nc: 1', 'x.yaml')).toThrow(/^x\.yaml:\d+:\d+: invalid YAML: /);
});

const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';

test('a line of --- ends a quoted text, which then has no end', () => {
  const text = `${config}data:\n  a: "one\n---\n  two"\n`;
  expect(() => parseYaml(text, 'x.yaml')).toThrow(/^x\.yaml:\d+:\d+: invalid YAML: /);
});

test('a key that stands twice is a warning, and the last one counts', async () => {
  const file = `${folder.path}/${folder.write('twice.yaml', `${config}data: {a: one}\ndata: {a: two}\n`)}`;
  const {objects, notes} = readManifests(file, '');
  expect(objects).toMatchObject([{data: {a: 'two'}}]);
  expect(notes).toEqual([expect.stringMatching(/^a key stands twice, and the last one counts: .*twice\.yaml:5:1$/)]);
  const source = await readSource(file);
  expect(source.objects).toMatchObject([{data: {a: 'two'}}]);
  expect(source.notes.notUnderstood).toMatchObject([{why: 'a key that stands twice: the last one counts', count: 1}]);
});

test('a Helm template is called one, and nothing read says what was passed over', async () => {
  const template = `${config}data:\n  {{- range .Values.all }}\n  {{ . }}: x\n  {{- end }}\n`;
  const file = `${folder.path}/${folder.write('chart/templates/c.yaml', template)}`;
  const called = /c\.yaml:\d+:\d+: a Helm template is no YAML: render it with `helm template` first$/;
  expect(() => readManifests(file, '')).toThrow(called);
  await expect(readSource(file)).rejects.toThrow(called);
  await expect(readSource(`${folder.path}/chart`)).rejects.toThrow(
    /expected Kubernetes objects, got none: passed over 1 × a Helm template: render it first \(.*c\.yaml:\d+:\d+\)$/,
  );
});

test.each(['a: [b,\n\t# of a team\n  c]', 'a: [b,\n\t\n  c]', 'a: "b\n\tc"', 'a: b \t# c\nd:\te'])(
  'a tab is taken in %j',
  (text) => {
    const file = `${folder.path}/${folder.write('tab.yaml', `${config}data: {}\n${text}\n`)}`;
    expect(readManifests(file, '').objects).toHaveLength(1);
  },
);

test.each([
  ['before it, which it overrides', 'm: &m {x: 1}\no: {x: 2, z: 3, <<: *m}', {m: {x: 1}, o: {x: 1, z: 3}}],
  ['before a merged merge', 'k: &k {x: 1}\nm: &m {<<: *k}\no: {x: 2, <<: *m}', {k: {x: 1}, m: {x: 1}, o: {x: 1}}],
  ['before one in quotes, which is none', "o: {x: 2, '<<': {x: 1}}", {o: {x: 2, '<<': {x: 1}}}],
  ['after it', 'm: &m {x: 1}\no:\n  <<: *m\n  x: 2', {m: {x: 1}, o: {x: 2}}],
  [
    'before a list of them',
    'm: [&m {x: 1}, &n {x: 3, w: 4}]\no: {x: 2, <<: [*m, *n]}',
    {m: [{x: 1}, {x: 3, w: 4}], o: {x: 1, w: 4}},
  ],
])('a merge key and a key %s', (_, text, value) => {
  expect(parseYaml(text, 'x.yaml').map((one) => one.value)).toEqual([value]);
});

test.each([
  ['at the margin', 'a: [\n  b,\n]\nc: 1', {a: ['b'], c: 1}],
  ['under its own key', 'l:\n- a: {\n    b: c\n  }\n- [d\n  ,e]', {l: [{a: {b: 'c'}}, ['d', 'e']]}],
])('a bracket is closed in a line that is not indented, %s', (_, text, value) => {
  expect(parseYaml(text, 'x.yaml').map((one) => one.value)).toEqual([value]);
});

test.each(['~: b', 'null: b', '? [b]\n  : c', '? {b: c}\n  : d'])(
  'a key that JSON cannot have is refused: %s',
  (pair) => {
    expect(() => parseYaml(`a:\n  ${pair}\n`, 'x.yaml')).toThrow(/^x\.yaml:2:\d+: invalid YAML: a key must be text/);
  },
);

// Each with what kubectl 1.32.4 made of it.
test.each([
  [
    'a map behind ---',
    '--- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}',
    ':5:4: kubectl takes nothing but a comment behind ---',
  ],
  ['a tag behind ---', `--- !!map\n${config}`, ':5:4: kubectl takes nothing'],
  ['a directive', `---\n%YAML 1.1\n---\n${config}`, ':6:1: '],
  ['a tab before a comment', '\t# of a team', ':5:1: kubectl takes no line that begins with a tab'],
  ['a line of a tab alone', '\t', ':5:1: kubectl takes no line that begins with a tab'],
  ['another object behind ...', `...\n${config}`, ':6:1: kubectl reads nothing between ... and the next ---'],
])('%s is refused as kubectl refuses it, or passes over it', async (_, more, problem) => {
  const file = `${folder.path}/${folder.write('refused.yaml', `${config}data: {}\n${more}\n`)}`;
  expect(() => readManifests(file, '')).toThrow(problem);
  await expect(readSource(file)).rejects.toThrow(problem);
});

test.each([
  [
    'a file that begins with a directive',
    `%YAML 1.1\n---\n${config}`,
    ':1:1: kubectl takes no directive such as %YAML',
  ],
  ['a map of YAML in braces', '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}', ':1:'],
])('%s is no manifest', async (_, text, problem) => {
  const file = `${folder.path}/${folder.write('refused.yaml', text)}`;
  expect(() => readManifests(file, '')).toThrow(problem);
  await expect(readSource(file)).rejects.toThrow(problem);
  expect(() =>
    readConfiguration(folder.path).notes.map((note) => expect(note).not.toContain('refused.yaml')),
  ).toThrow();
});

test.each([
  ['a comment behind ---', `${config}--- # two\n${config}`],
  ['a directive behind ...', `${config}...\n%YAML 1.1\n---\n${config}`],
  ['the end of documents', `---\n${config}...\n---\n${config}...\n# end\n`],
])('%s is as it was', (_, text) => {
  const file = `${folder.path}/${folder.write('taken.yaml', text)}`;
  expect(readManifests(file, '').objects).toHaveLength(2);
});

const named = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}});

test.each([
  ['JSON documents one after another', [named('a'), named('b')].map((one) => JSON.stringify(one, null, 1)).join('\n')],
  [
    'a list that says once of what kind its items are',
    JSON.stringify({apiVersion: 'v1', kind: 'ConfigMapList', items: ['a', 'b'].map((name) => ({metadata: {name}}))}),
  ],
  [
    'the UTF-16 of PowerShell',
    Buffer.from(`\ufeff${JSON.stringify(named('a'))}\n---\n${JSON.stringify(named('b'))}`, 'utf16le'),
  ],
])('%s are objects to a scenario and to a source', async (_, content) => {
  const file = `${folder.path}/two.yaml`;
  writeFileSync(file, content);
  expect(readManifests(file, '').objects).toEqual([named('a'), named('b')]);
  expect((await readSource(file)).objects).toEqual([named('a'), named('b')]);
});

test('of JSON documents the broken one is named by its line', async () => {
  const file = `${folder.path}/broken.json`;
  writeFileSync(file, `${JSON.stringify(named('a'))}\n{"apiVersion" "v1"}\n`);
  await expect(readSource(file)).rejects.toThrow(/broken\.json:2:15: expected JSON/);
});

test('a configuration is read the same way, from a List and from a file with a key that stands twice', () => {
  const list = emptyFolder();
  const kinds = [{kind: 'CompositeResourceDefinition'}, {kind: 'Composition'}].map(({kind}) => ({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind,
    metadata: {name: 'x'},
  }));
  list.write('all.json', {apiVersion: 'v1', kind: 'List', items: kinds});
  list.write('made.yaml', {apiVersion: 'v1', kind: 'Note', metadata: {generateName: 'shop-'}});
  list.write('xr.yaml', `${config}data: {a: one}\ndata: {a: two}\n`);
  const {definitions, compositions, others, notes} = readConfiguration(list.path);
  expect([definitions, compositions].map(([one]) => one?.object.kind)).toEqual(kinds.map(({kind}) => kind));
  const made = others.find(({object}) => object.kind === 'Note');
  expect(made).toMatchObject({object: {metadata: {name: 'shop-example'}}, isAlone: false});
  expect(others.find(({object}) => object.kind === 'ConfigMap')?.object['data']).toEqual({a: 'two'});
  expect(notes).toEqual([expect.stringMatching(/^a key stands twice, and the last one counts: .*xr\.yaml:5:1$/)]);
});
