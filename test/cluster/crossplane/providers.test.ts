import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {conditionOf, controllerOf, type KubeObject} from '../../../src/cluster/object.ts';
import {entryText} from '../../../src/harness/control-plane/record/words.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';

// Providers as packages with revisions, told with the kinds of the example: v1 has Buckets and Queues, v2 Buckets alone.

const file = new URL('../../../examples/provider-upgrade/scenario.yaml', import.meta.url).pathname;
const versions = ['1.16', '1.19', '1.20', '2.3', 'main'] as const;

const objectOf = (name: string, kind: string) =>
  `{apiVersion: cloud.example.org/v1, kind: ${kind}, metadata: {name: ${name}}, spec: {forProvider: {region: here}}}`;
const provider = (version: string, more = '') =>
  `{apiVersion: pkg.crossplane.io/v1, kind: Provider, metadata: {name: provider-cloud}, spec: {package: "xpkg.example.org/provider-cloud:${version}"${more}}}`;

const contents = {
  v1: '{objects: [buckets.yaml, queues.yaml]}',
  v2: '{objects: [buckets.yaml]}',
  v3: '{objects: [buckets.yaml]}',
};

interface Told {
  readonly crossplane?: ProfileName;
  readonly first?: string;
  readonly packages?: {readonly [version: string]: string};
  readonly fixtures?: readonly string[];
  readonly provider?: string;
}

/** A story that begins with the Provider as v1. */
function told(steps: readonly string[], options: Told = {}) {
  const {
    crossplane = 'main',
    first = provider('v1'),
    packages = contents,
    fixtures = [],
    provider: behaviour = '{}',
  } = options;
  const said = Object.entries(packages).filter(([version]) => [first, ...steps].join().includes(`:${version}"`));
  const text = `
name: story
fixtures: [${[...fixtures, first].join(', ')}]
packages:
${said.map(([version, has]) => `  xpkg.example.org/provider-cloud:${version}: ${has}`).join('\n')}
provider: ${behaviour}
steps:
${steps.map((step) => `- ${step}`).join('\n')}`;
  const [cursor] = parseYaml(text, 'story.yaml');
  if (cursor === undefined) throw new Error('the test wrote no scenario');
  const scenario = parseScenario(cursor, manifestReader(file));
  const result = driveHere(
    driveScenario(scenario, {crossplane, variant: {name: '', without: [], expect: []}, seed: 1}),
  );
  expect(result.failures).toEqual([]);
  const all = (kind: string) => result.objects.filter((object) => object.kind === kind);
  const one = (kind: string, name: string): KubeObject | undefined =>
    all(kind).find(({metadata}) => metadata.name === name);
  const revisionOf = (version: string): KubeObject | undefined =>
    all('ProviderRevision').find(({spec}) => spec?.['image'] === `xpkg.example.org/provider-cloud:${version}`);
  return {...result, all, one, revisionOf, text: result.timeline.map(entryText).join('\n')};
}

const upgrade = (version: string, more = '') => `{apply: ${provider(version, more)}, wait: 2m}`;
const make = (...objects: readonly string[]) => `{apply: [${objects.join(', ')}], wait: 1m}`;
const bucket = objectOf('assets', 'Bucket');
const queue = objectOf('orders', 'Queue');

/** What the API server has of a kind that a package brought: on v2 by its definition. */
const definitionKind = (crossplane: ProfileName) =>
  crossplane === '2.3' || crossplane === 'main' ? 'ManagedResourceDefinition' : 'CustomResourceDefinition';

const owners = (object: KubeObject | undefined) =>
  (object?.metadata.ownerReferences ?? []).map(({kind, controller = false}) => [kind, controller]);

const controllerUid = (object: KubeObject | undefined) => object && controllerOf(object)?.uid;

