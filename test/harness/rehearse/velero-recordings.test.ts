// A backup that Velero took of a kube-apiserver, and what its restores left there, no controller running: the same backup is
// read here and restored in the simulated world, and the end must be the same, managed fields and all.

import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, test} from 'vitest';
import type {Json} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {audit} from '../../../src/harness/audit/audit.ts';
import {openControlPlane} from '../../../src/harness/control-plane/control-plane.ts';
import type {StepAction} from '../../../src/harness/control-plane/operator/action.ts';
import {Operator, problemOf} from '../../../src/harness/control-plane/operator/operator.ts';
import {sourceWorld} from '../../../src/harness/control-plane/standing/source-world.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import type {Source} from '../../../src/harness/input/source/source.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {restoreKindsOf, withParts} from '../../../src/harness/rehearse/restore-parts.ts';

const folder = 'test/recordings/velero';
let source: Source;

beforeAll(async () => {
  source = await readSource(`${folder}/backup.tar.gz`);
});

const instance = 'instances.rds.aws.upbound.io';
const xr = 'xdatabases.platform.example.org';
const pause = {metadata: {annotations: {'crossplane.io/paused': 'true'}}};

/** What happened to the restored objects before the second restore. */
const edits: readonly StepAction[] = [
  merging('Instance', 'orders-5ed4108ef186', {
    metadata: {labels: {team: 'a'}, annotations: {note: 'x'}},
    spec: {forProvider: {engine: 'mysql'}},
  }),
  merging('XDatabase', 'orders', {metadata: {finalizers: null, annotations: {note: 'y'}}}),
  merging('SubnetGroup', 'orders-933e3a1ba6d6', {metadata: {finalizers: null}}),
  {kind: 'delete', target: {kind: 'SubnetGroup', name: 'orders-933e3a1ba6d6'}, ignoreNotFound: false},
];

function merging(kind: string, name: string, body: Json): StepAction {
  return {kind: 'patch', target: {kind, name}, type: 'merge', status: false, body};
}

function restore(options: Extract<StepAction, {readonly kind: 'restore'}>['options'] = {}): StepAction {
  return {kind: 'restore', options};
}

describe('a real backup, restored here as Velero restored it', () => {
  test.each<readonly [string, readonly StepAction[]]>([
    ['default', [restore()]],
    ['status', [restore({statusOf: [instance, xr]})]],
    ['modifiers', [restore({modifiers: [instance, xr].map((name) => ({groupResource: name, mergePatch: pause}))})]],
    ['existing-none', [restore(), ...edits, restore({existingResourcePolicy: 'none'})]],
    ['existing-update', [restore(), ...edits, restore({existingResourcePolicy: 'update'})]],
  ])('%s', (recording, actions) => {
    expect(restored(actions)).toEqual(real(recording));
  });

  test('a plan in two parts, paused, with status, and unpaused', () => {
    expect(restored(planned())).toEqual(real('plan'));
  });
});

test('the audit judges it as any other source', () => {
  const found = audit(source).findings.map(({fault}) => fault.class);
  expect(found.toSorted()).toMatchInlineSnapshot(`
    [
      "create-pending",
      "create-twice",
      "definition-refused",
      "doubled",
      "doubled",
      "external-name-shared",
      "orphan",
      "orphan",
      "orphan",
      "orphan",
      "unowned",
      "unowned",
      "unowned",
      "unowned",
      "unowned",
      "unowned",
      "unowned",
      "unowned",
      "usage-by-gone",
    ]
  `);
});

test('what every cluster has of its own is not lost with one', () => {
  const system = [
    {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: {name: 'view'}},
    {apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', metadata: {name: 'probes'}},
    {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'crossplane', namespace: 'crossplane-system'}},
    {apiVersion: 'velero.io/v1', kind: 'Backup', metadata: {name: 'backup', namespace: 'velero'}},
  ];
  const {lost} = lostKinds([...source.objects, ...system]);
  expect(lost.toSorted()).toEqual(['ClusterUsage', 'Instance', 'SubnetGroup', 'XDatabase']);
});

function real(recording: string): readonly unknown[] {
  const objects: readonly KubeObject[] = JSON.parse(readFileSync(`${folder}/${recording}.json`, 'utf8'));
  return objects.map(bare).toSorted(byName);
}

/** Both restores of a plan and what goes on after them: its commands, as they were typed, left the recording. */
function planned(): readonly StepAction[] {
  const lost = lostKinds(source.objects);
  const about = {kinds: restoreKindsOf(source, lost.lost), objects: source.objects};
  const base = {changes: [], restore: {tool: 'velero', onto: 'empty', options: {}, stopped: [], ...lost}} as const;
  const parts = ['composed-first', 'status-kept', 'managed-paused', 'xrs-paused'] as const;
  const {rounds = [], unpausing = []} = withParts(base, parts, about).restore;
  expect([rounds.length, unpausing.length]).toEqual([2, 3]);
  return [...rounds.map(restore), ...unpausing];
}

/** The end of the actions on a new cluster on which nothing runs. */
function restored(actions: readonly StepAction[]): readonly unknown[] {
  const {provider, cloud, from} = sourceWorld(source, {crossplane: 'main', functions: []});
  const parts = {crossplane: 'main', functions: {}, provider, from, ...(cloud === undefined ? {} : {cloud})} as const;
  const controlPlane = openControlPlane({...parts, seed: 1});
  const operator = new Operator(controlPlane);
  const kinds = lostKinds(source.objects).lost;
  const stops = (['owner-gc', 'provider', 'crossplane'] as const).map((process): StepAction => {
    return {kind: 'process', change: 'stop', process};
  });
  for (const action of [
    ...stops,
    {kind: 'backup', tool: 'velero', kinds} as const,
    {kind: 'wipe', kinds} as const,
    ...actions,
  ]) {
    expect(problemOf(driveHere(operator.carryOut(action)))).toBeUndefined();
  }
  const all = controlPlane.catalogue.all().filter(({kind}) => kinds.includes(kind));
  return all.map(bare).toSorted(byName);
}

/** Without what no two runs share; managed fields in one order. */
function bare({metadata, ...others}: KubeObject) {
  const {uid: _, resourceVersion: __, creationTimestamp: ___, managedFields = [], ...kept} = metadata;
  const fields = managedFields.map(({time: ____, ...one}) => one);
  const inOrder = fields.toSorted((left, right) =>
    JSON.stringify(sorted(left)) < JSON.stringify(sorted(right)) ? -1 : 1,
  );
  return {...others, metadata: {...kept, managedFields: inOrder}};
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function byName(left: ReturnType<typeof bare>, right: ReturnType<typeof bare>): number {
  const [one, other] = [left, right].map(({kind, metadata: {name}}) => `${kind} ${String(name)}`) as [string, string];
  return one < other ? -1 : 1;
}
