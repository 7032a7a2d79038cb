import {expect, test} from 'vitest';
import {opened} from './opened.ts';

// The search takes two states with one fingerprint for one. So whatever can happen in one must happen in the other and
// lead to states with one fingerprint again; where it does not, the search is blind for what follows.

test.each([
  ['choice', 'explore/s0-tethered'],
  ['conflict', 'explore/composition-edit'],
  ['function-error', 'explore/s0-tethered'],
  ['crash', 'explore/s0-tethered'],
  ['reorder', 'explore/s1-tethered'],
  ['stale-cache', 'explore/s0-tethered'],
])('states with one fingerprint go on alike (%s, %s)', (kind, story) => {
  const {model} = opened(story, 'main', '--moves', 'in-order', '--budget', `${kind}=1`).exploration;
  type State = ReturnType<typeof model.initial>;
  const isFree = (cost: string | undefined) => cost === undefined || cost === 'operator';
  const following = (state: State) =>
    model
      .actions(state)
      .filter((action) => isFree(model.cost(action)))
      .map((action) => `${model.key(action)}: ${model.fingerprint(model.next(state, action))}`);
  const known = new Map<string, State>();
  const queue = [{state: model.initial(), left: 1}];
  let metAgain = 0;
  for (let at = 0; at < queue.length && at < 2500; at++) {
    const {state, left} = queue[at] as (typeof queue)[number];
    for (const action of model.actions(state)) {
      const isFault = !isFree(model.cost(action));
      if (isFault && left === 0) continue;
      const next = model.next(state, action);
      const twin = known.get(model.fingerprint(next));
      if (twin === undefined) {
        known.set(model.fingerprint(next), next);
        queue.push({state: next, left: left - (isFault ? 1 : 0)});
      } else {
        metAgain++;
        expect(following(next)).toEqual(following(twin));
      }
    }
  }
  expect(metAgain).toBeGreaterThan(4);
});
