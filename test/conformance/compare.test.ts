import {readdirSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {differencesOfSteps} from './compare.ts';
import {type RecordedEnd, readRecording} from './recording.ts';

const owner = {apiVersion: 'x/v1', kind: 'XApp', name: 'app', uid: 'uid-1', controller: true};
const xr: KubeObject = {apiVersion: 'x/v1', kind: 'XApp', metadata: {name: 'app', uid: 'uid-1'}};
const db: KubeObject = {
  apiVersion: 'nop/v1',
  kind: 'NopResource',
  metadata: {
    name: 'app-<db>',
    uid: 'uid-2',
    generation: 1,
    generateName: 'app-',
    labels: {role: 'db', 'crossplane.io/composition-hash': 'hash-1'},
    annotations: {note: 'mine'},
    finalizers: ['b', 'a'],
    ownerReferences: [owner],
  },
  spec: {size: 's', resourceRefs: [{kind: 'A'}, {kind: 'B'}], crossplane: {resourceRefs: [{name: 'a'}, {name: 'b'}]}},
  status: {id: '1', conditions: [{type: 'Ready', status: 'True', reason: 'Available', message: 'fine'}]},
};
const crd: KubeObject = {apiVersion: 'e/v1', kind: 'CustomResourceDefinition', metadata: {name: 'apps', uid: 'uid-3'}};

const step = (snapshot: readonly KubeObject[], more: Partial<RecordedEnd> = {}): RecordedEnd => ({
  index: 0,
  label: 'apply',
  results: [{ref: 'XApp/app', code: 201, message: 'x'}],
  snapshot,
  ...more,
});
const withMetadata = (change: JsonObject): KubeObject => ({...db, metadata: {...db.metadata, ...change}});
const withSpec = (change: JsonObject): KubeObject => ({...db, spec: {...db.spec, ...change}});
const compared = (actual: readonly KubeObject[], more: Partial<RecordedEnd> = {}): string[] =>
  differencesOfSteps([step([xr, db])], [step(actual, more)]);

describe('differencesOfSteps', () => {
  const same: readonly (readonly [string, readonly KubeObject[]])[] = [
    ['the order of objects', [db, xr]],
    ['the composition hash', [xr, withMetadata({labels: {role: 'db', 'crossplane.io/composition-hash': 'hash-9'}})]],
    ['the order of finalizers', [xr, withMetadata({finalizers: ['a', 'b']})]],
    ['generations and generateName', [xr, withMetadata({generation: 7, generateName: 'other-'})]],
    ['the order of resourceRefs of a legacy XR', [xr, withSpec({resourceRefs: [{kind: 'B'}, {kind: 'A'}]})]],
    ['the order of resourceRefs', [xr, withSpec({crossplane: {resourceRefs: [{name: 'b'}, {name: 'a'}]}})]],
    [
      'messages of conditions',
      [xr, {...db, status: {id: '1', conditions: [{type: 'Ready', status: 'True', reason: 'Available'}]}}],
    ],
    ['custom resource definitions', [xr, db, crd]],
    [
      'uids, where the owner lives all the same',
      [{...xr, metadata: {...xr.metadata, uid: 'uid-9'}}, withMetadata({ownerReferences: [{...owner, uid: 'uid-9'}]})],
    ],
  ];
  test.each(same)('does not see %s', (_name, actual) => {
    expect(compared(actual)).toEqual([]);
  });

  const different: readonly (readonly [string, readonly KubeObject[], string])[] = [
    ['a missing object', [xr], 'expected the object, got none'],
    ['an extra object', [xr, db, {...db, metadata: {...db.metadata, name: 'other'}}], 'expected no such object'],
    ['another kind version', [xr, {...db, apiVersion: 'nop/v2'}], 'expected the object, got none'],
    ['another namespace', [xr, withMetadata({namespace: 'default'})], 'expected the object, got none'],
    ['a label', [xr, withMetadata({labels: {role: 'app'}})], 'labels.role: expected "db", got "app"'],
    ['an annotation', [xr, withMetadata({annotations: {}})], 'annotations.note: expected "mine", got nothing'],
    ['a finalizer', [xr, withMetadata({finalizers: ['a']})], 'finalizers: expected ["a","b"], got ["a"]'],
    ['a lost owner', [xr, withMetadata({ownerReferences: []})], 'owners'],
    [
      'an owner that no longer controls',
      [xr, withMetadata({ownerReferences: [{...owner, controller: false}]})],
      '"owner XApp app live"',
    ],
    ['a dangling owner', [{...xr, metadata: {...xr.metadata, uid: 'uid-9'}}, db], '"controller XApp app dangling"'],
    ['deletion', [xr, withMetadata({deletionTimestamp: '<set>'})], 'deleting: expected false, got true'],
    ['spec', [xr, withSpec({size: 'm'})], 'spec.size: expected "s", got "m"'],
    ['resourceRefs', [xr, withSpec({resourceRefs: [{kind: 'A'}]})], 'spec.resourceRefs'],
    ['status', [xr, {...db, status: {...db.status, id: '2'}}], 'status.id: expected "1", got "2"'],
    [
      'the reason of a condition',
      [xr, {...db, status: {id: '1', conditions: [{type: 'Ready', status: 'True', reason: 'Creating'}]}}],
      'conditions.Ready: expected "True/Available", got "True/Creating"',
    ],
    [
      'a missing condition',
      [xr, {...db, status: {id: '1'}}],
      'conditions.Ready: expected "True/Available", got nothing',
    ],
  ];
  test.each(different)('sees %s', (_name, actual, sentence) => {
    expect(compared(actual).join('\n')).toContain(sentence);
  });

  test('sees another HTTP code, also where the snapshot is a moment in the middle', () => {
    const expected = [step([xr], {quiet: false})];
    expect(differencesOfSteps(expected, [step([], {results: [{code: 201}]})])).toEqual([]);
    expect(differencesOfSteps(expected, [step([], {results: [{code: 409}]})])).toEqual([
      'step 0 "apply": results[0]: expected 201, got 409',
    ]);
  });

  test('sees a request that could not be sent', () => {
    expect(compared([xr, db], {results: [{error: 'not found'}]}).join()).toContain('could not be sent');
  });

  test('sees steps that are missing', () => {
    expect(differencesOfSteps([step([])], [])).toEqual(['step 0 "apply": expected the step, got nothing']);
  });
});

describe('recordings', () => {
  const folder = new URL('../recordings/control-plane/', import.meta.url).pathname;
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

  test('agree with themselves, and with no recording that lost an object', () => {
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      const {steps} = readRecording(`${folder}${name}`);
      expect(differencesOfSteps(steps, steps)).toEqual([]);
      const lost = steps.map((step) => ({...step, snapshot: step.snapshot.slice(1)}));
      expect(differencesOfSteps(steps, lost)).not.toEqual([]);
    }
  });
});

