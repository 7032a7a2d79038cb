import {beforeAll, describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {versionName} from '../../../src/harness/functions/function-source.ts';
import {passThrough} from '../../../src/harness/functions/passing.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import type {Source} from '../../../src/harness/input/source/source.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {movedFunctions, movedText, versionsOf} from '../../../src/harness/rehearse/moved-functions.ts';
import type {Change} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {known} from './lived.ts';

const name = 'function-static';
let source: Source;
let first: string;

beforeAll(async () => {
  source = await readSource('examples/rehearse/backup.tar.gz');
  first = String(source.objects.find(({kind}) => kind === 'Function')?.spec?.['package']);
});

const at = (to: string, more: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Function',
  metadata: {name},
  spec: {package: to, ...more},
});

/** As an edit of the Function is applied. */
const applied = (to: string): Change => ({
  kind: 'apply',
  objects: [at(to)],
  actions: [
    {kind: 'patch', target: {kind: 'Function', name}, type: 'merge', status: false, body: {spec: {package: to}}},
  ],
});

/** What the revision that answers in the end says of itself. */
function active(objects: readonly KubeObject[]): unknown {
  const revisions = objects.filter(({kind}) => kind === 'FunctionRevision');
  return revisions.find(({spec}) => spec?.['desiredState'] === 'Active')?.status;
}

/** The second version desires nothing. */
async function rehearsed(edits: readonly Change[], objects = source.objects) {
  const moved = movedFunctions(objects, edits, [name]);
  const versions = versionsOf(moved).map((one) => one.name);
  const second = versionName(name, 'r/fn:v2');
  const here = Object.fromEntries(
    versions.map((one) => [one, one === second ? passThrough : known[name]]),
  ) as typeof known;
  const functions = {places: {}, versions, without: [], builtins: known, here};
  const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: [], ...lostKinds(objects)} as const;
  const about = {crossplane: 'main', title: 'a move'} as const;
  return rehearse({...source, objects}, {...about, changes: edits, restore, functions});
}

describe('a Function that a step moves to another package', () => {
  test('answers as that package from the step on, and the plan says what follows', async () => {
    const {plan, result, unrest} = await rehearsed([applied('r/fn:v2')]);
    expect([unrest, result.failures]).toEqual([[], []]);
    expect(plan.destroyed).toHaveLength(3);
    const revisions = result.objects.filter(({kind}) => kind === 'FunctionRevision');
    expect(revisions.map(({spec}) => [spec?.['desiredState'], spec?.['revision']])).toEqual([
      ['Inactive', 1],
      ['Active', 2],
    ]);
  });

  test('answers as the first package again where a further step moves it back', async () => {
    const {plan, result} = await rehearsed([applied('r/fn:v3'), applied(first)]);
    expect(result.failures).toEqual([]);
    expect(plan.destroyed).toEqual([]);
  });

  test('moves, too, where the source names no revision', async () => {
    const bare = source.objects.filter(({kind}) => kind !== 'FunctionRevision');
    const {plan, result} = await rehearsed([applied('r/fn:v2')], bare);
    expect(result.failures).toEqual([]);
    expect(plan.destroyed).toHaveLength(3);
  });

  test('has the capabilities of the package before it, and the plan says that nobody read its own', async () => {
    const {result} = await rehearsed([applied('r/fn:v2')]);
    expect(active(result.objects)).toMatchObject({capabilities: ['composition']});
    const moved = movedFunctions(source.objects, [applied('r/fn:v2')], [name]);
    expect(moved.map((one) => movedText(one, [name]))).toEqual([
      expect.stringContaining(`names in its package are not read: it is taken to have those of ${first}`),
    ]);
  });

  test('keeps the capabilities that a revision of it in the source has', async () => {
    const status = {capabilities: ['composition', 'operation']};
    const revision = {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'FunctionRevision',
      metadata: {name: `${name}-v2`, labels: {'pkg.crossplane.io/package': name}},
      spec: {desiredState: 'Inactive', image: 'r/fn:v2', revision: 2},
      status,
    };
    const {result} = await rehearsed([applied('r/fn:v2')], [...source.objects, revision]);
    expect(active(result.objects)).toMatchObject(status);
  });

  test('goes on as it was where somebody has to activate the revision, and the plan says so', () => {
    const edits: readonly Change[] = [
      {kind: 'apply', objects: [at('r/fn:v2', {revisionActivationPolicy: 'Manual'})], actions: []},
    ];
    const moved = movedFunctions(source.objects, edits, [name]);
    expect(versionsOf(moved)).toEqual([]);
    expect(moved.map((one) => movedText(one, [name]))).toEqual([
      `not known: what function "${name}" answers as r/fn:v2; its revisionActivationPolicy is Manual, so ${first} answers until a person activates the new revision`,
    ]);
  });
});
