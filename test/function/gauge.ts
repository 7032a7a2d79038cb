// What many calls cost: the slowest in CPU time, which a busy machine does not change, and the heap that they leave behind.

import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

// The first calls compile, and fill the tables of a fixed size.
const warmUpCalls = 2000;

export class Gauge {
  private calls = 0;
  private slowestMs = 0;
  private heapBefore = 0;

  /** What `call` returns. */
  measure<T>(call: () => T): T {
    if (this.calls++ === warmUpCalls) this.heapBefore = liveHeapBytes();
    const before = process.threadCpuUsage();
    const result = call();
    const {user, system} = process.threadCpuUsage(before);
    if (this.calls > warmUpCalls) this.slowestMs = Math.max(this.slowestMs, (user + system) / 1000);
    return result;
  }

  /** One line for people. */
  report(): string {
    const after = liveHeapBytes();
    const heap = [this.heapBefore, after].map((bytes) => (bytes / 1e6).toFixed(1));
    return `${this.calls} calls, the slowest ${this.slowestMs.toFixed(1)} ms of CPU; live heap ${heap[0]} MB after ${warmUpCalls} calls, ${heap[1]} MB after all`;
  }
}

function liveHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
