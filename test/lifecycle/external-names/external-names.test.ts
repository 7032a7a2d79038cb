import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, emitted, type Given, type ObservedOptions, observed, planOf, view} from '../given.ts';

const nameOf = 'crossplane.io/external-name';
const markOf = 'tether.fn.crossplane.io/external-name';
const ready = {conditions: [{type: 'Ready', status: 'True'}], atProvider: {id: 'vpc-1'}};
const fromStatus: Input = {externalNames: {from: [{path: 'status.atProvider.id'}]}};

/** The external name that is emitted for `db`, undefined if none is. */
function emittedName(given: Given): string | undefined {
  const edit = planOf(given).edits.get('db');
  return edit?.kind === 'amend' ? edit.overlay.metadata.annotations[nameOf] : undefined;
}

function db(options: ObservedOptions): Given {
  return {observed: [observed('db', options)], desired: [desired('db')], input: fromStatus};
}

describe('a name from status', () => {
  const stories: readonly {name: string; reason: string; given: Given; want: string | undefined}[] = [
    {
      name: 'ReadyWithoutAName',
      reason: 'The provider knows the id and will forget it at its next restart.',
      given: db({status: ready}),
      want: 'vpc-1',
    },
    {
      name: 'NotReady',
      reason: 'Before it is ready the id may be that of an attempt.',
      given: db({status: {...ready, conditions: [{type: 'Ready', status: 'False'}]}}),
      want: undefined,
    },
    {
      name: 'ReadyAmongOtherConditions',
      reason: 'The condition Ready is meant, whichever place it has.',
      given: db({status: {...ready, conditions: [{type: 'Synced', status: 'False'}, ...ready.conditions]}}),
      want: 'vpc-1',
    },
    {
      name: 'SyncedIsNotReady',
      reason: 'The condition Ready is meant, and no other.',
      given: db({status: {...ready, conditions: [{type: 'Synced', status: 'True'}]}}),
      want: undefined,
    },
    {
      name: 'CreateFailed',
      reason: 'A failed create is over.',
      given: db({
        status: ready,
        annotations: {
          'crossplane.io/external-create-pending': '2026-01-01T00:00:10Z',
          'crossplane.io/external-create-failed': '2026-01-01T00:00:11Z',
        },
      }),
      want: 'vpc-1',
    },
    {
      name: 'NoConditions',
      reason: 'A resource that says nothing is not ready.',
      given: db({status: {atProvider: {id: 'vpc-1'}}}),
      want: undefined,
    },
    {
      name: 'StatusDoesNotKnow',
      reason: 'There is nothing to write.',
      given: db({status: {conditions: ready.conditions}}),
      want: undefined,
    },
    {
      name: 'CreateInFlight',
      reason: 'A pending newer than succeeded means that the id in status is that of an earlier resource.',
      given: db({
        status: ready,
        annotations: {
          'crossplane.io/external-create-pending': '2026-01-01T00:00:10Z',
          'crossplane.io/external-create-succeeded': '2026-01-01T00:00:05Z',
        },
      }),
      want: undefined,
    },
    {
      name: 'CreateDone',
      reason: 'An async create has both, pending first.',
      given: db({
        status: ready,
        annotations: {
          'crossplane.io/external-create-pending': '2026-01-01T00:00:05Z',
          'crossplane.io/external-create-succeeded': '2026-01-01T00:00:05Z',
        },
      }),
      want: 'vpc-1',
    },
    {
      name: 'NamedByTheProvider',
      reason: 'A name that somebody else wrote is never ours to emit.',
      given: db({status: ready, annotations: {[nameOf]: 'vpc-2'}}),
      want: undefined,
    },
    {
      name: 'NamedByTheComposition',
      reason: 'An earlier step says the name: it passes as it is.',
      given: {
        observed: [observed('db', {status: ready})],
        desired: [['db', withName('vpc-9')]],
        input: fromStatus,
      },
      want: undefined,
    },
    {
      name: 'Off',
      reason: 'Without a rule nobody says that the cloud chooses the name.',
      given: {...db({status: ready}), input: {}},
      want: undefined,
    },
    {
      name: 'RuleForAnotherKind',
      reason: 'Only what matches.',
      given: {
        ...db({status: ready}),
        input: {
          externalNames: {
            from: [{path: 'status.atProvider.id', match: {kinds: [{apiVersion: 'ec2.example.org/v1', kind: 'VPC'}]}}],
          },
        },
      },
      want: undefined,
    },
    {
      name: 'FirstRuleThatMatches',
      reason: 'Of several rules the first counts.',
      given: {
        ...db({status: {...ready, other: 'x'}}),
        input: {
          externalNames: {
            from: [
              {path: 'status.nothing', match: {resources: ['app']}},
              {
                path: 'status.other',
                match: {resources: ['db'], kinds: [{apiVersion: 'ec2.example.org/v9', kind: 'Thing'}]},
              },
              {path: 'status.atProvider.id'},
            ],
          },
        },
      },
      want: 'x',
    },
  ];

  for (const {name, reason, given, want} of stories) {
    it(name, () => expect(emittedName(given), reason).toBe(want));
  }

  it('matches any of several kinds', () => {
    const kinds = [
      {apiVersion: 'ec2.example.org/v1', kind: 'VPC'},
      {apiVersion: 'ec2.example.org/v1', kind: 'Thing'},
    ];
    const input = {externalNames: {from: [{path: 'status.atProvider.id', match: {kinds}}]}};
    expect(emittedName({...db({status: ready}), input})).toBe('vpc-1');
    const elsewhere = [{apiVersion: 'rds.example.org/v1', kind: 'Thing'}];
    const other = {externalNames: {from: [{path: 'status.atProvider.id', match: {kinds: elsewhere}}]}};
    expect(emittedName({...db({status: ready}), input: other})).toBeUndefined();
  });

  it('matches labels of the observed object', () => {
    const match = {labels: [{key: 'team', value: 'a'}]};
    const input = {externalNames: {from: [{path: 'status.atProvider.id', match}]}};
    expect(emittedName({...db({status: ready, labels: {team: 'a'}}), input})).toBe('vpc-1');
    expect(emittedName({...db({status: ready, labels: {team: 'b'}}), input})).toBeUndefined();
  });
});

