import {existsSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {audit} from '../../../src/harness/audit/audit.ts';
import {classes, classNames, faultText} from '../../../src/harness/audit/class-words.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {sourceFolder} from '../input/source/folder.ts';
import {planted} from './plant.ts';

const folder = sourceFolder();

async function found(objects: readonly object[]): Promise<readonly string[]> {
  const file = folder.write('state.json', JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));
  return audit(await readSource(file))
    .findings.map(({fault, object}) => `${fault.class} ${object.kind} ${object.name}`)
    .sort();
}

async function notJudged(objects: readonly object[]): Promise<readonly string[]> {
  const file = folder.write('state.json', JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));
  return audit(await readSource(file)).notJudged.map(({what, count}) => `${count} ${what}`);
}

describe.each([1, 2, 3])('a dump of 3,000 objects with 6 faults of every class, seed %i', (seed) => {
  const {objects, expected} = planted(seed, 3000, 6);

  test('has every fault found, and nothing else', async () => {
    expect(objects.length).toBeGreaterThan(3000);
    expect(new Set(expected.map((one) => one.split(' ')[0])).size).toBe(classNames.length);
    expect(await found(objects)).toEqual(expected);
  });
});

test('a sound control plane has nothing found, however many decoys it has', async () => {
  expect(await found(planted(4, 2000, 0).objects)).toEqual([]);
});

const named = (name: string, more: object = {}) => ({metadata: {name, ...more}});
const bucketOf = (apiVersion: string, more: object = {}) => ({
  apiVersion,
  kind: 'Bucket',
  ...named('logs', {annotations: {'crossplane.io/external-name': 'acme-logs'}}),
  spec: {forProvider: {region: 'eu'}, providerConfigRef: {name: 'default'}, ...more},
});

test('two kinds of one cloud that may both delete one external resource are found, and one that may not is no fault', async () => {
  const [old, next] = ['s3.aws.upbound.io/v1beta1', 's3.aws.m.upbound.io/v1beta1'];
  expect(await found([bucketOf(old), bucketOf(next)])).toEqual(['external-name-shared Bucket logs']);
  expect(await found([bucketOf(old, {deletionPolicy: 'Orphan'}), bucketOf(next)])).toEqual([]);
  // An explicit Delete wins over deletionPolicy, as in crossplane-runtime.
  const both = {deletionPolicy: 'Orphan', managementPolicies: ['Observe', 'Delete']};
  expect(await found([bucketOf(old, both), bucketOf(next)])).toEqual(['external-name-shared Bucket logs']);
  expect(await found([bucketOf(old), bucketOf('s3.gcp.upbound.io/v1beta1')])).toEqual([]);
});

const composedAs = (kind: {apiVersion: string; kind: string}, resourceName: string, more: object, spec: object) => ({
  ...kind,
  metadata: {
    labels: {'crossplane.io/composite': 's'},
    ...more,
    annotations: {
      'crossplane.io/composition-resource-name': resourceName,
      ...(more as {annotations?: object}).annotations,
    },
  },
  spec,
  status: {conditions: [{type: 'Ready', status: 'True'}], atProvider: {seen: true}},
});

describe('a dump that lacks a kind', () => {
  const xr = {
    apiVersion: 'acme.org/v1',
    kind: 'Net',
    metadata: {name: 'n', uid: 'net'},
    spec: {resourceRefs: [{apiVersion: 's3.aws.upbound.io/v1beta1', kind: 'Bucket', name: 'gone'}]},
  };
  const restored = composedAs(
    {apiVersion: 'ec2.aws.upbound.io/v1beta1', kind: 'VPC'},
    'vpc',
    {name: 'v'},
    {forProvider: {}},
  );

  test('of composed resources counts the entries of the lists that it could not judge', async () => {
    expect(await found([xr])).toEqual([]);
    expect(await notJudged([xr])).toEqual([
      '1 entries in the lists of XRs whose kind or namespace the source does not have',
    ]);
  });

  test('of other kinds judges none of its objects', async () => {
    const other = {apiVersion: 'v1', kind: 'ConfigMap', ...named('a')};
    expect(await found([other])).toEqual([]);
    expect(await notJudged([other])).toEqual(['1 objects: none is an XR, a claim, a managed resource or a Usage']);
  });

  test('of XRs calls no composed resource an orphan, unless it has the definitions of XRs', async () => {
    expect(await found([xr, restored])).toEqual([]);
    expect(await notJudged([xr, restored])).toContain(
      '1 composed resources whose controller or XR is of a kind that the source does not have',
    );
    const definition = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      metadata: {name: 'nets.acme.org'},
      spec: {group: 'acme.org', names: {kind: 'Net', plural: 'nets'}, versions: [{name: 'v1', referenceable: true}]},
    };
    expect(await found([definition, xr, restored])).toEqual(['orphan VPC v']);
  });
});

