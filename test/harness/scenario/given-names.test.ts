import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {annotationExternalName} from '../../../src/cluster/vocabulary.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {openWorld, type WorldOptions} from '../../../src/harness/library/harness.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {known} from '../rehearse/lived.ts';

// A Composition gives the external name of a Bucket, and no name to its policy.

const platform = new URL('./given-names/platform.yaml', import.meta.url).pathname;
const archive = {apiVersion: 'example.org/v1', kind: 'XArchive', metadata: {name: 'a'}, spec: {region: 'eu'}};

async function made(provider: NonNullable<WorldOptions['provider']> = {}) {
  const world = await openWorld({
    functions: {'function-static': {builtin: 'function-static'}},
    fixtures: [platform],
    provider,
  });
  await world.apply(archive);
  await world.run(600_000);
  const nameOf = (kind: string) => world.find({kind})[0]?.metadata.annotations?.[annotationExternalName];
  return {world, nameOf};
}

describe('an external name that is there before the create', () => {
  test.each([
    ['sync', {}],
    ['async', {async: ['Bucket', 'BucketPolicy']}],
  ])('is kept, of a %s client', async (_, provider) => {
    const {world, nameOf} = await made(provider);
    expect(nameOf('Bucket')).toBe('acme-archive');
    expect(nameOf('BucketPolicy')).toMatch(/^ext-\d$/);
    expect(world.externalCounts()).toEqual({alive: 2, creates: 2, deletes: 0});
  });

  test('is kept when the external resource is made again', async () => {
    const {world, nameOf} = await made();
    await world.delete({kind: 'Bucket'});
    await world.run(600_000);
    expect(nameOf('Bucket')).toBe('acme-archive');
    expect(world.externalCounts()).toEqual({alive: 2, creates: 3, deletes: 1});
  });

  test('is replaced by the cloud for a kind that the cloud names, and Crossplane puts it back: no end of creates', async () => {
    const {world} = await made({externals: {Bucket: {namedBy: 'cloud'}}});
    expect(world.externalCounts().creates).toBeGreaterThan(5);
  });
});

test('a kind that is named by its objects gets their names where none is given', async () => {
  const named = {namedBy: 'object'} as const;
  const {nameOf} = await made({externals: {Bucket: named, 'BucketPolicy.storage.example.org': named}});
  expect([nameOf('Bucket'), nameOf('BucketPolicy')]).toEqual(['acme-archive', 'readers']);
});

describe('a rehearsal', () => {
  const rehearsed = (objects: readonly KubeObject[], change: KubeObject) => {
    const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: [], lost: [], written: []} as const;
    const functions = {places: {}, without: [], builtins: known};
    const apply = {kind: 'apply', objects: [change]} as const;
    const changes = [{kind: 'apply', objects: [change], actions: [apply]} as const];
    return rehearse({objects, asOfMs: 0}, {crossplane: 'main', changes, restore, functions, title: 'names'});
  };

  function another(objects: readonly KubeObject[], kind: string, name: string | undefined): KubeObject {
    const [first] = objects.filter((object) => object.kind === kind);
    const annotations = name === undefined ? {} : {[annotationExternalName]: name};
    return {
      apiVersion: first?.apiVersion ?? '',
      kind,
      metadata: {name: 'another', annotations},
      spec: {forProvider: {}},
    };
  }

  test.each([
    ['keeps the name of an author', 'author', 'Bucket', 'acme-logs', 'acme-logs', 1],
    ['names by the object if the source does', 'object', 'BucketPolicy', undefined, 'another', 1],
    ['lets the cloud choose if it has chosen before', 'cloud', 'BucketPolicy', 'mine', 'new-1', 1],
  ] as const)('%s', async (_, namedBy, kind, given, expected, creates) => {
    const {world} = await made(namedBy === 'object' ? {externals: {BucketPolicy: {namedBy}}} : {});
    const objects = [...(await readSource(platform)).objects, ...world.objects()];
    const {result} = await rehearsed(objects, another(objects, kind, given));
    const [made1] = result.objects.filter((object) => object.metadata.name === 'another');
    expect(made1?.metadata.annotations?.[annotationExternalName]).toBe(expected);
    expect(result.externals.creates).toBe(creates);
  });
});

test('a resource that only observes is ready if the story lists its external resource', async () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'vpcs.net.example.org'},
    spec: {
      group: 'net.example.org',
      scope: 'Cluster',
      names: {kind: 'VPC', plural: 'vpcs', categories: ['managed']},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {status: {}},
          schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
        },
      ],
    },
  };
  const vpc = {
    apiVersion: 'net.example.org/v1',
    kind: 'VPC',
    metadata: {name: 'shared', annotations: {'crossplane.io/external-name': 'vpc-0123'}},
    spec: {managementPolicies: ['Observe'], forProvider: {region: 'eu'}},
  };
  const readyWith = async (exist: readonly string[]) => {
    const provider = {externals: {VPC: {exist}}};
    await using world = await openWorld({functions: {}, provider, fixtures: [crd, vpc]});
    await world.run(180_000);
    expect(world.externalCounts()).toMatchObject({creates: 0, alive: exist.length});
    return world.timelineText().includes('VPC/shared Ready=True');
  };
  expect(await readyWith(['vpc-0123'])).toBe(true);
  expect(await readyWith([])).toBe(false);
});
