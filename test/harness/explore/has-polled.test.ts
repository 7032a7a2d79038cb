import {expect, test} from 'vitest';
import {addAfter, emptyQueueOf, type WorkQueue} from '../../../src/cluster/kernel/queue.ts';
import type {World} from '../../../src/cluster/kernel/world.ts';
import {nextTurnMs, runName} from '../../../src/harness/explore/has-polled.ts';

// What a process still waits for, as the owner GC that backs off from a delete which a Usage denied.

const manager = 'kube-controller-manager';

function world(...queues: readonly WorkQueue[]): World {
  const table = new Map(queues.map((queue, index) => [`controller-${index}`, queue]));
  return {processes: new Map([[manager, {queues: table}]])} as unknown as World;
}

const waiting = (key: string, dueMs: number, queue = emptyQueueOf('delaying')) => addAfter(queue, key, dueMs, 0);

test('the first turn that is still to come counts, of whatever queue', () => {
  const both = world(waiting('late', 900, waiting('later', 1000)), waiting('first', 300));
  expect(nextTurnMs(both, manager, new Set())).toBe(300);
  expect(nextTurnMs(both, manager, new Set([runName(manager, 'controller-1 first')]))).toBe(900);
});

test('nothing is to come where every key has had its turn, none waits, or there is no such process', () => {
  const one = world(waiting('key', 300));
  expect(nextTurnMs(one, manager, new Set([runName(manager, 'controller-0 key')]))).toBeUndefined();
  expect(nextTurnMs(world(emptyQueueOf('delaying')), manager, new Set())).toBeUndefined();
  expect(nextTurnMs(one, 'provider', new Set())).toBeUndefined();
});
