// The actions of one state while a search takes them, and what each spends. One instance serves all states, so that its
// arrays are made once.

import type {Budgets} from './budget.ts';
import {invariant} from './invariant.ts';
import type {Model} from './model.ts';

const actionsMax = 0x1_0000;

export class Expansion<S, A> {
  actions: readonly A[] = [];
  /** Per action the budget code after it, or -1 if its budget is used up. */
  readonly spentAfter: number[] = [];
  readonly #model: Model<S, A>;
  readonly #budgets: Budgets;
  readonly #costs: (string | undefined)[] = [];

  constructor(model: Model<S, A>, budgets: Budgets) {
    this.#model = model;
    this.#budgets = budgets;
  }

  start(state: S, spent: number): void {
    const actions = this.#model.actions(state);
    invariant(
      actions.length <= actionsMax,
      `cannot explore ${actions.length} actions of one state: at most ${actionsMax}`,
    );
    this.actions = actions;
    for (let i = 0; i < actions.length; i++) {
      const cost = this.#model.cost?.(actions[i] as A, state);
      this.#costs[i] = cost;
      this.spentAfter[i] = cost === undefined ? spent : this.#budgets.spend(spent, cost);
    }
  }

  isFree(index: number): boolean {
    return this.#costs[index] === undefined;
  }

  /** How many actions of a state the budgets allow. */
  enabledCount(state: S, actions: readonly A[], spent: number): number {
    let count = 0;
    for (const action of actions) {
      const cost = this.#model.cost?.(action, state);
      if (cost === undefined || this.#budgets.spend(spent, cost) >= 0) count++;
    }
    return count;
  }

  /** True if the budgets leave only the first action, and it is free. */
  isForced(state: S, actions: readonly A[], spent: number): boolean {
    const [first] = actions;
    if (first === undefined || this.#model.cost?.(first, state) !== undefined) return false;
    for (let index = 1; index < actions.length; index++) {
      const cost = this.#model.cost?.(actions[index] as A, state);
      if (cost === undefined || this.#budgets.spend(spent, cost) >= 0) return false;
    }
    return true;
  }
}
