// Threads of one command: each searches a part, posts its progress and hands its result back.

import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import {type CallingThread, callerForAnother} from './called-functions.ts';

interface Task {
  readonly kind: string;
}

type Message =
  | {readonly kind: 'progress'; readonly progress: unknown}
  | {readonly kind: 'result'; readonly result: unknown};

/** The task of that kind that this thread was started for. */
export function ownTask<T extends Task>(kind: T['kind']): T | undefined {
  const task = isMainThread ? undefined : (workerData as T | undefined);
  return task?.kind === kind ? task : undefined;
}

export function postProgress(progress: unknown): void {
  const message: Message = {kind: 'progress', progress};
  parentPort?.postMessage(message);
}

export function postResult(result: unknown): void {
  const message: Message = {kind: 'result', result};
  parentPort?.postMessage(message);
}

/** Runs the command `entry` for the task in a thread, which calls functions as this one does. Rejects with what it threw. */
export function inThread<P, R>(
  entry: string,
  argv: readonly string[],
  task: Task,
  onProgress: (progress: P) => void,
): Promise<R> {
  const caller = callerForAnother();
  const data: Task & CallingThread = {...task, ...(caller && {caller})};
  return new Promise((resolve, reject) => {
    const transferList = caller === undefined ? [] : [caller.port];
    const worker = new Worker(new URL(entry), {argv: [...argv], workerData: data, transferList});
    worker.on('message', (message: Message) => {
      if (message.kind === 'progress') onProgress(message.progress as P);
      else resolve(message.result as R);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a worker of the search ended with exit code ${code} and no result`)));
  });
}