describe('a Provider that is installed', () => {
  test.each(versions)('has a revision that controls its kinds and runs, on %s', (crossplane) => {
    const {all, one, revisionOf, externals} = told([make(bucket, queue)], {crossplane});
    const revision = revisionOf('v1');
    expect(revision?.spec).toMatchObject({desiredState: 'Active', revision: 1});
    const kinds = all(definitionKind(crossplane));
    expect(kinds.map(({metadata}) => metadata.name)).toEqual(['buckets.cloud.example.org', 'queues.cloud.example.org']);
    for (const kind of kinds) {
      expect(controllerUid(kind)).toBe(revision?.metadata.uid);
      expect(owners(kind)).toEqual([
        ['ProviderRevision', true],
        ['Provider', false],
      ]);
    }
    const installed = one('Provider', 'provider-cloud');
    expect(conditionOf(installed, 'Installed')).toMatchObject({status: 'True', reason: 'ActivePackageRevision'});
    expect(conditionOf(installed, 'Healthy')).toMatchObject({status: 'True', reason: 'HealthyPackageRevision'});
    expect(externals).toMatchObject({creates: 2});
  });

  test.each([
    ['1.20', ['Healthy']],
    ['2.3', ['RevisionHealthy', 'RuntimeHealthy']],
    ['main', ['RevisionHealthy', 'RuntimeHealthy', 'RuntimeActive']],
  ] as const)('tells its health by the conditions of %s', (crossplane, types) => {
    const {revisionOf} = told(['{wait: 10s}'], {crossplane});
    const conditions = revisionOf('v1')?.status?.['conditions'] as readonly {type: string; status: string}[];
    expect(conditions.map(({type, status}) => [type, status]).sort()).toEqual(
      types.map((type) => [type, 'True']).sort(),
    );
  });
});

describe('a Provider that is upgraded', () => {
  test.each(versions)('runs as its new revision, and the one of before lets go, on %s', (crossplane) => {
    const {one, revisionOf, text, externals} = told([make(bucket, queue), upgrade('v2')], {crossplane});
    expect(revisionOf('v1')?.spec).toMatchObject({desiredState: 'Inactive', revision: 1});
    expect(revisionOf('v2')?.spec).toMatchObject({desiredState: 'Active', revision: 2});
    const kind = one(definitionKind(crossplane), 'buckets.cloud.example.org');
    expect(controllerUid(kind)).toBe(revisionOf('v2')?.metadata.uid);
    expect(owners(kind)).toEqual([
      ['ProviderRevision', false],
      ['Provider', false],
      ['ProviderRevision', true],
    ]);
    expect(text).toContain(`Deployment/${revisionOf('v1')?.metadata.name} is gone`);
    expect(externals).toMatchObject({creates: 2, deletes: 0});
  });

  test.each(versions)('keeps a kind that its new package has no more, without care, on %s', (crossplane) => {
    const steps = [make(bucket, queue), upgrade('v2'), '{delete: {kind: Queue, name: orders}, wait: 3m}'];
    const {one, externals, stuck} = told(steps, {crossplane});
    expect(owners(one(definitionKind(crossplane), 'queues.cloud.example.org'))).toEqual([
      ['ProviderRevision', false],
      ['Provider', false],
    ]);
    expect(one('Queue', 'orders')?.metadata.deletionTimestamp).toBeDefined();
    expect(externals).toMatchObject({alive: 2, deletes: 0});
    expect(stuck).toEqual([expect.stringContaining('Queue/orders is deleting for')]);
  });

  test('keeps it after its revision is gone from the history, too', () => {
    const steps = [make(bucket, queue), upgrade('v2'), upgrade('v3'), upgrade('v2')];
    const {one, revisionOf, externals} = told(steps, {crossplane: '2.3'});
    expect(revisionOf('v1')).toBeUndefined();
    expect(owners(one('ManagedResourceDefinition', 'queues.cloud.example.org'))).toEqual([['Provider', false]]);
    expect(one('Queue', 'orders')).toBeDefined();
    expect(externals).toMatchObject({alive: 2});
  });

  test.each([
    [0, ['v1', 'v2', 'v3']],
    [1, ['v2', 'v3']],
    [2, ['v1', 'v2', 'v3']],
  ])('keeps as many revisions as %s and one', (limit, left) => {
    const {revisionOf} = told(
      [upgrade('v2', `, revisionHistoryLimit: ${limit}`), upgrade('v3', `, revisionHistoryLimit: ${limit}`)],
      {
        first: provider('v1', `, revisionHistoryLimit: ${limit}`),
        crossplane: '2.3',
      },
    );
    expect(['v1', 'v2', 'v3'].filter((version) => revisionOf(version) !== undefined)).toEqual(left);
  });

  test('takes its old revision up again where it moves back before main, with the highest number', () => {
    const {all, revisionOf, one} = told([upgrade('v2'), upgrade('v1')], {crossplane: '2.3'});
    expect(all('ProviderRevision')).toHaveLength(2);
    expect(revisionOf('v1')?.spec).toMatchObject({desiredState: 'Active', revision: 3});
    expect(controllerUid(one('ManagedResourceDefinition', 'queues.cloud.example.org'))).toBe(
      revisionOf('v1')?.metadata.uid,
    );
  });

  test('gets another revision on main for any change of its spec', () => {
    const steps = [
      '{patch: {kind: Provider, name: provider-cloud, body: {spec: {revisionHistoryLimit: 3}}}, wait: 1m}',
    ];
    const count = (crossplane: ProfileName) => told(steps, {crossplane}).all('ProviderRevision').length;
    expect(count('main')).toBe(2);
    expect(count('2.3')).toBe(1);
  });

  test('changes the schema of a kind, and what its objects have no field for any more goes with their next write', () => {
    const changed = `{objects: [${crdOf('v1', 'zone')}]}`;
    const steps = [
      make(bucket),
      upgrade('v2'),
      '{patch: {kind: Bucket, name: assets, body: {metadata: {labels: {touched: "yes"}}}}, wait: 10s}',
    ];
    const {one} = told(steps, {packages: {v1: contents.v2, v2: changed}});
    expect(one('Bucket', 'assets')?.spec?.['forProvider']).toEqual({});
  });
});

