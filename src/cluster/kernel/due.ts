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

/** A task, its place among those of its process, and when it is due. */
interface DueTask {
  readonly task: Task;
  readonly place: number;
  readonly atMs: number;
}

/** The task of a process that is due first, of equals the one that stands first. */
export function firstTask(process: ProcessState, nowMs: number): DueTask | undefined {
  const {timed, waiting} = dueTasksOf(process.tasks);
  let first = timed;
  for (const place of waiting) {
    const task = process.tasks.at(place) as Task;
    const atMs = dueMs(process, task, nowMs);
    if (atMs === undefined) continue;
    const isFirst = first === undefined || atMs < first.atMs || (atMs === first.atMs && place < first.place);
    if (isFirst) first = {task, place, atMs};
  }
  return first;
}

/** kubernetes/client-go v0.35.3 tools/cache/shared_informer.go syncedPollPeriod. */
export const syncedPollMs = 100;

/** When who waits for an informer to sync looks next: at once, which was in vain, and then once in a period. */
function nextLookMs(sinceMs: number, nowMs: number): number {
  return sinceMs + syncedPollMs * Math.max(1, Math.ceil((nowMs - sinceMs) / syncedPollMs));
}

interface DueTasks {
  /** Of the tasks whose time is theirs alone, the one that is due first. */
  readonly timed: DueTask | undefined;
  /** The places of those that wait for an informer: when they are due follows from that and from the clock. */
  readonly waiting: readonly number[];
}

function dueTasksOf({pieces}: Table<Task>): DueTasks {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return dueTasksIn(first);
  const waiting: number[] = [];
  let timed: DueTask | undefined;
  let before = 0;
  for (const piece of pieces) {
    const own = dueTasksIn(piece);
    for (const place of own.waiting) waiting.push(before + place);
    if (own.timed !== undefined && (timed === undefined || own.timed.atMs < timed.atMs))
      timed = {...own.timed, place: before + own.timed.place};
    before += piece.length;
  }
  return {timed, waiting};
}

const dueTasksIn = remembering((piece: readonly Task[]): DueTasks => {
  const waiting: number[] = [];
  let timed: DueTask | undefined;
  for (let place = 0; place < piece.length; place++) {
    const task = piece[place] as Task;
    const {wait} = task;
    if (wait.kind === 'informer') waiting.push(place);
    else if (wait.kind === 'due' && (timed === undefined || wait.dueMs < timed.atMs))
      timed = {task, place, atMs: wait.dueMs};
  }
  return {timed, waiting};
});
