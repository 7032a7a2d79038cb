// The visited set of a search and, in the same rows, the way back: every node knows the node and the action it was reached by. A
// node is a state together with the amount spent (budget.ts).
//
// Rows are columns of typed arrays and an open-addressing index, so a node costs about 30 bytes and no garbage. Nodes of one state
// with different budget codes share a key and lie on one probe sequence; the code distinguishes them.

import {invariant} from './invariant.ts';
import type {Memory} from './memory.ts';
import type {StateKey} from './state-key.ts';

const noNode = -1;
const bytesPerRow = 4 + 4 + 4 + 2 + 2 + 4 + 2 + 1;
const firstCapacity = 1024;

export class NodeTable {
  /** Nodes in the table; they are numbered from 0 in the order of their discovery. */
  length = 0;
  high = new Uint32Array(firstCapacity);
  low = new Uint32Array(firstCapacity);
  parent = new Int32Array(firstCapacity);
  action = new Uint16Array(firstCapacity);
  /** How many steps lie between the action and the node: each the first action where there was no other (search.ts). */
  forced = new Uint16Array(firstCapacity);
  depth = new Uint32Array(firstCapacity);
  spent = new Uint16Array(firstCapacity);
  expanded = new Uint8Array(firstCapacity);
  #slots = new Int32Array(slotsFor(firstCapacity));
  #capacity = firstCapacity;
  #slot = 0;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    invariant(memory.reserve(bytesFor(firstCapacity)), 'the memory bound is below the smallest node table');
  }

  /** The smallest memory bound a table can work with. */
  static readonly bytesMin = bytesFor(firstCapacity);

  /** The first node of this state that `matches` accepts, or -1; `add` then puts a new node where the search ended. */
  find(key: StateKey, matches: (node: number) => boolean): number {
    const mask = this.#slots.length - 1;
    let slot = key.low & mask;
    for (;;) {
      const node = (this.#slots[slot] as number) - 1;
      if (node === noNode) {
        this.#slot = slot;
        return noNode;
      }
      if (this.low[node] === key.low && this.high[node] === key.high && matches(node)) return node;
      slot = (slot + 1) & mask;
    }
  }

  /** The new node's number, or -1 if the memory bound leaves no room. Only right after a `find` that found nothing. */
  add(key: StateKey, spent: number, parent: number, action: number, depth: number): number {
    if (this.length === this.#capacity) {
      if (!this.#grow()) return noNode;
      this.find(key, () => false);
    }
    const node = this.length++;
    this.high[node] = key.high;
    this.low[node] = key.low;
    this.spent[node] = spent;
    this.parent[node] = parent;
    this.action[node] = action;
    this.depth[node] = depth;
    this.#slots[this.#slot] = node + 1;
    return node;
  }

  /** The action indices from the initial state to the node. */
  path(node: number): number[] {
    const path: number[] = [];
    for (let at = node; (this.parent[at] as number) !== noNode; at = this.parent[at] as number) {
      for (let forced = this.forced[at] as number; forced > 0; forced--) path.push(0);
      path.push(this.action[at] as number);
    }
    return path.reverse();
  }

  #grow(): boolean {
    const capacity = this.#largerCapacity();
    if (capacity <= this.#capacity) return false;
    invariant(
      this.#memory.reserve(bytesFor(capacity) - bytesFor(this.#capacity)),
      'the node table grew beyond the memory bound',
    );
    this.#capacity = capacity;
    this.high = enlarged(this.high, new Uint32Array(capacity));
    this.low = enlarged(this.low, new Uint32Array(capacity));
    this.parent = enlarged(this.parent, new Int32Array(capacity));
    this.action = enlarged(this.action, new Uint16Array(capacity));
    this.forced = enlarged(this.forced, new Uint16Array(capacity));
    this.depth = enlarged(this.depth, new Uint32Array(capacity));
    this.spent = enlarged(this.spent, new Uint16Array(capacity));
    this.expanded = enlarged(this.expanded, new Uint8Array(capacity));
    if (slotsFor(capacity) !== this.#slots.length) this.#reindex(slotsFor(capacity));
    return true;
  }

  /** Twice the rows, or as many as the memory bound still allows. */
  #largerCapacity(): number {
    const free = this.#memory.limitBytes - this.#memory.usedBytes + bytesFor(this.#capacity);
    const doubled = this.#capacity * 2;
    if (bytesFor(doubled) <= free) return doubled;
    const withinSlots = Math.floor((this.#slots.length * 3) / 4);
    const withoutNewSlots = Math.min(Math.floor((free - this.#slots.length * 4) / bytesPerRow), withinSlots);
    const withNewSlots = Math.floor((free - slotsFor(doubled) * 4) / bytesPerRow);
    return Math.max(withoutNewSlots, withNewSlots);
  }

  #reindex(slotCount: number): void {
    const slots = new Int32Array(slotCount);
    const mask = slotCount - 1;
    for (let node = 0; node < this.length; node++) {
      let slot = (this.low[node] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = node + 1;
    }
    this.#slots = slots;
  }
}

/** The power of two that keeps the index at most three quarters full. */
function slotsFor(capacity: number): number {
  let slots = 1024;
  while (slots * 3 < capacity * 4) slots *= 2;
  return slots;
}

function bytesFor(capacity: number): number {
  return capacity * bytesPerRow + slotsFor(capacity) * 4;
}

function enlarged<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
