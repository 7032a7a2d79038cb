// Budgets: the number of times that each kind of spending action may happen on one path. The amount spent is part of the node that
// a search visits: the same state with a crash left can reach more than without.
//
// So a node with less spent covers the node of the same state with more spent (`covers`): everything the second can reach, the
// first can, and quiescence does not depend on budgets. The search uses this to drop nodes.

const codesMax = 0x1_0000;

/** The amounts spent of every kind are one small number, the code: digits in a mixed radix. Code 0 is nothing spent. */
export class Budgets {
  readonly #index: ReadonlyMap<string, number>;
  readonly #limits: readonly number[];
  readonly #strides: readonly number[];

  /** `limits`: units per kind. A kind that is not listed has no units: its actions never happen. */
  constructor(limits: Readonly<Record<string, number>>) {
    const kinds = Object.keys(limits).sort();
    this.#index = new Map(kinds.map((kind, index) => [kind, index]));
    this.#limits = kinds.map((kind) => checkedLimit(kind, limits[kind] as number));
    let codes = 1;
    this.#strides = this.#limits.map((limit) => {
      const stride = codes;
      codes *= limit + 1;
      return stride;
    });
    if (codes > codesMax) {
      throw new Error(`cannot use budgets ${JSON.stringify(limits)}: ${codes} combinations, at most ${codesMax} fit`);
    }
  }

  /** The code after one more unit of the kind, or -1 if none is left. */
  spend(code: number, kind: string): number {
    const index = this.#index.get(kind);
    if (index === undefined || this.#spent(code, index) >= (this.#limits[index] as number)) return -1;
    return code + (this.#strides[index] as number);
  }

  /** Units spent of all kinds together. */
  total(code: number): number {
    let total = 0;
    for (let index = 0; index < this.#limits.length; index++) total += this.#spent(code, index);
    return total;
  }

  /** Units spent of these kinds together. */
  totalOf(code: number, kinds: readonly string[]): number {
    let total = 0;
    for (const kind of kinds) {
      const index = this.#index.get(kind);
      if (index !== undefined) total += this.#spent(code, index);
    }
    return total;
  }

  /** True if `less` has spent no more of any kind than `more`. */
  covers(less: number, more: number): boolean {
    if (less > more) return false;
    for (let index = 0; index < this.#limits.length; index++) {
      if (this.#spent(less, index) > this.#spent(more, index)) return false;
    }
    return true;
  }

  #spent(code: number, index: number): number {
    return Math.floor(code / (this.#strides[index] as number)) % ((this.#limits[index] as number) + 1);
  }
}

function checkedLimit(kind: string, limit: number): number {
  if (!Number.isInteger(limit) || limit < 0) {
    throw new Error(`cannot use budget "${kind}": expected a whole number of at least 0, got ${limit}`);
  }
  return limit;
}