const saidByUs = {'f:metadata': {'f:annotations': {[`f:${nameOf}`]: {}, [`f:${markOf}`]: {}}}};

describe('a name once emitted is emitted for good, because server-side apply takes away what its owner stops to say', () => {
  it('with the input that asked for it', () => {
    expect(emittedName(db({status: ready, annotations: {[nameOf]: 'vpc-1', [markOf]: 'vpc-1'}, owned: saidByUs}))).toBe(
      'vpc-1',
    );
  });

  it('with an empty input, too', () => {
    const given = {...db({annotations: {[nameOf]: 'vpc-1', [markOf]: 'vpc-1'}, owned: saidByUs}), input: {}};
    expect(emittedName(given)).toBe('vpc-1');
    expect(planOf(given).edits.get('db')).toMatchObject({overlay: {metadata: {annotations: {[markOf]: 'vpc-1'}}}});
  });

  it('but not where Crossplane does not own it: nobody takes it away, and to say it could only write over another', () => {
    const annotations = {[nameOf]: 'vpc-1', [markOf]: 'vpc-1'};
    // After a restore without managedFields; after somebody wrote another name and then this one again.
    expect(emittedName(db({status: ready, annotations}))).toBeUndefined();
    expect(emittedName(db({status: ready, annotations, owned: {'f:spec': {}}}))).toBeUndefined();
  });

  it('until somebody else writes another one: emitted on, it would yield to status in the next reconcile', () => {
    const given = db({status: ready, annotations: {[nameOf]: 'vpc-3', [markOf]: 'vpc-1'}});
    expect(emittedName(given)).toBeUndefined();
    expect(JSON.stringify(planOf(given).edits.get('db'))).not.toContain(markOf);
  });

  it('but yields to status where it is our own and the provider knows a newer one', () => {
    const status = {...ready, atProvider: {id: 'vpc-2'}};
    expect(emittedName(db({status, annotations: {[nameOf]: 'vpc-1', [markOf]: 'vpc-1'}}))).toBe('vpc-2');
  });

  it('as one that an earlier step wrote and no longer sends, if the input has external names kept', () => {
    const owned = {'f:metadata': {'f:annotations': {[`f:${nameOf}`]: {}}}};
    const written = db({annotations: {[nameOf]: 'invoices'}, owned, resourceVersion: '17'});
    expect(emittedName(written)).toBe('invoices');
    const remembering: Input = {externalNames: {remember: {in: 'Status'}}};
    expect(emittedName({...written, input: remembering})).toBe('invoices');
    expect(emittedName({...written, input: {}})).toBeUndefined();
    expect(emittedName({...written, desired: [['db', withName('archive')]]})).toBeUndefined();
    expect(emittedName(db({annotations: {[nameOf]: 'invoices'}, owned: {'f:spec': {}}}))).toBeUndefined();
  });

  it('and is put back where it was lost by hand', () => {
    const given = {...db({annotations: {[markOf]: 'vpc-1'}}), input: {}};
    expect(emittedName(given)).toBe('vpc-1');
    expect(planOf(given).transitions).toEqual([{kind: 'external-name-restored', resourceName: 'db'}]);
  });

  it('not for a resource that another UID controls', () => {
    const given = db({controller: 'stale', annotations: {[nameOf]: 'vpc-1', [markOf]: 'vpc-1'}});
    expect(planOf(given).edits.has('db')).toBe(false);
  });
});

