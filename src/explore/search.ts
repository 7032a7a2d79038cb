// Exhaustive search within bounds. Visits every reachable state once, in the chosen order, and checks the properties on the way.
// States beyond the bounds are reported, and an unfinished search never counts as a pass (result.ts).
//
// Its soundness rests on fingerprints that distinguish states (state-key.ts), covering by budgets (budget.ts), forced steps that
// are taken at once (below), and runs (liveness.ts). A depth bound needs the least depth of each node: breadth and cheapest order
// find it first; in depth order a node that is met again at a lesser depth is opened again.

import {Budgets} from './budget.ts';
import {Expansion} from './expansion.ts';
import {type Frontier, LevelFrontier, StackFrontier} from './frontier.ts';
import {invariant} from './invariant.ts';
import {Memory} from './memory.ts';
import type {Model} from './model.ts';
import {ModelFailure} from './model-failure.ts';
import {isQuiescent} from './monitor.ts';
import {NodeTable} from './node-table.ts';
import {type CheckedOptions, checkOptions, type SearchOptions} from './options.ts';
import type {Property} from './property.ts';
import {PropertyChecks} from './property-checks.ts';
import {type Cut, type Incompleteness, outcomeOf, type SearchResult} from './result.ts';
import {outside, RunGraph, spending} from './run-graph.ts';
import {StateKey} from './state-key.ts';

/**
 * Explores the model within the bounds of the options. Deterministic: the same arguments give the same result.
 * Throws `ModelFailure`, with the path, when a function of the model throws, and an Error for unusable options.
 */
export function search<S, A>(
  model: Model<S, A>,
  properties: readonly Property<S>[],
  options: SearchOptions = {},
): SearchResult {
  return new Search(model, properties, checkOptions(properties, options)).run();
}

const expandedBit = 1;
const cutBit = 2;
const quiescentBit = 4;
/** Of the states where only one step is left, one in so many is kept. */
const keptOfForced = 4;
/** After so many the state is kept, so that a circle in which nothing else can happen ends. */
const forcedMax = 256;
/** The bits in a node's `expanded` column once nothing more needs to be done for it. */
const closedBits = expandedBit | cutBit;

class Search<S, A> {
  readonly #model: Model<S, A>;
  readonly #options: CheckedOptions;
  readonly #checks: PropertyChecks<S>;
  readonly #budgets: Budgets;
  readonly #table: NodeTable;
  readonly #graph: RunGraph | undefined;
  readonly #merges: boolean;
  readonly #keyIds = new Map<string, number>();
  readonly #expansion: Expansion<S, A>;
  readonly #key = new StateKey();
  readonly #ownKey = new StateKey();
  readonly #incomplete = new Set<Incompleteness>();
  readonly #matches: (node: number) => boolean;
  #frontier: Frontier<S>;
  #arrivalSpent = 0;
  #arrivalDepth = 0;
  #arrivalForced = 0;
  #halted = false;
  #transitions = 0;
  #quiescentStates = 0;
  #beyondBoundary = 0;
  #depth = 0;
  #sharedStates = 0;
  #cut = 0;

  constructor(model: Model<S, A>, properties: readonly Property<S>[], options: CheckedOptions) {
    this.#model = model;
    this.#options = options;
    this.#checks = new PropertyChecks(properties);
    this.#budgets = new Budgets(options.budgets);
    const memory = new Memory(options.limits.memoryBytes);
    this.#table = new NodeTable(memory);
    const needsRuns = properties.some((property) => property.expectation === 'eventually');
    this.#graph = needsRuns ? new RunGraph(memory) : undefined;
    this.#expansion = new Expansion(model, this.#budgets);
    this.#merges = options.mergeForced && !needsRuns;
    this.#frontier = new LevelFrontier(options.limits.heldStates);
    // A run may not jump to a covering node, which it never came through: runs need each node by itself.
    this.#matches = needsRuns ? (node) => this.#table.spent[node] === this.#arrivalSpent : (node) => this.#covers(node);
  }