test('the kind without namespaces that an XR composed before its move is a double if it has an external resource of its own', async () => {
  const bucket = (apiVersion: string, external: string, more: object) =>
    composedAs(
      {apiVersion, kind: 'Bucket'},
      'bucket',
      {...more, annotations: {'crossplane.io/external-name': external}},
      {
        forProvider: {region: 'eu'},
      },
    );
  const next = {apiVersion: 's3.aws.m.upbound.io/v1beta1', kind: 'Bucket', name: 'new'};
  const owner = {apiVersion: 'acme.org/v1', kind: 'Store', name: 's', controller: true, uid: 'uid-1'};
  const xr = {
    apiVersion: 'acme.org/v1',
    kind: 'Store',
    ...named('s', {namespace: 'team', uid: 'uid-1'}),
    spec: {crossplane: {resourceRefs: [next]}},
  };
  const kept = bucket(next.apiVersion, 'acme-new', {name: 'new', namespace: 'team', ownerReferences: [owner]});
  const before = bucket('s3.aws.upbound.io/v1beta1', 'acme-old', {name: 'old'});
  expect(await found([xr, kept, before])).toEqual(['doubled Bucket old', 'orphan Bucket old']);
  const same = bucket('s3.aws.upbound.io/v1beta1', 'acme-new', {name: 'old'});
  expect(await found([xr, kept, same])).toEqual(['external-name-shared Bucket new', 'orphan Bucket old']);
});

test('the written status of a test is no evidence of an external resource', async () => {
  const ready = {conditions: [{type: 'Ready', status: 'True'}]};
  const bucket = {...bucketOf('s3.aws.upbound.io/v1beta1'), ...named('logs'), status: ready};
  expect(await found([bucket])).toEqual([]);
  const lived = {...bucket, ...named('logs', {creationTimestamp: '2026-01-01T00:00:00Z'})};
  expect(await found([lived])).toEqual(['create-twice Bucket logs']);
});

test('two Objects of one manifest lead to one object, whatever they are called', async () => {
  const configMap = (name: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name, namespace: 'kube-system'},
  });
  const object = (name: string, of: string, config: string, more: object = {}) => ({
    apiVersion: 'kubernetes.crossplane.io/v1alpha2',
    kind: 'Object',
    ...named(name, {annotations: {'crossplane.io/external-name': name}}),
    spec: {forProvider: {manifest: configMap(of)}, providerConfigRef: {name: config}, ...more},
  });
  const one = object('one', 'aws-auth', 'eu');
  expect(await found([one, object('two', 'aws-auth', 'eu')])).toEqual(['external-name-shared Object one']);
  expect(await found([one, object('two', 'other', 'eu'), object('three', 'aws-auth', 'us')])).toEqual([]);
  expect(await found([one, object('two', 'aws-auth', 'eu', {managementPolicies: ['Observe']})])).toEqual([]);
});

