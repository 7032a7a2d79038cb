// The reconciler of CronOperations: an Operation for every time of a schedule, by the clock of the world.
// crossplane/crossplane 2d040d2da internal/controller/ops/cronoperation/reconciler.go, constructor.go, the same in v2.3.4.
//
// The last time is when the latest Operation was made, so times that were missed are one Operation, made late. Upstream
// takes the zero time for a schedule that is never due, and so for one that is due: its one Operation is made at once.
// Not modelled: clocks of Crossplane and API server that disagree (crossplane#7524).

import type {JsonObject} from '../../json.ts';
import {at} from '../../json.ts';
import {done, now, type Outcome, type Reconcile, type Step} from '../../kernel/call.ts';
import {isDeleting, type KubeObject} from '../../object.ts';
import {parseTimestamp} from '../../timestamp.ts';
import {isPaused, kindCronOperation, labelCronOperation} from '../../vocabulary.ts';
import {type Mark, marked, reconcileError, reconcilePaused, reconcileSuccess} from '../conditions.ts';
import {record, wrap} from '../failure.ts';
import {reconciles} from '../reconciler.ts';
import {parseSchedule, type Schedule} from './cron-schedule.ts';
import {
  afterWrite,
  collectHistory,
  createdMs,
  createOperation,
  makeRoom,
  operationsOf,
  refuse,
  runningOf,
  withHistory,
  writeStatus,
} from './operation-objects.ts';

/** Go's zero time: the first moment of the year 1. */
const zeroTimeMs = -62_135_596_800_000;
const active: Mark = {type: 'Scheduling', status: 'True', reason: 'ScheduleActive'};
const paused: Mark = {type: 'Scheduling', status: 'False', reason: 'SchedulePaused'};

export function reconcileCronOperation(): (key: string) => Reconcile {
  return reconciles(kindCronOperation, 'CronOperation', function* (cron) {
    if (isDeleting(cron)) return done;
    if (isPaused(cron)) return afterWrite(yield* writeStatus(cron, [paused, reconcilePaused]));
    const operations = yield* operationsOf(labelCronOperation, cron.metadata.name);
    if (!operations.ok) return yield* refuse(cron, 'ListOperations', operations.failure);
    const running = runningOf(operations.value);
    const names = running.map(({metadata}) => metadata.name).sort();
    const next = withHistory(cron, operations.value, names);
    const failure = yield* collectHistory(next, operations.value);
    if (failure !== undefined) return yield* refuse(next, 'GarbageCollectOperations', failure);
    return yield* schedule(next, running);
  });
}

function* schedule(cron: KubeObject, running: readonly KubeObject[]): Step<Outcome> {
  const text = String(cron.spec?.['schedule']);
  const parsed = parseSchedule(text);
  if (!parsed.ok) {
    const message = `cannot parse cron schedule "${text}": cannot parse cron schedule: ${parsed.message}`;
    yield* record(cron, 'Warning', 'InvalidSchedule', message);
    const invalid: Mark = {type: 'Scheduling', status: 'False', reason: 'ScheduleInvalid', message};
    return afterWrite(yield* writeStatus(cron, [invalid, reconcileError(message)]));
  }
  const nowMs = yield* now();
  const next = marked(cron, [active], {nowMs, observedGeneration: 'set'});
  const dueMs = parsed.next(lastMs(next)) ?? zeroTimeMs;
  if (dueMs > nowMs) return yield* waitUntil(next, dueMs, nowMs);
  const future = futureMs(parsed.next, nowMs);
  const deadline = next.spec?.['startingDeadlineSeconds'];
  if (typeof deadline === 'number' && dueMs + deadline * 1000 < nowMs) return yield* waitUntil(next, future, nowMs);
  const room = yield* makeRoom(next, running);
  if (room.kind === 'failed') return yield* refuse(next, 'ReplaceRunningOperation', room.failure);
  if (room.kind === 'wait') return yield* waitUntil(next, future, nowMs);
  const name = `${cron.metadata.name}-${Math.floor(dueMs / 1000)}`;
  const labels = {[labelCronOperation]: cron.metadata.name};
  const created = yield* createOperation(next, {name, labels}, templateOf(next));
  if (!created.ok) {
    return yield* refuse(next, 'CreateOperation', wrap(`cannot create scheduled Operation "${name}"`, created.failure));
  }
  return yield* waitUntil(next, future, nowMs, [reconcileSuccess]);
}

function* waitUntil(cron: KubeObject, dueMs: number, nowMs: number, marks: readonly Mark[] = []): Step<Outcome> {
  const outcome: Outcome = dueMs > nowMs ? {kind: 'requeue-after', afterMs: dueMs - nowMs} : done;
  return afterWrite(yield* writeStatus(cron, marks), outcome);
}

function futureMs(next: Schedule, nowMs: number): number {
  return next(nowMs) ?? zeroTimeMs;
}

function lastMs(cron: KubeObject): number {
  return parseTimestamp(String(cron.status?.['lastScheduleTime'] ?? '')) ?? createdMs(cron);
}

function templateOf(cron: KubeObject): JsonObject {
  return (at(cron.spec, ['operationTemplate', 'spec']) ?? {}) as JsonObject;
}
