import {describe, expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {knownSecrets} from '../../../src/harness/control-plane/provider-configs.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {openWorld} from '../../../src/harness/library/harness.ts';
import {timelineText} from '../../../src/harness/report/console.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';

// A ProviderConfig that is deleted while a managed resource uses it: crossplane-runtime#1049 is what the foreground does.

function run(file: string) {
  const scenario = readScenario(new URL(`./configs/${file}`, import.meta.url).pathname);
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  const result = driveHere(driveScenario(scenario, {crossplane: '2.3', variant, seed: 1}));
  return {result, text: timelineText(result).replaceAll(/\s+/g, ' ')};
}

const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};

test.each(['2.3', 'main'] as const)(
  'a pair of function-tether keeps the config until its user is gone, on %s',
  (crossplane) => {
    const file = new URL('../../../examples/config-in-use/scenario.yaml', import.meta.url).pathname;
    const scenario = readScenario(file, registry);
    expect(scenario.variants.map(({name}) => name)).toEqual(['with function-tether', 'without function-tether']);
    const told = scenario.variants.map((variant) =>
      driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry})),
    );
    expect(told.map(({failures}) => failures)).toEqual([[], []]);
  },
);

describe('a ProviderConfig that is deleted while it is used', () => {
  test('stays until the managed resource is gone that is deleted in the background', () => {
    const {result, text} = run('background.yaml');
    expect(text).toContain('2 objects are gone: Cluster/main, ProviderConfig/prod');
    expect(result.externals).toMatchObject({alive: 0, deletes: 1});
    expect(result.stuck).toEqual([]);
  });

  test('goes before the managed resource that is deleted in the foreground, which then never goes', () => {
    const {result, text} = run('foreground.yaml');
    expect(text).toContain('connect failed: cannot get ProviderConfig');
    expect(result.externals).toMatchObject({alive: 1, deletes: 0});
    expect(JSON.stringify(result.stuck)).toContain('main');
  });
});

test('a restored usage without its owner stays, for no provider may delete it, and its config never goes', () => {
  const {result, text} = run('restored.yaml');
  expect(text).toMatch(/restores.*provider: (.*)ProviderConfigUsage/);
  expect(result.failures).toEqual([]);
  expect(JSON.stringify(result.stuck)).toContain('ProviderConfig/prod');
});

describe('the Secret that a config takes credentials from', () => {
  const cluster = {
    apiVersion: 'db.cloud.example.org/v1',
    kind: 'Cluster',
    metadata: {name: 'main'},
    spec: {forProvider: {size: 3}, providerConfigRef: {name: 'prod'}},
  };
  const config = {
    apiVersion: 'cloud.example.org/v1',
    kind: 'ProviderConfig',
    metadata: {name: 'prod'},
    spec: {credentials: {source: 'Secret', secretRef: {namespace: 'default', name: 'keys', key: 'json'}}},
  };
  const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'keys', namespace: 'default'}};
  const provider = new URL('./configs/provider.yaml', import.meta.url).pathname;

  test('keeps the provider from connecting when it goes, if the story has it', async () => {
    await using world = await openWorld({functions: {}, fixtures: [provider, config, secret, cluster]});
    await world.run(60_000);
    expect(world.externalCounts().creates).toBe(1);
    await world.delete({kind: 'Secret', name: 'keys'});
    await world.delete({kind: 'Cluster', name: 'main'});
    await world.run(300_000);
    expect(world.timelineText().replaceAll(/\s+/g, ' ')).toContain(
      'cannot get credentials secret: Secret "keys" not found',
    );
    expect(world.externalCounts().alive).toBe(1);
    expect(world.notes).toEqual([]);
  });

  test('is taken to be there if the story never makes it, and a note says so', async () => {
    await using world = await openWorld({functions: {}, fixtures: [provider, config, cluster]});
    await world.run(60_000);
    expect(world.externalCounts().creates).toBe(1);
    expect(world.notes).toEqual(['taken to be there: Secret "keys", which configs take credentials from']);
  });
});

test('a config that is named and that no fixture has is noted', async () => {
  const provider = new URL('./configs/provider.yaml', import.meta.url).pathname;
  const cluster = {
    apiVersion: 'db.cloud.example.org/v1',
    kind: 'Cluster',
    metadata: {name: 'main'},
    spec: {forProvider: {size: 3}, providerConfigRef: {name: 'prod'}},
  };
  await using world = await openWorld({functions: {}, fixtures: [provider, cluster]});
  expect(world.notes).toEqual([expect.stringContaining('so every managed resource connects')]);
});

test('a managed resource that names no config connects by the one called default, as every definition says', async () => {
  const provider = new URL('./configs/provider.yaml', import.meta.url).pathname;
  const cluster = {
    apiVersion: 'db.cloud.example.org/v1',
    kind: 'Cluster',
    metadata: {name: 'main'},
    spec: {forProvider: {size: 3}},
  };
  const configOf = (name: string) => ({
    apiVersion: 'cloud.example.org/v1',
    kind: 'ProviderConfig',
    metadata: {name},
    spec: {},
  });
  for (const [name, creates] of [
    ['prod', 0],
    ['default', 1],
  ] as const) {
    await using world = await openWorld({functions: {}, fixtures: [provider, configOf(name), cluster]});
    await world.run(60_000);
    expect(world.externalCounts().creates).toBe(creates);
  }
});

test('managed resources of another provider, whose configs no fixture has, are noted by their group', async () => {
  const provider = new URL('./configs/provider.yaml', import.meta.url).pathname;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'releases.helm.example.org'},
    spec: {
      group: 'helm.example.org',
      scope: 'Cluster',
      names: {kind: 'Release', plural: 'releases', categories: ['managed']},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
        },
      ],
    },
  };
  const config = {apiVersion: 'cloud.example.org/v1', kind: 'ProviderConfig', metadata: {name: 'prod'}, spec: {}};
  const release = {
    apiVersion: 'helm.example.org/v1',
    kind: 'Release',
    metadata: {name: 'r'},
    spec: {providerConfigRef: {name: 'prod'}},
  };
  const notesOf = async (...more: readonly object[]) => {
    await using world = await openWorld({functions: {}, fixtures: [provider, config, crd, ...more] as never});
    return world.notes.filter((note) => note.includes('providerConfigRef') || note.includes('configs of'));
  };
  expect(await notesOf(release)).toEqual([expect.stringMatching(/^not modelled: the configs of helm\.example\.org; /)]);
  expect(await notesOf()).toEqual([]);
});

test.each([
  ['{"writeConnectionSecretToRef":{"namespace":"default","name":"kube"}}', ['kube'], []],
  ['writeConnectionSecretToRef:\n  name: kube\n  namespace: default\n', ['kube'], []],
  ['writeConnectionSecretToRef:\n  name: {{ $x }}-kube\n', [], []],
  ['apiVersion: v1\nkind: Secret\nmetadata:\n  name: kube\n', ['kube'], []],
  ['credentials:\n  source: Secret\n  secretRef:\n    namespace: sys\n    name: aws-creds\n', [], ['aws-creds']],
])('Secrets of %j', (template, made, foreign) => {
  const composition = {apiVersion: 'v1', kind: 'Composition', metadata: {name: 'c'}, spec: {template}};
  const known = knownSecrets([composition]);
  expect([[...known.made], [...known.foreign]]).toEqual([made, foreign]);
});

test('a story without a ProviderConfig object knows nothing of them', () => {
  const {text} = run('without.yaml');
  expect(text).toContain('Cluster/main Ready=True');
  expect(text).not.toContain('ProviderConfigUsage');
});