test('owners are found by name where a dump has no uids', async () => {
  const xr = {apiVersion: 'acme.org/v1', kind: 'Store', ...named('s')};
  const ref = {apiVersion: 's3.aws.upbound.io/v1beta1', kind: 'Bucket', name: 'logs'};
  const owner = {apiVersion: 'acme.org/v1', kind: 'Store', name: 's', controller: true, uid: 'uid-1'};
  const annotations = {'crossplane.io/composition-resource-name': 'logs'};
  const bucket = {...bucketOf(ref.apiVersion), ...named('logs', {annotations, ownerReferences: [owner]})};
  const listing = {...xr, spec: {resourceRefs: [ref]}};
  expect(await found([listing, bucket])).toEqual([]);
  const withUid = {...listing, ...named('s', {uid: 'uid-2'})};
  expect(await found([withUid, bucket])).toEqual(['stale-owner Bucket logs']);
});

test('a namespace waits for what cannot go in it', async () => {
  const leaving = {deletionTimestamp: '2026-03-01T12:00:00Z'};
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    ...named('team', leaving),
    spec: {finalizers: ['kubernetes']},
  };
  const refused = {
    ...bucketOf('s3.aws.m.upbound.io/v1beta1'),
    ...named('logs', {namespace: 'team', ...leaving, finalizers: ['finalizer.managedresource.crossplane.io']}),
  };
  const conditions = (message: string) => ({
    status: {conditions: [{type: 'Synced', status: 'False', reason: 'ReconcileError', message}]},
  });
  const forbidden =
    'usages "x" is forbidden: unable to create new content in namespace team because it is being terminated';
  expect(await found([namespace, {...refused, ...conditions(forbidden)}])).toEqual([
    'deletion-stuck Bucket logs',
    'deletion-stuck Namespace team',
  ]);
  // A first refusal may be the last one.
  expect(await found([namespace, {...refused, ...conditions('delete failed: throttled')}])).toEqual([]);
});

test('a config that is being deleted waits for usages that nobody may delete, or for users that stay', async () => {
  const apiVersion = 'aws.upbound.io/v1beta1';
  const leaving = {deletionTimestamp: '2026-03-01T12:00:00Z', finalizers: ['in-use.crossplane.io']};
  const config = {apiVersion, kind: 'ProviderConfig', ...named('default', leaving)};
  const user = {...bucketOf('s3.aws.upbound.io/v1beta1'), ...named('logs', {uid: 'uid-1'})};
  const owner = {apiVersion: user.apiVersion, kind: 'Bucket', name: 'logs', uid: 'uid-1', controller: true};
  const usage = (more: object) => ({
    apiVersion,
    kind: 'ProviderConfigUsage',
    ...named('uid-1', more),
    providerConfigRef: {name: 'default'},
  });
  const stuck = ['deletion-stuck ProviderConfig default'];
  expect(await found([config, user, usage({ownerReferences: [owner]})])).toEqual(stuck);
  expect(await found([config, usage({})])).toEqual(stuck);
  expect(await found([config])).toEqual([]);
});

