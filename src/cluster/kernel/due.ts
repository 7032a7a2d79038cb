// When what waits is due, and what of it is due first.

import {remembering} from '../memo.ts';
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
export function firstTask({tasks, informers}: ProcessState, nowMs: number): DueTask | undefined {
  let first: DueTask | undefined;
  const {pieces} = tasks;
  const {times, indexes} = soonestTask(tasks);
  for (let at = 0; at < pieces.length; at++) {
    const atMs = times[at] as number;
    if (first !== undefined && atMs >= first.atMs) continue;
    const piece = pieces[at] as readonly Task[];
    if (atMs === whenSynced) first = firstOf(first, piece, informers, nowMs);
    else if (atMs !== never) first = {task: piece[indexes[at] as number] as Task, atMs};
  }
  return first;
}

const never = Number.POSITIVE_INFINITY;
/** Before all others, because its time depends on more than the task. */
const whenSynced = Number.NEGATIVE_INFINITY;

const soonestTask = soonestBy(({wait}: Task) => {
  if (wait.kind === 'due') return wait.dueMs;
  return wait.kind === 'informer' ? whenSynced : never;
});

/** The first of the task so far and those of a piece in which some wait for informers. */
function firstOf(
  before: DueTask | undefined,
  piece: readonly Task[],
  informers: ProcessState['informers'],
  nowMs: number,
): DueTask | undefined {
  let first: InPiece | undefined = before === undefined ? undefined : {...before, index: -1};
  const sooner = (one: InPiece, atMs: number): void => {
    const isFirst = first === undefined || atMs < first.atMs || (atMs === first.atMs && one.index < first.index);
    if (isFirst) first = {...one, atMs};
  };
  const {timed, waiting} = dueTasksIn(piece);
  if (timed !== undefined) sooner(timed, timed.atMs);
  for (const {informer, tasks, earliest} of waiting) {
    if (informers.get(informer)?.synced === true)
      for (const one of tasks) sooner(one, lookMs(one.task.wait as InformerWait, nowMs));
    else if (Number.isFinite(earliest.atMs)) sooner(earliest, earliest.atMs);
  }
  return first;
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

/** A task of a piece, where in it, and when it is due. */
interface InPiece {
  readonly task: Task;
  readonly index: number;
  readonly atMs: number;
}

/** The tasks that wait for one informer, each with its deadline. */
interface Waiting {
  readonly informer: string;
  readonly tasks: InPiece[];
  earliest: InPiece;
}

interface DueTasks {
  /** Of the tasks whose time is theirs alone, the one that is due first. */
  readonly timed: InPiece | undefined;
  readonly waiting: readonly Waiting[];
}

const dueTasksIn = remembering((piece: readonly Task[]): DueTasks => {
  const waiting: Waiting[] = [];
  let timed: InPiece | undefined;
  for (let index = 0; index < piece.length; index++) {
    const task = piece[index] as Task;
    const {wait} = task;
    if (wait.kind === 'due' && (timed === undefined || wait.dueMs < timed.atMs))
      timed = {task, index, atMs: wait.dueMs};
    if (wait.kind === 'informer') addWaiting(waiting, wait.informer, {task, index, atMs: wait.deadlineMs});
  }
  return {timed, waiting};
});

function addWaiting(waiting: Waiting[], informer: string, one: InPiece): void {
  const group = waiting.find((other) => other.informer === informer);
  if (group === undefined) waiting.push({informer, tasks: [one], earliest: one});
  else {
    group.tasks.push(one);
    if (one.atMs < group.earliest.atMs) group.earliest = one;
  }
}
