// Rows of work on several cores: rows of a table of stories, files of a test. Every worker runs the same command, so it
// knows the same rows. A free worker gets the number of the next row.

import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import type {RunProgress} from '../harness/scenario/run-progress.ts';

interface WorkerTask {
  readonly kind: 'rows';
}

type Message = {readonly kind: 'free'} | {readonly kind: 'done'; readonly row: number; readonly result: unknown};

/** True if this thread works for another. */
export function isRowWorker(): boolean {
  return !isMainThread && (workerData as WorkerTask | undefined)?.kind === 'rows';
}

/** In a worker: does the rows that are asked for until the other side closes it. */
export function workOnDemand(work: (row: number) => Promise<unknown>): Promise<never> {
  const post = (message: Message): void => parentPort?.postMessage(message);
  return new Promise((_, reject) => {
    parentPort?.on('message', (row: number) => {
      work(row).then((result) => post({kind: 'done', row, result}), reject);
    });
    post({kind: 'free'});
  });
}

export interface RowsOfWork<T> {
  readonly rows: number;
  readonly what: 'files' | 'rows';
  /** How many workers. */
  readonly count: number;
  /** How far the rows are, and how many of them are under way. */
  readonly progress: RunProgress;
  /** Called for each row, in their order, as soon as it and those before it are done. If it returns `end`, no other row begins. */
  readonly onDone: (row: number, result: T) => 'end' | undefined;
}

/** Does rows 0 to `rows` - 1 in workers of the command `entry`. Rejects with what a worker or `onDone` threw. */
export async function inWorkers<T>(entry: string, argv: readonly string[], work: RowsOfWork<T>): Promise<void> {
  const {rows, what, count, progress} = work;
  const results = new Map<number, T>();
  let told = 0;
  const show = (): void => {
    progress.story(`${results.size} of ${rows} ${what}`);
    progress.waitsFor(results.size < rows ? `${Math.min(count, rows - results.size)} of them` : undefined);
  };
  const done = (row: number, result: T): 'end' | undefined => {
    results.set(row, result);
    for (; results.has(told); told++) if (work.onDone(told, results.get(told) as T) === 'end') return 'end';
    show();
    return undefined;
  };
  show();
  const workers = new Set<Worker>();
  let next = 0;
  let isEnded = false;
  const take = (): number | undefined => (!isEnded && next < rows ? next++ : undefined);
  const end = (): void => {
    isEnded = true;
    for (const worker of workers) void worker.terminate();
  };
  const workThrough = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const task: WorkerTask = {kind: 'rows'};
      const worker = new Worker(new URL(entry), {argv: [...argv], workerData: task});
      workers.add(worker);
      worker.on('message', (message: Message) => {
        if (isEnded) return;
        try {
          if (message.kind === 'done' && done(message.row, message.result as T) === 'end') end();
        } catch (error) {
          reject(error);
          end();
        }
        const row = take();
        if (row !== undefined) return worker.postMessage(row);
        workers.delete(worker);
        void worker.terminate().then(() => resolve());
      });
      worker.on('error', reject);
      worker.on('exit', (code) => {
        if (isEnded || !workers.has(worker)) resolve();
        else reject(new Error(`a worker ended with exit code ${code}`));
      });
    });
  await Promise.all(Array.from({length: Math.min(count, rows)}, workThrough));
}
