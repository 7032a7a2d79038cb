// How the Usage controller ends a reconcile that failed: with a Warning event and its back-off, and without a word where
// it lost an optimistic lock.

import type {Reconcile} from '../kernel/call.ts';
import type {KubeObject} from '../object.ts';
import {type Failure, isConflict, record, requeue, retryAfter} from './failure.ts';

export function* warned(usage: KubeObject, reason: string, failure: Failure): Reconcile {
  yield* record(usage, 'Warning', reason, failure.message);
  return retryAfter(failure);
}

export function* warnedUnlessConflict(usage: KubeObject, reason: string, failure: Failure): Reconcile {
  return isConflict(failure) ? requeue : yield* warned(usage, reason, failure);
}
