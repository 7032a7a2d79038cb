// A state is quiescent when the system has nothing left to do by itself: every free action leads back to the same state, or there
// is none. Spending actions (faults, people) do not count: they never have to happen, so a system that waits for a fault to rescue
// it has stopped. This also makes quiescence a matter of the state alone, with any budget left.

import type {Model} from './model.ts';

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
