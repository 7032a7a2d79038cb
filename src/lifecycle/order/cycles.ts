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
