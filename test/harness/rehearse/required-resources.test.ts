// A function that requires what is neither the XR's nor composed: an EnvironmentConfig by label, a ConfigMap by name, and an
// object of a kind of the platform's own. A rehearsal gives it what the source has, and a step that takes it away is told.

import {beforeAll, expect, test} from 'vitest';
import type {FunctionReply} from '../../../src/cluster/kernel/call.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import type {Builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {readManifests} from '../../../src/harness/input/manifests/read-manifests.ts';
import {asOf} from '../../../src/harness/input/source/as-of.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {editing} from '../../../src/harness/rehearse/edited.ts';
import {findingsOf} from '../../../src/harness/rehearse/findings.ts';
import {planText, unrestText} from '../../../src/harness/rehearse/plan-text.ts';
import type {Change, RestoreSetup} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {driveRehearsal} from '../../../src/harness/rehearse/rehearse.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';
import type {ResourceSelector} from '../../../src/wire/resource-message.ts';
import {encodeResponse, type ResourceChange} from '../../../src/wire/response-encode.ts';

const environment = {
  apiVersion: 'apiextensions.crossplane.io/v1beta1',
  kind: 'EnvironmentConfig',
  metadata: {name: 'orders-eu', labels: {team: 'orders'}},
  data: {region: 'eu-central-1'},
} as const;
const sizes = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'sizes', namespace: 'platform'},
  data: {class: 'db.m7g.large'},
} as const;
const team = {
  apiVersion: 'org.example.org/v1',
  kind: 'Team',
  metadata: {name: 'orders'},
  spec: {replicas: 1},
} as const;

const selectors: ReadonlyMap<string, ResourceSelector> = new Map([
  ['environment', selecting(environment, {kind: 'labels', labels: environment.metadata.labels})],
  ['sizes', {...selecting(sizes, {kind: 'name', name: 'sizes'}), namespace: 'platform'}],
  ['team', selecting(team, {kind: 'name', name: 'orders'})],
]);

function selecting({apiVersion, kind}: KubeObject, match: NonNullable<ResourceSelector['match']>): ResourceSelector {
  return {apiVersion, kind, match};
}

/** Composes a database where it was given its environment and its size, and a replica where its team asks for one. */
function databases(bytes: Uint8Array): FunctionReply {
  const request = decodeRequest(bytes);
  const given = (name: string, path: readonly string[]): unknown => {
    const found = request.requiredResources.get(name) ?? request.extraResources.get(name);
    return found?.[0]?.field([...path]);
  };
  const [region, size] = [given('environment', ['data', 'region']), given('sizes', ['data', 'class'])];
  const resources = new Map<string, ResourceChange>();
  if (typeof region === 'string' && typeof size === 'string') {
    resources.set('primary', instance('primary', region, size));
    if (Number(given('team', ['spec', 'replicas'])) > 0) resources.set('replica', instance('replica', region, size));
  }
  const rest = {ttlSeconds: 60, results: [], conditions: [], requirements: selectors};
  const requirementFields = ['resources', 'extra_resources'] as const;
  return {ok: true, response: encodeResponse(request, {...rest, resources, requirementFields})};
}

function instance(role: string, region: string, instanceClass: string): ResourceChange {
  const spec = {forProvider: {region, instanceClass, engine: 'postgres'}};
  const object = {apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance', metadata: {labels: {role}}, spec};
  return {kind: 'put', object, ready: 'true'};
}

const composition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: {name: 'databases'},
  spec: {
    compositeTypeRef: {apiVersion: 'platform.example.org/v1alpha1', kind: 'XDatabase'},
    mode: 'Pipeline',
    pipeline: [{step: 'databases', functionRef: {name: 'function-databases'}}],
  },
};

const builtins: Builtins = {'function-databases': databases};
const folder = 'examples/restore-orphan/every-version';
let lived: readonly KubeObject[];

beforeAll(() => {
  const files = ['crds', 'definition', 'xr'].flatMap((name) => readManifests(`${folder}/${name}.yaml`, '').objects);
  lived = rehearsed([], {}, [...files, composition, environment, sizes, team]).before.objects;
});

