import {describe, expect, test} from 'vitest';
import {runOperation} from '../../../src/cluster/provider/managed-provider.ts';
import {emptyMemory, type ProviderMemory, type Tracker} from '../../../src/cluster/provider/operation-tracker.ts';
import {conflict, drive, external, type Script} from './driver.ts';
import {bucket, bucketKind, type ReconcileOptions, reconcile, secondsAgo, settings} from './things.ts';

const kind = {...bucketKind, client: 'async'} as const;
const named = {'external-name': 'ext-1'};
const noLateInit = ['Observe', 'Create', 'Update', 'Delete'];

function memoryWith(tracker: Tracker): ProviderMemory {
  return {...emptyMemory, trackers: {'uid-logs': tracker}};
}

const knowing = (id: string): ProviderMemory => memoryWith({state: {id, external: external(id), reconstructed: false}});
const trackerIn = (memory: unknown): Tracker | undefined => (memory as ProviderMemory).trackers['uid-logs'];

function reconcileAsync(options: ReconcileOptions) {
  return reconcile({...options, kind: {...options.kind, client: 'async'}});
}

function operate(type: 'create' | 'update' | 'delete', script: Script) {
  return drive(runOperation(type, kind, settings, bucket()), {memory: memoryWith({}), cached: bucket(), ...script});
}

describe('an asynchronous create', () => {
  test('is written as succeeded although it has only begun, and brings no name', () => {
    const {calls, memory} = reconcileAsync({cached: bucket()});
    expect(calls.slice(1)).toEqual([
      'PUT object [external-create-pending] finalizers=1',
      'spawn async-create',
      'sleep',
      'PUT object [external-create-pending external-create-succeeded] finalizers=1',
      'PUT status Ready=False/Creating Synced=True/ReconcileSuccess',
    ]);
    expect(trackerIn(memory)?.operation).toEqual({type: 'create', running: true});
  });

  test('that runs is reported as an external resource that is as wanted', () => {
    const memory = memoryWith({operation: {type: 'create', running: true}});
    const {calls, outcome} = reconcileAsync({cached: bucket(), memory});
    expect(calls).toEqual(['read cache', 'PUT status Synced=True/ReconcileSuccess']);
    expect(outcome.kind).toBe('requeue-after');
  });

  test('leaves what it made in memory alone; the callback tells status and asks for a reconcile', () => {
    const {calls, memory} = operate('create', {});
    expect(calls).toEqual([
      'cloud create',
      'read cache',
      'PUT status LastAsyncOperation=True/Success Synced=True/ReconcileSuccess AsyncOperation=True/Finished',
      'enqueue logs after 0 ms',
    ]);
    expect(trackerIn(memory)?.state?.id).toBe('ext-1');
  });

  test('whose error was kept makes the next create look failed although it began', () => {
    const memory = memoryWith({error: 'async create failed: quota'});
    const {calls, events} = reconcileAsync({cached: bucket(), memory});
    expect(calls).toContain('spawn async-create');
    expect(calls).toContain('PUT object [external-create-failed external-create-pending] finalizers=1');
    expect(events).toEqual(['CannotCreateExternalResource']);
  });

  test('of a kind whose clients choose names asks for the name', () => {
    const cached = bucket({annotations: {'external-name': 'logs'}});
    const run = runOperation('create', {...kind, namedBy: 'object'}, settings, cached);
    expect(drive(run, {memory: memoryWith({}), cached}).calls[0]).toBe('cloud create logs');
  });
});

describe('the name that an asynchronous create brought', () => {
  test('is written by the next observation where the policy late-initializes', () => {
    const {written} = reconcileAsync({cached: bucket(), memory: knowing('ext-1'), externals: [external('ext-1')]});
    expect(written?.metadata.annotations?.['crossplane.io/external-name']).toBe('ext-1');
  });

  test('is never written where it does not: Ready, Synced, and known to memory alone', () => {
    const cached = bucket({policies: noLateInit});
    const {written, calls, statusWritten} = reconcileAsync({
      cached,
      memory: knowing('ext-1'),
      externals: [external('ext-1')],
    });
    expect(written).toBeUndefined();
    expect(calls.at(-1)).toContain('Ready=True/Available');
    // The status write carries the name along, which the API server ignores.
    expect(statusWritten?.metadata.annotations?.['crossplane.io/external-name']).toBe('ext-1');
    expect(statusWritten?.status?.['atProvider']).toMatchObject({id: 'ext-1'});
  });

  test('is lost by a restart, so that the resource is created again, whatever its status says', () => {
    const cached = bucket({policies: noLateInit, status: {atProvider: {id: 'ext-1'}}});
    const {calls} = reconcileAsync({cached, memory: emptyMemory, externals: [external('ext-1')]});
    expect(calls).not.toContain('cloud get ext-1');
    expect(calls).toContain('spawn async-create');
  });

  test('is written back from memory where somebody removed it, and only under LateInitialize', () => {
    const externals = [external('ext-1')];
    const kept = reconcileAsync({cached: bucket({policies: noLateInit}), memory: knowing('ext-1'), externals});
    expect(kept.written).toBeUndefined();
    const back = reconcileAsync({cached: bucket(), memory: knowing('ext-1'), externals});
    expect(back.written?.metadata.annotations?.['crossplane.io/external-name']).toBe('ext-1');
  });
});