  run(): SearchResult {
    this.#visitInitial();
    if (this.#options.shard !== undefined) this.#explorePrefix(this.#options.shard.cut);
    else this.#frontier = this.#retargeted([]);
    while (!this.#halted) {
      const node = this.#frontier.pop();
      if (node < 0) break;
      this.#open(node, this.#frontier.state);
    }
    if (this.#cut > 0) this.#incomplete.add('depth');
    return this.#result();
  }

  #visitInitial(): void {
    const state = this.#guarded(-1, () => this.#model.initial());
    this.#guarded(-1, () => this.#key.set(this.#model.fingerprint(state)));
    this.#table.find(this.#key, this.#matches);
    this.#guarded(-1, () => this.#discover(state, 0, 0, -1, 0));
  }

  /** All states before the cut, and of those behind it only this shard's for the rest of the search. */
  #explorePrefix(cut: Cut): void {
    const own: {node: number; state: S | undefined}[] = [];
    while (!this.#halted) {
      const node = this.#frontier.pop();
      if (node < 0) break;
      const state = this.#frontier.state;
      if (!this.#isBehind(cut, node)) {
        this.#sharedStates++;
        this.#open(node, state);
      } else if (this.#isOwn(node)) own.push({node, state});
    }
    this.#frontier = this.#retargeted(own);
    this.#incomplete.add('shard');
  }

  #isBehind(cut: Cut, node: number): boolean {
    if (cut.kind === 'depth') return (this.#table.depth[node] as number) >= cut.depth;
    return this.#budgets.totalOf(this.#table.spent[node] as number, cut.kinds) >= cut.units;
  }

  /** A frontier in the order of the search, with what waits: the nodes given, or those of the frontier so far. */
  #retargeted(own: readonly {node: number; state: S | undefined}[]): Frontier<S> {
    const {order, limits} = this.#options;
    const frontier =
      order === 'depth' ? new StackFrontier<S>(limits.heldStates) : new LevelFrontier<S>(limits.heldStates);
    for (let node = this.#frontier.pop(); node >= 0; node = this.#frontier.pop()) {
      this.#pushTo(frontier, node, this.#frontier.state ?? this.#rebuild(node));
    }
    for (const {node, state} of own) this.#pushTo(frontier, node, state ?? this.#rebuild(node));
    return frontier;
  }

  #isOwn(node: number): boolean {
    const {shard} = this.#options;
    return shard === undefined || (this.#table.high[node] as number) % shard.count === shard.index;
  }