test('whatever keeps a finalizer for an hour is stuck: a package as well as an XR', async () => {
  const leaving = {deletionTimestamp: '2026-03-01T10:00:00Z', finalizers: ['foregroundDeletion']};
  const provider = {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', ...named('aws', leaving), spec: {}};
  expect(await found([provider])).toEqual([]);
  const later = {apiVersion: 'v1', kind: 'ConfigMap', ...named('now', {creationTimestamp: '2026-03-01T12:00:00Z'})};
  expect(await found([provider, later])).toEqual(['deletion-stuck Provider aws']);
});

test('what waits for a deletion names it, up to the one that nothing reconciles', async () => {
  const leaving = {deletionTimestamp: '2026-03-01T10:00:00Z'};
  const now = {apiVersion: 'v1', kind: 'ConfigMap', ...named('now', {creationTimestamp: '2026-03-01T12:00:00Z'})};
  const xr = (kind: string, name: string, more: object, of?: string) => ({
    apiVersion: 'acme.org/v1',
    kind,
    ...named(name, {
      ...leaving,
      uid: name,
      ...more,
      ...(of === undefined ? {} : {ownerReferences: [{apiVersion: 'acme.org/v1', kind: 'XOuter', name: of, uid: of}]}),
    }),
  });
  const foreground = {finalizers: ['foregroundDeletion']};
  const bucket = {
    ...bucketOf('s3.aws.upbound.io/v1beta1'),
    ...named('logs', {
      ...leaving,
      finalizers: ['finalizer.managedresource.crossplane.io'],
      ownerReferences: [{apiVersion: 'acme.org/v1', kind: 'XInner', name: 'inner', uid: 'inner'}],
    }),
  };
  const told = async (...objects: readonly object[]) => {
    const file = folder.write('chain.json', JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));
    const {findings} = audit(await readSource(file));
    return findings.filter(({fault}) => fault.class === 'deletion-stuck').map(({fault}) => faultText(fault));
  };
  const chain = [now, xr('XOuter', 'outer', foreground), xr('XInner', 'inner', foreground, 'outer')];
  const waits = [
    'it is being deleted, and waits for Bucket "logs"',
    'it is being deleted, and waits for XInner "inner"',
  ];
  expect(await told(...chain, {...bucket, spec: {managementPolicies: [], forProvider: {}}})).toEqual([
    'it is being deleted, and its empty managementPolicies pause it: nothing reconciles its deletion',
    ...waits,
  ]);
  const conditions = [{type: 'LastAsyncOperation', status: 'False', reason: 'AsyncDeleteFailure', message: 'x'}];
  expect(await told(...chain, {...bucket, status: {conditions}})).toEqual([
    'it is being deleted, and its condition LastAsyncOperation is False, AsyncDeleteFailure: kubectl describe shows the refusal',
    ...waits,
  ]);
  const claim = {
    ...xr('Shop', 'shop', {namespace: 'team', finalizers: ['finalizer.apiextensions.crossplane.io']}),
    spec: {resourceRef: {apiVersion: 'acme.org/v1', kind: 'XShop', name: 'shop-x'}},
  };
  const claimRef = {apiVersion: 'acme.org/v1', kind: 'Shop', namespace: 'team', name: 'shop'};
  const claimed = {apiVersion: 'acme.org/v1', kind: 'XShop', ...named('shop-x', {uid: 'x'}), spec: {claimRef}};
  const of = {apiVersion: 'acme.org/v1', kind: 'XShop', resourceRef: {name: 'shop-x'}};
  const usage = {apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'Usage', ...named('u'), spec: {of}};
  expect(await told(now, claim, claimed, usage)).toEqual([
    'it is being deleted, and waits for XShop "shop-x", which Usage "u" protects',
  ]);
});

test('no remedy begins with a deletion, and none asks for one before what it would destroy is safe', () => {
  for (const [name, {remedy}] of Object.entries(classes)) {
    expect(remedy, name).toMatch(/^(Pause|Look|Before|Let) /);
    if (/\bdelet/i.test(remedy)) expect(remedy, name).toMatch(/Look |Before |before /);
  }
});

test('the names that a remedy needs are told, and a name that looks like a secret is not', async () => {
  const twin = (name: string) => ({
    ...bucketOf('s3.aws.upbound.io/v1beta1'),
    ...named(name, {annotations: {'crossplane.io/external-name': 'acme-logs'}}),
  });
  const told = async (objects: readonly object[]) => {
    const file = folder.write('named.json', JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));
    return audit(await readSource(file)).findings.map(({fault}) => faultText(fault));
  };
  expect(await told([twin('a'), twin('b')])).toEqual([
    'it leads to the same external resource, "acme-logs", as Bucket "b"',
  ]);
  const secret = (name: string) => ({
    ...twin(name),
    ...named(name, {annotations: {'crossplane.io/external-name': 'https://me:hunter2@db.acme.org'}}),
  });
  const [sentence] = await told([secret('a'), secret('b')]);
  expect(sentence).toContain(
    'it leads to the same external resource, "https://(not shown)@db.acme.org", as Bucket "b"',
  );
});

test('every page that a finding names is there', () => {
  const pages = classNames
    .flatMap((name) => classes[name].references)
    .filter((link) => link.includes('function-tether/blob'));
  expect(pages.length).toBeGreaterThan(5);
  for (const page of pages)
    expect(existsSync(page.replace(/^.*blob\/main\//, '').replace(/#.*$/, '')), page).toBe(true);
});
