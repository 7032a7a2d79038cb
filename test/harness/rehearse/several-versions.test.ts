// A definition of more than one version: `kubectl get` and backups name objects in the preferred one, which need not be the one
// that Crossplane refers to. What is rehearsed must not depend on it.

import {beforeAll, describe, expect, test} from 'vitest';
import {at, isList, isObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {readManifests} from '../../../src/harness/input/manifests/read-manifests.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {editing, isSameObject} from '../../../src/harness/rehearse/edited.ts';
import {findingsOf} from '../../../src/harness/rehearse/findings.ts';
import type {Change} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {known} from './lived.ts';

const name = 'xdatabases.platform.example.org';
let once: readonly KubeObject[];
let twice: readonly KubeObject[];

beforeAll(async () => {
  once = (await readSource('examples/rehearse/backup.tar.gz')).objects;
  twice = once.map(inTwoVersions);
});

/** The definition with v1beta1 beside v1alpha1, to which it goes on referring, and the XR as the server prefers it. */
function inTwoVersions(object: KubeObject): KubeObject {
  if (object.kind === 'XDatabase') return {...object, apiVersion: 'platform.example.org/v1beta1'};
  if (object.metadata.name !== name || !isList(object.spec?.['versions'])) return object;
  const [first] = object.spec['versions'];
  if (!isObject(first)) return object;
  const flag = object.kind === 'CustomResourceDefinition' ? 'storage' : 'referenceable';
  return {...object, spec: {...object.spec, versions: [first, {...first, name: 'v1beta1', [flag]: false}]}};
}

async function rehearsed(objects: readonly KubeObject[], changes: readonly Change[]) {
  const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: ['crossplane'], ...lostKinds(objects)} as const;
  const functions = {places: {}, without: [], builtins: known};
  const asked = {crossplane: 'main', changes, restore, functions, title: ''} as const;
  const source = await readSource('examples/rehearse/backup.tar.gz');
  return rehearse({...source, objects}, asked);
}

function edit(edited: readonly KubeObject[], objects: readonly KubeObject[]): Change {
  const before = (after: KubeObject) => objects.find((one) => isSameObject(after, one));
  return {kind: 'apply', objects: edited, actions: edited.map((after) => editing(after, before(after)))};
}

const withoutReplica = () => readManifests('examples/rehearse/composition-without-replica.yaml', '').objects;

describe('an XR in the preferred version of two', () => {
  test.each<readonly [string, (objects: readonly KubeObject[]) => readonly Change[]]>([
    ['nothing', () => []],
    ['a restore after an edit', (objects) => [edit(withoutReplica(), objects), {kind: 'restore'}]],
    ['a deletion', () => [{kind: 'delete', target: {kind: 'XDatabase', name: 'orders'}}]],
  ])('comes to the same end by %s', async (_, changesOn) => {
    const [of1, of2] = [await rehearsed(once, changesOn(once)), await rehearsed(twice, changesOn(twice))];
    expect(of2.unrest).toEqual([]);
    expect(findingsOf(of2)).toEqual(findingsOf(of1));
  });
});

/** As its author wrote it, before Crossplane 2 showed it as v2 with a scope. */
function written(referenceable: string): KubeObject {
  const file = readManifests('examples/restore-orphan/every-version/definition.yaml', '').objects[0] as KubeObject;
  const schema = at(file.spec, ['versions', '0', 'schema']) ?? {};
  const versions = ['v1alpha1', 'v1beta1'].map((version) => {
    return {name: version, served: true, referenceable: version === referenceable, schema};
  });
  return {...file, spec: {...file.spec, versions}};
}

describe('the definition is applied as v1, as its author keeps it', () => {
  test('and nothing changes where it says the same', async () => {
    const {result, plan} = await rehearsed(twice, [edit([written('v1alpha1')], twice)]);
    expect([result.failures, plan.destroyed]).toEqual([[], []]);
  });

  test('and no XR is reconciled any more once it refers to a version that its Composition is not for', async () => {
    const rehearsal = await rehearsed(twice, [edit([written('v1beta1')], twice)]);
    expect(rehearsal.result.failures).toEqual([]);
    expect(findingsOf(rehearsal)).toMatchObject([
      {kind: 'not-ready', text: expect.stringContaining('referenced composition is not compatible')},
    ]);
  });
});