  #open(node: number, held: S | undefined): void {
    if (((this.#table.expanded[node] as number) & closedBits) !== 0) return;
    this.#guarded(node, () => {
      const state = held ?? this.#rebuild(node);
      if (this.#options.order === 'cheapest') this.#check(node, state);
      if (this.#halted) return;
      if ((this.#table.depth[node] as number) >= this.#options.limits.depth) this.#cutOff(node, state);
      else this.#expand(node, state);
    });
  }

  /** At the depth bound: the state is checked, what follows it is not explored. */
  #cutOff(node: number, state: S): void {
    const actions = this.#model.actions(state);
    const quiescent = isQuiescent(this.#model, state, actions);
    if (quiescent) this.#settle(node, state);
    this.#graph?.open(node);
    this.#graph?.close(node, quiescent);
    if (this.#expansion.enabledCount(state, actions, this.#table.spent[node] as number) === 0) {
      this.#mark(node, expandedBit);
    } else {
      this.#mark(node, cutBit);
      this.#cut++;
    }
  }

  #expand(node: number, state: S): void {
    this.#mark(node, expandedBit);
    const model = this.#model;
    const table = this.#table;
    const expansion = this.#expansion;
    const depth = (table.depth[node] as number) + 1;
    const spent = table.spent[node] as number;
    this.#ownKey.high = table.high[node] as number;
    this.#ownKey.low = table.low[node] as number;
    this.#graph?.open(node);
    expansion.start(state, spent);
    let moved = false;
    for (let index = 0; index < expansion.actions.length; index++) {
      const spentAfter = expansion.spentAfter[index] as number;
      if (spentAfter < 0) continue;
      if (this.#transitions >= this.#options.limits.transitions) {
        this.#halt('transitions');
        return;
      }
      const free = expansion.isFree(index);
      const successor = model.next(state, expansion.actions[index] as A);
      if (model.withinBoundary !== undefined && !model.withinBoundary(successor)) {
        this.#beyondBoundary++;
        moved ||= free;
        this.#addEdge(outside, index, free);
        continue;
      }
      this.#countTransition();
      this.#key.set(model.fingerprint(successor));
      const loops = this.#key.low === this.#ownKey.low && this.#key.high === this.#ownKey.high;
      if (loops && spentAfter === spent) {
        this.#addEdge(node, index, free);
        if (this.#halted) return;
        continue;
      }
      moved ||= free && !loops;
      const target = this.#merges
        ? this.#arriveBehindForced(successor, spentAfter, depth, node, index)
        : this.#arrive(successor, spentAfter, depth, node, index);
      this.#addEdge(target, index, free);
      if (this.#halted) return;
    }
    if (!moved) this.#settle(node, state);
    this.#graph?.close(node, !moved);
  }

  /**
   * If the budgets leave only one step, and it is free, takes the step at once and does not keep the state: it is checked, and its
   * successors are those of the next state. It is kept after all in four cases: a property shows in it, so that it has a path and
   * its turn; its step leaves the bounds; it joins paths; or its fingerprint is one in `keptOfForced`, so that paths meet again and
   * circles end. A known state ends the walk, too. If there is no other action with any budget, no fingerprint is computed.
   */
  #arriveBehindForced(arrived: S, spent: number, depth: number, parent: number, action: number): number {
    const {limits} = this.#options;
    let state = arrived;
    let forced = 0;
    let hasKey = true;
    while (forced < forcedMax && depth + forced < limits.depth && this.#transitions < limits.transitions) {
      if (this.#model.joins?.(state) === true) break;
      const actions = this.#model.actions(state);
      if (!this.#expansion.isForced(state, actions, spent)) break;
      if (actions.length > 1) {
        if (!hasKey) this.#key.set(this.#model.fingerprint(state));
        hasKey = true;
        if (this.#key.low % keptOfForced === 0 || this.#isKnown(spent, depth + forced)) break;
      }
      const next = this.#model.next(state, actions[0] as A);
      if (this.#model.withinBoundary?.(next) === false || !this.#checks.showsNothing(state)) break;
      this.#countTransition();
      if (this.#halted) break;
      state = next;
      hasKey = false;
      forced++;
    }
    if (!hasKey) this.#key.set(this.#model.fingerprint(state));
    this.#arrivalForced = forced;
    return this.#arrive(state, spent, depth + forced, parent, action);
  }

  #isKnown(spent: number, depth: number): boolean {
    this.#arrivalSpent = spent;
    this.#arrivalDepth = depth;
    return this.#table.find(this.#key, this.#matches) >= 0;
  }

  #settle(node: number, state: S): void {
    if (((this.#table.expanded[node] as number) & quiescentBit) !== 0) return;
    this.#mark(node, quiescentBit);
    this.#quiescentStates++;
    this.#checks.settle(node, state);
    this.#stopOnFailure();
  }

  /** The node that stands for the state arrived at: found, or new; -1 if there is no room for a new one. */
  #arrive(state: S, spent: number, depth: number, parent: number, action: number): number {
    this.#arrivalSpent = spent;
    this.#arrivalDepth = depth;
    const known = this.#table.find(this.#key, this.#matches);
    if (known < 0) return this.#discover(state, spent, depth, parent, action);
    if (this.#options.order === 'depth') this.#revisit(known, state, depth, parent, action);
    else this.#meet(known, state, spent, depth, parent, action);
    return known;
  }

  #discover(state: S, spent: number, depth: number, parent: number, action: number): number {
    if (this.#table.length >= this.#options.limits.states) return this.#halt('states');
    const node = this.#table.add(this.#key, spent, parent, action, depth);
    if (node < 0) return this.#halt('memory');
    this.#table.forced[node] = this.#arrivalForced;
    if (depth > this.#depth) this.#depth = depth;
    if (this.#graph?.addNode(node) === false) return this.#halt('memory');
    // In cheapest order a node may be found before a cheaper one that fails, so it is checked only when its turn comes.
    if (this.#options.order !== 'cheapest') this.#check(node, state);
    this.#pushTo(this.#frontier, node, state);
    return node;
  }

  #check(node: number, state: S): void {
    const misses = this.#checks.enter(node, state);
    if (this.#graph !== undefined) {
      this.#graph.misses[node] = misses;
      this.#graph.early[node] = this.#checks.early;
    }
    this.#stopOnFailure();
  }

  /** Depth order: the node is opened again if it is nearer than a depth bound knew. */
  #revisit(node: number, state: S, depth: number, parent: number, action: number): void {
    const table = this.#table;
    const nearer = depth < (table.depth[node] as number) && this.#options.limits.depth !== Number.POSITIVE_INFINITY;
    if (!nearer) return;
    table.depth[node] = depth;
    table.parent[node] = parent;
    table.action[node] = action;
    table.forced[node] = this.#arrivalForced;
    const status = table.expanded[node] as number;
    if ((status & closedBits) === 0) return;
    if ((status & cutBit) !== 0) this.#cut--;
    table.expanded[node] = status & ~closedBits;
    this.#pushTo(this.#frontier, node, state);
  }

  /** Breadth and cheapest order: only arrivals at the node's least distance matter, and they come before it is opened. */
  #meet(node: number, state: S, spent: number, depth: number, parent: number, action: number): void {
    const table = this.#table;
    if (((table.expanded[node] as number) & closedBits) !== 0) return;
    if (depth >= (table.depth[node] as number) || table.spent[node] !== spent) return;
    table.depth[node] = depth;
    table.parent[node] = parent;
    table.action[node] = action;
    table.forced[node] = this.#arrivalForced;
    this.#pushTo(this.#frontier, node, state);
  }

  #covers(node: number): boolean {
    const spent = this.#table.spent[node] as number;
    if (spent === this.#arrivalSpent) return true;
    const nearEnough =
      this.#options.limits.depth === Number.POSITIVE_INFINITY ||
      (this.#table.depth[node] as number) <= this.#arrivalDepth;
    return nearEnough && this.#budgets.covers(spent, this.#arrivalSpent);
  }

  #pushTo(frontier: Frontier<S>, node: number, state: S): void {
    const cost = this.#options.order === 'cheapest' ? this.#budgets.total(this.#table.spent[node] as number) : 0;
    frontier.push(node, state, cost, this.#table.depth[node] as number);
  }

  /** The state of a node that was not held, by taking its path again. */
  #rebuild(node: number): S {
    let state = this.#model.initial();
    for (const index of this.#table.path(node)) {
      const action = this.#model.actions(state)[index];
      invariant(action !== undefined, `cannot rebuild a state: its path names action ${index}, which is not enabled`);
      state = this.#model.next(state, action);
    }
    return state;
  }

  #addEdge(target: number, action: number, free: boolean): void {
    if (this.#graph === undefined) return;
    const key = free ? this.#keyId(this.#model.key(this.#expansion.actions[action] as A)) : spending;
    if (!this.#graph.addEdge(target, action, key)) this.#halt('memory');
  }

  #keyId(key: string): number {
    const id = this.#keyIds.get(key) ?? this.#keyIds.size;
    this.#keyIds.set(key, id);
    return id;
  }

  #countTransition(): void {
    this.#transitions++;
    const {onProgress, progressEvery} = this.#options;
    if (onProgress === undefined || this.#transitions % progressEvery !== 0) return;
    const verdict = onProgress({
      uniqueStates: this.#table.length,
      transitions: this.#transitions,
      depth: this.#depth,
      frontier: this.#frontier.size,
    });
    if (verdict === 'stop') this.#halt('stopped');
  }

  #stopOnFailure(): void {
    if (this.#checks.failed && this.#options.stopAtFailure) this.#halt('failure-found');
  }

  #halt(reason: Incompleteness): -1 {
    this.#incomplete.add(reason);
    this.#halted = true;
    return -1;
  }

  #mark(node: number, bit: number): void {
    this.#table.expanded[node] = (this.#table.expanded[node] as number) | bit;
  }

  #guarded<T>(node: number, act: () => T): T {
    try {
      return act();
    } catch (cause) {
      throw new ModelFailure(node < 0 ? [] : this.#table.path(node), cause);
    }
  }

  #result(): SearchResult {
    const outcome = outcomeOf(this.#incomplete);
    return {
      outcome,
      properties: this.#checks.reports((node) => this.#table.path(node), this.#graph, outcome.kind === 'complete'),
      uniqueStates: this.#table.length,
      transitions: this.#transitions,
      quiescentStates: this.#quiescentStates,
      beyondBoundary: this.#beyondBoundary,
      depth: this.#depth,
      frontier: this.#frontier.size,
      ...(this.#options.shard === undefined ? {} : {shard: {...this.#options.shard, sharedStates: this.#sharedStates}}),
    };
  }
}
