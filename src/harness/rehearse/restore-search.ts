// Looks for a restore that passes, from the cheapest to the dearest: the restore as it was asked for, then with one part, with
// two, with three. Each candidate is rehearsed, and one that comes to nothing bad is rehearsed again in other ways: another
// order of events, and a tool so slow that every controller polls while it restores. The first that passes all of them is the
// plan. The reason for each of its parts is the finding without it.

import type {KubeObject} from '../../cluster/object.ts';
import {findingsOf} from './findings.ts';
import type {Rehearsal} from './rehearse.ts';
import {
  isPossible,
  type PartKind,
  partsFor,
  partTable,
  type RestoreCase,
  type RestoreKinds,
  withoutConfigUsages,
  withParts,
} from './restore-parts.ts';
import {type Problem, problemsOf} from './restore-verdict.ts';

/** How a candidate is rehearsed: what a real restore leaves to chance. */
export interface Way {
  readonly seed: number;
  readonly toolCallMs: number | undefined;
}

export interface Tried {
  readonly parts: readonly PartKind[];
  readonly case: RestoreCase;
  /** None where it passed in every way. */
  readonly problems: readonly Problem[];
  /** The way in which the problems were found; the last one where there are none. */
  readonly way: Way;
  readonly rehearsal: Rehearsal;
}

export interface RestoreSearch {
  /** In the order in which they were tried. */
  readonly tried: readonly Tried[];
  /** The last of them, where it passed. */
  readonly passed: Tried | undefined;
  /** The result of the edits without any disaster. */
  readonly expected: readonly Problem[];
  readonly ways: readonly Way[];
  /** Candidates that were left when the search ended without finding one. */
  readonly untried: number;
}

export interface SearchInput {
  readonly base: RestoreCase;
  readonly kinds: RestoreKinds;
  readonly objects: readonly KubeObject[];
  readonly seed: number;
  readonly rehearse: (one: RestoreCase, way: Way) => Promise<Rehearsal>;
  readonly triedMax?: number;
  /** Called with each candidate after its trial. */
  readonly onTried?: (tried: Tried) => void;
}

/** A rehearsal of a big control plane takes half a minute: dearer candidates than these are not tried, and the plan notes it. */
const triedAtMost = 40;
const partsMax = 3;

export async function searchRestore(input: SearchInput): Promise<RestoreSearch> {
  const {kinds, objects, seed, rehearse, triedMax = triedAtMost} = input;
  const base = withoutConfigUsages(input.base, kinds);
  const ways = waysFor(objects.length, seed);
  const [first] = ways as readonly [Way, ...Way[]];
  const twin = await rehearse({...base, changes: base.changes.filter(({kind}) => kind !== 'restore')}, first);
  const expected = findingsOf(twin);
  const candidates = candidatesOf(partsFor(base, {kinds, objects}));
  const tried: Tried[] = [];
  for (const parts of candidates.slice(0, triedMax)) {
    const one = await tryOut(parts, withParts(base, parts, {kinds, objects}), {ways, twin, rehearse});
    tried.push(one);
    input.onTried?.(one);
    if (one.problems.length === 0) return {tried, passed: one, expected, ways, untried: 0};
  }
  return {tried, passed: undefined, expected, ways, untried: candidates.length - tried.length};
}

/** Two orders of events at the usual pace, and one in which the restore outlasts every poll. */
function waysFor(objects: number, seed: number): readonly Way[] {
  const requests = 4 * Math.max(1, objects);
  const slowMs = Math.min(5_000, Math.ceil(600_000 / requests));
  return [
    {seed, toolCallMs: undefined},
    {seed: seed + 1, toolCallMs: undefined},
    {seed: seed + 2, toolCallMs: slowMs},
  ];
}

async function tryOut(
  parts: readonly PartKind[],
  one: RestoreCase,
  {ways, twin, rehearse}: Pick<RestoreSearch, 'ways'> & Pick<SearchInput, 'rehearse'> & {readonly twin: Rehearsal},
): Promise<Tried> {
  let last: Tried | undefined;
  for (const way of ways) {
    const rehearsal = await rehearse(one, way);
    last = {parts, case: one, problems: problemsOf(rehearsal, twin), way, rehearsal};
    if (last.problems.length > 0) break;
  }
  return last as Tried;
}

/** Every set of up to three parts that can be had together, by what it costs; the empty one first. */
function candidatesOf(parts: readonly PartKind[]): readonly (readonly PartKind[])[] {
  let sets: readonly (readonly PartKind[])[] = [[]];
  let grown = sets;
  for (let size = 1; size <= partsMax; size++) {
    grown = grown.flatMap((some) => {
      const last = some.at(-1);
      const from = last === undefined ? 0 : parts.indexOf(last) + 1;
      return parts.slice(from).map((part) => [...some, part]);
    });
    sets = [...sets, ...grown.filter(isPossible)];
  }
  return sets.toSorted((left, right) => costOf(left) - costOf(right));
}

function costOf(parts: readonly PartKind[]): number {
  return parts.reduce((sum, part) => sum + partTable[part].cost, 0);
}

/** The findings without this part of the plan and with all others. */
export function problemsWithout(part: PartKind, {tried, passed}: RestoreSearch): readonly Problem[] {
  const others = (passed?.parts ?? []).filter((one) => one !== part).join();
  return tried.find(({parts}) => parts.join() === others)?.problems ?? [];
}
