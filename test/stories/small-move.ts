// A world as small as a move can have it: an XR, one Bucket that goes to another kind, and what stands beside it. A story says
// what the Composition composes before and after its edit, and what function-tether is given then.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import type {RunResult} from '../../src/harness/scenario/run-result.ts';
import type {Scenario} from '../../src/harness/scenario/scenario.ts';
import {composition as compositionOf, staticStep, tetherStep} from '../platform.ts';
import {registry} from './registry.ts';

/** Group of Buckets: `old` has deletionPolicy, too, `plain` neither that nor managementPolicies, `unserved` is no kind at all. */
export type Group = 'old' | 'new' | 'team-old' | 'team-new' | 'plain' | 'unserved';

export interface Resource {
  readonly name: string;
  readonly base: JsonObject;
  readonly ready?: string;
}

export interface Story {
  /** Whether the XR is in a namespace. */
  readonly inTeam?: boolean;
  readonly crossplane?: string;
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
  readonly inputBefore?: JsonObject;
  readonly inputAfter: JsonObject;
  /** Steps before the edit, and after it. */
  readonly meanwhile?: readonly JsonObject[];
  readonly afterwards?: readonly JsonObject[];
  /** What is there before the XR, beside its own. */
  readonly fixtures?: readonly JsonObject[];
  /** Whether what comes afterwards does not wait for the move's end, but for the new object alone, or for nothing. */
  readonly soon?: boolean | 'at-once';
  /** What providers publish in Secrets of connection details. */
  readonly publishes?: JsonObject;
}

export interface Told extends RunResult {
  readonly xr: KubeObject;
  readonly tethered: string;
  readonly buckets: readonly KubeObject[];
}

export const team = 'blue';
const xrKinds = {apiVersion: 'example.org/v1', kind: 'App'};

export function bucket(name: string, group: Group, more: JsonObject = {}, spec: JsonObject = {}): Resource {
  const {metadata = {}, ...rest} = more;
  const where = isInTeam(group) ? {namespace: team} : {};
  const base = {
    apiVersion: `${group}.example.org/v1`,
    kind: 'Bucket',
    metadata: {labels: {role: name}, ...where, ...(metadata as JsonObject)},
    spec: {forProvider: {region: 'here'}, ...spec},
    ...rest,
  };
  return {name, base};
}

export function note(name: string, namespace = team): Resource {
  return {name, ready: 'True', base: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace}, data: {text: name}}};
}

/** The rule that lets a Bucket of this resource name go to another group. */
export function to(group: Group, name = 'a'): JsonObject {
  return {handover: [{from: {resources: [name]}, to: {apiVersion: `${group}.example.org/v1`}}]};
}

/** The story as `tether test` and `tether explore` read it. */
export function readStory(story: Story): Scenario {
  return readWhole(scenarioOf(story));
}

/** A scenario that names no file. */
export function readWhole(said: JsonObject): Scenario {
  const folder = mkdtempSync(join(tmpdir(), 'tether-small-move-'));
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, JSON.stringify(said));
  const scenario = readScenario(file, registry);
  rmSync(folder, {recursive: true});
  return scenario;
}

export function tell(story: Story): Told {
  const scenario = readStory(story);
  const [variant] = scenario.variants;
  const [name = 'main'] = scenario.crossplane;
  if (variant === undefined) throw new Error('a scenario has a variant');
  const result = driveHere(
    driveScenario(scenario, {crossplane: profileNamed(name), variant, seed: 1, builtins: registry, record: true}),
  );
  const xr = result.objects.find(({kind}) => kind === 'App');
  if (xr === undefined) throw new Error('the XR is gone');
  return {...result, xr, tethered: message(xr, 'Tethered'), buckets: result.objects.filter((o) => o.kind === 'Bucket')};
}

/** What a condition of the object says; '' where it says that all is well. */
export function message(object: KubeObject, type: string): string {
  const status = object['status'] as {conditions?: readonly {type: string; status: string; message?: string}[]};
  const found = status?.conditions?.find((condition) => condition.type === type);
  if (found === undefined) return `no condition ${type}`;
  return found.status === 'True' ? '' : (found.message ?? found.status);
}

