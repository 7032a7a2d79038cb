import {beforeAll, describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import type {RestoreSetting} from '../../../src/harness/control-plane/operator/action.ts';
import {readManifests} from '../../../src/harness/input/manifests/read-manifests.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import type {Source} from '../../../src/harness/input/source/source.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {editing, isSameObject} from '../../../src/harness/rehearse/edited.ts';
import type {Change} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {
  type PartKind,
  type RestoreCase,
  restoreKindsOf,
  withParts,
} from '../../../src/harness/rehearse/restore-parts.ts';
import {restorePlanText} from '../../../src/harness/rehearse/restore-plan-text.ts';
import {
  problemsWithout,
  type RestoreSearch,
  searchRestore,
  type Way,
} from '../../../src/harness/rehearse/restore-search.ts';
import {problemsOf} from '../../../src/harness/rehearse/restore-verdict.ts';
import {known} from './lived.ts';

// Which restore of a backup passes is found by rehearsing one after the other, and the plan says what each part is for.

const folder = 'examples/rehearse';
const xr = 'xdatabases.platform.example.org';
const instances = 'instances.rds.aws.upbound.io';
let source: Source;

beforeAll(async () => {
  source = await readSource(`${folder}/backup.tar.gz`);
});

function caseOf(options: RestoreSetting = {}, before: readonly Change[] = []): RestoreCase {
  const restore = {tool: 'velero', onto: 'empty', options, stopped: [], ...lostKinds(source.objects)} as const;
  return {changes: [...before, {kind: 'restore'}], restore};
}

function rehearsing(from: Source = source) {
  const functions = {places: {}, without: [], builtins: known};
  return (one: RestoreCase, {seed, toolCallMs}: Way) =>
    rehearse(from, {
      crossplane: 'main',
      seed,
      functions,
      title: 'the backup',
      ...one,
      ...(toolCallMs === undefined ? {} : {toolCallMs}),
    });
}

function kindsHere(from: Source = source) {
  return restoreKindsOf(from, lostKinds(from.objects).lost);
}

function search(base: RestoreCase): Promise<RestoreSearch> {
  const {objects} = source;
  return searchRestore({base, kinds: kindsHere(), objects, seed: 1, rehearse: rehearsing(), triedMax: 10});
}

function text(found: RestoreSearch): string {
  return restorePlanText(found, {source, kinds: kindsHere(), crossplane: 'main'});
}

const dropReplica = (): Change => {
  const {objects} = readManifests(`${folder}/composition-without-replica.yaml`, '');
  const before = (after: (typeof objects)[number]) => source.objects.find((one) => isSameObject(after, one));
  return {kind: 'apply', objects, actions: objects.map((after) => editing(after, before(after)))};
};

describe('the plan of a restore', () => {
  test('is the restore as it was asked for where that passes', async () => {
    const found = await search(caseOf());
    expect(found.passed?.parts).toEqual([]);
    expect(found.tried).toHaveLength(1);
    expect(text(found)).toContain('The restore passed as it was asked for: no part was needed.');
  });

  test('applies an edit later where the edit would leave an orphan, and says what became of the cheaper ones', async () => {
    const found = await search(caseOf({}, [dropReplica()]));
    expect(found.passed?.parts).toEqual(['edits-later']);
    expect(problemsWithout('edits-later', found).map(({kind}) => kind)).toEqual(['orphaned']);
    expect(found.expected.map(({kind}) => kind)).toEqual(['destroyed']);
    const plan = text(found);
    expect(plan.indexOf('velero restore create')).toBeLessThan(plan.indexOf('Apply Composition'));
    expect(plan).toMatch(/providers sleep until everything is restored: orphaned: replica/);
    expect(plan).toMatch(/happens without a disaster, too[^#]*destroyed: Instance ext-3/);
  });

  test('restores XRs last where Velero would restore them first, and names the doubles it protects from', async () => {
    const found = await search(caseOf({priorities: [xr]}));
    expect(found.passed?.parts).toEqual(['composed-first']);
    expect(problemsWithout('composed-first', found).map(({kind}) => kind)).toContain('doubled');
    const restores = text(found).match(/--include-resources \S+/g) ?? [];
    expect(restores.map((one) => one.includes(xr))).toEqual([false, true]);
  });

  test('is none where nothing passes: it has no steps, and says what each came to', async () => {
    const found = await search(caseOf({exclude: [instances]}));
    expect(found.passed).toBeUndefined();
    expect(found.tried).toHaveLength(10);
    expect(found.untried).toBeGreaterThan(0);
    const plan = text(found);
    expect(plan).toContain('**No restore passed**');
    expect(plan).toContain(`Not tried: ${found.untried} dearer one`);
    expect(plan).not.toContain('velero restore create');
  });
});

describe('a restore of paused objects', () => {
  const paused: readonly PartKind[] = ['managed-paused', 'xrs-paused'];

  test('comes to the same end, and nothing stays paused but what was paused before', async () => {
    const forgotten = source.objects.find(({kind}) => kind === 'SubnetGroup');
    const objects = source.objects.map((one) => {
      if (one !== forgotten) return one;
      const annotations = {...one.metadata.annotations, 'crossplane.io/paused': 'true'};
      return {...one, metadata: {...one.metadata, annotations}};
    });
    const from = {...source, objects};
    const setting = {kinds: kindsHere(from), objects};
    const {result} = await rehearsing(from)(withParts(caseOf(), paused, setting), {seed: 1, toolCallMs: undefined});
    const still = result.objects.filter(({metadata}) => metadata.annotations?.['crossplane.io/paused'] !== undefined);
    expect(still.map(({kind}) => kind)).toEqual(['SubnetGroup']);
    expect(result.failures).toEqual([]);
  });

  test('has them all paused until they are let go on', async () => {
    const {changes, restore} = withParts(caseOf(), paused, {kinds: kindsHere(), objects: source.objects});
    const one = {changes, restore: {...restore, unpausing: []}};
    const {result} = await rehearsing()(one, {seed: 1, toolCallMs: undefined});
    const going = result.objects.filter(({metadata}) => metadata.annotations?.['crossplane.io/paused'] === 'true');
    expect(going.map(({kind}) => kind).toSorted()).toEqual(['Instance', 'Instance', 'SubnetGroup', 'XDatabase']);
  });

  test('is written as a ConfigMap of rules with one merge patch each', async () => {
    const found = await search(caseOf());
    const passed = {...(found.passed as NonNullable<typeof found.passed>), parts: paused};
    const one = {...passed, case: withParts(caseOf(), paused, {kinds: kindsHere(), objects: source.objects})};
    const plan = text({...found, passed: one});
    const [, document = ''] = /<<'EOF'\n(.*)EOF/s.exec(plan) ?? [];
    expect(document).toContain('  modifiers.yaml: |\n    version: v1\n    resourceModifierRules:\n');
    const {version, resourceModifierRules} = parse(parse(document).data['modifiers.yaml']);
    expect(version).toBe('v1');
    const named = resourceModifierRules.map(
      (rule: {conditions: {groupResource: string}}) => rule.conditions.groupResource,
    );
    expect(named.toSorted()).toEqual([instances, 'subnetgroups.rds.aws.upbound.io', xr]);
    const pause = {metadata: {annotations: {'crossplane.io/paused': 'true'}}};
    for (const rule of resourceModifierRules) expect(JSON.parse(rule.mergePatches[0].patchData)).toEqual(pause);
  });

  test('is not offered where only a guess tells what a resource is called', () => {
    const kinds = source.kinds.map((one) => ({...one, knownBy: 'objects' as const}));
    const bare: Source = {...source, kinds, origin: {kind: 'manifests', name: 'folder'}};
    expect(kindsHere(bare)).toMatchObject({xrs: [], managed: [], resources: []});
    expect(kindsHere(bare).nameless.length).toBeGreaterThan(0);
  });
});

test('a restore that leaves an XR behind does not pass, though nothing else is found', async () => {
  const way = {seed: 1, toolCallMs: undefined};
  const twin = await rehearsing()({...caseOf(), changes: []}, way);
  const none = await rehearsing()(caseOf({resources: []}), way);
  expect(problemsOf(none, twin).map(({kind}) => kind)).toContain('lost');
  expect(problemsOf(twin, twin)).toEqual([]);
});