describe('a strict comparison', () => {
  const managers = (...names: readonly string[]) => ({
    managedFields: names.map((manager) => ({
      manager,
      operation: 'Apply' as const,
      apiVersion: 'nop/v1',
      fieldsType: 'FieldsV1' as const,
      fieldsV1: {'f:metadata': {'f:ownerReferences': {'k:{"uid":"uid-1"}': {}}}},
    })),
  });
  const strictly = (recorded: KubeObject, actual: KubeObject): string[] =>
    differencesOfSteps([step([xr, recorded])], [step([xr, actual])], 'strict');
  const saying = (message: string, reason = 'Available'): KubeObject => ({
    ...db,
    status: {id: '1', conditions: [{type: 'Ready', status: 'True', reason, message}]},
  });

  test('tells generations and messages apart', () => {
    expect(strictly(db, withMetadata({generation: 7}))).toHaveLength(1);
    expect(strictly(db, saying('otherwise'))).toHaveLength(1);
    expect(strictly(db, db)).toEqual([]);
  });

  test('tells managed fields apart where they were recorded, by the owner and not by the number of a uid', () => {
    expect(strictly(withMetadata(managers('a')), withMetadata(managers('b')))).toHaveLength(2);
    expect(strictly(db, withMetadata(managers('b')))).toEqual([]);
    expect(strictly(withMetadata(managers('a')), withMetadata(managers('a')))).toEqual([]);
  });

  test('leaves the messages of an open breaker to chance', () => {
    expect(strictly(saying('from A', 'WatchCircuitOpen'), saying('from B', 'WatchCircuitOpen'))).toEqual([]);
  });
});
