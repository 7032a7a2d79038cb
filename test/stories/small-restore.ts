// A restore as small as one can be that a template spoils: a network, a cluster that is composed only while the network's status
// has an id, and a replica that is composed only while the cluster is Ready. A case says who restores what, who comes back
// when, and how the template is written.

import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {parseAllDocuments} from 'yaml';
import type {JsonObject} from '../../src/cluster/json.ts';
import type {Scenario} from '../../src/harness/scenario/scenario.ts';
import {readWhole} from './small-move.ts';

const mrs = ['networks.cloud.example.org', 'clusters.cloud.example.org'];
const xrs = ['apps.example.org'];
const kinds = ['App', 'Network', 'Cluster', 'Usage', 'ClusterUsage'];
const created = {'crossplane.io/external-create-pending': null, 'crossplane.io/external-create-succeeded': null};
const modified = {metadata: {finalizers: null, annotations: created, managedFields: null}};

/** The tools and their options: what they save and what is lost, and how they restore it. */
export const tools = {
  velero: {tool: 'velero', lost: kinds, restore: {}},
  'velero with status': {tool: 'velero', lost: kinds, restore: {statusOf: [...mrs, ...xrs]}},
  'velero with status of managed resources': {tool: 'velero', lost: kinds, restore: {statusOf: mrs}},
  'velero with status of XRs': {tool: 'velero', lost: kinds, restore: {statusOf: xrs}},
  'velero with modifiers': {
    tool: 'velero',
    lost: kinds,
    restore: {modifiers: mrs.map((groupResource) => ({groupResource, mergePatch: modified}))},
  },
  'velero, XRs first': {tool: 'velero', lost: kinds, restore: {priorities: xrs}},
  'velero, into a living XR': {tool: 'velero', lost: ['Network', 'Cluster'], restore: {resources: mrs}},
  etcd: {tool: 'etcd', lost: [], restore: {}},
  'kubectl, into a living XR': {tool: 'kubectl', lost: ['Network', 'Cluster'], restore: {}},
  'velero, and XRs by GitOps': {tool: 'velero', lost: kinds, restore: {resources: mrs}, isXrFromGit: true},
} as const satisfies {readonly [name: string]: Tool};

interface Tool {
  readonly tool: 'velero' | 'etcd' | 'kubectl';
  readonly lost: readonly string[];
  readonly restore: object;
  /** Then it lists nothing, and what it composed is looked for. */
  readonly isXrFromGit?: boolean;
}

/** Those that leave different objects behind. */
export const searchedTools = [
  'velero',
  'velero with status',
  'velero with modifiers',
  'velero, and XRs by GitOps',
  'kubectl, into a living XR',
  'etcd',
] as const satisfies readonly (keyof typeof tools)[];

export const idioms = ['status', 'include', 'relay'] as const;
export const times = ['1s', '1m', '1h'] as const;

export interface Case {
  readonly tool: keyof typeof tools;
  readonly idiom: (typeof idioms)[number];
  /** How long after Crossplane the provider is back; 'first': before it. */
  readonly provider: (typeof times)[number] | 'first';
  readonly isAsync?: boolean;
  /** Whether an edit drops the replica meanwhile. */
  readonly isEdited?: boolean;
  readonly crossplane: string;
}

const folder = new URL('../../examples/restore-templates/', import.meta.url);

export function objectsIn(file: string): JsonObject[] {
  const text = readFileSync(fileURLToPath(new URL(file, folder)), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as JsonObject);
}

function composition({tool, idiom}: Case, isEdited: boolean): JsonObject {
  const [said] = objectsIn(`${idiom}.yaml`) as [{spec: {pipeline: Step[]}} & JsonObject];
  const {isXrFromGit}: Tool = tools[tool];
  for (const step of said.spec.pipeline) {
    const {input, functionRef} = step;
    if (isEdited && input?.resources) input.resources = input.resources.filter(({name}) => name !== 'replica');
    if (isXrFromGit && functionRef.name === 'function-tether') {
      step.input = {
        apiVersion: 'tether.fn.crossplane.io/v1beta1',
        kind: 'Input',
        ...input,
        restore: {lookup: true, stableNames: true},
      };
    }
  }
  return said;
}

interface Step {
  readonly functionRef: {readonly name: string};
  input?: {resources?: {name: string}[]} & JsonObject;
}

/**
 * The case at rest before the backup, and what must be so in the end: for searches, which take every way there. An edit drops the
 * replica meanwhile.
 */
export function searchedRestore(one: Case): Scenario {
  const fixtures = [...objectsIn('platform.yaml'), composition(one, false), ...objectsIn('xr.yaml')];
  const expect = [
    {orphans: 0},
    {externals: 'creates', is: 3},
    {externals: 'deletes', is: 1},
    {object: {kind: 'App', name: 'shop'}, condition: {type: 'Ready'}},
    {object: {kind: 'Cluster', resource: 'cluster'}, condition: {type: 'Ready'}},
  ];
  const said = saidOf({...one, isEdited: true}, '20m', fixtures);
  const [, ...steps] = said['steps'] as readonly JsonObject[];
  return readWhole({...said, steps, expect} as unknown as JsonObject);
}

/** The case as a scenario. `wait`: how long it is watched in the end. */
export function restoreStory(one: Case, wait = '30m'): Scenario {
  return readWhole(saidOf(one, wait, [...objectsIn('platform.yaml'), composition(one, false)]));
}

function saidOf(one: Case, wait: string, fixtures: readonly JsonObject[]): JsonObject {
  const {tool, provider, isAsync, isEdited, crossplane} = one;
  const {tool: by, lost, restore, isXrFromGit}: Tool = tools[tool];
  const start = [{start: 'provider'}, {start: 'crossplane'}] as const;
  const back = provider === 'first' ? [{...start[0], wait: '1m'}, start[1]] : [{...start[1], wait: provider}, start[0]];
  return {
    name: 'restore',
    crossplane: [crossplane],
    fixtures,
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '1s', deleteAfter: '1s', async: isAsync ? ['Network', 'Cluster'] : []},
    steps: [
      {apply: objectsIn('xr.yaml'), wait: {quiet: '90s', timeout: '10m'}},
      {backup: {tool: by, kinds}},
      {stop: 'crossplane'},
      {stop: 'provider'},
      ...(lost.length === 0 ? [] : [{wipe: {kinds: lost}}]),
      ...(isEdited ? [{apply: [composition(one, true)]}] : []),
      {restore},
      ...(isXrFromGit ? [{apply: objectsIn('xr.yaml')}] : []),
      // A restored snapshot of etcd has no edit that came after it.
      ...(isEdited && by === 'etcd' ? [{apply: [composition(one, true)]}] : []),
      ...back,
      {name: 'the end', wait},
    ],
  } as unknown as JsonObject;
}
