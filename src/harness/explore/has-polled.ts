// Decides whether a world rests: everything that waits for a time has had its turn since the last write, and wrote nothing. A
// reconcile is determined by its reads, and these are the same in every later turn. So each turn is like the one before, however
// much time passes. A world with work under way does not rest: a call, a cached read that waits for its informer, a cloud that has
// not answered.

import type {World} from '../../cluster/kernel/world.ts';

/** Names the reconciles of one key. */
export function runName(process: string, run: string): string {
  return `${process} ${run}`;
}

/** `calm`: the reconciles that began since `writtenMs`, when something was written last. */
export function hasPolled({processes, cloudRequests}: World, writtenMs: number, calm: ReadonlySet<string>): boolean {
  if (cloudRequests.size > 0) return false;
  for (const [name, {tasks, queues}] of processes) {
    for (const {run, call, wait} of tasks.values()) {
      if (run.kind === 'reconcile' || call.to !== 'sleep' || wait.kind !== 'due') return false;
      // Asleep since before: its turn is still to come.
      if (wait.dueMs - call.forMs <= writtenMs) return false;
    }
    for (const [controller, {delayed, ready, dirty}] of queues) {
      if (ready.size > 0 || dirty.size > 0) return false;
      for (const [key] of delayed) if (!calm.has(runName(name, `${controller} ${key}`))) return false;
    }
  }
  return true;
}

/** When the first of what a process waits for comes, of what is not `calm`; undefined where nothing does. */
export function nextTurnMs({processes}: World, name: string, calm: ReadonlySet<string>): number | undefined {
  let firstMs: number | undefined;
  for (const [controller, {delayed}] of processes.get(name)?.queues ?? []) {
    for (const [key, dueMs] of delayed) {
      if (!calm.has(runName(name, `${controller} ${key}`))) firstMs = Math.min(dueMs, firstMs ?? dueMs);
    }
  }
  return firstMs;
}