export function composition(
  {inTeam}: Pick<Story, 'inTeam'>,
  resources: readonly Resource[],
  input: JsonObject,
): JsonObject {
  const placed = inTeam ? resources.map((one) => ({...one, base: withoutNamespace(one.base)})) : resources;
  const made = staticStep(placed.map((one) => ({ready: 'Auto', ...one})));
  return compositionOf(xrKinds, made, tetherStep(input)) as unknown as JsonObject;
}

export function xrIn({inTeam}: Story, annotations: JsonObject = {}): JsonObject {
  const metadata = {name: 'shop', annotations, ...(inTeam ? {namespace: team} : {})};
  return {...xrKinds, metadata, spec: {size: 'small'}};
}

function scenarioOf(story: Story): JsonObject {
  const {before, after, inputBefore = {}, inputAfter, meanwhile = [], afterwards = []} = story;
  const [made] = after;
  const selector = {apiVersion: made?.base['apiVersion'] ?? '', kind: 'Bucket', resource: made?.name ?? ''};
  const observing = {for: {object: selector, match: {spec: {managementPolicies: ['Observe']}}}, timeout: '10m'};
  const waits = {wait: story.soon ? observing : '20m'};
  return {
    name: 'a small move',
    crossplane: story.crossplane ?? 'main',
    fixtures: [
      ...groups.map(definition),
      {apiVersion: 'v1', kind: 'Namespace', metadata: {name: team}},
      xrd(story),
      composition(story, before, inputBefore),
      ...(story.fixtures ?? []),
    ],
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {
      externals: Object.fromEntries(
        groups.map((group) => [`Bucket.${group}.example.org`, {type: 'Bucket', ...story.publishes}]),
      ),
    },
    steps: [
      {name: 'a team asks', apply: xrIn(story), wait: '5m'},
      ...meanwhile,
      {
        name: 'the kind moves',
        apply: composition(story, after, inputAfter),
        ...(story.soon === 'at-once' ? {} : waits),
      },
      ...afterwards,
    ],
  };
}

const groups = ['old', 'new', 'team-old', 'team-new', 'plain'] as const;

function isInTeam(group: Group): boolean {
  return group.startsWith('team-');
}

function definition(group: Group): JsonObject {
  const policies = {managementPolicies: {type: 'array', items: {type: 'string'}, default: ['*']}};
  const spec = {
    forProvider: {type: 'object', properties: {region: {type: 'string'}}},
    providerConfigRef: {type: 'object', properties: {name: {type: 'string'}}},
    writeConnectionSecretToRef: {type: 'object', properties: {name: {type: 'string'}, namespace: {type: 'string'}}},
    ...(group === 'old' ? {deletionPolicy: {type: 'string', default: 'Delete'}} : {}),
    ...(group === 'plain' ? {} : policies),
  };
  const properties = {
    spec: {type: 'object', properties: spec},
    status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `buckets.${group}.example.org`},
    spec: {
      group: `${group}.example.org`,
      scope: isInTeam(group) ? 'Namespaced' : 'Cluster',
      names: {kind: 'Bucket', plural: 'buckets', categories: ['crossplane', 'managed']},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {status: {}},
          schema: {openAPIV3Schema: {type: 'object', properties}},
        },
      ],
    },
  };
}

function xrd({inTeam, crossplane = 'main'}: Story): JsonObject {
  const isModern = !crossplane.startsWith('1.');
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {spec: {type: 'object', properties: {size: {type: 'string'}}}},
    },
  };
  return {
    apiVersion: `apiextensions.crossplane.io/v${isModern ? 2 : 1}`,
    kind: 'CompositeResourceDefinition',
    metadata: {name: 'apps.example.org'},
    spec: {
      ...(isModern ? {scope: inTeam ? 'Namespaced' : 'Cluster'} : {}),
      group: 'example.org',
      names: {kind: 'App', plural: 'apps'},
      versions: [{name: 'v1', served: true, referenceable: true, schema}],
    },
  };
}

function withoutNamespace(base: JsonObject): JsonObject {
  const {namespace: _, ...metadata} = (base['metadata'] ?? {}) as JsonObject;
  return {...base, metadata};
}
