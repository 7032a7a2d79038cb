import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {openWorld} from '../../src/harness/library/harness.ts';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

// What people do to a control plane besides applying and deleting: patch, annotate, replace, another package.

const backup = resolve('examples/rehearse/backup.tar.gz');
const folder = emptyFolder();
const rehearsed = (...steps: readonly string[]) => tether(['rehearse', backup, ...steps], folder.path);
const replica = 'Instance.rds.aws.upbound.io/orders-02c38ff5a074';

test('an external name that is taken off doubles what it names', () => {
  const off = rehearsed('--annotate', `${replica}=crossplane.io/external-name-`);
  expect(off).toMatchObject({code: 3});
  expect(off.out).toMatch(/doubled: replica \(Instance\) orders-02c38ff5a074 has new-1 while ext-3 lives on/);
  const patched = rehearsed('--patch', `${replica}={metadata: {annotations: {crossplane.io/external-name: null}}}`);
  expect([patched.code, patched.out]).toEqual([off.code, off.out]);
});

test('an XR that is paused goes on with nothing, until the annotation is taken off', () => {
  const paused = ['--annotate', 'XDatabase/orders=crossplane.io/paused=true'];
  const edited = ['--apply', resolve('examples/rehearse/composition-without-replica.yaml')];
  expect(rehearsed(...paused, ...edited)).toMatchObject({code: 0});
  expect(rehearsed(...paused, ...edited, '--annotate', 'XDatabase/orders=crossplane.io/paused-')).toMatchObject({
    code: 3,
  });
});

test('a JSON patch changes what it names, and one that no object can take fails its step', () => {
  const ops = '[{op: replace, path: /spec/parameters/storageGB, value: 40}]';
  expect(rehearsed('--patch', `XDatabase/orders=${ops}`, '--timeline').out).toMatch(/edit XDatabase orders/);
  const none = rehearsed(
    '--patch',
    'XDatabase/orders=[{op: test, path: /spec/parameters/storageGB, value: 1}]',
    '--json',
    '-',
  );
  expect(none.out).toMatch(/patch of XDatabase\/orders refused/);
});

test('an object that is replaced loses what the file leaves out, its finalizers and annotations among it', () => {
  const file = folder.write('replica.yaml', {
    apiVersion: 'rds.aws.upbound.io/v1beta1',
    kind: 'Instance',
    metadata: {name: 'orders-02c38ff5a074'},
    spec: {forProvider: {region: 'eu-central-1'}},
  });
  const {code, out} = rehearsed('--replace', file);
  expect(code).toBe(3);
  expect(out).toMatch(/doubled: Instance\/orders-02c38ff5a074 has new-1 while ext-3 lives on/);
  expect(out).toMatch(/without required\s+"crossplane.io\/composition-resource-name" annotation/);
  folder.write('unknown.yaml', {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'none'}});
  expect(rehearsed('--replace', 'unknown.yaml')).toMatchObject({
    code: 2,
    err: '--replace unknown.yaml: ConfigMap "none" is not in the source\n',
  });
});

test.each([
  ['--annotate', 'XDatabase/orders', '--annotate must look like KIND/NAME=KEY=VALUE, or KEY-, got "XDatabase/orders"'],
  ['--annotate', 'XDatabase/orders=x', '--annotate must give KEY=VALUE or KEY-, got "x"'],
  ['--patch', 'XDatabase/orders=3', '--patch needs a merge patch or, as a list, a JSON patch, got "3"'],
  ['--patch', 'XDatabase/none={}', '--patch XDatabase/none is not in the source: its XDatabase objects are orders'],
  ['--package', 'XDatabase/orders=x', '--package must name a Function or a Provider, got XDatabase'],
])('%s %s is refused', (option, value, sentence) => {
  expect(rehearsed(option, value)).toMatchObject({code: 2, err: `${sentence}\n`});
});

test('a Function moves to another package', () => {
  const {out} = rehearsed('--package', 'Function/function-static=xpkg.example.org/f:v2');
  expect(out).toMatch(/not known: what function "function-static" answers as xpkg.example.org\/f:v2/);
});

const provider = resolve('test/harness/scenario/configs/provider.yaml');
const usages = 'providerconfigusages.cloud.example.org';

async function lived(): Promise<string> {
  const cluster = {
    apiVersion: 'db.cloud.example.org/v1',
    kind: 'Cluster',
    metadata: {name: 'main'},
    spec: {forProvider: {size: 3}, providerConfigRef: {name: 'prod'}},
  };
  const config = {apiVersion: 'cloud.example.org/v1', kind: 'ProviderConfig', metadata: {name: 'prod'}, spec: {}};
  await using world = await openWorld({functions: {}, fixtures: [provider, config, cluster]});
  await world.run(60_000);
  const installed = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name: 'cloud'},
    spec: {package: 'a:v1'},
  };
  return folder.write('lived.yaml', installed, ...world.objects());
}

test('a restore plan leaves ProviderConfigUsages out, so that the config can go later', async () => {
  const source = await lived();
  const {out} = tether(['rehearse', source, '--restore', 'velero', '--plan', 'plan.md'], folder.path);
  expect(out).toMatch(/Restore plan: the restore as it was asked for/);
  const plan = folder.read('plan.md');
  expect(plan).toContain(`**Not restored: ${usages}.**`);
  expect(plan.match(/--include-resources (.*)/)?.[1]).not.toContain(usages);
  const goes = ['--delete', 'Cluster/main', '--delete', 'ProviderConfig/prod'];
  const restored = (...options: readonly string[]) =>
    tether(['rehearse', source, '--restore', 'velero', ...options, ...goes], folder.path).out;
  expect(restored()).toMatch(/stuck: ProviderConfig\/prod/);
  expect(restored('--exclude-resources', usages)).not.toMatch(/stuck: ProviderConfig\/prod/);
});

test('a Provider gets the definitions of another package', async () => {
  const source = await lived();
  const definitions = readFileSync(provider, 'utf8');
  const upgraded = (text: string) => {
    const file = folder.write('v2.yaml', text);
    return tether(['rehearse', source, '--package', `Provider/cloud=${file}`, '--timeline'], folder.path);
  };
  const grown = upgraded(definitions.replace('default: Delete', 'default: Orphan'));
  expect(grown).toMatchObject({code: 0});
  expect(grown.out).toMatch(/restart provider/);
  const dropped = upgraded(definitions.replace('- name: v1\n', '- name: v2\n'));
  expect(dropped).toMatchObject({code: 3});
  expect(dropped.out).toMatch(/step-failed: .* must remain in spec\.versions/s);
});
