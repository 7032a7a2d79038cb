// The actions of one state while a search takes them: what each spends, which of them sleep, and what will sleep in
// each successor (sleep-set.ts). One instance serves all states, so that its arrays are made once.
import type {Budgets} from './budget.ts';
import {invariant} from './invariant.ts';
import type {Model} from './model.ts';
import type {SleepSets} from './sleep-set.ts';

const actionsMax = 0x1_0000;

export class Expansion<S, A> {
  actions: readonly A[] = [];
  /** Per action the budget code after it, or -1 if its budget is used up. */
  readonly spentAfter: number[] = [];
  anyAsleep = false;
  readonly #model: Model<S, A>;
  readonly #budgets: Budgets;
  readonly #sleepSets: SleepSets | undefined;
  readonly #costs: (string | undefined)[] = [];
  readonly #keyIds: number[] = [];
  /** Per action: asleep on arrival, or taken here already: what later siblings need not take again. */
  readonly #resting: boolean[] = [];
  #state: S | undefined;

  constructor(model: Model<S, A>, budgets: Budgets, sleepSets: SleepSets | undefined) {
    this.#model = model;
    this.#budgets = budgets;
    this.#sleepSets = sleepSets;
  }

  start(state: S, spent: number, sleep: number): void {
    const actions = this.#model.actions(state);
    invariant(
      actions.length <= actionsMax,
      `cannot explore ${actions.length} actions of one state: at most ${actionsMax}`,
    );
    this.actions = actions;
    this.#state = state;
    for (let i = 0; i < actions.length; i++) {
      const cost = this.#model.cost?.(actions[i] as A, state);
      this.#costs[i] = cost;
      this.spentAfter[i] = cost === undefined ? spent : this.#budgets.spend(spent, cost);
    }
    if (this.#sleepSets !== undefined) this.#putToSleep(this.#sleepSets, sleep);
  }

  isFree(index: number): boolean {
    return this.#costs[index] === undefined;
  }

  isAsleep(index: number): boolean {
    return this.anyAsleep && this.#resting[index] === true;
  }

  /** Later siblings leave this action to this branch. Not for actions that stay in the state or leave the boundary. */
  taken(index: number): void {
    if (this.#sleepSets !== undefined) this.#resting[index] = true;
  }

  /** The sleep set of the successor by the action: what rests here and is independent of the action. */
  sleepAfter(index: number): number {
    if (this.#sleepSets === undefined) return 0;
    const sleeping: number[] = [];
    for (let i = 0; i < this.actions.length; i++) {
      if (this.#resting[i] && this.#independent(i, index)) sleeping.push(this.#keyIds[i] as number);
    }
    return this.#sleepSets.of(sleeping);
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

  #putToSleep(sleepSets: SleepSets, sleep: number): void {
    const members = sleepSets.members(sleep);
    let found = 0;
    for (let i = 0; i < this.actions.length; i++) {
      const keyId = sleepSets.keyId(this.#model.key(this.actions[i] as A));
      this.#keyIds[i] = keyId;
      // An action whose budget is used up has nothing to rest from; a smaller sleep set is always sound.
      const asleep = members.length > 0 && members.includes(keyId) && (this.spentAfter[i] as number) >= 0;
      this.#resting[i] = asleep;
      if (asleep) found++;
    }
    this.anyAsleep = found > 0;
    if (found === members.length) return;
    const enabled = new Set(this.#keyIds.slice(0, this.actions.length));
    const lost = members.find((member) => !enabled.has(member));
    invariant(
      lost === undefined,
      `the model's \`independent\` is wrong: action "${lost === undefined ? '' : sleepSets.keyOf(lost)}" ` +
        'was called independent of actions that disabled it',
    );
  }

  #independent(resting: number, taken: number): boolean {
    const state = this.#state as S;
    return this.#model.independent?.(state, this.actions[resting] as A, this.actions[taken] as A) ?? false;
  }
}
