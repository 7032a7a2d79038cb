// The deletion of a Usage: wait for `by` (polled, no watch covers it), take the in-use label off the used object unless another
// Usage of it lives, have the denied delete replayed, remove the finalizer.
// Source: crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go. The replay is a goroutine that sleeps
// two seconds and deletes without preconditions. It dies with the process, and it deletes whichever object has that name by then.
// It replays any client's attempt, however old: the annotation never goes away.

import type {PropagationPolicy} from '../api/request.ts';
import {type JsonObject, without} from '../json.ts';
import {done, note, type Outcome, type Reconcile, type Step, sleep, spawn, throughClient} from '../kernel/call.ts';
import {type GroupVersionKind, type KubeObject, type ObjectMeta, type ResourceRef, refOf} from '../object.ts';
import {annotationDeletionAttempt, labelComposite, labelInUse} from '../vocabulary.ts';
import {getLive, listCached, removeFinalizer, update} from './client.ts';
import {type Result, record, success, warned, warnedUnlessConflict, wrap} from './failure.ts';
import type {UsageBehaviour} from './profile.ts';
import {usagesOf} from './usage-index.ts';
import {finalizerUsage, replaysDeletion, usedOf, usedRef, usingOf, usingRef} from './usage-object.ts';

const waitPollMs = 30_000;
const replayAfterMs = 2_000;

/** Finishes the deletion of `usage`, whose ends are resolved. */
export function* deleteUsage(usage: KubeObject, behaviour: UsageBehaviour): Reconcile {
  const waits = yield* waitForUsing(usage, behaviour);
  if (waits !== undefined) return waits;
  const released = yield* release(usage, behaviour);
  if (released.kind === 'stop') return released.outcome;
  if (replaysDeletion(usage) && released.used !== undefined) yield* replay(released.used);
  const removed = yield* removeFinalizer(usage, finalizerUsage);
  if (removed.ok) return done;
  return yield* warnedUnlessConflict(usage, 'RemoveFinalizer', wrap('cannot remove finalizer', removed.failure));
}

/** True if the deletion of the Usage waits for the using object. */
export function waitsForUsing(usage: KubeObject, {waitsForBy}: UsageBehaviour): boolean {
  return waitsForBy === 'always' || (usage.metadata.labels?.[labelComposite] ?? '') !== '';
}

function* waitForUsing(usage: KubeObject, behaviour: UsageBehaviour): Step<Outcome | undefined> {
  const by = usingOf(usage);
  if (by === undefined || !waitsForUsing(usage, behaviour)) return undefined;
  const using = yield* getLive(usingRef(usage, by));
  if (!using.ok) return yield* warned(usage, 'GetUsingResource', wrap('cannot get using', using.failure));
  if (using.value === undefined) return undefined;
  const which = `a ${JSON.stringify(by.kind)} named ${JSON.stringify(by.name ?? '')}`;
  const message = `Waiting for the using resource (which is ${which}) to be deleted.`;
  yield* record(usage, 'Normal', 'WaitingUsingDeleted', message);
  return {kind: 'requeue-after', afterMs: waitPollMs};
}

type Release =
  | {readonly kind: 'released'; readonly used: KubeObject | undefined}
  | {readonly kind: 'stop'; readonly outcome: Outcome};

/** Takes the in-use label off the used object, if it is there and no other Usage holds it. */
function* release(usage: KubeObject, behaviour: UsageBehaviour): Step<Release> {
  const read = yield* getLive(usedRef(usage, usedOf(usage)));
  if (!read.ok) return stop(yield* warned(usage, 'GetUsedResource', wrap('cannot get used', read.failure)));
  const used = read.value;
  if (used === undefined) return {kind: 'released', used};
  const usages = yield* countUsages(used, behaviour);
  if (!usages.ok) return stop(yield* warned(usage, 'FindUsages', wrap('cannot find usages', usages.failure)));
  if (usages.value > 1) return {kind: 'released', used};
  const written = yield* update(withoutInUse(used));
  if (written.ok) return {kind: 'released', used: written.value};
  const failure = wrap('cannot remove in use label from the used resource', written.failure);
  return stop(yield* warnedUnlessConflict(usage, 'RemoveInUseLabel', failure));
}

function stop(outcome: Outcome): Release {
  return {kind: 'stop', outcome};
}

function* countUsages(used: KubeObject, behaviour: UsageBehaviour): Step<Result<number>> {
  const lists = new Map<GroupVersionKind, readonly KubeObject[]>();
  for (const kind of behaviour.kinds) {
    const list = yield* listCached(kind);
    if (!list.ok) return list;
    lists.set(kind, list.value);
  }
  return success([...usagesOf(used, behaviour, (kind) => lists.get(kind) ?? [])].length);
}

function withoutInUse(used: KubeObject): KubeObject {
  const labels = without(used.metadata.labels ?? {}, labelInUse);
  const bare = without(used.metadata, 'labels') as ObjectMeta;
  const metadata = Object.keys(labels).length === 0 ? bare : {...bare, labels: labels as {[key: string]: string}};
  return {...used, metadata};
}

function* replay(used: KubeObject): Step<void> {
  const policy = used.metadata.annotations?.[annotationDeletionAttempt];
  if (policy !== undefined) yield* spawn(replayRoutine, {ref: {...refOf(used)}, policy});
}

export const replayRoutine = 'replay-deletion';

/** The goroutine of a replay. `input` is `{ref, policy}`. */
export function* replayDeletion(input: JsonObject): Step<void> {
  const {ref, policy} = input as unknown as {readonly ref: ResourceRef; readonly policy: PropagationPolicy};
  yield* sleep(replayAfterMs);
  const response = yield* throughClient({verb: 'delete', ref, propagationPolicy: policy});
  const message = response.ok
    ? `Replaying deletion of the used resource ${ref.kind}/${ref.name} with policy ${policy}`
    : `Error when replaying deletion of the used resource ${ref.kind}/${ref.name}: ${response.message}`;
  yield* note({type: 'Log', reason: 'ReplayDeletion', message, about: ref});
}
