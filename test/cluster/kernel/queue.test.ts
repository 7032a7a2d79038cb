import {describe, expect, test} from 'vitest';
import {
  add,
  addAfter,
  addRateLimited,
  emptyQueue,
  emptyQueueOf,
  finish,
  firstKeyOf,
  forget,
  startableAtMs,
  take,
  type WorkQueue,
} from '../../../src/cluster/kernel/queue.ts';

const backoff = {baseMs: 1_000, maxMs: 60_000};

describe('a work queue', () => {
  test('holds a key once, however often it is added', () => {
    const queue = add(add(emptyQueue, 'xr', 5), 'xr', 9);
    expect([...queue.ready]).toEqual([['xr', 5]]);
  });

  test('never gives out a key that is being worked on, and gives it again when it was added meanwhile', () => {
    const busy = add(take(add(emptyQueue, 'xr', 0), 'xr', 0), 'xr', 3);
    expect(startableAtMs(busy, 'xr')).toBeUndefined();
    expect(startableAtMs(finish(busy, 'xr', 7), 'xr')).toBe(7);
  });

  test('forgets a finished key nobody added again', () => {
    expect(startableAtMs(finish(take(add(emptyQueue, 'xr', 0), 'xr', 0), 'xr', 7), 'xr')).toBeUndefined();
  });

  test('keeps the earliest of several delayed adds', () => {
    const later = addAfter(addAfter(emptyQueue, 'xr', 500, 0), 'xr', 100, 0);
    expect(startableAtMs(addAfter(later, 'xr', 900, 0), 'xr')).toBe(100);
  });

  test('does not lose a poll that is still to come when an event starts the key earlier', () => {
    const polled = addAfter(emptyQueue, 'xr', 60_000, 0);
    expect(startableAtMs(finish(take(add(polled, 'xr', 10), 'xr', 10), 'xr', 20), 'xr')).toBe(60_000);
  });

  test('folds a delayed add that is due into the work that starts', () => {
    const due = take(addAfter(emptyQueue, 'xr', 10, 0), 'xr', 10);
    expect(startableAtMs(finish(due, 'xr', 20), 'xr')).toBeUndefined();
  });

  test('doubles the back-off of a failing key up to its maximum, and starts over once it succeeded', () => {
    let queue: WorkQueue = emptyQueue;
    const waits: number[] = [];
    for (let failures = 0; failures < 8; failures++) {
      queue = addRateLimited(queue, 'xr', backoff, 0);
      waits.push(startableAtMs(queue, 'xr') ?? -1);
      queue = finish(take(queue, 'xr', 60_000), 'xr', 60_000);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(startableAtMs(addRateLimited(forget(queue, 'xr'), 'xr', backoff, 0), 'xr')).toBe(1_000);
  });

  test('is the same after any number of failures, once the longest back-off is reached', () => {
    const failed = (times: number) => {
      let queue = emptyQueue;
      for (let time = 0; time < times; time++) queue = addRateLimited(queue, 'xr', backoff, 0);
      return queue;
    };
    expect(failed(100)).toEqual(failed(20));
    expect(failed(2)).not.toEqual(failed(1));
  });

  test('leaves the queue it was given as it was', () => {
    const before = add(emptyQueue, 'xr', 0);
    take(before, 'xr', 0);
    expect(startableAtMs(before, 'xr')).toBe(0);
  });
});

describe('a priority queue', () => {
  const priority = emptyQueueOf('priority');

  test('has one entry for a key: an event takes up the back-off or poll it was waiting for', () => {
    const waiting = addAfter(priority, 'xr', 60_000, 0);
    const started = take(add(waiting, 'xr', 10), 'xr', 10);
    expect(startableAtMs(finish(started, 'xr', 20), 'xr')).toBeUndefined();
  });

  test('lets a key that failed again wait for the longer back-off only', () => {
    const failed = finish(addRateLimited(take(add(priority, 'xr', 0), 'xr', 0), 'xr', backoff, 0), 'xr', 0);
    const again = finish(addRateLimited(take(add(failed, 'xr', 20), 'xr', 20), 'xr', backoff, 20), 'xr', 20);
    expect(startableAtMs(again, 'xr')).toBe(2_020);
  });

  test('takes an event during the work for the next start, whatever back-off the work ends with', () => {
    const busy = add(take(add(priority, 'xr', 0), 'xr', 0), 'xr', 5);
    expect(startableAtMs(finish(addRateLimited(busy, 'xr', backoff, 8), 'xr', 8), 'xr')).toBe(8);
    const after = finish(take(finish(addRateLimited(busy, 'xr', backoff, 8), 'xr', 8), 'xr', 8), 'xr', 9);
    expect(startableAtMs(after, 'xr')).toBeUndefined();
  });

  test('is not what client-go has: there the first back-off is still to come', () => {
    const failed = finish(addRateLimited(take(add(emptyQueue, 'xr', 0), 'xr', 0), 'xr', backoff, 0), 'xr', 0);
    const again = finish(addRateLimited(take(add(failed, 'xr', 20), 'xr', 20), 'xr', backoff, 20), 'xr', 20);
    expect(startableAtMs(again, 'xr')).toBe(1_000);
  });
});

test('of many keys the first is the one that a look at every key finds', () => {
  const key = (number: number): string => `k${(number * 7919) % 1000}`;
  let queue = emptyQueue;
  for (let turn = 0; turn < 400; turn++) {
    queue = turn % 3 === 0 ? add(queue, key(turn), turn) : addAfter(queue, key(turn), (turn * 37) % 101, turn);
    const all = [...queue.ready, ...[...queue.delayed].filter(([one]) => !queue.ready.has(one))];
    const free = all.filter(([one]) => !queue.busy.has(one));
    const first = free.reduce((best, one) => (one[1] < best[1] ? one : best), ['', Number.POSITIVE_INFINITY] as const);
    expect(firstKeyOf(queue)).toBe(first[0]);
    // Some keys are worked on and come back meanwhile, so that the earliest of a piece may not start.
    if (turn % 4 === 0) queue = addAfter(take(queue, first[0], turn), first[0], 1, turn);
    if (turn % 16 === 0) queue = finish(queue, first[0], turn);
  }
  expect(queue.ready.size + queue.delayed.size).toBeGreaterThan(200);
});
