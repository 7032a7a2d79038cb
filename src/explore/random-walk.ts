// Random walks for the space beyond an exhaustive search. Each walk is a swarm member of its own (A. Groce et al., "Swarm Testing",
// ISSTA 2012): it draws which actions it prefers, which it leaves out, and how often it spends a budget, because an average over
// all choices almost never does one thing five times in a row.
//
// Walk n of a seed is the same in every process, so walks can be split over processes and taken again one by one. A walk ends where
// nothing is enabled, at its length, or when every failure it could find is found.

import {Budgets} from './budget.ts';
import type {Model} from './model.ts';
import {ModelFailure} from './model-failure.ts';
import {Monitor} from './monitor.ts';
import {Prng} from './prng.ts';
import type {Property} from './property.ts';
import {type Discovery, outcomeOf, type ProgressListener, type PropertyReport, type Verdict} from './result.ts';

export interface WalkOptions {
  readonly seed: bigint;
  readonly walks: number;
  /** The most steps of a walk. */
  readonly length: number;
  /** The number of the first walk; default 0. */
  readonly firstWalk?: number;
  readonly budgets?: Readonly<Record<string, number>>;
  readonly until?: 'first-failure' | 'exhausted';
  /** Called after every walk, with transitions for states: walks do not know which states are new. */
  readonly onProgress?: ProgressListener;
}

export interface WalkResult {
  readonly outcome: ReturnType<typeof outcomeOf>;
  readonly properties: readonly PropertyReport[];
  readonly walks: number;
  readonly transitions: number;
  /** The longest walk, in steps. */
  readonly depth: number;
}

/** Walks at random within the budgets. The same options give the same walks. */
export function walkAtRandom<S, A>(
  model: Model<S, A>,
  properties: readonly Property<S>[],
  options: WalkOptions,
): WalkResult {
  const budgets = new Budgets(options.budgets ?? {});
  const found = new Map<string, Discovery>();
  const totals = {walks: 0, transitions: 0, depth: 0, states: 0};
  const first = options.firstWalk ?? 0;
  for (let number = first; number < first + options.walks; number++) {
    const open = properties.filter((property) => !found.has(property.name));
    const walk = new Walk(model, open, budgets, Prng.seeded(options.seed, number));
    walk.go(options.length);
    for (const [name, discovery] of walk.found) found.set(name, discovery);
    totals.walks++;
    totals.transitions += walk.path.length;
    totals.states += walk.path.length + 1;
    totals.depth = Math.max(totals.depth, walk.path.length);
    if (isDone(properties, found, options)) break;
    const progress = {uniqueStates: totals.states, transitions: totals.transitions, depth: totals.depth, frontier: 0};
    if (options.onProgress?.(progress) === 'stop') break;
  }
  return {
    outcome: outcomeOf(['random']),
    properties: properties.map((property) => report(property, found.get(property.name), totals.states)),
    walks: totals.walks,
    transitions: totals.transitions,
    depth: totals.depth,
  };
}

class Walk<S, A> {
  readonly path: number[] = [];
  readonly found = new Map<string, Discovery>();
  readonly #model: Model<S, A>;
  readonly #budgets: Budgets;
  readonly #preference: Preference<S, A>;
  #monitors: readonly Monitor<S, A>[];
  #spent = 0;

  constructor(model: Model<S, A>, properties: readonly Property<S>[], budgets: Budgets, prng: Prng) {
    this.#model = model;
    this.#budgets = budgets;
    this.#preference = new Preference(model, prng);
    this.#monitors = properties.map((property) => new Monitor(model, property));
  }

  go(length: number): void {
    try {
      let state: S | undefined = this.#model.initial();
      while (state !== undefined) {
        const actions = this.#model.actions(state);
        this.#watch(state, actions);
        if (this.path.length >= length || this.#monitors.length === 0) return;
        state = this.#step(state, actions);
      }
    } catch (cause) {
      throw new ModelFailure(this.path, cause);
    }
  }

  #watch(state: S, actions: readonly A[]): void {
    for (const monitor of this.#monitors) {
      const sighting = monitor.enter(state, actions);
      if (sighting === undefined) continue;
      const {pending} = sighting;
      this.found.set(monitor.property.name, {path: [...this.path], ...(pending === undefined ? {} : {pending})});
      this.#monitors = this.#monitors.filter((other) => other !== monitor);
    }
  }

