import {describe, expect, test} from 'vitest';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {openWorld} from '../../../src/harness/library/harness.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {composition, definition, staticStep} from '../../platform.ts';
import {sourceFolder} from '../input/source/folder.ts';

// Names that the API server refuses, and what each Crossplane has written by then.

const folder = sourceFolder();
const platform = new URL('./given-names/platform.yaml', import.meta.url).pathname;

const foo = definition({apiVersion: 'bar.private/v1', kind: 'Foo'});
const misnamed = {...foo, metadata: {name: 'bar.private'}};
const archive = {apiVersion: 'example.org/v1', kind: 'XArchive'};

test('a CustomResourceDefinition is called after its plural and group', async () => {
  await using world = await openWorld({functions: {}, fixtures: []});
  const names = {kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList'};
  const versions = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}];
  const crd = (name: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name},
    spec: {group: 'right.io', scope: 'Cluster', names, versions},
  });
  await expect(world.apply(crd('things.wrong.io'))).rejects.toThrow(
    'metadata.name: Invalid value: "things.wrong.io": must be spec.names.plural+"."+spec.group',
  );
  await world.apply(crd('things.right.io'));
});

test('a definition of another name is never established, and its XR cannot be made', async () => {
  await using world = await openWorld({functions: {}, fixtures: [misnamed]});
  await world.run(120_000);
  const [made] = world.find({kind: 'CompositeResourceDefinition'});
  // Crossplane writes no condition: the reconcile returns before (crossplane 2d040d2da definition/reconciler.go:496-504).
  expect(JSON.stringify(made?.status ?? {})).not.toContain('Established');
  expect(world.stuck().join()).toMatch(
    /^CompositeResourceDefinition\/bar\.private was never established for .*: EstablishComposite of crossplane: .* must be spec/,
  );
  const xr = {apiVersion: 'bar.private/v1', kind: 'Foo', metadata: {name: 'f'}};
  await expect(world.apply(xr)).rejects.toThrow('Foo');
});

describe('a composed resource with an invalid name', () => {
  const name = 'No-Name-$';
  const base = {apiVersion: 'storage.example.org/v1', kind: 'Bucket', metadata: {name}, spec: {}};
  const composed = composition(archive, staticStep([{name: 'bucket', base}]));

  test.each([
    ['1.16', true],
    ['1.20', true],
    ['2.3', false],
    ['main', false],
  ] as const)('stands in the references of the XR first before v2: %s', async (crossplane, isListed) => {
    const functions = {'function-static': {builtin: 'function-static'}};
    await using world = await openWorld({crossplane, functions, fixtures: [platform, composed]});
    await world.apply({apiVersion: 'example.org/v1', kind: 'XArchive', metadata: {name: 'a'}, spec: {region: 'eu'}});
    await world.run(60_000);
    expect(JSON.stringify(world.find({kind: 'XArchive'})[0]?.spec).includes(name)).toBe(isListed);
    expect(world.timelineText().includes('Must be a valid RFC 1123 subdomain name')).toBe(!isListed);
  });
});

test.each([
  ['1.16', 'cannot update composite resource spec.resourceRefs: '],
  ['1.20', 'cannot update composite resource spec.resourceRefs: '],
  ['2.3', 'cannot update composed resource references: '],
  ['main', 'cannot update composed resource references: '],
] as const)('references that the definition refuses are told in the words of %s', async (crossplane, words) => {
  const rules = [{rule: '!has(self.resourceRefs) || size(self.resourceRefs) < 2', message: 'compose one'}];
  const spec = {type: 'object', 'x-kubernetes-validations': rules};
  const refusing = definition(archive, {type: 'object', properties: {spec}});
  const resources = ['one', 'two'].map((name) => ({
    name,
    base: {apiVersion: 'storage.example.org/v1', kind: 'Bucket', metadata: {name}, spec: {forProvider: {region: 'eu'}}},
  }));
  const composed = composition(archive, staticStep(resources));
  const functions = {'function-static': {builtin: 'function-static'}};
  await using world = await openWorld({crossplane, functions, fixtures: [platform, composed]});
  await world.apply(refusing);
  await world.run(30_000);
  await world.apply({apiVersion: 'example.org/v1', kind: 'XArchive', metadata: {name: 'a'}, spec: {}});
  await world.run(60_000);
  expect(world.timelineText().replaceAll(/\s+/g, ' ')).toContain(words);
  expect(world.find({kind: 'Bucket'})).toEqual([]);
});

test('an XR of a definition of another name is stuck, and the refusal of the definition says why', async () => {
  const path = folder.write(
    'source.json',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [misnamed, {apiVersion: 'bar.private/v1', kind: 'Foo', metadata: {name: 'f'}, spec: {}}],
    }),
  );
  const {objects, asOfMs} = await readSource(path);
  const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: [], ...lostKinds(objects)} as const;
  const functions = {places: {}, without: [], builtins};
  const {result} = await rehearse(
    {objects, asOfMs},
    {crossplane: 'main', changes: [], restore, functions, title: 'it'},
  );
  expect(result.stuck).toEqual([
    expect.stringMatching(/^CompositeResourceDefinition\/bar\.private was never established /),
    expect.stringMatching(
      /^Foo\/f was never reconciled .* CompositeResourceDefinition\/bar\.private, and of that: .* must be spec\.names\.plural/,
    ),
  ]);
});
