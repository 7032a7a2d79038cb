// Cycles in an order: each of its resources would wait for the next one for ever.

import type {InvalidInput} from '../input/input.ts';
import {show} from '../input/validate.ts';

/** `by` uses `of`: it is created after it, and deleted before it. `path` is the place in the input. */
export interface Rank {
  readonly path: string;
  readonly of: string;
  readonly by: string;
}

/** The first cycle, found from the sorted names on, undefined if there is none. */
export function cycleProblem(ranks: readonly Rank[]): InvalidInput | undefined {
  const users = Map.groupBy(ranks, ({of}) => of);
  const done = new Set<string>();
  for (const name of [...users.keys()].sort()) {
    const cycle = cycleFrom(name, users, done);
    if (cycle !== undefined) return invalid(cycle);
  }
  return undefined;
}

/** The loose ranks that would close a cycle with the firm ones and the loose ones before them. None where there is no cycle. */
export function contradictions<T extends Rank>(firm: readonly Rank[], loose: readonly T[]): readonly T[] {
  if (loose.length === 0 || cycleProblem([...firm, ...loose]) === undefined) return [];
  const kept = Map.groupBy(firm, ({of}) => of);
  return loose.filter((rank) => {
    const closes = reaches(rank.by, rank.of, kept);
    if (!closes) kept.set(rank.of, [...(kept.get(rank.of) ?? []), rank]);
    return closes;
  });
}

function reaches(from: string, to: string, users: ReadonlyMap<string, readonly Rank[]>): boolean {
  const reached = new Set([from]);
  for (const name of reached) for (const {by} of users.get(name) ?? []) reached.add(by);
  return reached.has(to);
}

/** One resource on the way, and which of its ranks is walked next. */
interface Stop {
  readonly name: string;
  readonly ranks: readonly Rank[];
  next: number;
}

/** Depth first, without recursion: an order may be longer than the stack. A `done` name leads to no cycle. */
function cycleFrom(
  start: string,
  users: ReadonlyMap<string, readonly Rank[]>,
  done: Set<string>,
): readonly Rank[] | undefined {
  const stopAt = (name: string): Stop => ({name, ranks: users.get(name) ?? [], next: 0});
  const way = done.has(start) ? [] : [stopAt(start)];
  const onWay = new Set(way.map(({name}) => name));
  for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
    const rank = last.ranks[last.next++];
    if (rank === undefined) {
      done.add(last.name);
      onWay.delete(last.name);
      way.pop();
    } else if (onWay.has(rank.by)) {
      const begin = way.findIndex(({name}) => name === rank.by);
      return way.slice(begin).map(({ranks, next}) => ranks[next - 1] as Rank);
    } else if (!done.has(rank.by)) {
      way.push(stopAt(rank.by));
      onWay.add(rank.by);
    }
  }
  return undefined;
}

function invalid(cycle: readonly Rank[]): InvalidInput {
  const names = [...cycle.map(({of}) => of), cycle[0]?.of ?? ''];
  return {
    kind: 'invalid-input',
    path: cycle[0]?.path ?? '',
    expected: 'an order without a cycle',
    got: `the cycle ${names.map((name) => show(name)).join(' before ')}`,
  };
}
