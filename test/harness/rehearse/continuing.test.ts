import {describe, expect, test} from 'vitest';
import type {External} from '../../../src/cluster/cloud/ledger-state.ts';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {isObject, type Json} from '../../../src/cluster/json.ts';
import {isDeleting, type KubeObject} from '../../../src/cluster/object.ts';
import {externalsIn} from '../../../src/harness/control-plane/oracle/externals.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {readManifests} from '../../../src/harness/input/manifests/read-manifests.ts';
import {asOf} from '../../../src/harness/input/source/as-of.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {editing, isSameObject} from '../../../src/harness/rehearse/edited.ts';
import {unrestText} from '../../../src/harness/rehearse/plan-text.ts';
import {type Change, type RestoreSetup, stepsOf} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {driveRehearsal} from '../../../src/harness/rehearse/rehearse.ts';
import {runSteps} from '../../../src/harness/scenario/run-steps.ts';
import {known, lived} from './lived.ts';

// The strongest thing there is to hold a rehearsal against: a control plane that is dumped and rehearsed comes to the same
// end as the same control plane that just goes on. Uids, times and new identifiers differ; nothing else may.

interface Story {
  readonly name: string;
  readonly file: string;
  readonly steps: number;
  readonly crossplane?: ProfileName;
  readonly changes?: readonly Wanted[];
  readonly restore?: Partial<RestoreSetup>;
}

type Wanted =
  | {readonly apply: string}
  | {readonly delete: {kind: string; name: string}}
  | {readonly upgrade: ProfileName}
  | 'restore';

const s1 = 'examples/restore-orphan/every-version';
const database = {file: `${s1}/scenario.yaml`, steps: 2};
const edit: Wanted = {apply: `${s1}/composition-without-replica.yaml`};
const versions: readonly ProfileName[] = ['1.16', 'main'];

const stories: readonly Story[] = [
  ...versions.flatMap((crossplane): readonly Story[] => [
    {...database, name: 'nothing', crossplane},
    {...database, name: 'a resource is dropped', crossplane, changes: [edit]},
    {...database, name: 'the XR is deleted', crossplane, changes: [{delete: {kind: 'XDatabase', name: 'orders'}}]},
    {
      ...database,
      name: 'a Velero restore after an edit',
      crossplane,
      changes: [edit, 'restore'],
      restore: {stopped: ['crossplane']},
    },
    {...database, name: 'a Velero restore with all running', crossplane, changes: ['restore']},
    {...database, name: 'a GitOps restore', crossplane, changes: ['restore'], restore: {tool: 'gitops'}},
  ]),
  {...database, name: 'an upgrade', crossplane: '1.19', changes: [{upgrade: 'main'}, edit]},
  {
    ...database,
    name: 'an etcd restore after an edit',
    changes: [edit, 'restore'],
    restore: {tool: 'etcd', onto: 'living'},
  },
  {
    ...database,
    name: 'a delete that a backup undoes',
    changes: [{delete: {kind: 'XDatabase', name: 'orders'}}, 'restore'],
    restore: {onto: 'living'},
  },
];

describe.each(stories)('$name on $crossplane', (story) => {
  test('ends as it does on the control plane that goes on', () => {
    const crossplane = story.crossplane ?? 'main';
    const {controlPlane, record, functions} = lived(story.file, story.steps, {crossplane});
    const objects = controlPlane.catalogue.all();
    const changes = (story.changes ?? []).map((one) => changeOf(one, objects));
    const restore: RestoreSetup = {
      tool: 'velero',
      onto: 'empty',
      options: {},
      stopped: [],
      ...lostKinds(objects),
      ...story.restore,
    };
    const source = {objects, asOfMs: asOf(objects)};
    const externals = new Set(externalsIn(controlPlane.session.world).map(({id}) => id));
    const rehearsed = driveHere(
      driveRehearsal(
        source,
        {parts: functions, called: Object.keys(functions), sources: {}, notes: []},
        {crossplane, changes, restore, functions: {places: {}, without: [], builtins: known}, title: 'a rehearsal'},
      ),
    );
    expect(rehearsed.unrest.map(unrestText)).toEqual([]);
    const setting = {controlPlane, evidence: record.evidence, crossplane};
    const beginStep = (step: ReturnType<typeof stepsOf>[number]): void => record.beginStep(step, 1);
    driveHere(runSteps(stepsOf(changes, restore), setting, {beginStep, keepGoing: false}));
    const end = {objects: controlPlane.catalogue.all(), externals: externalsIn(controlPlane.session.world)};
    expect(ending(rehearsed.result.objects, rehearsed.result.externals.list, externals)).toEqual(
      ending(end.objects, end.externals, externals),
    );
  });
});

function changeOf(wanted: Wanted, objects: readonly KubeObject[]): Change {
  if (wanted === 'restore') return {kind: 'restore'};
  if ('delete' in wanted) return {kind: 'delete', target: wanted.delete};
  if ('upgrade' in wanted) return {kind: 'upgrade', crossplane: wanted.upgrade};
  const edited = readManifests(wanted.apply, '').objects;
  const actions = edited.map((after) =>
    editing(
      after,
      objects.find((before) => isSameObject(after, before)),
    ),
  );
  return {kind: 'apply', objects: edited, actions};
}

/** What is there, by roles in place of uids and of names that follow from them. */
function ending(objects: readonly KubeObject[], externals: readonly External[], old: ReadonlySet<string>): unknown {
  const roles = new Map(objects.map((object) => [object.metadata.uid ?? '', roleOf(object)]));
  const there = objects
    .filter(
      ({kind}) => !['CompositionRevision', 'FunctionRevision', 'Function', 'CustomResourceDefinition'].includes(kind),
    )
    .map((object) => `${roleOf(object)} ${JSON.stringify(stateOf(object, roles, old))}`);
  const ids = externals.map(({type, id}) => `${type} ${old.has(id) ? id : 'new'}`);
  return {there: there.sort(), ids: ids.sort()};
}

function roleOf({kind, metadata}: KubeObject): string {
  const {namespace = '', name, labels, annotations} = metadata;
  const resource = annotations?.['crossplane.io/composition-resource-name'];
  const xr = labels?.['crossplane.io/composite'];
  return resource === undefined ? `${kind} ${namespace}/${name}` : `${kind} ${namespace}/${xr} ${resource}`;
}

function stateOf(object: KubeObject, roles: ReadonlyMap<string, string>, old: ReadonlySet<string>): Json {
  const {metadata, spec = {}, status = {}} = object;
  const {labels = {}, annotations = {}, finalizers = [], ownerReferences = []} = metadata;
  const externalName = annotations['crossplane.io/external-name'];
  const conditions = (status['conditions'] ?? []) as readonly {type: string; status: string; reason: string}[];
  return {
    deleting: isDeleting(object),
    labels: Object.keys(labels).sort(),
    annotations: Object.keys(annotations).sort(),
    finalizers,
    owners: ownerReferences.map(({uid, controller = false}) => `${roles.get(uid) ?? 'gone'} ${controller}`),
    externalName: externalName === undefined || old.has(externalName) ? (externalName ?? null) : 'new',
    spec: isObject(spec['forProvider']) ? withoutIds(spec) : Object.keys(spec).sort(),
    conditions: conditions.map((one) => `${one.type}=${one.status} ${one.reason}`).sort(),
  };
}

/** A name that follows from an object's own is another one for another object. */
function withoutIds(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/(ext|new)-\d+/g, 'id')
      .replaceAll(/-(?:[0-9a-f]{12}|[b-z2-9]{5})\b/g, '-uid'),
  ) as Json;
}