describe('a name never lands on an object that somebody wrote since it was observed', () => {
  const resourceVersion = '17';

  function versionOf(given: Given): string | undefined {
    const edit = planOf(given).edits.get('db');
    return edit?.kind === 'amend' ? edit.overlay.metadata.resourceVersion : undefined;
  }

  it('when it is saved, said again, and put back', () => {
    const owned = saidByUs;
    expect(versionOf(db({status: ready, owned: {}, resourceVersion}))).toBe('17');
    const annotations = {[nameOf]: 'vpc-1', [markOf]: 'vpc-1'};
    expect(versionOf(db({status: ready, annotations, owned, resourceVersion}))).toBe('17');
    expect(versionOf(db({annotations: {[markOf]: 'vpc-1'}, owned: {}, resourceVersion}))).toBe('17');
  });

  it('when it is held', () => {
    const annotations = {[nameOf]: 'vpc-1', [markOf]: 'vpc-1'};
    const input: Input = {removal: {policies: [{policy: 'Retain'}]}};
    const held = (owned: JsonObject) =>
      emitted(planOf({observed: [observed('db', {annotations, owned, resourceVersion})], input}), 'db');
    expect(held(saidByUs)).toMatchObject({metadata: {annotations: {[nameOf]: 'vpc-1'}, resourceVersion: '17'}});
    // A hold that says no name may land on anything.
    expect(held({'f:spec': {}})).not.toHaveProperty(['metadata', 'resourceVersion']);
  });

  it('but for one that Crossplane never applied: it writes managedFields first, so the apply would fail each time', () => {
    const given = db({status: ready, resourceVersion});
    expect(emittedName(given)).toBe('vpc-1');
    expect(versionOf(given)).toBeUndefined();
  });

  it('and nothing else pays with a conflict', () => {
    expect(versionOf(db({owned: saidByUs, resourceVersion}))).toBeUndefined();
  });
});

describe('what is worth telling', () => {
  it.each<[string, JsonObject, boolean]>([
    ['without policies', {}, true],
    ['with all of them', {managementPolicies: ['*']}, true],
    ['with LateInitialize', {managementPolicies: ['Observe', 'Create', 'LateInitialize']}, true],
    ['without LateInitialize', {managementPolicies: ['Observe', 'Create', 'Update', 'Delete']}, false],
  ])('a name is saved for a resource %s', (_what, spec, lateInitializes) => {
    expect(planOf(db({status: ready, spec})).transitions).toEqual([
      {kind: 'external-name-saved', resourceName: 'db', lateInitializes},
    ]);
  });

  it('a resource is created that the cloud names and whose provider may never save the name', () => {
    const spec = {managementPolicies: ['Observe', 'Create', 'Update', 'Delete']};
    const given = {desired: [desired('db', {spec}), desired('safe')], input: fromStatus};
    expect(planOf(given).transitions).toEqual([{kind: 'external-name-at-risk', resourceName: 'db'}]);
    expect(planOf({...given, input: {}}).transitions).toEqual([]);
    const observedToo = {...given, observed: [observed('db'), observed('safe')]};
    expect(planOf(observedToo).transitions).toEqual([]);
  });
});

function withName(name: string) {
  const [, plain] = desired('db');
  return {...plain, ...view({...plain.json(), metadata: {annotations: {[nameOf]: name}}})};
}
