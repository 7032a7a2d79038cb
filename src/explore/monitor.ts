// Watches one property along one path, for random walks and shrinking, where no visited set exists.

import type {Model} from './model.ts';
import type {Property} from './property.ts';
import {isQuiescent} from './quiescence.ts';

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
