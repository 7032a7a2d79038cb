import {expect, test} from 'vitest';
import {openExploration} from '../../../src/harness/explore/explore.ts';
import type {ExploreState} from '../../../src/harness/explore/explore-state.ts';
import {registry} from '../../stories/registry.ts';
import {searchedRestore} from '../../stories/small-restore.ts';

// Crossplane 2.3 repeats a deletion for as long as its cache of the XR is old. Every round writes the XR, or if the provider runs by
// then, the deleted object alone, of which the provider is told at last.
test.each([
  ['when all else is done', Number.POSITIVE_INFINITY],
  ['47 steps after Crossplane', 47],
])(
  'a watch that is late is heard in the end, although it keeps Crossplane busy: the provider starts %s',
  (_, early) => {
    const scenario = searchedRestore({tool: 'velero', idiom: 'status', provider: '1m', crossplane: '2.3'});
    const args = {variant: undefined, moves: 'in-order', budgets: {'stale-cache': 1}, minutes: 60} as const;
    const {model} = openExploration(scenario, '2.3', args, registry);
    const goOn = (state: ExploreState, isEarly = false) => {
      const [first, second] = isEarly ? ['operator', undefined] : [undefined, 'operator'];
      const actions = model.actions(state);
      return (
        actions.find((action) => model.cost(action) === first) ??
        actions.find((action) => model.cost(action) === second)
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
    let sinceMove = 0;
    for (let action = goOn(state); action !== undefined; action = goOn(state, sinceMove >= early)) {
      const hold = model.actions(state).find((other) => model.cost(other) === 'stale-cache');
      const isOfXr = hold?.kind === 'hold' && hold.activity === 'watch crossplane App.example.org/v1';
      if (isOfXr) late.push(stepsFrom(model.next(state, hold)));
      sinceMove = model.cost(action) === 'operator' ? 0 : sinceMove + 1;
      state = model.next(state, action);
      if (!model.withinBoundary(state)) break;
    }
    expect(late.length).toBeGreaterThan(5);
    expect(Math.max(...late)).toBeLessThan(2000);
  },
);