describe('after a restart', () => {
  test('the annotation leads back to the external resource', () => {
    const cached = bucket({annotations: named});
    const {calls, memory} = reconcileAsync({cached, memory: emptyMemory, externals: [external('ext-1')]});
    expect(calls[1]).toBe('cloud get ext-1');
    expect(trackerIn(memory)?.state).toMatchObject({id: 'ext-1', reconstructed: false});
  });

  test('an external resource without a name leaks when the object is deleted', () => {
    const cached = bucket({deleting: true, policies: noLateInit});
    const {calls} = reconcileAsync({cached, memory: emptyMemory, externals: [external('ext-1')]});
    expect(calls).toEqual(['read cache', 'PUT object [] finalizers=0']);
  });
});

describe('operations', () => {
  test('one runs at a time: a delete during a create is an error until the create ends', () => {
    const memory = memoryWith({operation: {type: 'create', running: true}});
    const {calls} = reconcileAsync({cached: bucket({deleting: true}), memory});
    expect(calls).toEqual(['read cache', 'PUT status Ready=False/Deleting Synced=False/ReconcileError']);
  });

  test('a delete that runs is not started twice', () => {
    const memory = memoryWith({operation: {type: 'delete', running: true}});
    const {calls} = reconcileAsync({cached: bucket({deleting: true}), memory});
    expect(calls.join()).not.toContain('spawn');
    expect(calls.at(-1)).toContain('Ready=False/Deleting Synced=True');
  });

  test('a delete that ended without deleting is started again', () => {
    const memory = memoryWith({...trackerIn(knowing('ext-1')), operation: {type: 'delete', running: false}});
    const cached = bucket({annotations: named, deleting: true});
    expect(reconcileAsync({cached, memory, externals: [external('ext-1')]}).calls).toContain('spawn async-delete');
  });

  test('a deleted resource is not looked up again, and its tracker goes with the finalizer', () => {
    const {calls, memory} = reconcileAsync({
      cached: bucket({annotations: named, deleting: true}),
      memory: memoryWith({deleted: true}),
    });
    expect(calls).toEqual(['read cache', 'PUT object [external-name] finalizers=0']);
    expect(trackerIn(memory)).toBeUndefined();
  });

  test('the deletion of what is gone already succeeds', () => {
    const {memory} = operate('delete', {memory: knowing('ext-9')});
    expect(trackerIn(memory)?.deleted).toBe(true);
  });

  test('a failure is told in status and comes back with a back-off of its own', () => {
    const create = {code: 500, error: 'quota'} as const;
    const first = operate('create', {create});
    expect(first.calls.slice(2)).toEqual([
      'PUT status LastAsyncOperation=False/AsyncCreateFailure Synced=False/ReconcileError AsyncOperation=True/Finished',
      'enqueue logs after 5 ms',
    ]);
    const second = operate('create', {create, memory: {...memoryWith({}), callbackFailures: {'Bucket/logs': 3}}});
    expect(second.calls.at(-1)).toBe('enqueue logs after 40 ms');
  });

  test('a failure on top of a kept error asks for no reconcile: the reconciler comes back by itself', () => {
    const {calls} = operate('create', {create: {code: 500}, memory: memoryWith({error: 'before'})});
    expect(calls.join()).not.toContain('enqueue');
  });

  test('a conflict loses the callback’s status but not its request', () => {
    const {calls} = operate('create', {errors: {1: conflict}});
    expect(calls.at(-1)).toBe('enqueue logs after 0 ms');
  });

  test('a callback that finds no object asks for nothing', () => {
    expect(operate('create', {cached: undefined}).calls).toEqual(['cloud create', 'read cache']);
  });

  test('the routine of a forgotten object leaves no tracker behind', () => {
    expect(trackerIn(operate('create', {memory: emptyMemory}).memory)).toBeUndefined();
  });
});

describe('an observation', () => {
  test('that finds nothing forgets the Terraform state, and the annotation stays the dead name', () => {
    const cached = bucket({annotations: {...named, 'external-create-succeeded': secondsAgo(60)}});
    const {calls, memory} = reconcileAsync({cached, memory: knowing('ext-1')});
    expect(calls).toContain('spawn async-create');
    expect(trackerIn(memory)?.state).toBeUndefined();
  });

  test('that finds nothing wrong clears the error of the last operation', () => {
    const memory = memoryWith({...trackerIn(knowing('ext-1')), error: 'async update failed: quota'});
    const after = reconcileAsync({cached: bucket({annotations: named}), memory, externals: [external('ext-1')]});
    expect(trackerIn(after.memory)?.error).toBeUndefined();
    expect(after.calls.at(-1)).toContain('LastAsyncOperation=True/Success');
    const differs = reconcileAsync({
      cached: bucket({annotations: named, size: 'large', policies: ['Observe', 'Create']}),
      memory,
      externals: [external('ext-1')],
    });
    expect(trackerIn(differs.memory)?.error).toBe('async update failed: quota');
  });

  test('under Observe alone computes no difference', () => {
    const cached = bucket({annotations: named, policies: ['Observe'], size: 'large'});
    const {calls} = reconcileAsync({cached, externals: [external('ext-1')]});
    expect(calls.at(-1)).toContain('Synced=True');
  });
});
