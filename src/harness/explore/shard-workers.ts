// A search on several cores: every worker runs the same command on its share of the states and hands its result back.

import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import type {Progress, SearchResult} from '../../explore/result.ts';
import {mergeShards} from '../../explore/shard.ts';
import {type CallingThread, callerForAnother} from './called-functions.ts';

interface ShardTask extends CallingThread {
  readonly kind: 'explore-shard';
}

type Message =
  | {readonly kind: 'progress'; readonly progress: Progress}
  | {readonly kind: 'result'; readonly result: SearchResult};

/** True if this thread is a worker of a search. */
export function isShardWorker(): boolean {
  return !isMainThread && (workerData as ShardTask | undefined)?.kind === 'explore-shard';
}

export function postResult(result: SearchResult): void {
  const message: Message = {kind: 'result', result};
  parentPort?.postMessage(message);
}

export function postProgress(progress: Progress): void {
  const message: Message = {kind: 'progress', progress};
  parentPort?.postMessage(message);
}

/** Of `count` shares that are searched elsewhere, too, the one that these threads search together. */
interface SharedShare {
  readonly index: number;
  readonly count: number;
  readonly threads: number;
}

/**
 * Runs `threads` workers of the command `entry` and puts their results together: to that of the search, or of the share
 * of it. Rejects with what a worker threw.
 */
export async function searchInShards(
  entry: string,
  argv: readonly string[],
  {index, count, threads}: SharedShare,
  onProgress: (progress: Progress) => void,
): Promise<SearchResult> {
  const latest = new Map<number, Progress>();
  // Each state of a share belongs to one of its threads: index + count * thread, modulo count * threads.
  const shards = Array.from({length: threads}, (_, thread) =>
    shardOf(entry, [...argv, '--shard', `${index + count * thread}/${count * threads}`], (progress) => {
      latest.set(thread, progress);
      const all = [...latest.values()];
      onProgress({
        uniqueStates: sum(all, (one) => one.uniqueStates),
        transitions: sum(all, (one) => one.transitions),
        depth: Math.max(...all.map((one) => one.depth)),
        frontier: sum(all, (one) => one.frontier),
      });
    }),
  );
  const results = await Promise.all(shards);
  const merged = mergeShards(results);
  const shard = results[0]?.shard;
  return count === 1 || shard === undefined ? merged : {...merged, shard: {...shard, index, count}};
}

function shardOf(
  entry: string,
  argv: readonly string[],
  onProgress: (progress: Progress) => void,
): Promise<SearchResult> {
  const caller = callerForAnother();
  const task: ShardTask = {kind: 'explore-shard', ...(caller === undefined ? {} : {caller})};
  const transferList = caller === undefined ? [] : [caller.port];
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(entry), {argv: [...argv], workerData: task, transferList});
    worker.on('message', (message: Message) => {
      if (message.kind === 'progress') onProgress(message.progress);
      else resolve(message.result);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a worker of the search ended with exit code ${code} and no result`)));
  });
}

function sum(list: readonly Progress[], of: (progress: Progress) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
