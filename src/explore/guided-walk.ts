// Takes a list of wanted actions, by key, through a model that may have changed under them: what is wanted is taken
// where it is enabled, what lies between is filled in by a fair default schedule. This is what shrinking tries
// candidates with. Only wanted actions spend, so a run stays within the budgets of the path its keys are from.

import type {Model} from './model.ts';
import {Monitor} from './monitor.ts';
import type {Property} from './property.ts';

/**
 * The free actions before each wanted action:
 *   settle  until the state is quiescent;
 *   await   until the wanted one is enabled;
 *   skip    none; a wanted action that is not enabled is left out.
 * After the last one the free actions go on until quiescence in all three.
 */
export type Filling = 'settle' | 'await' | 'skip';

export interface GuidedRun {
  /** Action indices, up to the first state where the property shows. */
  readonly path: readonly number[];
  readonly keys: readonly string[];
  /** How many of the actions spend a budget. */
  readonly spendingSteps: number;
  readonly pending?: string;
}

export interface GuidedOptions {
  /** The most steps of one run. */
  readonly length: number;
}

/** The run up to where the property shows, or undefined if it does not show. */
export function walkGuided<S, A>(
  model: Model<S, A>,
  property: Property<S>,
  wanted: readonly string[],
  filling: Filling,
  options: GuidedOptions,
): GuidedRun | undefined {
  return new GuidedWalk(model, property, options).go(wanted, filling);
}

class GuidedWalk<S, A> {
  readonly #model: Model<S, A>;
  readonly #monitor: Monitor<S, A>;
  readonly #length: number;
  readonly #path: number[] = [];
  readonly #keys: string[] = [];
  /** When each key was last taken by default: the one that has waited longest goes next. */
  readonly #lastTaken = new Map<string, number>();
  #state: S;
  #actions: readonly A[];
  #spendingSteps = 0;
  #seen: GuidedRun | undefined;

  constructor(model: Model<S, A>, property: Property<S>, options: GuidedOptions) {
    this.#model = model;
    this.#monitor = new Monitor(model, property);
    this.#length = options.length;
    this.#state = model.initial();
    this.#actions = model.actions(this.#state);
  }

  go(wanted: readonly string[], filling: Filling): GuidedRun | undefined {
    this.#watch();
    for (const key of wanted) {
      if (filling === 'settle') while (!this.#ended() && this.#goOn()) {}
      if (filling === 'await') while (!this.#ended() && this.#indexOf(key) < 0 && this.#goOn()) {}
      if (this.#ended()) return this.#seen;
      const index = this.#indexOf(key);
      if (index >= 0) this.#take(index);
    }
    while (!this.#ended() && this.#goOn()) {}
    return this.#seen;
  }

  #ended(): boolean {
    return this.#seen !== undefined || this.#path.length >= this.#length;
  }

  #indexOf(key: string): number {
    return this.#actions.findIndex((action) => this.#model.key(action) === key);
  }

  /** Takes the free action that has waited longest and leaves the state; false if there is none. */
  #goOn(): boolean {
    const own = this.#model.fingerprint(this.#state);
    const waiting: {index: number; since: number}[] = [];
    for (const [index, action] of this.#actions.entries()) {
      if (this.#model.cost?.(action, this.#state) !== undefined) continue;
      waiting.push({index, since: this.#lastTaken.get(this.#model.key(action)) ?? -1});
    }
    waiting.sort((a, b) => a.since - b.since || a.index - b.index);
    for (const {index} of waiting) {
      const next = this.#model.next(this.#state, this.#actions[index] as A);
      if (this.#model.fingerprint(next) === own || this.#model.withinBoundary?.(next) === false) continue;
      this.#lastTaken.set(this.#model.key(this.#actions[index] as A), this.#path.length);
      this.#take(index, next);
      return true;
    }
    return false;
  }

  #take(index: number, known?: S): void {
    const action = this.#actions[index] as A;
    const next = known ?? this.#model.next(this.#state, action);
    if (this.#model.withinBoundary?.(next) === false) return;
    if (this.#model.cost?.(action, this.#state) !== undefined) this.#spendingSteps++;
    this.#path.push(index);
    this.#keys.push(this.#model.key(action));
    this.#state = next;
    this.#actions = this.#model.actions(next);
    this.#watch();
  }

  #watch(): void {
    const sighting = this.#monitor.enter(this.#state, this.#actions);
    if (sighting === undefined) return;
    const {pending} = sighting;
    this.#seen = {
      path: this.#path,
      keys: this.#keys,
      spendingSteps: this.#spendingSteps,
      ...(pending === undefined ? {} : {pending}),
    };
  }
}
