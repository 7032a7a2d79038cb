// Several threads that answer calls. Crossplane makes all of its calls to a pod over one connection, so it is calls that
// are spread over cores, not connections: one thread talks gRPC and TLS, the others run the policy.
//
// A thread is started when the one that talks is busy most of the time with several calls at once, so that a quiet function
// needs no memory for them; until one is ready, and for a caller that waits for each answer, calls are answered where they
// arrive: handing one over and back takes time, too. A thread that ends by mistake is replaced; the calls
// that it had are refused, and Crossplane makes them again.

import {setInterval as every, setTimeout as later} from 'node:timers';
import {Worker} from 'node:worker_threads';
import {type Answer, type Answerer, answerNow, hasOwnMemory, type ThreadEnded} from './answerer.ts';
import type {Logger} from './log.ts';
import type {RunOptions} from './run.ts';
import type {RunThreadData} from './run-thread.ts';

export interface RunThreadsOptions {
  readonly run: RunOptions;
  /** How many threads at most, beside the one that talks. */
  readonly threadsMax: number;
  /** The module that is run-thread.ts, or holds it. */
  readonly module: URL;
  readonly logger: Logger;
  /** A thread is started when this one is busy for more than this share of a period. 0 = at once. */
  readonly busyShare?: number;
  readonly periodMs?: number;
  /** From how many calls under way on one is handed to a thread. */
  readonly openCallsMin?: number;
}

type Done = (answer: Answer | ThreadEnded) => void;

interface Thread {
  readonly worker: Worker;
  /** Of the calls it has, in order. */
  readonly calls: Done[];
  ready: boolean;
}

// One that runs, and one so that the thread need not wait for this one. More would only be lost with it.
const callsPerThread = 2;

export class RunThreads implements Answerer {
  private readonly options: RunThreadsOptions;
  private readonly all = new Set<Thread>();
  private readonly waiting: {readonly request: Buffer; readonly done: Done}[] = [];
  private readonly watch: NodeJS.Timeout;
  private wanted = 0;
  private replaced = 0;
  private closing = false;
  private openCallsSeen = 0;

  constructor(options: RunThreadsOptions) {
    this.options = options;
    const {busyShare = 0.5, periodMs = 1000, threadsMax} = options;
    let before = performance.eventLoopUtilization();
    const look = () => {
      const {utilization} = performance.eventLoopUtilization(before);
      before = performance.eventLoopUtilization();
      const several = this.openCallsSeen >= this.openCallsMin;
      this.openCallsSeen = 0;
      if (utilization < busyShare || (busyShare > 0 && !several) || this.wanted === threadsMax) return;
      this.wanted++;
      this.start();
    };
    this.watch = every(look, periodMs).unref();
    if (busyShare === 0) while (this.wanted < threadsMax) look();
  }

  answer(request: Buffer, openCalls: number, done: Done): void {
    this.openCallsSeen = Math.max(this.openCallsSeen, openCalls);
    const thread = openCalls < this.openCallsMin ? undefined : this.freest();
    if (thread === undefined) answerNow(request, this.options.run, done);
    else if (thread.calls.length < callsPerThread) hand(thread, request, done);
    else this.waiting.push({request, done});
  }

  threads(): {readonly running: number; readonly replaced: number} {
    const ready = [...this.all].filter((thread) => thread.ready);
    return {running: 1 + ready.length, replaced: this.replaced};
  }

  async close(): Promise<void> {
    this.closing = true;
    clearInterval(this.watch);
    for (const {done} of this.waiting.splice(0)) done({kind: 'thread-ended'});
    await Promise.all([...this.all].map(({worker}) => worker.terminate()));
  }

  private get openCallsMin(): number {
    return this.options.openCallsMin ?? 2;
  }

  private freest(): Thread | undefined {
    let freest: Thread | undefined;
    for (const thread of this.all) {
      if (thread.ready && (freest === undefined || thread.calls.length < freest.calls.length)) freest = thread;
    }
    return freest;
  }

  private start(): void {
    const {module, run} = this.options;
    const workerData: RunThreadData = {task: 'answer-run-function', options: run};
    const thread: Thread = {worker: new Worker(module, {workerData}), calls: [], ready: false};
    this.all.add(thread);
    let cause: string | undefined;
    thread.worker.on('message', (message: Answer | 'ready') => {
      if (message === 'ready') thread.ready = true;
      else thread.calls.shift()?.(message);
      this.feed(thread);
    });
    thread.worker.on('error', (error: unknown) => {
      cause = error instanceof Error ? error.message : String(error);
    });
    thread.worker.on('exit', (code) => this.ended(thread, cause ?? `it exited with ${code}`));
  }

  private feed(thread: Thread): void {
    while (thread.calls.length < callsPerThread) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      hand(thread, next.request, next.done);
    }
  }

  private ended(thread: Thread, cause: string): void {
    this.all.delete(thread);
    const refused = thread.calls.splice(0);
    for (const done of refused) done({kind: 'thread-ended'});
    if (this.closing) return;
    this.options.logger.log('error', 'a thread that answers calls ended', {cause, refusedCalls: refused.length});
    this.replaced++;
    // Not at once where it did not even start: that would only use up the core.
    later(() => !this.closing && this.start(), thread.ready ? 0 : 1000).unref();
    if (this.freest() !== undefined) return;
    for (const {request, done} of this.waiting.splice(0)) answerNow(request, this.options.run, done);
  }
}

// The bytes change hands without a copy where the request has its memory for itself.
function hand(thread: Thread, request: Buffer, done: Done): void {
  const bytes = hasOwnMemory(request) ? request : new Uint8Array(request);
  thread.calls.push(done);
  thread.worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
}
