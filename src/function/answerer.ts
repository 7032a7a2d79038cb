// Answers RunFunction calls, in the thread that received them or in one of several (run-threads.ts).

import {CallMemory} from '../wire/call-memory.ts';
import {type RunOptions, runWithReport} from './run.ts';
import {type RunSummary, summaryOf} from './run-summary.ts';

export interface Answer {
  readonly kind: 'answered';
  /** Its bytes are good until `done` returns: the next answer may be written where they are. */
  readonly response: Uint8Array;
  readonly summary: RunSummary;
}

/** The thread that had the call ended before it answered. */
export interface ThreadEnded {
  readonly kind: 'thread-ended';
}

export interface Answerer {
  /**
   * Calls `done` once, with the answer to `request`, maybe before it returns. The request's bytes are its own from now on.
   * `openCalls` is how many calls are under way, this one included.
   */
  answer(request: Buffer, openCalls: number, done: (answer: Answer | ThreadEnded) => void): void;
  /** Threads that answer, and how many ended by mistake and were replaced. */
  threads(): {readonly running: number; readonly replaced: number};
  /** Ends the threads, and with them the calls they have. */
  close(): Promise<void>;
}

const memory = new CallMemory();

// The response is good until the next one.
function answerOf(request: Uint8Array, options: RunOptions): Answer {
  const {response, report} = runWithReport(request, options, memory);
  return {kind: 'answered', response, summary: summaryOf(report)};
}

/** Answers in the thread that has the request, whose memory is gone then. */
export function answerNow(request: Uint8Array, options: RunOptions, done: (answer: Answer) => void): void {
  done(answerOf(request, options));
  release(request);
}

/** True if no other message shares the memory of a request: grpc-js puts it behind five bytes of framing, a short one in Node's pool. */
export function hasOwnMemory(request: Uint8Array): boolean {
  return request.buffer.byteLength - request.byteLength <= 5;
}

/**
 * Gives the memory of an answered request back. Left to the garbage collector, half a megabyte for each call has it mark all
 * there is every few calls.
 */
function release(request: Uint8Array): void {
  if (hasOwnMemory(request)) (request.buffer as ArrayBuffer).transfer(0);
}

/** Answers in the thread that asks. */
export function inlineAnswerer(options: RunOptions): Answerer {
  return {
    answer: (request, _, done) => answerNow(request, options, done),
    threads: () => ({running: 1, replaced: 0}),
    close: async () => undefined,
  };
}
