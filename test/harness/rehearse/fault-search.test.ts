import {beforeAll, describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import type {SearchArgs} from '../../../src/harness/explore/explore.ts';
import {readManifests} from '../../../src/harness/input/manifests/read-manifests.ts';
import {readSource} from '../../../src/harness/input/source/read-source.ts';
import type {Source} from '../../../src/harness/input/source/source.ts';
import {lostKinds} from '../../../src/harness/rehearse/composed.ts';
import {editing, isSameObject} from '../../../src/harness/rehearse/edited.ts';
import {replayFaults, searchFaults, type Units} from '../../../src/harness/rehearse/fault-search.ts';
import {faultSearchText} from '../../../src/harness/rehearse/fault-search-text.ts';
import {findingsOf} from '../../../src/harness/rehearse/findings.ts';
import type {Change} from '../../../src/harness/rehearse/rehearsal-steps.ts';
import {type RehearsalStory, rehearsalStory} from '../../../src/harness/rehearse/rehearsal-story.ts';
import {rehearse} from '../../../src/harness/rehearse/rehearse.ts';
import {rehearsedFunctions} from '../../../src/harness/rehearse/rehearsed-functions.ts';
import {known} from './lived.ts';

// The backup of one database, whose Composition has dropped the replica and asks for a second instance.

const folder = 'examples/rehearse';
const restore = {tool: 'velero', onto: 'empty', options: {}, stopped: ['crossplane']} as const;
const functions = {places: {}, without: [], builtins: known};
let source: Source;

beforeAll(async () => {
  source = await readSource(`${folder}/backup.tar.gz`);
});

function editedComposition(more: readonly object[]): readonly KubeObject[] {
  return readManifests(`${folder}/composition-without-replica.yaml`, '').objects.map((composition) => {
    const edited = structuredClone(composition) as unknown as {
      spec: {pipeline: {input: {resources: {name: string}[]}}[]};
    };
    const resources = edited.spec.pipeline[0]?.input.resources ?? [];
    for (const one of more) resources.push({...resources[1], ...one} as {name: string});
    return edited as unknown as KubeObject;
  });
}

function told(changes: readonly Change[]): RehearsalStory {
  const applied = changes.flatMap((change) => (change.kind === 'apply' ? change.objects : []));
  const here = rehearsedFunctions([...source.objects, ...applied], functions);
  return rehearsalStory(source, here, {
    crossplane: 'main',
    changes,
    restore: {...restore, ...lostKinds(source.objects)},
  });
}

function applied(objects: readonly KubeObject[]): Change {
  const before = (after: KubeObject) => source.objects.find((one) => isSameObject(after, one));
  return {kind: 'apply', objects, actions: objects.map((after) => editing(after, before(after)))};
}

async function plainly(changes: readonly Change[]) {
  const options = {crossplane: 'main', changes, functions, title: 'the backup'} as const;
  return findingsOf(await rehearse(source, {...options, restore: {...restore, ...lostKinds(source.objects)}}));
}

const args: SearchArgs = {
  all: true,
  order: 'cheapest',
  depth: undefined,
  states: undefined,
  memoryBytes: undefined,
  walks: undefined,
  seed: 1n,
  length: 0,
  shard: undefined,
};
const bounds = {minutes: 60, args, onSearch: () => () => undefined};
const one = (kind: string): Units => ({[kind]: 1});

describe('a resource that an edit adds', () => {
  test('is made and not known to be made where its provider dies in between, and without a fault nothing is found', async () => {
    const changes = [applied(editedComposition([{name: 'second'}]))];
    const story = told(changes);
    const plain = await plainly(changes);
    expect(plain.map(({kind}) => kind)).toEqual(['destroyed']);
    const {faultless, searches} = searchFaults(story, {...bounds, known: plain, units: [one('provider-restart')]});
    expect(faultless).toEqual([]);
    const [search] = searches;
    expect(search?.extent).toEqual({kind: 'ended'});
    expect(search?.found.map(({findings}) => findings.map(({kind}) => kind))).toEqual([['left-behind', 'not-ready']]);
    const [found] = search?.found ?? [];
    const again = replayFaults(story, found?.path ?? [], {units: one('provider-restart'), minutes: 60, every: false});
    expect('findings' in again ? again.findings : again).toEqual(found?.findings);
    const text = faultSearchText({crossplane: 'main', faultless, searches}, (_, path) => `again --path ${path}`, 400);
    expect(text).toMatch(/^ {2}provider-restart {2}\d+ states, \d+ ends, all seen: found 2$/m);
    expect(text).toMatch(/\n {2}2\. provider crashes and starts again\n/);
    expect(text).toMatch(/\n {2}again --path 1\/0x\d+/);
  });

  test('comes to nothing new by a conflict, all of it seen', () => {
    const story = told([applied(editedComposition([{name: 'second'}]))]);
    const {searches} = searchFaults(story, {...bounds, known: [], units: [one('conflict')]});
    expect(searches).toMatchObject([{extent: {kind: 'ended'}, found: []}]);
    expect(searches[0]?.ends).toBeGreaterThan(1);
  });
});

describe('a search that saw less than all', () => {
  const said = (story: RehearsalStory, more: Partial<Parameters<typeof searchFaults>[1]>) =>
    faultSearchText(searchFaults(story, {...bounds, known: [], units: [one('crash')], ...more}), () => '', 400);

  test('reports that, and that the rest is unknown', () => {
    const story = told([applied(editedComposition([{name: 'second'}]))]);
    const few = said(story, {args: {...args, states: 5}});
    expect(few).toContain('NOT all seen (stopped at --states');
    expect(few).toContain('the rest is unknown');
    expect(said(story, {onSearch: () => () => 'stop'})).toContain('NOT all seen (stopped after --seconds');
  });

  test('says so where the steps come to no end in its time', () => {
    const story = told([{kind: 'restore'}]);
    const text = said(story, {minutes: 0});
    expect(text).toContain('without a fault the steps come to no end in the time that was searched');
    expect(text).toContain('NOT all seen (some runs go on beyond --minutes');
  });
});

test('a finding that the rehearsal had already is none of a fault', async () => {
  const changes = [applied(editedComposition([])), {kind: 'restore'}] as const;
  const plain = await plainly(changes);
  expect(plain.map(({kind}) => kind)).toEqual(['orphaned']);
  const story = told(changes);
  const units = [one('function-error')];
  expect(searchFaults(story, {...bounds, known: plain, units})).toMatchObject({faultless: [], searches: [{found: []}]});
  const without = searchFaults(story, {...bounds, known: [], units});
  expect(without).toMatchObject({faultless: [{kind: 'orphaned'}], searches: [{found: []}]});
});