describe('a Provider whose new package leaves out the version that its kind is stored in', () => {
  const packages = {v1: contents.v1, v2: `{objects: [queues.yaml, ${crdOf('v2', 'region')}]}`};
  const refusal = 'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions';

  test.each(['1.16', '1.19', '1.20'] as const)('runs as neither, on %s', (crossplane) => {
    const {all, one, externals} = told([upgrade('v2'), make(queue)], {crossplane, packages});
    expect(conditionOf(one('Provider', 'provider-cloud'), 'Healthy')?.message).toContain(refusal);
    expect(all('Deployment')).toEqual([]);
    expect(externals).toMatchObject({creates: 0});
  });

  test.each(['2.3', 'main'] as const)('is healthy and runs without the kind, on %s', (crossplane) => {
    const {one, text, externals} = told([upgrade('v2'), make(bucket, queue)], {crossplane, packages});
    expect(conditionOf(one('Provider', 'provider-cloud'), 'Healthy')?.status).toBe('True');
    expect(conditionOf(one('ManagedResourceDefinition', 'buckets.cloud.example.org'), 'Established')).toMatchObject({
      status: 'False',
      message: 'unable to apply CustomResourceDefinition, see events',
    });
    expect(text).toContain(refusal);
    expect(externals).toMatchObject({creates: 1});
  });
});

/** The Bucket of the example with another field, in another version. */
function crdOf(version: string, field: string): string {
  const [cursor] = parseYaml(readFileSync(new URL('buckets.yaml', `file://${file}`), 'utf8'), 'buckets.yaml');
  const text = JSON.stringify(cursor?.value);
  return text.replace('"region"', `"${field}"`).replaceAll('"name":"v1"', `"name":"${version}"`);
}

describe('a Provider whose revisions somebody activates', () => {
  const manual = ', revisionActivationPolicy: Manual';

  test.each(versions)('runs nothing between the upgrade and the activation, on %s', (crossplane) => {
    const steps = [upgrade('v2', manual), make(bucket)];
    const {all, one, revisionOf, externals} = told(steps, {crossplane});
    expect(revisionOf('v1')?.spec).toMatchObject({desiredState: 'Inactive'});
    expect(revisionOf('v2')?.spec).toMatchObject({desiredState: ''});
    expect(all('Deployment')).toEqual([]);
    expect(externals).toMatchObject({creates: 0});
    expect(conditionOf(one('Provider', 'provider-cloud'), 'Installed')).toMatchObject({
      status: 'False',
      reason: 'InactivePackageRevision',
    });
    expect(owners(one(definitionKind(crossplane), 'buckets.cloud.example.org'))).toEqual([
      ['ProviderRevision', false],
      ['Provider', false],
      ['ProviderRevision', false],
    ]);
  });

  test('runs once it is activated', () => {
    const activate = '{patch: {kind: ProviderRevision, body: {spec: {desiredState: Active}}}, wait: 1m}';
    const {revisionOf, externals, all} = told([activate, make(bucket)], {first: provider('v1', manual)});
    expect(revisionOf('v1')?.spec).toMatchObject({desiredState: 'Active'});
    expect(all('Deployment')).toHaveLength(1);
    expect(externals).toMatchObject({creates: 1});
  });
});

