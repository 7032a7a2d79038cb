import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {inDefaultNamespace} from '../../../src/harness/control-plane/standing/default-namespace.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {openWorld} from '../../../src/harness/library/harness.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {findingsOf} from '../../../src/harness/rehearse/findings.ts';
import {planText} from '../../../src/harness/rehearse/plan-text.ts';
import type {Change} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {known} from './lived.ts';

// What a rehearsal knows besides XRs: ProviderConfigs, Secrets, namespaces that a manifest leaves out, XRs that claims made.

const fixture = (path: string) => new URL(`../scenario/${path}`, import.meta.url).pathname;

const fields = new URL('../../../examples/field', import.meta.url).pathname;

function rehearsed(
  objects: readonly KubeObject[],
  changes: readonly Change[],
  tool: 'velero' | 'gitops' = 'velero',
  runtime: '2.2' | '2.3' = '2.3',
) {
  const restore = {tool, onto: 'empty', options: {}, stopped: [], ...lostKinds(objects)} as const;
  const functions = {places: {}, without: [], builtins: known};
  return rehearse({objects, asOfMs: 0}, {crossplane: 'main', runtime, changes, restore, functions, title: 'outside'});
}

describe('a ProviderConfig that is in use', () => {
  const config = {apiVersion: 'cloud.example.org/v1', kind: 'ProviderConfig', metadata: {name: 'prod'}, spec: {}};
  const cluster = {
    apiVersion: 'db.cloud.example.org/v1',
    kind: 'Cluster',
    metadata: {name: 'main'},
    spec: {forProvider: {size: 3}, providerConfigRef: {name: 'prod'}},
  };

  async function lived(): Promise<readonly KubeObject[]> {
    const provider = fixture('configs/provider.yaml');
    await using world = await openWorld({functions: {}, fixtures: [provider, config, cluster]});
    await world.run(60_000);
    return world.objects();
  }

  test('is let go once its user is gone', async () => {
    const objects = await lived();
    const changes = ['Cluster', 'ProviderConfig'].map((kind): Change => {
      const name = kind === 'Cluster' ? 'main' : 'prod';
      return {kind: 'delete', target: {kind, name}};
    });
    const {result, notes} = await rehearsed(objects, changes);
    expect(result.stuck).toEqual([]);
    expect(result.objects.filter(({kind}) => kind === 'ProviderConfig')).toEqual([]);
    expect(notes.join()).not.toContain('the controllers of ProviderConfig');
  });

  test('and that goes first in the foreground leaves its user stuck', async () => {
    const changes: readonly Change[] = [{kind: 'delete', target: {kind: 'ProviderConfig', name: 'prod'}}];
    const {result} = await rehearsed(await lived(), changes);
    expect(JSON.stringify(result.stuck)).toContain('ProviderConfig/prod');
  });
});

test('a ProviderConfig without users waits for those of another namespace if its provider has an old runtime', async () => {
  const files = ['volume.yaml', 'config-namespaced.yaml'].map((name) => `${fields}/${name}`);
  const configs = ['one', 'two'].flatMap((namespace) => [
    {apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}},
    {apiVersion: 'cloud.m.example.org/v1', kind: 'ProviderConfig', metadata: {name: 'test', namespace}, spec: {}},
  ]);
  const volume = {
    apiVersion: 'cloud.m.example.org/v1',
    kind: 'Volume',
    metadata: {name: 'data', namespace: 'one'},
    spec: {forProvider: {region: 'here'}, providerConfigRef: {kind: 'ProviderConfig', name: 'test'}},
  };
  await using world = await openWorld({functions: {}, fixtures: [...files, ...configs, volume]});
  await world.run(60_000);
  const target = {kind: 'ProviderConfig', name: 'test', namespace: 'two'};
  const stuck = async (runtime: '2.2' | '2.3') => {
    const {result} = await rehearsed(world.objects(), [{kind: 'delete', target}], 'velero', runtime);
    return result.stuck.length;
  };
  expect([await stuck('2.3'), await stuck('2.2')]).toEqual([0, 1]);
});

