// A search on several cores: every worker runs the same command on its share of the states and hands its result back.

import type {Progress, SearchResult} from '../../explore/result.ts';
import {mergeShards} from '../../explore/shard.ts';
import {inThread, ownTask} from './threads.ts';

const kind = 'explore-shard';

/** True if this thread is a worker of a search. */
export function isShardWorker(): boolean {
  return ownTask(kind) !== undefined;
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
  const shardArgs = (thread: number) => [...argv, '--shard', `${index + count * thread}/${count * threads}`];
  const shards = Array.from({length: threads}, (_, thread) =>
    inThread<Progress, SearchResult>(entry, shardArgs(thread), {kind}, (progress) => {
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

function sum(list: readonly Progress[], of: (progress: Progress) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