describe('a Provider that is deleted', () => {
  test.each(versions)('takes its revisions and kinds along where they have no object, on %s', (crossplane) => {
    const {all} = told(['{delete: {kind: Provider, name: provider-cloud}, wait: 3m}'], {crossplane});
    for (const kind of ['ProviderRevision', 'Deployment', 'CustomResourceDefinition', 'ManagedResourceDefinition']) {
      expect(all(kind)).toEqual([]);
    }
  });

  test.each(versions)('leaves its objects deleting for ever, on %s', (crossplane) => {
    const steps = [make(bucket, queue), '{delete: {kind: Provider, name: provider-cloud}, wait: 5m}'];
    const {all, externals, stuck} = told(steps, {crossplane});
    expect(all('ProviderRevision')).toEqual([]);
    expect(externals).toMatchObject({alive: 0, deletes: 2});
    expect(stuck.map((one) => one.split(' ')[0])).toEqual([
      'CustomResourceDefinition/buckets.cloud.example.org',
      'CustomResourceDefinition/queues.cloud.example.org',
      'Bucket/assets',
      'Queue/orders',
    ]);
  });

  test.each(['1.16', '1.20'] as const)('cannot come again while its kinds are going, on %s', (crossplane) => {
    const steps = [make(bucket), '{delete: {kind: Provider, name: provider-cloud}, wait: 1m}', upgrade('v1')];
    const {one} = told(steps, {crossplane});
    expect(conditionOf(one('Provider', 'provider-cloud'), 'Healthy')?.message).toContain(
      'buckets.cloud.example.org is already controlled by ProviderRevision',
    );
  });
});