test('an object of a namespaced kind is in default, as kubectl puts it', async () => {
  const xrd = (name: string, spec: object, version: string): KubeObject => ({
    apiVersion: `apiextensions.crossplane.io/${version}`,
    kind: 'CompositeResourceDefinition',
    metadata: {name},
    spec: {group: 'e.org', ...spec},
  });
  const definitions = [
    xrd('apps.e.org', {names: {kind: 'App', plural: 'apps'}}, 'v2'),
    xrd('wides.e.org', {scope: 'Cluster', names: {kind: 'Wide', plural: 'wides'}}, 'v2'),
    xrd('xolds.e.org', {names: {kind: 'XOld', plural: 'xolds'}, claimNames: {kind: 'Old', plural: 'olds'}}, 'v1'),
  ];
  const objects = ['App', 'Wide', 'XOld', 'Old'].map(
    (kind): KubeObject => ({apiVersion: 'e.org/v1', kind, metadata: {name: 'a'}}),
  );
  const secret: KubeObject = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's'}};
  // Nothing defines the kind, and one of its objects has a namespace.
  const models = ['team', undefined].map((namespace, at): KubeObject => {
    const metadata = {name: `m${at}`, ...(namespace === undefined ? {} : {namespace})};
    return {apiVersion: 'ml.example.org/v1', kind: 'Model', metadata};
  });
  const placed = inDefaultNamespace([...objects, secret, ...models], definitions);
  expect(placed.map(({metadata}) => metadata.namespace)).toEqual([
    'default',
    undefined,
    undefined,
    'default',
    'default',
    'team',
    'default',
  ]);
});

test('a v2 XR that leaves out its namespace is composed, and is deleted by its name', async () => {
  const [definition, composition, ...crds] = (await readSource(fixture('given-names/platform.yaml'))).objects;
  const xrd: KubeObject = {
    ...(definition as KubeObject),
    apiVersion: 'apiextensions.crossplane.io/v2',
    spec: {...definition?.spec, scope: 'Namespaced'},
  };
  const namespaced = crds.map((crd): KubeObject => ({...crd, spec: {...crd.spec, scope: 'Namespaced'}}));
  const xr: KubeObject = {apiVersion: 'example.org/v1', kind: 'XArchive', metadata: {name: 'a'}, spec: {region: 'eu'}};
  const objects = [xrd, composition as KubeObject, ...namespaced, xr];
  const made = await rehearsed(objects, []);
  expect(made.before.externals).toHaveLength(2);
  const gone = await rehearsed(objects, [{kind: 'delete', target: {kind: 'XArchive', name: 'a'}}]);
  expect(gone.result.externals.alive).toBe(0);
  expect(gone.result.failures).toEqual([]);
});

test('a repository has a claim, and not the XR that Crossplane made for it', async () => {
  const [definition, composition, ...crds] = (await readSource(fixture('given-names/platform.yaml'))).objects;
  const xrd: KubeObject = {
    ...(definition as KubeObject),
    spec: {...definition?.spec, claimNames: {kind: 'Archive', plural: 'archives'}},
  };
  const claim: KubeObject = {
    apiVersion: 'example.org/v1',
    kind: 'Archive',
    metadata: {name: 'mine'},
    spec: {region: 'eu'},
  };
  const {result} = await rehearsed([xrd, composition as KubeObject, ...crds, claim], [{kind: 'restore'}], 'gitops');
  expect(result.failures).toEqual([]);
  const byTool = result.timeline.filter(
    ({actor, change}) => actor === 'gitops' && JSON.stringify(change).includes('XArchive'),
  );
  expect(byTool).toEqual([]);
  expect(result.objects.filter(({kind}) => kind === 'XArchive')).toHaveLength(1);
});

test('a connection Secret that a restore brings back without its owner is let go, and its claim says why', async () => {
  const [definition, composition, ...crds] = (await readSource(fixture('given-names/platform.yaml'))).objects;
  const xrd: KubeObject = {
    ...(definition as KubeObject),
    spec: {...definition?.spec, claimNames: {kind: 'Archive', plural: 'archives'}},
  };
  const claim: KubeObject = {
    apiVersion: 'example.org/v1',
    kind: 'Archive',
    metadata: {name: 'mine', namespace: 'default'},
    spec: {region: 'eu', writeConnectionSecretToRef: {name: 'mine'}},
  };
  const secrets = {...composition, spec: {...composition?.spec, writeConnectionSecretsToNamespace: 'default'}};
  const made = await rehearsed([xrd, secrets as KubeObject, ...crds, claim], []);
  const {plan, result, ...rest} = await rehearsed(made.result.objects, [{kind: 'restore'}]);
  // Its claim fails for good, and writes the time of its condition each time: that is at rest.
  expect(result.failures).toEqual([]);
  expect(plan.neverReady.map(({says}) => says).join()).toContain(
    'cannot establish control of existing connection secret',
  );
  const text = planText({plan, result, ...rest}, 400);
  expect(text).toMatch(/! let go: Secret\/.*it lives on, and nothing controls it/);
  expect(text).not.toContain('lost');
});

