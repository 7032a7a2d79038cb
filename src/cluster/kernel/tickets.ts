// The numbers of requests to the cloud. Each request takes the lowest free number, so that it does not depend on the number of
// requests before it. Thousands wait at once when a provider starts, so the free numbers are a heap (leftist: each merge is as short as
// the logarithm of its size), and none is looked for.

export interface FreeTickets {
  /** Those from here on are free. */
  readonly from: number;
  /** Smaller ones that are free again. */
  readonly returned: Heap | undefined;
}

interface Heap {
  readonly least: number;
  /** The length of the way to the right, down to its end. The way to the left is never shorter. */
  readonly rank: number;
  readonly left: Heap | undefined;
  readonly right: Heap | undefined;
}

export const allFree: FreeTickets = {from: 1, returned: undefined};

/** The lowest free number, and those that are free without it. */
export function taken({from, returned}: FreeTickets): {readonly number: number; readonly left: FreeTickets} {
  if (returned === undefined) return {number: from, left: {from: from + 1, returned}};
  return {number: returned.least, left: {from, returned: merged(returned.left, returned.right)}};
}

export function givenBack({from, returned}: FreeTickets, number: number): FreeTickets {
  return {from, returned: merged(returned, {least: number, rank: 1, left: undefined, right: undefined})};
}

function merged(one: Heap | undefined, other: Heap | undefined): Heap | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const [top, below] = one.least < other.least ? [one, other] : [other, one];
  const [some, more] = [top.left, merged(top.right, below)];
  const [left, right] = rankOf(some) < rankOf(more) ? [more, some] : [some, more];
  return {least: top.least, rank: rankOf(right) + 1, left, right};
}

function rankOf(heap: Heap | undefined): number {
  return heap?.rank ?? 0;
}
