// How Crossplane's reconcilers begin and end: with the object of their key, with its conditions, and with their last deed.

import {done, now, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {parseKey} from '../kernel/process.ts';
import type {GroupVersionKind, KubeObject} from '../object.ts';
import {getCached, updateStatus} from './client.ts';
import {type Mark, type Marking, marked, reconcileError} from './conditions.ts';
import {type Failure, isConflict, type Result, record, requeue, retryAfter, wrap} from './failure.ts';
import type {Profile} from './profile.ts';

/** A reconciler of the objects of a kind. One that the cache does not have needs nothing. */
export function reconciles(
  kind: GroupVersionKind,
  what: string,
  reconcile: (object: KubeObject) => Reconcile,
): (key: string) => Reconcile {
  return function* (key) {
    const read = yield* getCached({...kind, ...parseKey(key)});
    if (!read.ok) return retryAfter(wrap(`cannot get ${what}`, read.failure));
    return read.value === undefined ? done : yield* reconcile(read.value);
  };
}

/** The object with the marks in its status, as of now. */
export function* markedNow(
  object: KubeObject,
  marks: readonly Mark[],
  {observedGeneration}: Pick<Marking, 'observedGeneration'>,
): Step<KubeObject> {
  return marked(object, marks, {nowMs: yield* now(), observedGeneration});
}

/** Marks the object and writes its status. */
export function* writeMarks(
  object: KubeObject,
  marks: readonly Mark[],
  how: Pick<Marking, 'observedGeneration'>,
): Step<Result<KubeObject>> {
  return yield* updateStatus(yield* markedNow(object, marks, how));
}

/** How a reconcile ends whose last deed this was. */
export function ending(deed: Result<unknown>, context: string, outcome: Outcome = done): Outcome {
  return deed.ok ? outcome : retryAfter(wrap(context, deed.failure));
}

/** Ends a reconcile with an error that the object's conditions show; a conflict they do not even mention. */
export function* fail(
  object: KubeObject,
  reason: string,
  context: string,
  {failure}: {readonly failure: Failure},
  {profile}: {readonly profile: Profile},
): Step<Outcome> {
  if (isConflict(failure)) return requeue;
  const error = context === '' ? failure : wrap(context, failure);
  yield* record(object, 'Warning', reason, error.message);
  // A failed write is ignored, as upstream does.
  yield* writeMarks(object, [reconcileError(error.message)], profile);
  return retryAfter(error);
}