describe('a Provider that is deleted in the foreground', () => {
  const remove = '{delete: {kind: Provider, name: provider-cloud, propagationPolicy: Foreground}, wait: 5m}';

  test.each(versions)('waits for ever for the objects of its kinds, on %s', (crossplane) => {
    const {one, revisionOf} = told([make(bucket), remove], {crossplane});
    expect(one('Provider', 'provider-cloud')?.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(revisionOf('v1')?.metadata.finalizers).toEqual(['foregroundDeletion']);
  });

  test('gets revisions anew until it is gone, but on main', () => {
    const made = (crossplane: ProfileName) => {
      const {all, text} = told([remove], {crossplane});
      expect(all('Provider')).toEqual([]);
      return text.match(/created ProviderRevision/g)?.length ?? 0;
    };
    for (const crossplane of versions.slice(0, -1)) expect(made(crossplane)).toBeGreaterThan(0);
    expect(made('main')).toBe(0);
  });
});

describe('a provider that starts safely', () => {
  const safe = {v1: '{objects: [buckets.yaml, queues.yaml], capabilities: [SafeStart]}'};
  const activate =
    '{apply: {apiVersion: apiextensions.crossplane.io/v1alpha1, kind: ManagedResourceActivationPolicy, metadata: {name: some}, spec: {activate: [buckets.cloud.example.org]}}, wait: 1m}';

  test('has no kind until one is active, and on main no pod either', () => {
    const idle = (crossplane: ProfileName) => {
      const {all, one} = told(['{wait: 1m}'], {crossplane, packages: safe});
      expect(all('CustomResourceDefinition')).toEqual([]);
      return [
        all('Deployment')[0]?.spec?.['replicas'],
        conditionOf(one('Provider', 'provider-cloud'), 'Healthy')?.reason,
      ];
    };
    expect(idle('2.3')).toEqual([1, 'HealthyPackageRevision']);
    expect(idle('main')).toEqual([0, 'AwaitingActivation']);
  });

  test.each(['2.3', 'main'] as const)('looks after a kind from its activation on, on %s', (crossplane) => {
    const {all, one, externals} = told([activate, make(bucket)], {crossplane, packages: safe});
    expect(all('CustomResourceDefinition').map(({metadata}) => metadata.name)).toEqual(['buckets.cloud.example.org']);
    expect(all('Deployment')[0]?.spec?.['replicas']).toBe(1);
    expect(conditionOf(one('Provider', 'provider-cloud'), 'Healthy')?.reason).toBe('HealthyPackageRevision');
    expect(externals).toMatchObject({creates: 1});
  });

  test('leaves a kind active that its new package has inactive', () => {
    const packages = {v1: contents.v1, v2: safe.v1};
    const {one, externals} = told([upgrade('v2'), make(bucket)], {packages});
    expect(one('ManagedResourceDefinition', 'buckets.cloud.example.org')?.spec?.['state']).toBe('Active');
    expect(externals).toMatchObject({creates: 1});
  });
});

describe('two Providers', () => {
  const other = provider('v3').replace('name: provider-cloud}', 'name: provider-other}');

  test.each(versions)('cannot have one kind, and then the second has none of its own either, on %s', (crossplane) => {
    const packages = {v1: contents.v2, v3: '{objects: [queues.yaml, buckets.yaml]}'};
    const {all, one, text} = told([make(other)], {crossplane, packages});
    expect(all(definitionKind(crossplane)).map(({metadata}) => metadata.name)).toEqual(['buckets.cloud.example.org']);
    const health = conditionOf(one('Provider', 'provider-other'), 'Healthy');
    expect(health?.status).toBe('False');
    expect(health?.message).toContain('buckets.cloud.example.org is already controlled by ProviderRevision');
    expect(text).not.toContain('created ManagedResourceDefinition/queues');
  });

  test('run beside each other, and one that is upgraded leaves the other alone', () => {
    const packages = {v1: contents.v2, v2: contents.v2, v3: '{objects: [queues.yaml]}'};
    const {externals, all} = told([make(other), upgrade('v2'), make(bucket, queue)], {packages});
    expect(all('Deployment')).toHaveLength(2);
    expect(externals).toMatchObject({creates: 2});
  });
});

describe('the pods of a provider', () => {
  test('run on for a second after their Deployment is gone', () => {
    const {timeline} = told([make(bucket), '{delete: {kind: Provider, name: provider-cloud}, wait: 1m}']);
    const at = (text: string) => timeline.find((entry) => entryText(entry).includes(text))?.atMs ?? Number.NaN;
    const last = timeline.findLast((entry) => entryText(entry).startsWith('provider:'))?.atMs ?? Number.NaN;
    expect(last - at('Deployment/')).toBeLessThanOrEqual(1000);
    expect(last).toBeGreaterThan(at('Deployment/'));
  });

  test('come back with the provider’s process', () => {
    const {externals} = told(['{stop: provider}', make(bucket), '{start: provider, wait: 1m}', make(queue)]);
    expect(externals).toMatchObject({creates: 2});
  });

  test('take along what an asynchronous client knew, so what was being made is made once more', () => {
    const packages = {v1: contents.v2, v2: contents.v2};
    const upgraded = (wait: string) => {
      const steps = [`{apply: ${bucket}, wait: 2s}`, `{apply: ${provider('v2')}, wait: ${wait}}`];
      return told(steps, {packages, provider: '{readyAfter: 20s, async: [Bucket]}'});
    };
    const meanwhile = upgraded('25s');
    expect(meanwhile.externals).toMatchObject({alive: 1});
    expect(conditionOf(meanwhile.one('Bucket', 'assets'), 'LastAsyncOperation')).toBeUndefined();
    const {one, externals} = upgraded('2m');
    expect(externals).toMatchObject({creates: 2, alive: 2});
    expect(one('Bucket', 'assets')?.metadata.annotations).toMatchObject({'crossplane.io/external-name': 'ext-2'});
  });

  test('know nothing of what was begun before they came back, in a Deployment of the same name', () => {
    const packages = {v1: contents.v2, v2: contents.v2};
    const steps = [
      `{apply: ${bucket}, wait: 2s}`,
      `{apply: ${provider('v2')}, wait: 10s}`,
      `{apply: ${provider('v1')}, wait: 65s}`,
    ];
    const {one} = told(steps, {
      packages,
      crossplane: '2.3',
      provider: '{readyAfter: 60s, async: [Bucket]}',
    });
    expect(conditionOf(one('Bucket', 'assets'), 'LastAsyncOperation')).toBeUndefined();
  });
});
