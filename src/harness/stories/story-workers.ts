import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import type {Telling} from './tell-story.ts';

// Rows told on several cores. Every worker runs the same command, so that it knows the same rows; it is told the number of
// one row at a time, and whoever is free takes the next.

interface WorkerTask {
  readonly kind: 'tell-stories';
}

type Message = {readonly kind: 'free'} | {readonly kind: 'told'; readonly row: number; readonly telling: Telling};

/** Whether this thread tells rows for another. */
export function isStoryWorker(): boolean {
  return !isMainThread && (workerData as WorkerTask | undefined)?.kind === 'tell-stories';
}

/** In a worker: tells the rows that are asked for until the other side closes it. */
export function tellOnDemand(tell: (row: number) => Promise<Telling>): Promise<never> {
  const post = (message: Message): void => parentPort?.postMessage(message);
  return new Promise((_, reject) => {
    parentPort?.on('message', (row: number) => {
      tell(row).then((telling) => post({kind: 'told', row, telling}), reject);
    });
    post({kind: 'free'});
  });
}

/** Tells rows 0 to `rows` - 1 on `count` workers of the command `entry`. Rejects with what a worker threw. */
export async function tellInWorkers(
  entry: string,
  argv: readonly string[],
  {rows, count, onTold}: {readonly rows: number; readonly count: number; readonly onTold: OnTold},
): Promise<void> {
  let next = 0;
  const take = (): number | undefined => (next < rows ? next++ : undefined);
  await Promise.all(Array.from({length: Math.min(count, rows)}, () => workThrough(entry, argv, take, onTold)));
}

type OnTold = (row: number, telling: Telling) => void;

function workThrough(
  entry: string,
  argv: readonly string[],
  take: () => number | undefined,
  onTold: OnTold,
): Promise<void> {
  const task: WorkerTask = {kind: 'tell-stories'};
  return new Promise((resolve, reject) => {
    let isDone = false;
    const worker = new Worker(new URL(entry), {argv: [...argv], workerData: task});
    worker.on('message', (message: Message) => {
      if (message.kind === 'told') onTold(message.row, message.telling);
      const row = take();
      isDone = row === undefined;
      if (isDone) void worker.terminate();
      else worker.postMessage(row);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (isDone) resolve();
      else reject(new Error(`a worker of the stories ended with exit code ${code}`));
    });
  });
}
