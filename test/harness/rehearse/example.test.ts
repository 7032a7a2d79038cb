import {beforeAll, describe, expect, test} from 'vitest';
import {readManifests} from '../../../src/harness/input/manifests/read-manifests.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import type {Source} from '../../../src/harness/input/source/source.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {editing, isSameObject} from '../../../src/harness/rehearse/edited.ts';
import {findingsOf} from '../../../src/harness/rehearse/findings.ts';
import {withFunction, withoutFunction} from '../../../src/harness/rehearse/pipeline-edits.ts';
import {planJson} from '../../../src/harness/rehearse/plan-json.ts';
import {planText} from '../../../src/harness/rehearse/plan-text.ts';
import type {Change} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {type Rehearsal, rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {known} from './lived.ts';

// The backup that is in the repository: a database whose Composition dropped the replica since the backup was taken.

const folder = 'examples/rehearse';
let source: Source;

beforeAll(async () => {
  source = await readSource(`${folder}/backup.tar.gz`);
});

function rehearsed(changes: readonly Change[], stopped: readonly ('crossplane' | 'provider')[] = ['crossplane']) {
  const restore = {tool: 'velero', onto: 'empty', options: {}, stopped, ...lostKinds(source.objects)} as const;
  const functions = {places: {}, without: [], builtins: known};
  return rehearse(source, {crossplane: 'main', changes, restore, functions, title: 'the backup'});
}

function edit(objects = readManifests(`${folder}/composition-without-replica.yaml`, '').objects): Change {
  const before = (after: (typeof objects)[number]) => source.objects.find((one) => isSameObject(after, one));
  return {kind: 'apply', objects, actions: objects.map((after) => editing(after, before(after)))};
}

const kinds = (rehearsal: Rehearsal) => findingsOf(rehearsal).map(({kind}) => kind);

describe('a restore after the Composition dropped the replica', () => {
  test('leaves an orphan without function-tether, and says which', async () => {
    const rehearsal = await rehearsed([edit(), {kind: 'restore'}]);
    expect(rehearsal.unrest).toEqual([]);
    expect(kinds(rehearsal)).toEqual(['orphaned']);
    const text = planText(rehearsal, 200);
    expect(text).toContain('At rest: before the first step nothing changes.');
    expect(text).toMatch(/! restored, orphaned: replica \(Instance\)/);
    expect(text).toMatch(/restored, adopted: primary \(Instance\) .*subnets \(SubnetGroup\)/);
    expect(text).toContain('never calls safe');
  });

  test('has the replica adopted and deleted with it, and nothing else is touched', async () => {
    const edited = readManifests(`${folder}/composition-without-replica.yaml`, '').objects;
    const rehearsal = await rehearsed([edit(withFunction(edited, 'function-tether')), {kind: 'restore'}]);
    expect(kinds(rehearsal)).toEqual(['destroyed']);
    expect(rehearsal.plan.orphans).toEqual([]);
    expect(planText(rehearsal, 200)).toMatch(/! adopted, deleted: replica \(Instance\)/);
    expect(rehearsal.result.externals).toMatchObject({alive: 2, creates: 0, deletes: 1});
  });
});

test('a control plane with nothing done to it stays as it is', async () => {
  const rehearsal = await rehearsed([]);
  expect(kinds(rehearsal)).toEqual([]);
  expect(planText(rehearsal, 200)).toContain('1 XR as it was.');
});

test('the plan as JSON has the shape of crossplane-diff', async () => {
  const plan = JSON.parse(planJson(await rehearsed([edit()], [])));
  expect(plan.summary).toEqual({added: 0, modified: 0, removed: 1});
  expect(plan.xrs).toHaveLength(1);
  expect(plan.xrs[0]).toMatchObject({xr: {kind: 'XDatabase', name: 'orders'}, status: 'changed'});
  const [change] = plan.xrs[0].changes;
  expect(change).toMatchObject({type: 'removed', kind: 'Instance', verbs: ['deleted'], resourceName: 'replica'});
  expect(change.diff.spec.spec.forProvider.engine).toBe('postgres');
  expect(plan.changes).toEqual([change]);
});

test('a function nobody gave is refused, and one that is left out is not needed', async () => {
  const functions = {places: {}, without: [], builtins: {}};
  const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: [], ...lostKinds(source.objects)} as const;
  const options = {crossplane: 'main', changes: [], restore, functions, title: ''} as const;
  await expect(rehearse(source, options)).rejects.toThrow('cannot rehearse without function "function-static"');
  const changes = [edit(withoutFunction(source.objects, 'function-static'))];
  const without = {...options, changes, functions: {...functions, without: ['function-static']}};
  expect((await rehearse(source, without)).notes).toContainEqual(expect.stringContaining('not there: function'));
});

test('a definition that a new cluster refuses as it is saved is named, where a tool would have to create it', async () => {
  const asWritten = source.objects.map((object) =>
    object.kind === 'CompositeResourceDefinition' ? {...object, apiVersion: 'apiextensions.crossplane.io/v1'} : object,
  );
  const named = async (objects: typeof source.objects, changes: readonly Change[]) => {
    const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: [], ...lostKinds(objects)} as const;
    const functions = {places: {}, without: [], builtins: known};
    const {notes} = await rehearse({...source, objects}, {crossplane: 'main', changes, restore, functions, title: ''});
    return notes.filter((note) => note.startsWith('not restored:'));
  };
  const restored: Change = {kind: 'restore'};
  expect(await named(source.objects, [restored])).toEqual([
    expect.stringContaining('xdatabases.platform.example.org, which the backup has as v2 with what only v1 may have'),
  ]);
  expect([await named(source.objects, []), await named(asWritten, [restored])]).toEqual([[], []]);
});
