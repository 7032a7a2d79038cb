// Decides whether some run avoids a condition for ever. A run is a path that cannot be extended by the system itself: it ends in a
// quiescent state, or it goes on for ever. An endless run counts only if it is fair: an action key that is enabled from some point
// on is taken again and again (weak fairness). Otherwise every controller that can retry for ever would be a counterexample for all
// others. Spending actions cannot be in a cycle, since budgets are finite.
//
// In a finite graph the fair endless runs that avoid the condition are those that stay in one strongly connected component of the
// states without it. A component has one exactly if each key that is enabled in all of its states is taken inside: then the walk
// through all of the component is fair; and if such a key is never taken inside, no part of the component takes it either. So on a
// completely explored graph the answer is exact, up to the boundary: runs that leave it are not judged.

import {outside, type RunGraph, spending} from './run-graph.ts';

export interface Run {
  /** Action indices from the initial state. */
  readonly path: readonly number[];
  /** Action indices that lead from there back to there; missing if the run ends. */
  readonly cycle?: readonly number[];
}

/** A run that never meets the condition of the `property`-th bit, ending as early as possible, or undefined. */
export function findRunWithout(graph: RunGraph, property: number): Run | undefined {
  const bit = 1 << property;
  const isMissing = (node: number): boolean => ((graph.misses[node] as number) & bit) !== 0;
  const isEarly = (node: number): boolean => ((graph.early[node] as number) & bit) !== 0;
  if (!isMissing(0) && !isEarly(0)) return undefined;
  // Once a state is not early, its successors are not. So a run goes through early states first, then through states without the
  // condition.
  const reach = reachable(graph, 0, (node) => isMissing(node) || isEarly(node));
  const judged = reach.order.filter(isMissing);
  const stuck = judged.find((node) => graph.quiescent[node] === 1);
  if (stuck !== undefined) return {path: actionsTo(graph, reach, stuck)};
  return findFairCycle(graph, reach, judged);
}

interface Reach {
  /** The nodes in breadth-first order. */
  readonly order: readonly number[];
  /** Per node the edge it was reached by and the node that edge leaves; -1 for the first node and what is not reached. */
  readonly byEdge: Int32Array;
  readonly byNode: Int32Array;
}

function reachable(graph: RunGraph, from: number, within: (node: number) => boolean): Reach {
  const order = [from];
  const byEdge = new Int32Array(graph.misses.length).fill(-1);
  const byNode = new Int32Array(graph.misses.length).fill(-1);
  for (let i = 0; i < order.length; i++) {
    const node = order[i] as number;
    for (let edge = graph.start[node] as number; edge < (graph.end[node] as number); edge++) {
      const target = graph.target[edge] as number;
      if (target === outside || target === from || byEdge[target] !== -1 || !within(target)) continue;
      byEdge[target] = edge;
      byNode[target] = node;
      order.push(target);
    }
  }
  return {order, byEdge, byNode};
}

function actionsTo(graph: RunGraph, reach: Reach, node: number): number[] {
  const actions: number[] = [];
  for (let at = node; reach.byEdge[at] !== -1; at = reach.byNode[at] as number) {
    actions.push(graph.action[reach.byEdge[at] as number] as number);
  }
  return actions.reverse();
}

function findFairCycle(graph: RunGraph, reach: Reach, judged: readonly number[]): Run | undefined {
  const componentOf = findComponents(graph, judged);
  const members = new Map<number, number[]>();
  for (const node of judged) {
    const component = componentOf[node] as number;
    const nodes = members.get(component);
    if (nodes === undefined) members.set(component, [node]);
    else nodes.push(node);
  }
  // The map keeps the order in which the components were met, so the first fair one is the nearest.
  for (const nodes of members.values()) {
    const component = new Component(graph, new Set(nodes));
    if (!component.isFair()) continue;
    const entry = nodes[0] as number;
    return {path: actionsTo(graph, reach, entry), cycle: component.fairCycle(entry)};
  }
  return undefined;
}

class Component {
  readonly #graph: RunGraph;
  readonly #nodes: ReadonlySet<number>;
  /** Per free key: in how many states it is enabled, and whether it is taken inside. */
  readonly #keys = new Map<number, {enabledIn: number; taken: boolean}>();

  constructor(graph: RunGraph, nodes: ReadonlySet<number>) {
    this.#graph = graph;
    this.#nodes = nodes;
    for (const node of nodes) {
      this.#forEachFreeEdge(node, (key, target) => {
        const entry = this.#keys.get(key) ?? {enabledIn: 0, taken: false};
        entry.enabledIn++;
        entry.taken ||= nodes.has(target);
        this.#keys.set(key, entry);
      });
    }
  }

  isFair(): boolean {
    const keys = [...this.#keys.values()];
    return keys.some((key) => key.taken) && keys.every((key) => key.taken || key.enabledIn < this.#nodes.size);
  }

  /** A walk from the node back to it that is fair to every key: it takes it, or passes a state where it is disabled. */
  fairCycle(entry: number): number[] {
    const actions: number[] = [];
    let at = entry;
    for (const [key, {taken}] of this.#keys) {
      const reach = reachable(this.#graph, at, (node) => this.#nodes.has(node));
      const goal = reach.order.find((node) => (taken ? this.#edgeInside(node, key) >= 0 : !this.#enables(node, key)));
      if (goal === undefined) continue;
      actions.push(...actionsTo(this.#graph, reach, goal));
      at = goal;
      if (!taken) continue;
      const edge = this.#edgeInside(goal, key);
      actions.push(this.#graph.action[edge] as number);
      at = this.#graph.target[edge] as number;
    }
    const home = reachable(this.#graph, at, (node) => this.#nodes.has(node));
    actions.push(...actionsTo(this.#graph, home, entry));
    return actions;
  }

  #edgeInside(node: number, key: number): number {
    const {start, end, target} = this.#graph;
    for (let edge = start[node] as number; edge < (end[node] as number); edge++) {
      if (this.#graph.key[edge] === key && this.#nodes.has(target[edge] as number)) return edge;
    }
    return -1;
  }

  #enables(node: number, key: number): boolean {
    let found = false;
    this.#forEachFreeEdge(node, (candidate) => {
      found ||= candidate === key;
    });
    return found;
  }

  #forEachFreeEdge(node: number, visit: (key: number, target: number) => void): void {
    for (let edge = this.#graph.start[node] as number; edge < (this.#graph.end[node] as number); edge++) {
      const key = this.#graph.key[edge] as number;
      if (key !== spending) visit(key, this.#graph.target[edge] as number);
    }
  }
}

// Strongly connected components by Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM J.
// Comput. 1972), without recursion: explored graphs are deeper than a call stack.

/** The component number of each of the nodes, in the graph of the edges between them; -1 for all other nodes. */
function findComponents(graph: RunGraph, nodes: readonly number[]): Int32Array {
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
