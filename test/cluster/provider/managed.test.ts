import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {runtimeVersions} from '../../../src/cluster/provider/runtime-version.ts';
import {conflict, external} from './driver.ts';
import {bucket, finalizer, reconcile, secondsAgo} from './things.ts';

const named = {'external-name': 'ext-1'};
const pollAgain = {kind: 'requeue-after', afterMs: 600_000};

describe('a resource that is to be created', () => {
  test('is observed, finalized, announced, created, recorded: in this order', () => {
    const {calls, outcome} = reconcile({cached: bucket({finalizers: []})});
    expect(calls).toEqual([
      'read cache',
      'PUT object [] finalizers=1',
      'PUT object [external-create-pending] finalizers=1',
      'cloud create',
      'PUT object [external-create-pending external-create-succeeded external-name] finalizers=1',
      'PUT status Ready=False/Creating Synced=True/ReconcileSuccess',
    ]);
    expect(outcome.kind).toBe('retry');
  });

  test('is not created where the announcement conflicts: somebody changed it meanwhile', () => {
    const {calls, outcome} = reconcile({cached: bucket(), errors: {1: conflict}});
    expect(calls.filter((call) => call.startsWith('cloud'))).toEqual([]);
    expect(outcome).toMatchObject({kind: 'retry', reason: 'Conflict'});
  });

  test('notes a refusal of the cloud and comes again', () => {
    const {calls, outcome, events} = reconcile({cached: bucket(), create: {code: 500, error: 'quota'}});
    expect(calls.slice(-2)).toEqual([
      'PUT object [external-create-failed external-create-pending] finalizers=1',
      'PUT status Ready=False/Creating Synced=False/ReconcileError',
    ]);
    expect(events).toEqual(['CannotCreateExternalResource']);
    expect(outcome.kind).toBe('retry');
  });

  test('gets its own name as external-name first where the kind is named so', () => {
    const {calls} = reconcile({cached: bucket({finalizers: []}), kind: {namedBy: 'object'}});
    expect(calls.slice(0, 3)).toEqual(['read cache', 'PUT object [external-name] finalizers=0', 'cloud get logs']);
    expect(calls).toContain('cloud create logs');
  });
});

describe('the critical annotations', () => {
  test('are written again after a conflict, over what the cache then holds', () => {
    const later = bucket({annotations: {'external-create-pending': secondsAgo(0), poked: 'yes'}});
    const {calls, written} = reconcile({cached: bucket(), cachedLater: later, errors: {2: conflict}});
    expect(calls.slice(2, 6)).toEqual([
      'cloud create',
      'PUT object [external-create-pending external-create-succeeded external-name] finalizers=1',
      'read cache',
      'sleep',
    ]);
    expect(written?.metadata.annotations).toMatchObject({
      'crossplane.io/external-name': 'ext-1',
      'crossplane.io/poked': 'yes',
    });
  });

  test('are given up after five tries: the name of what was created is lost', () => {
    const errors = {2: conflict, 3: conflict, 4: conflict, 5: conflict, 6: conflict};
    const {calls, outcome} = reconcile({cached: bucket(), errors});
    expect(calls.filter((call) => call.includes('external-name'))).toHaveLength(5);
    expect(outcome).toEqual({kind: 'retry', reason: 'Conflict'});
  });
});

