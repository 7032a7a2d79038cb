// A controller's work queue, as client-go's: a key waits at most once, a key being worked on that is added again comes
// back when the work ends, delayed adds keep the earliest time, and failures back off exponentially per key.
// Source: kubernetes/client-go util/workqueue/{queue,delaying_queue,default_rate_limiters}.go;
// kubernetes-sigs/controller-runtime v0.23.1 pkg/controller/priorityqueue/priorityqueue.go.
// Not modelled: the global token bucket of the rate limiter; the world's loads never fill it.

import {remembering} from '../memo.ts';
import {drop, emptyTable, put, type Table} from '../table.ts';
import {anyTime, firstOf, soonestBy} from './soonest.ts';

export interface WorkQueue {
  readonly kind: QueueKind;
  /** Keys that may start, in the order they were added, with the time they came. */
  readonly ready: Table<number>;
  /** Keys that become ready later, with their time. */
  readonly delayed: Table<number>;
  /** Keys a reconcile works on now. */
  readonly busy: Table<true>;
  /** Busy keys that were added again. */
  readonly dirty: Table<true>;
  /** Consecutive failures by key. */
  readonly failures: Table<number>;
}

/**
 * `delaying`: client-go's, where a delayed add waits beside the queue whatever else happens to its key.
 * `priority`: controller-runtime's since v0.23, where a key has one entry: an event that makes it ready takes up the
 * poll or the back-off it was waiting for. So a key that fails again after an event waits for the longer back-off only.
 */
export type QueueKind = 'delaying' | 'priority';

export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

export const emptyQueue: WorkQueue = {
  kind: 'delaying',
  ready: emptyTable(),
  delayed: emptyTable(),
  busy: emptyTable(),
  dirty: emptyTable(),
  failures: emptyTable(),
};

export function emptyQueueOf(kind: QueueKind): WorkQueue {
  return kind === 'delaying' ? emptyQueue : {...emptyQueue, kind};
}

export function add(queue: WorkQueue, key: string, nowMs: number): WorkQueue {
  if (queue.kind === 'priority' && queue.delayed.has(key)) return add(withoutDelay(queue, key), key, nowMs);
  if (queue.busy.has(key)) return queue.dirty.has(key) ? queue : {...queue, dirty: put(queue.dirty, key, true)};
  if (queue.ready.has(key)) return queue;
  return {...queue, ready: put(queue.ready, key, nowMs)};
}

export function addAfter(queue: WorkQueue, key: string, afterMs: number, nowMs: number): WorkQueue {
  if (afterMs <= 0) return add(queue, key, nowMs);
  if (queue.kind === 'priority' && (queue.ready.has(key) || queue.dirty.has(key))) return queue;
  const dueMs = nowMs + afterMs;
  const before = queue.delayed.get(key);
  return before !== undefined && before <= dueMs ? queue : {...queue, delayed: put(queue.delayed, key, dueMs)};
}

/** Adds the key after its back-off and counts one failure more. */
export function addRateLimited(queue: WorkQueue, key: string, backoff: Backoff, nowMs: number): WorkQueue {
  const failures = queue.failures.get(key) ?? 0;
  const afterMs = Math.min(backoff.baseMs * 2 ** failures, backoff.maxMs);
  // Once the longest delay is reached, more failures change nothing, and states with any number of them are one.
  const counted = afterMs === backoff.maxMs ? failures : failures + 1;
  return addAfter({...queue, failures: put(queue.failures, key, counted)}, key, afterMs, nowMs);
}

export function forget(queue: WorkQueue, key: string): WorkQueue {
  return queue.failures.has(key) ? {...queue, failures: drop(queue.failures, key)} : queue;
}

/** When the key may start: the time it became or becomes ready; undefined where it is busy or absent. */
export function startableAtMs(queue: WorkQueue, key: string): number | undefined {
  if (queue.busy.has(key)) return undefined;
  return queue.ready.get(key) ?? queue.delayed.get(key);
}

/** The key that may start first; of equals those that are ready before those that wait. Found once of a queue. */
export const firstKeyOf = remembering(({ready, delayed, busy}: WorkQueue): string | undefined => {
  const started = earliest(ready, (key) => !busy.has(key));
  const due = earliest(delayed, (key) => !busy.has(key) && !ready.has(key));
  if (started === undefined || due === undefined) return (started ?? due)?.key;
  return due.atMs < started.atMs ? due.key : started.key;
});

interface Due {
  readonly key: string;
  readonly atMs: number;
}

/** The first of the earliest keys that may start. */
function earliest(table: Table<number>, mayStart: (key: string) => boolean): Due | undefined {
  let first: Due | undefined;
  const {times, indexes} = soonestTime(table, anyTime);
  for (let at = 0; at < times.length; at++) {
    if (first !== undefined && (times[at] as number) >= first.atMs) continue;
    const piece = table.pieces[at] as readonly number[];
    const keys = table.places.pieces[at]?.keys as readonly string[];
    let index = indexes[at] as number;
    if (!mayStart(keys[index] as string)) index = firstOf(piece, (one) => mayStart(keys[one] as string));
    const atMs = piece[index];
    if (atMs !== undefined && (first === undefined || atMs < first.atMs)) first = {key: keys[index] as string, atMs};
  }
  return first;
}

const soonestTime = soonestBy((timeMs: number) => timeMs);

/** Takes the key to work on it. A delayed add that is due by now is folded in, as Add would drop it. */
export function take(queue: WorkQueue, key: string, nowMs: number): WorkQueue {
  const dueMs = queue.delayed.get(key);
  return {
    ...queue,
    ready: drop(queue.ready, key),
    delayed: dueMs !== undefined && dueMs <= nowMs ? drop(queue.delayed, key) : queue.delayed,
    busy: put(queue.busy, key, true),
  };
}

/** Ends the work on the key; it is ready again where it was added meanwhile. */
export function finish(queue: WorkQueue, key: string, nowMs: number): WorkQueue {
  const free = {...queue, busy: drop(queue.busy, key)};
  return queue.dirty.has(key) ? add({...free, dirty: drop(queue.dirty, key)}, key, nowMs) : free;
}

function withoutDelay(queue: WorkQueue, key: string): WorkQueue {
  return {...queue, delayed: drop(queue.delayed, key)};
}
