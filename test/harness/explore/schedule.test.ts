import {expect, test} from 'vitest';
import {openExploration} from '../../../src/harness/explore/explore.ts';
import type {ExploreState} from '../../../src/harness/explore/explore-state.ts';
import {registry} from '../../stories/registry.ts';
import {searchedRestore} from '../../stories/small-restore.ts';

// Crossplane 2.3 repeats a deletion for as long as its cache of the XR is old, and every round writes the XR.
test('a watch that is late is heard in the end, although it keeps Crossplane busy', () => {
  const scenario = searchedRestore({tool: 'velero', idiom: 'status', provider: '1m', crossplane: '2.3'});
  const args = {variant: undefined, moves: 'in-order', budgets: {'stale-cache': 1}, minutes: 60} as const;
  const {model} = openExploration(scenario, '2.3', args, registry);
  const goOn = (state: ExploreState) => {
    const actions = model.actions(state);
    return (
      actions.find((action) => model.cost(action) === undefined) ??
      actions.find((action) => model.cost(action) === 'operator')
    );
  };
  const stepsFrom = (from: ExploreState) => {
    let state = from;
    let steps = 0;
    for (let action = goOn(state); action !== undefined && steps < 2000; action = goOn(state)) {
      state = model.next(state, action);
      if (!model.withinBoundary(state)) break;
      steps++;
    }
    return steps;
  };
  const late: number[] = [];
  let state = model.initial();
  for (let action = goOn(state); action !== undefined; action = goOn(state)) {
    const hold = model.actions(state).find((other) => model.cost(other) === 'stale-cache');
    const isOfXr = hold?.kind === 'hold' && hold.activity === 'watch crossplane App.example.org/v1';
    if (isOfXr) late.push(stepsFrom(model.next(state, hold)));
    state = model.next(state, action);
    if (!model.withinBoundary(state)) break;
  }
  expect(late.length).toBeGreaterThan(5);
  expect(Math.max(...late)).toBeLessThan(2000);
});
