// Two-phase commit after Gray and Lamport, "Consensus on Transaction Commit" (2004), as stateright models it
// (stateright/stateright ab8c8be examples/2pc.rs, which publishes the state counts the tests pin), packed into 31 bits.
import type {Model} from '../../../src/explore/model.ts';
import {always, type Property, sometimes} from '../../../src/explore/property.ts';

type Step = 'commit' | 'abort' | 'receive-prepared' | 'prepare' | 'choose-abort' | 'receive-commit' | 'receive-abort';

export interface CommitAction {
  readonly step: Step;
  readonly manager: number;
}

/** Which states get one fingerprint: those that differ by a swap of managers, all of them (`full`) or many (`partial`). */
type Symmetry = 'none' | 'partial' | 'full';

const working = 0;
const prepared = 1;
const committed = 2;
const aborted = 3;

/** Bits: two per manager, one `prepared` per manager at the coordinator, one message per manager, then these. */
export class TwoPhaseCommit implements Model<number, CommitAction> {
  readonly #managers: number;
  readonly #actions: readonly CommitAction[];
  readonly #symmetry: Symmetry;

  /** `managers` at most 6. */
  constructor(managers: number, symmetry: Symmetry = 'none') {
    this.#managers = managers;
    this.#symmetry = symmetry;
    const perManager: readonly Step[] = [
      'receive-prepared',
      'prepare',
      'choose-abort',
      'receive-commit',
      'receive-abort',
    ];
    const all = Array.from({length: managers}, (_, manager) => perManager.map((step) => ({step, manager}))).flat();
    this.#actions = [{step: 'commit', manager: 0}, {step: 'abort', manager: 0}, ...all];
  }

  initial(): number {
    return 0;
  }

  actions(state: number): CommitAction[] {
    const enabled: CommitAction[] = [];
    for (const action of this.#actions) if (this.#isEnabled(state, action)) enabled.push(action);
    return enabled;
  }

  next(state: number, {step, manager}: CommitAction): number {
    switch (step) {
      case 'commit':
        return state | this.#bit('commit') | this.#bit('decided-commit');
      case 'abort':
        return state | this.#bit('abort') | this.#bit('decided-abort');
      case 'receive-prepared':
        return state | this.#known(manager);
      case 'prepare':
        return this.#with(state, manager, prepared) | this.#message(manager);
      case 'choose-abort':
      case 'receive-abort':
        return this.#with(state, manager, aborted);
      case 'receive-commit':
        return this.#with(state, manager, committed);
    }
  }

  fingerprint(state: number): number {
    return this.#symmetry === 'none' ? state : this.#representative(state);
  }

  key({step, manager}: CommitAction): string {
    return `${step} ${manager}`;
  }

  describe({step, manager}: CommitAction): string {
    return step === 'commit' || step === 'abort' ? `coordinator: ${step}` : `manager ${manager}: ${step}`;
  }

  managerStates(state: number): number[] {
    return Array.from({length: this.#managers}, (_, manager) => (state >> (2 * manager)) & 3);
  }

  #isEnabled(state: number, {step, manager}: CommitAction): boolean {
    const open = (state & (this.#bit('decided-commit') | this.#bit('decided-abort'))) === 0;
    switch (step) {
      case 'commit': {
        const all = ((1 << this.#managers) - 1) << (2 * this.#managers);
        return open && (state & all) === all;
      }
      case 'abort':
        return open;
      case 'receive-prepared':
        return open && (state & this.#message(manager)) !== 0;
      case 'prepare':
      case 'choose-abort':
        return ((state >> (2 * manager)) & 3) === working;
      case 'receive-commit':
        return (state & this.#bit('commit')) !== 0;
      case 'receive-abort':
        return (state & this.#bit('abort')) !== 0;
    }
  }

  #with(state: number, manager: number, value: number): number {
    return (state & ~(3 << (2 * manager))) | (value << (2 * manager));
  }

  #known(manager: number): number {
    return 1 << (2 * this.#managers + manager);
  }

  #message(manager: number): number {
    return 1 << (3 * this.#managers + manager);
  }

  #bit(name: 'commit' | 'abort' | 'decided-commit' | 'decided-abort'): number {
    return 1 << (4 * this.#managers + ['commit', 'abort', 'decided-commit', 'decided-abort'].indexOf(name));
  }

  /** The managers sorted by everything that is known of each, or, as stateright does, by their own state alone. */
  #representative(state: number): number {
    const rows: number[] = [];
    for (let manager = 0; manager < this.#managers; manager++) {
      const known = (state & this.#known(manager)) === 0 ? 0 : 1;
      const message = (state & this.#message(manager)) === 0 ? 0 : 1;
      rows.push((((state >> (2 * manager)) & 3) << 2) | (known << 1) | message);
    }
    rows.sort((a, b) => (this.#symmetry === 'full' ? a - b : (a >> 2) - (b >> 2)));
    let sorted = state & ~((1 << (4 * this.#managers)) - 1);
    rows.forEach((row, manager) => {
      sorted = this.#with(sorted, manager, row >> 2);
      if ((row & 2) !== 0) sorted |= this.#known(manager);
      if ((row & 1) !== 0) sorted |= this.#message(manager);
    });
    return sorted;
  }
}

export function agreementProperties(model: TwoPhaseCommit): Property<number>[] {
  return [
    sometimes('all abort', (state) => model.managerStates(state).every((manager) => manager === aborted)),
    sometimes('all commit', (state) => model.managerStates(state).every((manager) => manager === committed)),
    always('consistent', (state) => {
      const managers = model.managerStates(state);
      return !(managers.includes(aborted) && managers.includes(committed));
    }),
  ];
}
