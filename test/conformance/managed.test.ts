import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {managedSuite} from './managed.ts';

const crds = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: asyncthings.things.example.org}
spec:
  group: things.example.org
  scope: Cluster
  names: {kind: AsyncThing, listKind: AsyncThingList, plural: asyncthings, singular: asyncthing}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;

/** An object without LateInitialize whose provider is killed once all is well: the name is lost, a second create follows. */
const scenario: JsonObject = {
  name: 'lost-name',
  kind: 'AsyncThing',
  object: {
    spec: {
      forProvider: {size: 'small'},
      managementPolicies: ['Observe', 'Create', 'Update', 'Delete'],
      deletionPolicy: 'Delete',
    },
  },
  provider: {poll: '3s', grace: '3s', args: null},
  cloud: {createDelayMs: 500},
  steps: [
    {op: 'start'},
    {op: 'create'},
    {op: 'wait', for: {ready: 'True', synced: 'True'}, timeout: 80},
    {op: 'sleep', s: 4},
    {op: 'kill'},
    {op: 'start'},
    {op: 'wait', for: {creates: 2}, timeout: 80},
    {op: 'sleep', s: 4},
  ],
};

const recorded = {
  outcome: {creates: 2, deletes: 0, updates: 0, externalAlive: ['ext-1', 'ext-2'], present: true},
  states: [
    {
      watch: 'MODIFIED',
      object: {
        metadata: {
          finalizers: ['finalizer.managedresource.crossplane.io'],
          annotations: {
            'crossplane.io/external-create-pending': '<time>',
            'crossplane.io/external-create-succeeded': '<time>',
          },
        },
        status: {
          conditions: [
            {type: 'Synced', status: 'True', reason: 'ReconcileSuccess'},
            {type: 'Ready', status: 'True', reason: 'Available'},
            {type: 'LastAsyncOperation', status: 'True', reason: 'Success'},
            {type: 'AsyncOperation', status: 'True', reason: 'Finished'},
          ],
        },
      },
    },
  ],
};

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'managed-'));
  writeFileSync(join(dir, 'crds.yaml'), crds);
});
afterEach(() => rmSync(dir, {recursive: true}));

function replay(recordings: {readonly [name: string]: unknown}, only?: string) {
  for (const [name, value] of Object.entries(recordings))
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(value));
  return [...managedSuite.run(dir, join(dir, 'out'), {only})];
}

describe('a recording of the managed reconciler', () => {
  test('passes where counters, survivors and the last state agree, and leaves its own run behind', () => {
    const verdicts = replay({'lost-name': {scenario, ...recorded}});
    expect(verdicts).toEqual([{name: 'managed/lost-name', passed: true}]);
    const out = JSON.parse(readFileSync(join(dir, 'out', 'lost-name.json'), 'utf8'));
    expect(out.outcome).toEqual(recorded.outcome);
    expect(out.states[0]).toMatchObject({
      watch: 'ADDED',
      object: {metadata: {uid: '<uid-1>', resourceVersion: '<rv-1>'}},
    });
    expect(out.cloud.filter(({note}: {note?: string}) => note === 'committed').map(({id}: {id: string}) => id)).toEqual(
      ['ext-1', 'ext-2'],
    );
  });

  test.each([
    ['creates: expected 1, got 2', {...recorded, outcome: {...recorded.outcome, creates: 1}}],
    ['externals alive: expected 1, got 2', {...recorded, outcome: {...recorded.outcome, externalAlive: ['ext-1']}}],
    ['present: expected false, got true', {...recorded, outcome: {...recorded.outcome, present: false}}],
    [
      'external-create-pending: expected false, got true',
      {
        ...recorded,
        states: [
          {
            object: {
              ...recorded.states[0]?.object,
              metadata: {
                finalizers: ['finalizer.managedresource.crossplane.io'],
                annotations: {'crossplane.io/external-create-succeeded': '<time>'},
              },
            },
          },
        ],
      },
    ],
  ])('fails with what differs: %s', (detail, expected) => {
    const [verdict] = replay({'lost-name': {scenario, ...expected}});
    expect(verdict).toMatchObject({passed: false});
    expect(verdict?.detail).toContain(detail);
  });

  test('is chosen by name', () => {
    const both = {'lost-name': {scenario, ...recorded}, 'other-name': {scenario, ...recorded}};
    expect(replay(both, 'other').map(({name}) => name)).toEqual(['managed/other-name']);
  });

  test.each([
    ['steps[0] has an unknown op "strt"', {steps: [{op: 'strt'}]}],
    ['unknown field "redy"', {steps: [{op: 'wait', for: {redy: 'True'}}]}],
    ['kind must be one of SyncThing, AsyncThing, got "Thing"', {kind: 'Thing'}],
    ['must be a known flag of the recorded provider, got "--fast"', {provider: {args: ['--fast']}}],
    ['must be a duration such as 30s', {provider: {poll: 'often'}}],
  ])('that cannot be read fails alone, with its place: %s', (detail, change) => {
    const verdicts = replay({
      bad: {scenario: {...scenario, ...change}, ...recorded},
      'lost-name': {scenario, ...recorded},
    });
    expect(verdicts.map(({passed}) => passed)).toEqual([false, true]);
    expect(verdicts[0]?.detail).toContain(detail);
    expect(verdicts[0]?.detail).toMatch(/bad\.json:1:\d+: /);
  });

  test('of a crash late before the annotations ends while the create runs, or when it is over and told', () => {
    const steps = [
      {op: 'start', crash: 'pre-critical-late'},
      {op: 'create'},
      {op: 'wait', for: {providerDead: true}, timeout: 80},
      {op: 'start'},
      {op: 'wait', for: {msg: 'cannot determine creation result'}, timeout: 80},
      {op: 'sleep', s: 4},
    ];
    const endWith = (told: readonly JsonObject[]) => ({
      scenario: {...scenario, steps},
      outcome: {creates: 1, deletes: 0, updates: 0, externalAlive: ['ext-1'], present: true},
      states: [
        {
          object: {
            metadata: {
              finalizers: ['finalizer.managedresource.crossplane.io'],
              annotations: {'crossplane.io/external-create-pending': '<time>'},
            },
            status: {
              conditions: [
                {type: 'Ready', status: 'False', reason: 'Creating'},
                {type: 'Synced', status: 'False', reason: 'ReconcileError'},
                ...told,
              ],
            },
          },
        },
      ],
    });
    const told = [
      {type: 'LastAsyncOperation', status: 'True', reason: 'Success'},
      {type: 'AsyncOperation', status: 'True', reason: 'Finished'},
    ];
    expect(replay({early: endWith([]), late: endWith(told)}).map(({passed}) => passed)).toEqual([true, true]);
  });

  test('without an outcome is run all the same, and is no pass', () => {
    const [verdict] = replay({unrecorded: {scenario}});
    expect(verdict).toEqual({
      name: 'managed/unrecorded',
      passed: false,
      detail: 'no recorded outcome to compare with',
    });
    expect(JSON.parse(readFileSync(join(dir, 'out', 'unrecorded.json'), 'utf8')).outcome.creates).toBe(2);
  });
});
