// The nodes that wait to be expanded, with their states. At most `heldStates` states are held at a time; of a node
// beyond that only the number is kept, and the search rebuilds the state from the path.

export interface Frontier<S> {
  readonly size: number;
  /** `rank` orders the queue: a node of lower rank is taken first, at equal rank the earlier one. */
  push(node: number, state: S, cost: number, depth: number): void;
  /** The next node, or -1; its state is then in `state`, or undefined if it was not held. */
  pop(): number;
  state: S | undefined;
}

/** Least cost first, then least depth, then first come. With all costs 0 this is breadth-first search. */
export class LevelFrontier<S> implements Frontier<S> {
  size = 0;
  state: S | undefined;
  #held = 0;
  readonly #heldMax: number;
  readonly #levels: Level<S>[][] = [];
  #cost = 0;
  #depth = 0;

  constructor(heldStates: number) {
    this.#heldMax = heldStates;
  }

  push(node: number, state: S, cost: number, depth: number): void {
    while (this.#levels.length <= cost) this.#levels.push([]);
    const levels = this.#levels[cost] as Level<S>[];
    while (levels.length <= depth) levels.push(emptyLevel());
    const level = levels[depth] as Level<S>;
    const hold = this.#held < this.#heldMax;
    if (hold) this.#held++;
    level.nodes.push(node);
    level.states.push(hold ? state : undefined);
    this.size++;
  }

  pop(): number {
    if (this.size === 0) return -1;
    for (;;) {
      const levels = this.#levels[this.#cost] as Level<S>[];
      const level = levels[this.#depth];
      if (level === undefined) {
        this.#cost++;
        this.#depth = 0;
      } else if (level.head === level.nodes.length) {
        // A spent level is dropped, so that its arrays do not stay in memory.
        levels[this.#depth] = emptyLevel();
        this.#depth++;
      } else {
        return this.#take(level);
      }
    }
  }

  #take(level: Level<S>): number {
    const head = level.head++;
    this.state = level.states[head];
    if (this.state !== undefined) this.#held--;
    level.states[head] = undefined;
    this.size--;
    return level.nodes[head] as number;
  }
}

/** Last in, first out: depth-first search. */
export class StackFrontier<S> implements Frontier<S> {
  state: S | undefined;
  #held = 0;
  readonly #heldMax: number;
  readonly #nodes: number[] = [];
  readonly #states: (S | undefined)[] = [];

  constructor(heldStates: number) {
    this.#heldMax = heldStates;
  }

  get size(): number {
    return this.#nodes.length;
  }

  push(node: number, state: S): void {
    const hold = this.#held < this.#heldMax;
    if (hold) this.#held++;
    this.#nodes.push(node);
    this.#states.push(hold ? state : undefined);
  }

  pop(): number {
    const node = this.#nodes.pop();
    if (node === undefined) return -1;
    this.state = this.#states.pop();
    if (this.state !== undefined) this.#held--;
    return node;
  }
}

interface Level<S> {
  readonly nodes: number[];
  readonly states: (S | undefined)[];
  head: number;
}

function emptyLevel<S>(): Level<S> {
  return {nodes: [], states: [], head: 0};
}
