// When what waits is due, and what of it is due first.

import {anyTime, soonestBy} from './soonest.ts';
import type {ProcessState, Task, Wait, World} from './world.ts';

/** When the task's action is due; undefined while it waits for something that has no time. */
export function dueMs(informers: ProcessState['informers'], {wait}: Task, nowMs: number): number | undefined {
  if (wait.kind === 'due') return wait.dueMs;
  if (wait.kind !== 'informer') return undefined;
  const atMs = informers.get(wait.informer)?.synced === true ? lookMs(wait, nowMs) : wait.deadlineMs;
  return Number.isFinite(atMs) ? atMs : undefined;
}

/** The request that the cloud answers first. */
export function firstAnswer(requests: World['cloudRequests']): string | undefined {
  const {indexes, first} = soonestAnswer(requests, anyTime);
  return requests.places.pieces[first]?.keys[indexes[first] as number];
}

const soonestAnswer = soonestBy(({answerAtMs}: {readonly answerAtMs: number}) => answerAtMs);

/** A task and when it is due. */
interface DueTask {
  readonly task: Task;
  readonly atMs: number;
}

/** The task of a process that is due first, of equals the one that stands first. */
export function firstTask({tasks, informers}: ProcessState, nowMs: number): DueTask | undefined {
  const {times, indexes, first} = soonestTask(tasks, {informers, nowMs});
  const task = tasks.pieces[first]?.[indexes[first] as number];
  return task === undefined ? undefined : {task, atMs: times[first] as number};
}

type Setting = Pick<ProcessState, 'informers'> & {readonly nowMs: number};

const soonestTask = soonestBy(
  (task: Task, {informers, nowMs}: Setting) => dueMs(informers, task, nowMs) ?? Number.POSITIVE_INFINITY,
  // A task that waits for an informer looks at times that stay the same until they are over.
  (before, {informers, nowMs}) => nowMs >= before.nowMs && isSyncedAlike(before.informers, informers),
);

function isSyncedAlike(before: Setting['informers'], informers: Setting['informers']): boolean {
  if (before === informers) return true;
  const [keys, others] = [before.keys(), informers.keys()];
  if (keys.length !== others.length) return false;
  const [informersBefore, informersNow] = [before.values(), informers.values()];
  for (let at = 0; at < keys.length; at++)
    if (keys[at] !== others[at] || informersBefore[at]?.synced !== informersNow[at]?.synced) return false;
  return true;
}

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
