// Checks what a model claims about independence, since a wrong claim makes a reduced search miss states in silence. For
// every state and every pair of enabled actions that the model calls independent, both orders are taken and compared.
import type {Model} from './model.ts';
import {StateKey} from './state-key.ts';

export interface FalseIndependence {
  /** Action indices from the initial state to where the claim is wrong. */
  readonly path: readonly number[];
  readonly a: string;
  readonly b: string;
  readonly problem: 'a-disables-b' | 'b-disables-a' | 'orders-differ' | 'not-symmetric';
}

/** The first false claims in breadth-first order, within a number of states; empty if none is false among them. */
export function auditIndependence<S, A>(model: Model<S, A>, statesMax: number): FalseIndependence[] {
  const seen = new Set<string>();
  const key = new StateKey();
  const queue: {state: S; path: number[]}[] = [{state: model.initial(), path: []}];
  const problems: FalseIndependence[] = [];
  for (let i = 0; i < queue.length && queue.length < statesMax; i++) {
    const {state, path} = queue[i] as {state: S; path: number[]};
    const actions = model.actions(state);
    problems.push(...auditState(model, state, actions, path));
    if (problems.length > 0) return problems;
    for (const [index, action] of actions.entries()) {
      const next = model.next(state, action);
      if (model.withinBoundary?.(next) === false) continue;
      key.set(model.fingerprint(next));
      const name = `${key.high},${key.low}`;
      if (seen.has(name)) continue;
      seen.add(name);
      queue.push({state: next, path: [...path, index]});
    }
  }
  return problems;
}

function auditState<S, A>(model: Model<S, A>, state: S, actions: readonly A[], path: number[]): FalseIndependence[] {
  const problems: FalseIndependence[] = [];
  for (const [i, a] of actions.entries()) {
    for (const b of actions.slice(i + 1)) {
      const claimed = model.independent?.(state, a, b) ?? false;
      const report = (problem: FalseIndependence['problem']): void => {
        problems.push({path, a: model.key(a), b: model.key(b), problem});
      };
      if (claimed !== (model.independent?.(state, b, a) ?? false)) report('not-symmetric');
      if (!claimed) continue;
      const ab = take(model, model.next(state, a), model.key(b));
      const ba = take(model, model.next(state, b), model.key(a));
      if (ab === undefined) report('a-disables-b');
      else if (ba === undefined) report('b-disables-a');
      else if (model.fingerprint(ab) !== model.fingerprint(ba)) report('orders-differ');
    }
  }
  return problems;
}

/** The state after the action with the key, or undefined if it is not enabled. */
function take<S, A>(model: Model<S, A>, state: S, key: string): S | undefined {
  const action = model.actions(state).find((candidate) => model.key(candidate) === key);
  return action === undefined ? undefined : model.next(state, action);
}
