// Strongly connected components by Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM J.
// Comput. 1972), without recursion: explored graphs are deeper than a call stack.

import type {RunGraph} from './run-graph.ts';

/** The component number of each of the nodes, in the graph of the edges between them; -1 for all other nodes. */
export function findComponents(graph: RunGraph, nodes: readonly number[]): Int32Array {
  return new Tarjan(graph, nodes).run();
}

const unseen = -1;
const notOurs = -2;

class Tarjan {
  readonly #graph: RunGraph;
  readonly #nodes: readonly number[];
  readonly #component: Int32Array;
  /** The order in which a node was entered, or `unseen`, or `notOurs`. */
  readonly #index: Int32Array;
  readonly #low: Int32Array;
  readonly #nextEdge: Uint32Array;
  /** Entered nodes whose component is not known yet, and the path to the node that is looked at. */
  readonly #open: number[] = [];
  readonly #path: number[] = [];
  #entered = 0;
  #components = 0;

  constructor(graph: RunGraph, nodes: readonly number[]) {
    const count = graph.misses.length;
    this.#graph = graph;
    this.#nodes = nodes;
    this.#component = new Int32Array(count).fill(-1);
    this.#index = new Int32Array(count).fill(notOurs);
    this.#low = new Int32Array(count);
    this.#nextEdge = new Uint32Array(count);
    for (const node of nodes) this.#index[node] = unseen;
  }

  run(): Int32Array {
    for (const root of this.#nodes) {
      if (this.#index[root] !== unseen) continue;
      this.#enter(root);
      for (let node = this.#path.at(-1); node !== undefined; node = this.#path.at(-1)) {
        const edge = this.#nextEdge[node] as number;
        if (edge === (this.#graph.end[node] as number)) {
          this.#leave(node);
        } else {
          this.#nextEdge[node] = edge + 1;
          this.#follow(node, this.#graph.target[edge] as number);
        }
      }
    }
    return this.#component;
  }

  #enter(node: number): void {
    this.#index[node] = this.#entered;
    this.#low[node] = this.#entered++;
    this.#nextEdge[node] = this.#graph.start[node] as number;
    this.#open.push(node);
    this.#path.push(node);
  }

  /** An edge outside the boundary has target -1, which no array has. */
  #follow(node: number, target: number): void {
    const index = this.#index[target] ?? notOurs;
    if (index === unseen) this.#enter(target);
    else if (index >= 0 && this.#component[target] === -1) this.#lower(node, index);
  }

  #leave(node: number): void {
    this.#path.pop();
    const parent = this.#path.at(-1);
    if (parent !== undefined) this.#lower(parent, this.#low[node] as number);
    if (this.#low[node] !== this.#index[node]) return;
    for (let member = this.#open.pop(); member !== undefined; member = this.#open.pop()) {
      this.#component[member] = this.#components;
      if (member === node) break;
    }
    this.#components++;
  }

  #lower(node: number, low: number): void {
    this.#low[node] = Math.min(this.#low[node] as number, low);
  }
}
