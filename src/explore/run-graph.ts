// The edges of an explored graph, kept only while a search checks `eventually`: whether a run can avoid a condition
// for ever is a question about paths and cycles, which a visited set alone cannot answer.

import type {Memory} from './memory.ts';

/** An edge that leads outside the boundary. */
export const outside = -1;
/** The key of an action that spends a budget. */
export const spending = -1;

const bytesPerEdge = 4 + 2 + 4;
const bytesPerNode = 4 + 4 + 4 + 4 + 1;

export class RunGraph {
  edges = 0;
  target = new Int32Array(1024);
  action = new Uint16Array(1024);
  /** The id of a free action's key, or `spending`. */
  key = new Int32Array(1024);
  /** The edges of node n are start[n] to end[n]; a node that was not expanded has none. */
  start = new Uint32Array(1024);
  end = new Uint32Array(1024);
  /** Bit p is set where the condition of the p-th `eventually` property does not hold. */
  misses = new Uint32Array(1024);
  /** Bit p is set where the p-th `eventually` property does not judge the run yet. */
  early = new Uint32Array(1024);
  quiescent = new Uint8Array(1024);
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Records a node; false if the memory bound leaves no room. */
  addNode(node: number): boolean {
    const capacity = this.misses.length;
    if (node >= capacity) {
      if (!this.#memory.reserve(capacity * bytesPerNode)) return false;
      this.start = doubled(this.start, new Uint32Array(capacity * 2));
      this.end = doubled(this.end, new Uint32Array(capacity * 2));
      this.misses = doubled(this.misses, new Uint32Array(capacity * 2));
      this.early = doubled(this.early, new Uint32Array(capacity * 2));
      this.quiescent = doubled(this.quiescent, new Uint8Array(capacity * 2));
    }
    return true;
  }

  /** The edges added from here to `close` are the node's. */
  open(node: number): void {
    this.start[node] = this.edges;
    this.end[node] = this.edges;
  }

  /** False if the memory bound leaves no room. */
  addEdge(target: number, action: number, key: number): boolean {
    const capacity = this.target.length;
    if (this.edges === capacity) {
      if (!this.#memory.reserve(capacity * bytesPerEdge)) return false;
      this.target = doubled(this.target, new Int32Array(capacity * 2));
      this.action = doubled(this.action, new Uint16Array(capacity * 2));
      this.key = doubled(this.key, new Int32Array(capacity * 2));
    }
    const edge = this.edges++;
    this.target[edge] = target;
    this.action[edge] = action;
    this.key[edge] = key;
    return true;
  }

  close(node: number, quiescent: boolean): void {
    this.end[node] = this.edges;
    this.quiescent[node] = quiescent ? 1 : 0;
  }
}

function doubled<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