describe('an incomplete create', () => {
  const pending = bucket({annotations: {'external-create-pending': secondsAgo(5)}});

  test('is refused without looking at the cloud, and nothing brings the resource back by itself', () => {
    const {calls, outcome} = reconcile({cached: pending});
    expect(calls).toEqual(['read cache', 'PUT status Ready=False/Creating Synced=False/ReconcileError']);
    expect(outcome).toEqual({kind: 'done'});
  });

  test('blocks deletion just the same', () => {
    const deleting = bucket({annotations: {'external-create-pending': secondsAgo(5)}, deleting: true});
    expect(reconcile({cached: deleting}).calls.join()).not.toContain('PUT object');
  });

  test('is complete where a result of the same second was written', () => {
    const annotations = {'external-create-pending': secondsAgo(60), 'external-create-failed': secondsAgo(60)};
    expect(reconcile({cached: bucket({annotations})}).calls).toContain('cloud create');
  });

  test('does not matter for deterministic names since v2.0, and does before', () => {
    const kind = {deterministicExternalName: true};
    expect(reconcile({cached: pending, kind}).calls).toContain('cloud create');
    const old = reconcile({cached: pending, kind, settings: {runtime: runtimeVersions['v1.20']}});
    expect(old.calls.join()).not.toContain('cloud');
  });
});

describe('the creation grace', () => {
  const annotations = {...named, 'external-create-succeeded': secondsAgo(10)};

  test('keeps an absent young resource from being created again, without a word in its status', () => {
    const {calls, outcome, events} = reconcile({cached: bucket({annotations})});
    expect(calls).toEqual(['read cache', 'cloud get ext-1']);
    expect(events).toEqual(['PendingExternalResource']);
    expect(outcome.kind).toBe('retry');
  });

  test('comes before deletion: the finalizer stays until it is over', () => {
    const young = reconcile({cached: bucket({annotations, deleting: true})});
    expect(young.calls.join()).not.toContain('PUT');
    const old = {...annotations, 'external-create-succeeded': secondsAgo(30)};
    expect(reconcile({cached: bucket({annotations: old, deleting: true})}).calls.at(-1)).toContain('finalizers=0');
  });

  test('lasts as long as a success that lies in the future', () => {
    const future = {...named, 'external-create-succeeded': '2031-01-01T00:00:00Z'};
    expect(reconcile({cached: bucket({annotations: future})}).calls).toEqual(['read cache', 'cloud get ext-1']);
  });
});

describe('a resource that exists', () => {
  test('and is as wanted is looked at again after the poll interval', () => {
    const {calls, outcome} = reconcile({cached: bucket({annotations: named}), externals: [external('ext-1')]});
    expect(calls).toEqual([
      'read cache',
      'cloud get ext-1',
      'PUT status Ready=True/Available Synced=True/ReconcileSuccess',
    ]);
    expect(outcome).toEqual(pollAgain);
  });

  test('is adopted by the finalizer, whose write loses Ready until the next poll', () => {
    const cached = bucket({annotations: named, finalizers: []});
    const {calls} = reconcile({cached, externals: [external('ext-1')]});
    expect(calls.slice(2)).toEqual([
      'PUT object [external-name] finalizers=1',
      'PUT status Synced=True/ReconcileSuccess',
    ]);
  });

  test('is filled from the cloud where the policy late-initializes', () => {
    const externals = [external('ext-1', {size: 'small', tier: 'gold'})];
    const {written, calls} = reconcile({cached: bucket({annotations: named}), externals});
    expect(written?.spec?.['forProvider']).toEqual({size: 'small', tier: 'gold'});
    expect(calls).toHaveLength(4);
    const policies = ['Observe', 'Create', 'Update', 'Delete'];
    expect(reconcile({cached: bucket({annotations: named, policies}), externals}).written).toBeUndefined();
  });

  test('loses the late initialization to a conflict at once: that write is not tried again', () => {
    const externals = [external('ext-1', {size: 'small', tier: 'gold'})];
    const {calls, outcome} = reconcile({
      cached: bucket({annotations: named}),
      externals,
      errors: {1: conflict, 2: conflict},
    });
    expect(calls.filter((call) => call.startsWith('PUT'))).toHaveLength(2);
    expect(outcome).toEqual({kind: 'retry', reason: 'Conflict'});
  });

  test('is updated where it differs and the policy updates', () => {
    const externals = [external('ext-1', {size: 'large'})];
    const updated = reconcile({cached: bucket({annotations: named}), externals});
    expect(updated.calls).toContain('cloud update ext-1');
    expect(updated.outcome).toEqual(pollAgain);
    const policies = ['Observe', 'Create', 'Delete'];
    const left = reconcile({cached: bucket({annotations: named, policies}), externals});
    expect(left.calls).not.toContain('cloud update ext-1');
  });

  test('answers a request to reconcile once, by writing its token', () => {
    const cached = bucket({annotations: {...named, 'reconcile-requested-at': 'now'}});
    const first = reconcile({cached, externals: [external('ext-1')]});
    expect(first.statusWritten?.status?.['lastHandledReconcileAt']).toBe('now');
    const handled = bucket({
      annotations: {...named, 'reconcile-requested-at': 'now'},
      status: {lastHandledReconcileAt: 'now'},
    });
    expect(reconcile({cached: handled, externals: [external('ext-1')]}).events).toEqual([]);
    const old = reconcile({cached, externals: [external('ext-1')], settings: {runtime: runtimeVersions['v2.0']}});
    expect(old.events).toEqual([]);
  });

  test('is polled as its annotation asks, but not more often than the provider allows', () => {
    const every = (
      interval: string,
      runtime = runtimeVersions['v2.4'] as (typeof runtimeVersions)[keyof typeof runtimeVersions],
    ) =>
      reconcile({
        cached: bucket({annotations: {...named, 'poll-interval': interval}}),
        externals: [external('ext-1')],
        settings: {runtime},
      }).outcome;
    expect(every('2m')).toMatchObject({afterMs: 120_000});
    expect(every('1ms')).toMatchObject({afterMs: 1000});
    expect(every('soon')).toEqual(pollAgain);
    expect(every('2m', runtimeVersions['v2.0'])).toEqual(pollAgain);
  });
});

