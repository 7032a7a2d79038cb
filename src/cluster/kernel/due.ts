// When what waits is due, and what of it is due first.

import {soonestBy} from './soonest.ts';
import type {ProcessState, Task, Wait, World} from './world.ts';

/** When the task's action is due; undefined while it waits for something that has no time. */
export function dueMs({informers}: ProcessState, {wait}: Task, nowMs: number): number | undefined {
  if (wait.kind === 'due') return wait.dueMs;
  if (wait.kind !== 'informer') return undefined;
  const atMs = informers.get(wait.informer)?.synced === true ? lookMs(wait, nowMs) : wait.deadlineMs;
  return Number.isFinite(atMs) ? atMs : undefined;
}

/** The request that the cloud answers first. */
export function firstAnswer(requests: World['cloudRequests']): string | undefined {
  const {times, indexes} = soonestAnswer(requests);
  let piece = -1;
  for (let at = 0; at < times.length; at++)
    if (piece < 0 || (times[at] as number) < (times[piece] as number)) piece = at;
  return requests.places.pieces[piece]?.keys[indexes[piece] as number];
}

const soonestAnswer = soonestBy(({answerAtMs}: {readonly answerAtMs: number}) => answerAtMs);

/** A task and when it is due. */
interface DueTask {
  readonly task: Task;
  readonly atMs: number;
}

/** The task of a process that is due first, of equals the one that stands first. */
export function firstTask(process: ProcessState, nowMs: number): DueTask | undefined {
  let first: DueTask | undefined;
  const {tasks} = process;
  const {times, indexes} = soonestTask(tasks);
  for (let at = 0; at < times.length; at++) {
    const atMs = times[at] as number;
    if (first !== undefined && atMs >= first.atMs) continue;
    const piece = tasks.pieces[at] as readonly Task[];
    if (atMs !== whenSynced) {
      if (atMs !== never) first = {task: piece[indexes[at] as number] as Task, atMs};
      continue;
    }
    for (const task of piece) {
      const dueAtMs = dueMs(process, task, nowMs);
      if (dueAtMs !== undefined && (first === undefined || dueAtMs < first.atMs)) first = {task, atMs: dueAtMs};
    }
  }
  return first;
}

const never = Number.POSITIVE_INFINITY;
/** Of a task that waits for an informer: its time depends on more than the task, so its piece is looked through. */
const whenSynced = Number.NEGATIVE_INFINITY;

const soonestTask = soonestBy(({wait}: Task) => {
  if (wait.kind === 'due') return wait.dueMs;
  return wait.kind === 'informer' ? whenSynced : never;
});

/** kubernetes/client-go v0.35.3 tools/cache/shared_informer.go syncedPollPeriod. */
export const syncedPollMs = 100;

/** When who waits for an informer to sync looks next: at once, which was in vain, and then once in a period. */
function nextLookMs(sinceMs: number, nowMs: number): number {
  return sinceMs + syncedPollMs * Math.max(1, Math.ceil((nowMs - sinceMs) / syncedPollMs));
}

type InformerWait = Extract<Wait, {readonly kind: 'informer'}>;

/** Of a task whose informer is synced. */
function lookMs({sinceMs, deadlineMs}: InformerWait, nowMs: number): number {
  return Math.min(nextLookMs(sinceMs, nowMs), deadlineMs);
}