function rehearsed(changes: readonly Change[], asked: Partial<RestoreSetup> = {}, objects = lived) {
  const restore: RestoreSetup = {
    tool: 'velero',
    onto: 'empty',
    options: {},
    stopped: [],
    ...lostKinds(objects),
    ...asked,
  };
  const parts = {'function-databases': databases};
  return driveHere(
    driveRehearsal(
      {objects, asOfMs: asOf(objects)},
      {parts, called: Object.keys(parts), sources: {}, notes: []},
      {crossplane: 'main', changes, restore, functions: {places: {}, without: [], builtins}, title: ''},
    ),
  );
}

function edit(after: KubeObject, before: KubeObject): Change {
  return {kind: 'apply', objects: [after], actions: [editing(after, before)]};
}

const deletion = ({apiVersion, kind, metadata}: KubeObject): Change => {
  const {name, namespace} = metadata;
  return {kind: 'delete', target: {apiVersion, kind, name, ...(namespace === undefined ? {} : {namespace})}};
};

/** In the order of the alphabet. */
const told = (rehearsal: ReturnType<typeof rehearsed>): readonly string[] => {
  const objects = [...rehearsal.before.objects, ...rehearsal.result.objects];
  return findingsOf(rehearsal)
    .map(({kind, text}) => {
      const named = objects.find(
        ({metadata}) => text.includes(metadata.name) && metadata.labels?.['role'] !== undefined,
      );
      return `${kind} ${named?.metadata.labels?.['role']}`;
    })
    .sort();
};

test('a control plane with required resources is at rest, and loses nothing where nothing is done', () => {
  const rehearsal = rehearsed([]);
  expect([rehearsal.unrest.map(unrestText), told(rehearsal)]).toEqual([[], []]);
  expect(rehearsal.before.externals).toHaveLength(2);
});

test('an edit of an EnvironmentConfig reaches what is composed with it', () => {
  const rehearsal = rehearsed([edit({...environment, data: {region: 'eu-west-1'}}, environment)]);
  expect(planText(rehearsal, 200)).toMatch(
    /changed: (?:replica|primary) .* spec\.forProvider\.region, (?:replica|primary) .*region/,
  );
});

test('an EnvironmentConfig that loses the label is found by nobody any more', () => {
  const moved = {...environment, metadata: {...environment.metadata, labels: {team: 'invoices'}}};
  expect(told(rehearsed([edit(moved, environment)]))).toEqual(['destroyed primary', 'destroyed replica']);
});

test.each([
  ['an EnvironmentConfig', environment, ['destroyed primary', 'destroyed replica']],
  ['a ConfigMap', sizes, ['destroyed primary', 'destroyed replica']],
  ["the platform's own object", team, ['destroyed replica']],
])('a deletion of %s destroys what is composed with it', (_, object, destroyed) => {
  expect(told(rehearsed([deletion(object)]))).toEqual(destroyed);
});

test('a plan of XRs that could not compose before is no all-clear', () => {
  const files = ['definition', 'xr'].flatMap((name) => readManifests(`${folder}/${name}.yaml`, '').objects);
  const rehearsal = rehearsed([], {}, [...files, composition, environment, sizes, team]);
  const text = planText(rehearsal, 1000);
  expect(text).toContain('no matches for kind "Instance"');
  expect(text).toContain('not ready before the first step: the plan shows little of it');
  expect(text).not.toContain('unready in what is modelled');
});

test('a source without any Namespace has those that its objects name', () => {
  const files = ['crds', 'definition', 'xr'].flatMap((name) => readManifests(`${folder}/${name}.yaml`, '').objects);
  const secrets = {...composition, spec: {...composition.spec, writeConnectionSecretsToNamespace: 'vault'}};
  const note = (more: readonly KubeObject[]) =>
    rehearsed([], {}, [...files, secrets, environment, sizes, team, ...more]).notes.find((one) =>
      one.includes('Namespace'),
    );
  expect(note([])).toBe(
    'taken to be there: Namespace platform, vault, which objects name and the source does not hold',
  );
  expect(note([{apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'platform'}}])).toBeUndefined();
});

test('a restore without the kind that a function requires leaves an orphan', () => {
  expect(told(rehearsed([{kind: 'restore'}]))).toEqual([]);
  const exclude = ['teams.org.example.org'];
  expect(told(rehearsed([{kind: 'restore'}], {options: {exclude}}))).toEqual(['orphaned replica']);
});