describe('an absent resource', () => {
  test('that may not be created is updated all the same, and the cloud finds nothing to update', () => {
    const cached = bucket({annotations: named, policies: ['Observe', 'Update']});
    const {calls, outcome} = reconcile({cached});
    expect(calls).toEqual([
      'read cache',
      'cloud get ext-1',
      'cloud update ext-1',
      'PUT status Synced=False/ReconcileError',
    ]);
    expect(outcome.kind).toBe('retry');
  });

  test('under Observe alone is an error that waits for the poll since v2.4 and backed off before', () => {
    const cached = bucket({annotations: named, policies: ['Observe'], finalizers: []});
    const {calls, outcome} = reconcile({cached});
    expect(calls.at(-1)).toBe('PUT status Synced=False/ReconcileError');
    expect(outcome).toEqual(pollAgain);
    expect(reconcile({cached, settings: {runtime: runtimeVersions['v2.3']}}).outcome.kind).toBe('retry');
  });
});

describe('deletion', () => {
  const deleting = {annotations: named, deleting: true};

  test('deletes the external resource, then lets go once it is seen to be gone', () => {
    const first = reconcile({cached: bucket(deleting), externals: [external('ext-1')]});
    expect(first.calls.slice(1)).toEqual([
      'cloud get ext-1',
      'cloud delete ext-1',
      'PUT status Ready=False/Deleting Synced=True/ReconcileSuccess',
    ]);
    const second = reconcile({cached: bucket(deleting)});
    expect(second.calls.slice(1)).toEqual(['cloud get ext-1', 'PUT object [external-name] finalizers=0']);
    expect(second.outcome).toEqual({kind: 'done'});
  });

  test('waits for the finalizers of others since v2.0; before, the external resource went at once', () => {
    const cached = bucket({...deleting, finalizers: [finalizer, 'example.org/hold']});
    const externals = [external('ext-1')];
    expect(reconcile({cached, externals}).calls).toEqual(['read cache', 'cloud get ext-1']);
    const old = reconcile({cached, externals, settings: {runtime: runtimeVersions['v1.20']}});
    expect(old.calls).toContain('cloud delete ext-1');
  });

  test('under a policy that orphans lets go at once, whatever the cloud or the create says', () => {
    const annotations = {'external-create-pending': secondsAgo(5)};
    const cached = bucket({
      annotations,
      deleting: true,
      deletionPolicy: 'Orphan',
      finalizers: [finalizer, 'example.org/hold'],
    });
    expect(reconcile({cached}).calls).toEqual(['read cache', 'PUT object [external-create-pending] finalizers=1']);
  });
});