describe('a composed object without an external resource', () => {
  async function edited(...logs: readonly KubeObject[]) {
    const [definition, composition, ...crds] = (await readSource(fixture('given-names/platform.yaml'))).objects;
    const xr: KubeObject = {
      apiVersion: 'example.org/v1',
      kind: 'XArchive',
      metadata: {name: 'a'},
      spec: {region: 'eu'},
    };
    const claimOf = (name: string) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {name, namespace: 'team'},
      spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}},
    });
    const composing = (...bases: readonly KubeObject[]): KubeObject => ({
      ...(composition as KubeObject),
      spec: {
        ...composition?.spec,
        pipeline: [
          {
            step: 'static',
            functionRef: {name: 'function-static'},
            input: {
              apiVersion: 'static.fn.example.org/v1',
              kind: 'Input',
              resources: bases.map((base) => ({name: base.metadata.name, ready: 'True', base})),
            },
          },
        ],
      },
    });
    const objects = [definition as KubeObject, composing(claimOf('db'), claimOf('logs')), ...crds, xr];
    const changed = composing(claimOf('db'), ...logs);
    const rehearsal = await rehearsed(objects, [
      {kind: 'apply', objects: [changed], actions: [{kind: 'apply', objects: [changed]}]},
    ]);
    return findingsOf(rehearsal).map(({kind, text}) => `${kind}: ${text}`);
  }

  test('is lost if an edit drops it', async () => {
    expect(await edited()).toEqual([expect.stringMatching(/^lost: logs .* is gone, and XArchive\/a is not$/)]);
  });

  test('is orphaned if an edit gives it another kind: its XR forgets it', async () => {
    const map = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'logs', namespace: 'team'}};
    expect(await edited(map)).toEqual([
      'orphaned: logs (PersistentVolumeClaim) team/logs lives on: XArchive/a lists it no more, and deletes it only with itself',
    ]);
  });
});

test('steps that change no object are no all-clear: a field that the schema does not have is dropped', async () => {
  const objects = (await readSource(fixture('given-names/platform.yaml'))).objects;
  const xr: KubeObject = {apiVersion: 'example.org/v1', kind: 'XArchive', metadata: {name: 'a'}, spec: {region: 'eu'}};
  const patched = (body: JsonObject): Change => {
    const target = {kind: 'XArchive', name: 'a'};
    return {kind: 'apply', objects: [], actions: [{kind: 'patch', target, body, type: 'merge', status: false}]};
  };
  const text = async (...changes: readonly Change[]) => planText(await rehearsed([...objects, xr], changes), 400);
  expect(await text(patched({spec: {regoin: 'us'}}))).toContain('Found nothing, and no step changed an object.');
  expect(await text(patched({spec: {regoin: 'us'}}), patched({spec: {region: 'us'}}))).not.toContain('no step changed');
  expect(await text()).not.toContain('no step changed');
});

test('a source whose XRs compose nothing is no all-clear, and each XR is named', async () => {
  const [definition, composition, ...crds] = (await readSource(fixture('given-names/platform.yaml'))).objects;
  const input = {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources: []};
  const pipeline = [{step: 'static', functionRef: {name: 'function-static'}, input}];
  const silent = {...composition, spec: {...composition?.spec, pipeline}} as KubeObject;
  const xr: KubeObject = {apiVersion: 'example.org/v1', kind: 'XArchive', metadata: {name: 'a'}, spec: {region: 'eu'}};
  const text = planText(await rehearsed([definition as KubeObject, silent, ...crds, xr], [{kind: 'restore'}]), 400);
  expect(text).toContain('Found nothing, and no XR composes anything here');
  expect(text).toContain('what these XRs compose, because here they compose nothing: XArchive/a');
});

test('a source without an XR is no all-clear, and a Composition that composes natively is named', async () => {
  const [definition, composition] = (await readSource(fixture('given-names/platform.yaml'))).objects;
  const {pipeline: _, mode: _mode, ...spec} = composition?.spec ?? {};
  const native = {...composition, spec: {...spec, resources: []}} as KubeObject;
  const text = planText(await rehearsed([definition as KubeObject, native], [{kind: 'restore'}]), 400);
  expect(text).toContain('Found nothing, and the source has no XR');
  expect(text).toContain(
    'not rehearsed, because no XR was composed by it: Composition "xarchives" has no `mode: Pipeline`',
  );
});
