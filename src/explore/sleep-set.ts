// Partial-order reduction by sleep sets: of the orders of independent steps only one is taken. Every state is still
// visited; what is saved are calls of `next` (for k independent actions about k/2 of them).
//
// After the search has taken z and then t from s, with z and t independent in s, the order t.z leads where z.t does. So
// the successor by t gets z in its *sleep set*: z need not be taken there. The successor inherits every sleeping or
// earlier action that is independent of t. Keys name actions across states.
//
// Why no state is lost although visited states are not explored again (after P. Godefroid, "Partial-Order Methods for
// the Verification of Concurrent Systems", LNCS 1032, 1996, chapter 5). Write first(w) for the actions that some
// reordering of w by independence begins with. Claim: if s is visited, its stored sleep set Z is disjoint from first(w)
// and w leads from s to v, then v is visited. By induction on the length of w: among first(w) take the action t that
// was taken from s first in the last round of taking; w is then a reordering of t.w'. Were some y of the successor's
// sleep set in first(w'), y would be in first(w) too (y is independent of t), and y was either asleep in that round, so
// taken in a later round or still asleep, or taken earlier in that round: each contradicts a choice above. The initial
// state has an empty sleep set, so every reachable v is visited. The stored set must be part of the sleep set of every
// arrival the argument goes through, so an arrival with a smaller set shrinks the stored one, and a node that was
// expanded already is opened again.
// In breadth and cheapest order it suffices to go through shortest w: then every arrival the argument uses comes before
// the node is expanded, later arrivals can be ignored, and each state is found at its least distance as without
// reduction. Budgets: an action whose budget is used up on the way is dropped from the sleep set,
// and a covering node (budget.ts) stands in for the covered one. Boundary: t.z.w may pass a state outside where z.t.w does
// not; a one-way boundary rules that out, since both orders meet inside.
//
// What is not kept: edges, so cycles and runs. `eventually` needs the full graph. Fingerprints that merge symmetric
// states break the naming by keys. Both cannot be combined with `reduce`.
import {invariant} from './invariant.ts';

/** Sets of action keys, each stored once and named by a number; 0 is the empty set. */
export class SleepSets {
  readonly #keyIds = new Map<string, number>();
  readonly #ids = new Map<string, number>([['', 0]]);
  readonly #members: (readonly number[])[] = [[]];

  /** A small number for the key. */
  keyId(key: string): number {
    let id = this.#keyIds.get(key);
    if (id === undefined) {
      id = this.#keyIds.size;
      this.#keyIds.set(key, id);
    }
    return id;
  }

  keyOf(id: number): string | undefined {
    for (const [key, candidate] of this.#keyIds) if (candidate === id) return key;
    return undefined;
  }

  /** The set of these key ids, given in any order. The array is kept: do not change it afterwards. */
  of(keyIds: number[]): number {
    if (keyIds.length === 0) return 0;
    keyIds.sort(ascending);
    const name = keyIds.join();
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = this.#members.length;
      this.#ids.set(name, id);
      this.#members.push(keyIds);
    }
    return id;
  }

  members(set: number): readonly number[] {
    const members = this.#members[set];
    invariant(members !== undefined, `cannot read sleep set ${set}: it was never made`);
    return members;
  }

  intersection(a: number, b: number): number {
    if (a === b) return a;
    const others = this.members(b);
    return this.of(this.members(a).filter((member) => others.includes(member)));
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