describe('a resource that is not to be touched', () => {
  test('paused by annotation or by empty policies says so and waits, also when it is being deleted', () => {
    for (const cached of [bucket({annotations: {paused: 'true'}}), bucket({policies: [], deleting: true})]) {
      const {calls, outcome} = reconcile({cached});
      expect(calls).toEqual(['read cache', 'PUT status Synced=False/ReconcilePaused']);
      expect(outcome).toEqual({kind: 'done'});
    }
  });

  test('with policies that are not supported is an error without a requeue', () => {
    const {calls, outcome, statusWritten} = reconcile({cached: bucket({policies: ['Create']})});
    expect(calls).toEqual(['read cache', 'PUT status Synced=False/ReconcileError']);
    expect(JSON.stringify(statusWritten)).toContain('is set to a value([Create]) which is not supported');
    expect(outcome).toEqual({kind: 'done'});
  });

  test('that is gone is done', () => {
    expect(reconcile({cached: undefined})).toMatchObject({calls: ['read cache'], outcome: {kind: 'done'}});
  });
});

test('conditions say which generation they speak of since v1.20', () => {
  const conditionsOf = (runtime: (typeof runtimeVersions)['v1.19'] | (typeof runtimeVersions)['v1.20']) =>
    JSON.stringify(reconcile({cached: bucket(), settings: {runtime}}).statusWritten?.status);
  expect(conditionsOf(runtimeVersions['v1.20'])).toContain('observedGeneration');
  expect(conditionsOf(runtimeVersions['v1.19'])).not.toContain('observedGeneration');
});

test('a 409 that is no conflict, such as a webhook’s, is an error like any other', () => {
  const denied = {ok: false, code: 409, reason: 'in use by 1 usage', message: 'denied'} as const;
  const {outcome} = reconcile({
    cached: bucket({annotations: named}),
    externals: [external('ext-1')],
    errors: {1: denied},
  });
  expect(outcome).toMatchObject({kind: 'retry', reason: expect.stringContaining('denied')});
});

describe('connection details', () => {
  const kind = {publishes: {endpoint: 'db'}};
  const cached = {
    ...bucket({annotations: named}),
    spec: {...bucket().spec, writeConnectionSecretToRef: {name: 'conn', namespace: 'default'}},
  };
  const secret = (endpoint: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: 'conn', namespace: 'default'},
    data: {endpoint},
  });
  const callsWith = (stored?: KubeObject) =>
    reconcile({cached, kind, externals: [external('ext-1')], ...(stored === undefined ? {} : {stored})}).calls.slice(
      2,
      -1,
    );

  test('are created where there is no Secret, and written only where they differ', () => {
    expect(callsWith()).toEqual(['get', 'create']);
    expect(callsWith(secret('b2xk'))).toEqual(['get', 'patch']);
    expect(callsWith(secret('ZGI='))).toEqual(['get']);
  });
});

test('a conflict on the status is a silent retry, any other error is one with a reason', () => {
  const cached = bucket({annotations: named});
  const externals = [external('ext-1')];
  expect(reconcile({cached, externals, errors: {1: conflict}}).outcome).toEqual({kind: 'retry', reason: 'Conflict'});
  const broken = {ok: false, code: 500, reason: 'InternalError', message: 'etcd is away'} as const;
  expect(reconcile({cached, externals, errors: {1: broken}}).outcome).toMatchObject({
    kind: 'retry',
    reason: expect.stringContaining('etcd is away'),
  });
});
