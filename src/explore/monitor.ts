// Watches one property along one path, for random walks and shrinking, where no visited set exists.

import type {Model} from './model.ts';
import type {Property} from './property.ts';

/** Where on a path a property showed (result.ts, Discovery, without the path). */
export type Sighting = {readonly kind: 'seen'; readonly pending?: string} | undefined;

export class Monitor<S, A> {
  readonly property: Property<S>;
  readonly #model: Model<S, A>;
  #held = false;

  constructor(model: Model<S, A>, property: Property<S>) {
    this.#model = model;
    this.property = property;
  }

  /**
   * For each state of the path in turn: whether the property shows here. An `eventually` shows only where the path ends
   * in a quiescent state; that endless runs avoid it cannot be seen from one path.
   */
  enter(state: S, actions: readonly A[]): Sighting {
    const {property} = this;
    switch (property.expectation) {
      case 'always':
        return property.condition(state) ? undefined : {kind: 'seen'};
      case 'sometimes':
        return property.condition(state) ? {kind: 'seen'} : undefined;
      case 'eventually':
        if (property.since?.(state) === false) return undefined;
        this.#held ||= property.condition(state);
        return !this.#held && isQuiescent(this.#model, state, actions) ? {kind: 'seen'} : undefined;
      case 'converges': {
        const pending = property.pending(state);
        if (pending === undefined || !isQuiescent(this.#model, state, actions)) return undefined;
        return {kind: 'seen', pending};
      }
    }
  }
}

// A state is quiescent when the system has nothing left to do by itself: every free action leads back to the same state, or there
// is none. Spending actions (faults, people) do not count: they never have to happen, so a system that waits for a fault to rescue
// it has stopped. This also makes quiescence a matter of the state alone, with any budget left.

/** True if no free action leaves the state. Calls `next` for each free action until one does. */
export function isQuiescent<S, A>(model: Model<S, A>, state: S, actions: readonly A[] = model.actions(state)): boolean {
  let fingerprint: unknown;
  for (const action of actions) {
    if (model.cost?.(action, state) !== undefined) continue;
    fingerprint ??= model.fingerprint(state);
    if (model.fingerprint(model.next(state, action)) !== fingerprint) return false;
  }
  return true;
}