  /** The state after a chosen action, or undefined if none is left that stays within budgets and boundary. */
  #step(state: S, actions: readonly A[]): S | undefined {
    const free: number[] = [];
    const spending: number[] = [];
    for (let index = 0; index < actions.length; index++) {
      const cost = this.#model.cost?.(actions[index] as A, state);
      if (cost === undefined) free.push(index);
      else if (this.#budgets.spend(this.#spent, cost) >= 0) spending.push(index);
    }
    let candidates = this.#preference.wantsToSpend() ? [spending, free] : [free, spending];
    candidates = candidates.filter((indices) => indices.length > 0);
    for (const indices of candidates) {
      while (indices.length > 0) {
        const position = this.#preference.choose(state, actions, indices);
        const index = indices[position] as number;
        const action = actions[index] as A;
        const next = this.#model.next(state, action);
        if (this.#model.withinBoundary?.(next) === false) {
          indices.splice(position, 1);
          continue;
        }
        const cost = this.#model.cost?.(action, state);
        if (cost !== undefined) this.#spent = this.#budgets.spend(this.#spent, cost);
        this.path.push(index);
        return next;
      }
    }
    return undefined;
  }
}

const spendChances = [1 / 2, 1 / 8, 1 / 32, 1 / 128];
const factors = [0, 1, 1, 4, 16];

/** The preferences of one walk. */
class Preference<S, A> {
  readonly #model: Model<S, A>;
  readonly #prng: Prng;
  readonly #spendChance: number;
  readonly #factors = new Map<string, number>();

  constructor(model: Model<S, A>, prng: Prng) {
    this.#model = model;
    this.#prng = prng;
    this.#spendChance = spendChances[prng.below(spendChances.length)] as number;
  }

  wantsToSpend(): boolean {
    return this.#prng.fraction() < this.#spendChance;
  }

  /** A position in `indices`, each as likely as its action's weight; if this walk wants none of them, any. */
  choose(state: S, actions: readonly A[], indices: readonly number[]): number {
    let total = 0;
    const weights = indices.map((index) => {
      const weight = this.#weight(actions[index] as A, state);
      total += weight;
      return weight;
    });
    if (total === 0) return this.#prng.below(indices.length);
    let left = this.#prng.fraction() * total;
    for (const [position, weight] of weights.entries()) {
      left -= weight;
      if (left < 0) return position;
    }
    return weights.findLastIndex((weight) => weight > 0);
  }

  /** Spending actions of one kind share their factor, so that a walk can leave a kind of fault out. */
  #weight(action: A, state: S): number {
    const name = this.#model.cost?.(action, state) ?? this.#model.key(action);
    let factor = this.#factors.get(name);
    if (factor === undefined) {
      factor = factors[this.#prng.below(factors.length)] as number;
      this.#factors.set(name, factor);
    }
    return factor * (this.#model.weight?.(action) ?? 1);
  }
}

function isDone<S>(
  properties: readonly Property<S>[],
  found: ReadonlyMap<string, Discovery>,
  options: WalkOptions,
): boolean {
  if (found.size === properties.length) return true;
  if ((options.until ?? 'first-failure') === 'exhausted') return false;
  return properties.some(({name, expectation}) => expectation !== 'sometimes' && found.has(name));
}

function report<S>(property: Property<S>, discovery: Discovery | undefined, statesChecked: number): PropertyReport {
  const {name, expectation} = property;
  const seen: Verdict = expectation === 'sometimes' ? 'holds' : 'fails';
  if (discovery === undefined) return {name, expectation, verdict: 'unknown', statesChecked};
  return {name, expectation, verdict: seen, discovery, statesChecked};
}
