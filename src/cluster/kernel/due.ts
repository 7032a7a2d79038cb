// When what waits is due, and what of it is due first. That is asked before every step of a run, of worlds with thousands of
// tasks: so what nothing changed is looked through once.

import {remembering} from '../memo.ts';
import type {Table} from '../table.ts';
import type {ProcessState, Task, World} from './world.ts';

/** When the task's action is due; undefined while it waits for something that has no time. */
export function dueMs({informers}: ProcessState, {wait}: Task, nowMs: number): number | undefined {
  if (wait.kind === 'due') return wait.dueMs;
  if (wait.kind !== 'informer') return undefined;
  const synced = informers.get(wait.informer)?.synced === true;
  const atMs = synced ? Math.min(nextLookMs(wait.sinceMs, nowMs), wait.deadlineMs) : wait.deadlineMs;
  return Number.isFinite(atMs) ? atMs : undefined;
}

/** The request that the cloud answers first. */
export const firstAnswer: (requests: World['cloudRequests']) => string | undefined = remembering((requests) => {
  let ticket: string | undefined;
  let firstMs = Number.POSITIVE_INFINITY;
  requests.forEach(({answerAtMs}, one) => {
    if (ticket !== undefined && answerAtMs >= firstMs) return;
    ticket = one;
    firstMs = answerAtMs;
  });
  return ticket;
});

/** The task of a process that is due first, of equals the one that stands first. */
export function firstTask(
  process: ProcessState,
  nowMs: number,
): {readonly task: Task; readonly atMs: number} | undefined {
  const {place, waiting} = dueTasksOf(process.tasks);
  const all = process.tasks.values();
  let [first, firstMs] = [-1, Number.POSITIVE_INFINITY];
  for (const each of place < 0 ? waiting : [place, ...waiting]) {
    const atMs = dueMs(process, all[each] as Task, nowMs);
    if (atMs === undefined || (first >= 0 && (atMs > firstMs || (atMs === firstMs && each > first)))) continue;
    first = each;
    firstMs = atMs;
  }
  return first < 0 ? undefined : {task: all[first] as Task, atMs: firstMs};
}

/** kubernetes/client-go v0.35.3 tools/cache/shared_informer.go syncedPollPeriod. */
export const syncedPollMs = 100;

/** When who waits for an informer to sync looks next: at once, which was in vain, and then once in a period. */
function nextLookMs(sinceMs: number, nowMs: number): number {
  return sinceMs + syncedPollMs * Math.max(1, Math.ceil((nowMs - sinceMs) / syncedPollMs));
}

interface DueTasks {
  /** Of the tasks whose time is theirs alone, the place of the one that is due first; -1 where there is none. */
  readonly place: number;
  /** The places of those that wait for an informer: when they are due follows from that and from the clock. */
  readonly waiting: readonly number[];
}

const dueTasksOf = remembering((tasks: Table<Task>): DueTasks => {
  const all = tasks.values();
  const waiting: number[] = [];
  let place = -1;
  let firstMs = Number.POSITIVE_INFINITY;
  for (let each = 0; each < all.length; each++) {
    const {wait} = all[each] as Task;
    if (wait.kind === 'informer') waiting.push(each);
    else if (wait.kind === 'due' && (place < 0 || wait.dueMs < firstMs)) {
      place = each;
      firstMs = wait.dueMs;
    }
  }
  return {place, waiting};
});
