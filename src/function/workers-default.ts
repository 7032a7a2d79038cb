// The default of --workers: as many threads as cores, as far as they help and memory allows.

import {availableParallelism} from 'node:os';

// One thread talks to Crossplane, and its share of a call is about the policy's: beyond a few there is nothing to do.
const usefulMax = 4;
// Memory under load with requests of several megabytes, for the first thread and for each further one. A thread has its own heap, and
// its own messages that wait to be collected.
const firstBytes = 192 * 1024 * 1024;
const furtherBytes = 128 * 1024 * 1024;

/**
 * The cores are those that the process may use: its CPU affinity and its cgroup's CPU limit (libuv 1.49 on,
 * `src/unix/linux.c`). The memory is the cgroup's limit, 0 where it has none.
 */
export function workersDefault(cores = availableParallelism(), memoryBytes = process.constrainedMemory()): number {
  const room = memoryBytes === 0 ? usefulMax : 1 + Math.floor((memoryBytes - firstBytes) / furtherBytes);
  return Math.max(1, Math.min(cores, usefulMax, room));
}
