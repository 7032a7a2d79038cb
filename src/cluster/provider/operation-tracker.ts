// The memory of an upjet provider about each managed resource, by UID: the Terraform state (through which it knows an external
// resource that no annotation names), the running operation and the error of the last one. A restart loses all of it. Source:
// crossplane/upjet dbfccb48 pkg/controller/nofork_store.go, pkg/terraform/operation.go.

import type {ExternalView} from '../cloud/cloud-protocol.ts';
import {without} from '../json.ts';
import {memory, type Step} from '../kernel/call.ts';

export type OperationType = 'create' | 'update' | 'delete';

export interface Tracker {
  readonly operation?: {readonly type: OperationType; readonly running: boolean};
  /** Why the last operation failed; kept until an observation finds nothing wrong. */
  readonly error?: string;
  /** The Terraform state. `reconstructed`: made from the annotation, not yet confirmed by the cloud. */
  readonly state?: {readonly id: string; readonly external?: ExternalView; readonly reconstructed: boolean};
  /** The external resource was deleted by us. */
  readonly deleted?: true;
}

export interface ProviderMemory {
  readonly trackers: {readonly [uid: string]: Tracker};
  /** Failed operations in a row by object key: the back-off of upjet's own reconcile requests. */
  readonly callbackFailures: {readonly [key: string]: number};
}

export const emptyMemory: ProviderMemory = {trackers: {}, callbackFailures: {}};

/** The tracker of a UID, made where there is none yet. */
export function* trackerOf(uid: string): Step<Tracker> {
  const after = yield* memory((before: ProviderMemory) =>
    Object.hasOwn(before.trackers, uid) ? before : {...before, trackers: {...before.trackers, [uid]: {}}},
  );
  return after.trackers[uid] ?? {};
}

/** Changes a tracker that is still kept; a routine that outlives the object changes nothing. */
export function* changeTracker(uid: string, change: (tracker: Tracker) => Tracker): Step<Tracker> {
  const after = yield* memory((before: ProviderMemory) => {
    const tracker = before.trackers[uid];
    return tracker === undefined ? before : {...before, trackers: {...before.trackers, [uid]: change(tracker)}};
  });
  return after.trackers[uid] ?? {};
}

export function* forgetTracker(uid: string): Step<void> {
  yield* memory((before: ProviderMemory) => ({
    ...before,
    trackers: without(before.trackers as never, uid) as ProviderMemory['trackers'],
  }));
}

/** Begins an operation of this type; false if one is running already. */
export function* markStart(uid: string, type: OperationType): Step<boolean> {
  const {operation} = yield* trackerOf(uid);
  if (operation?.running === true) return false;
  yield* changeTracker(uid, (tracker) => ({...tracker, operation: {type, running: true}}));
  return true;
}

/** Ends the operation. Answers the error that was kept from the operation before, as upjet reads it before setting its own. */
export function* markEnd(uid: string, error: string | undefined): Step<string | undefined> {
  const before = yield* trackerIfKept(uid);
  yield* changeTracker(uid, ({error: _, operation, ...rest}) => ({
    ...rest,
    ...(operation === undefined ? {} : {operation: {...operation, running: false}}),
    ...(error === undefined ? {} : {error}),
  }));
  return before.error;
}

/** Forgets the operation, and its error too unless that is to be kept. */
export function* clearOperation(uid: string, keepError: boolean): Step<void> {
  yield* changeTracker(uid, ({operation: _, error, ...rest}) =>
    keepError && error !== undefined ? {...rest, error} : rest,
  );
}

/** The delay of the reconcile request that follows a failed operation, by client-go's default limiter (5 ms, doubling). */
export function* countCallbackFailure(key: string): Step<number> {
  const after = yield* memory((before: ProviderMemory) => ({
    ...before,
    callbackFailures: {...before.callbackFailures, [key]: (before.callbackFailures[key] ?? 0) + 1},
  }));
  return Math.min(5 * 2 ** ((after.callbackFailures[key] ?? 1) - 1), 1_000_000);
}

export function* forgetCallbackFailures(key: string): Step<void> {
  yield* memory((before: ProviderMemory) => ({
    ...before,
    callbackFailures: without(before.callbackFailures, key) as ProviderMemory['callbackFailures'],
  }));
}

export function* trackerIfKept(uid: string): Step<Tracker> {
  const {trackers} = yield* memory((before: ProviderMemory) => before);
  return trackers[uid] ?? {};
}
