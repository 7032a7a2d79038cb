import {expect, test} from 'vitest';
import {openWorld} from '../../../src/harness/library/harness.ts';
import {composition, definition, staticStep} from '../../platform.ts';

// Kinds that come with Crossplane can be composed though no fixture has one of them.

const team = {apiVersion: 'example.org/v1', kind: 'XTeam'};

const composing = (base: object) => composition(team, staticStep([{name: 'one', ready: 'True', base}]));

const environment = (version: string) => ({
  apiVersion: `apiextensions.crossplane.io/${version}`,
  kind: 'EnvironmentConfig',
  metadata: {name: 'team'},
  data: {region: 'eu', nested: {size: 3}},
});
const runtime = {
  apiVersion: 'pkg.crossplane.io/v1beta1',
  kind: 'DeploymentRuntimeConfig',
  metadata: {name: 'small'},
  spec: {deploymentTemplate: {spec: {template: {}, selector: {}}}},
};
const provider = {
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: {name: 'aws'},
  spec: {package: 'xpkg.example.org/provider-aws:v1.0.0'},
};
const storeConfig = {
  apiVersion: 'secrets.crossplane.io/v1alpha1',
  kind: 'StoreConfig',
  metadata: {name: 'vault'},
  spec: {defaultScope: 'crossplane-system'},
};

async function composed(crossplane: '1.16' | '1.20' | 'main', base: object) {
  await using world = await openWorld({
    crossplane,
    functions: {'function-static': {builtin: 'function-static'}},
    fixtures: [definition(team), composing(base)] as never,
  });
  await world.apply({apiVersion: 'example.org/v1', kind: 'XTeam', metadata: {name: 't'}, spec: {}});
  await world.run(60_000);
  return {found: world.find({kind: (base as {kind: string}).kind}), unsynced: world.unsynced().join()};
}

test.each([
  ['1.16', environment('v1alpha1')],
  ['1.20', environment('v1alpha1')],
  ['1.20', environment('v1beta1')],
  ['main', environment('v1beta1')],
  ['main', runtime],
  ['main', provider],
  ['1.20', storeConfig],
] as const)('on %s: %o', async (crossplane, base) => {
  const {found, unsynced} = await composed(crossplane, base);
  expect(unsynced).toBe('');
  const {apiVersion: _, metadata: __, ...content} = base;
  expect(found).toMatchObject([content]);
});

test.each([
  ['main', environment('v1alpha1'), 'EnvironmentConfig'],
  ['1.16', environment('v1beta1'), 'EnvironmentConfig'],
  ['main', storeConfig, 'StoreConfig'],
] as const)('%s does not serve another version: %o', async (crossplane, base, kind) => {
  expect((await composed(crossplane, base)).unsynced).toContain(`no matches for kind "${kind}"`);
});

test.each([
  ['main', environment('v1alpha1'), 'apiextensions.crossplane.io/v1beta1'],
  ['1.16', environment('v1beta1'), 'apiextensions.crossplane.io/v1alpha1'],
] as const)('%s names the version that a fixture needs: %o', async (crossplane, fixture, served) => {
  await expect(openWorld({crossplane, functions: {}, fixtures: [fixture] as never})).rejects.toThrow(
    `could not find the requested resource; this control plane serves it as ${served}`,
  );
});
