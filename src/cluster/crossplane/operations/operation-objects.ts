// The conditions of Operations, and the history of a CronOperation's and a WatchOperation's Operations.
// crossplane/crossplane 2d040d2da apis/ops/v1alpha1/conditions.go, internal/ops/lifecycle/operations.go.

import type {JsonObject} from '../../json.ts';
import {done, type Outcome, type Step} from '../../kernel/call.ts';
import {asController, conditionOf, type KubeObject, refOf} from '../../object.ts';
import {parseTimestamp, timestamp} from '../../timestamp.ts';
import {kindOperation} from '../../vocabulary.ts';
import {create, listCached, remove} from '../client.ts';
import {type Mark, reconcileError, withGeneration} from '../conditions.ts';
import {type Failure, type Result, record, retryAfter, success, wrap, wrapped} from '../failure.ts';
import {writeMarks} from '../reconciler.ts';

export const running: Mark = {type: 'Succeeded', status: 'Unknown', reason: 'PipelineRunning'};
export const complete: Mark = {type: 'Succeeded', status: 'True', reason: 'PipelineSuccess'};

/** The failure of an Operation, and the Operation as it is in memory by then. */
export interface Broken {
  readonly operation: KubeObject;
  /** Of the event. */
  readonly reason: string;
  readonly failure: Failure;
  readonly marks?: readonly Mark[];
}

export function failedWith(message: string): Mark {
  return {type: 'Succeeded', status: 'False', reason: 'PipelineError', message};
}

/** Succeeded or failed for good: it never runs again. */
export function isComplete(operation: KubeObject): boolean {
  const status = conditionOf(operation, 'Succeeded')?.status;
  return status === 'True' || status === 'False';
}

/** Marks and writes the status; the object as it is then. */
export function* writeStatus(object: KubeObject, marks: readonly Mark[]): Step<Result<KubeObject>> {
  return wrapped(`cannot update ${object.kind} status`, yield* writeMarks(object, marks, withGeneration));
}

/**
 * Ends a failed reconcile with an event and a condition, and retries. A failed write of the condition is ignored: the retry writes
 * it again.
 */
export function* refuse(object: KubeObject, reason: string, failure: Failure, marks: readonly Mark[] = []) {
  yield* record(object, 'Warning', reason, failure.message);
  yield* writeMarks(object, [reconcileError(failure.message), ...marks], withGeneration);
  return retryAfter(failure);
}

/** The outcome of a reconcile that ends with a write of the status. */
export function afterWrite(written: Result<KubeObject>, outcome: Outcome = done): Outcome {
  return written.ok ? outcome : retryAfter(written.failure);
}

/** Operations with a label, the latest first. */
export function* operationsOf(label: string, name: string): Step<Result<readonly KubeObject[]>> {
  const listed = yield* listCached({...kindOperation, selector: {matchLabels: {[label]: name}}});
  if (!listed.ok) return wrapped('cannot list Operations', listed);
  return success([...listed.value].sort((left, right) => createdMs(right) - createdMs(left)));
}

export function runningOf(operations: readonly KubeObject[]): readonly KubeObject[] {
  return operations.filter((operation) => conditionOf(operation, 'Succeeded')?.reason === running.reason);
}

/** The status of their owner with when one was last made, when one last succeeded, and which are running. */
export function withHistory(
  owner: KubeObject,
  operations: readonly KubeObject[],
  names: readonly string[],
): KubeObject {
  const [latest] = operations;
  const succeeded = operations
    .map((operation) => conditionOf(operation, 'Succeeded'))
    .filter((condition) => condition?.reason === complete.reason)
    .map((condition) => parseTimestamp(condition?.lastTransitionTime ?? '') ?? 0);
  const {runningOperationRefs: _, ...before} = owner.status ?? {};
  const status: JsonObject = {
    ...before,
    ...(latest === undefined ? {} : {lastScheduleTime: timestamp(createdMs(latest))}),
    ...(succeeded.length === 0 ? {} : {lastSuccessfulTime: timestamp(Math.max(...succeeded))}),
    ...(names.length === 0 ? {} : {runningOperationRefs: names.map((name) => ({name}))}),
  };
  return {...owner, status};
}

/** Deletes what is older than the limits of history. A limit counts Operations that are being deleted, too. */
export function* collectHistory(owner: KubeObject, operations: readonly KubeObject[]): Step<Failure | undefined> {
  const kept = {True: 0, False: 0};
  const limits = {True: owner.spec?.['successfulHistoryLimit'] ?? 3, False: owner.spec?.['failedHistoryLimit'] ?? 1};
  for (const operation of operations) {
    const status = conditionOf(operation, 'Succeeded')?.status;
    if (status !== 'True' && status !== 'False') continue;
    kept[status] += 1;
    if (kept[status] <= Number(limits[status])) continue;
    const failure = yield* remove(refOf(operation));
    if (failure !== undefined) return wrap(`cannot garbage collect Operation "${operation.metadata.name}"`, failure);
  }
  return undefined;
}

export type Concurrency =
  | {readonly kind: 'go-on'}
  | {readonly kind: 'wait'}
  | {readonly kind: 'failed'; readonly failure: Failure};

/** Applies the concurrency policy to running Operations. Resources that a deleted Operation applied stay. */
export function* makeRoom(owner: KubeObject, operations: readonly KubeObject[]): Step<Concurrency> {
  const policy = owner.spec?.['concurrencyPolicy'] ?? 'Allow';
  if (operations.length > 0 && policy === 'Forbid') return {kind: 'wait'};
  for (const operation of policy === 'Replace' ? operations : []) {
    const failure = yield* remove(refOf(operation));
    if (failure === undefined) continue;
    return {kind: 'failed', failure: wrap(`cannot delete running Operation "${operation.metadata.name}"`, failure)};
  }
  return {kind: 'go-on'};
}

/** Creates an Operation of the template. `spec` is the template's unless given. */
export function* createOperation(
  owner: KubeObject,
  metadata: {readonly name: string; readonly labels: JsonObject; readonly annotations?: JsonObject},
  spec: JsonObject,
): Step<Result<KubeObject>> {
  const ownerReferences = [asController(owner)];
  return yield* create({...kindOperation, metadata: {...metadata, ownerReferences}, spec} as KubeObject);
}

export function createdMs(object: KubeObject): number {
  return parseTimestamp(object.metadata.creationTimestamp ?? '') ?? 0;
}
