// Cycles in an order: each of its resources would wait for the next one for ever.

import type {InvalidInput} from '../input/input.ts';
import {show} from '../input/validate.ts';

/** `before` is created before `after`, and deleted after it. `path` is where the input says so. */
export interface Rank {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The first cycle, found from the sorted names on, undefined if there is none. */
export function cycleProblem(ranks: readonly Rank[]): InvalidInput | undefined {
  const after = Map.groupBy(ranks, ({before}) => before);
  const done = new Set<string>();
  for (const name of [...after.keys()].sort()) {
    const cycle = walk(name, after, done, []);
    if (cycle !== undefined) return invalid(cycle);
  }
  return undefined;
}

/** The loose ranks that would close a cycle with the firm ones and the loose ones before them. None where there is no cycle. */
export function contradictions<T extends Rank>(firm: readonly Rank[], loose: readonly T[]): readonly T[] {
  if (loose.length === 0 || cycleProblem([...firm, ...loose]) === undefined) return [];
  const kept = [...firm];
  return loose.filter((rank) => {
    const closes = reaches(rank.after, rank.before, kept);
    if (!closes) kept.push(rank);
    return closes;
  });
}

function reaches(from: string, to: string, ranks: readonly Rank[]): boolean {
  const reached = new Set([from]);
  for (const name of reached) for (const {before, after} of ranks) if (before === name) reached.add(after);
  return reached.has(to);
}

/** Depth first; `way` is how we came here. What is done once leads to no cycle and is not walked again. */
function walk(
  name: string,
  after: ReadonlyMap<string, readonly Rank[]>,
  done: Set<string>,
  way: readonly Rank[],
): readonly Rank[] | undefined {
  const begin = way.findIndex((rank) => rank.before === name);
  if (begin >= 0) return way.slice(begin);
  if (done.has(name)) return undefined;
  for (const rank of after.get(name) ?? []) {
    const cycle = walk(rank.after, after, done, [...way, rank]);
    if (cycle !== undefined) return cycle;
  }
  done.add(name);
  return undefined;
}

function invalid(cycle: readonly Rank[]): InvalidInput {
  const names = [...cycle.map(({before}) => before), cycle[0]?.before ?? ''];
  return {
    kind: 'invalid-input',
    path: cycle[0]?.path ?? '',
    expected: 'an order without a cycle',
    got: `the cycle ${names.map((name) => show(name)).join(' before ')}`,
  };
}
