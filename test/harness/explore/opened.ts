import {parseExploreArgs} from '../../../src/cli/explore-options.ts';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {runFunction} from '../../../src/function/run.ts';
import {type Exploration, explore, failuresOf, openExploration} from '../../../src/harness/explore/explore.ts';
import {answeringOnce} from '../../../src/harness/functions/answer-once.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';

/** What runs in process, as the command itself has it. */
const functions = {
  ...builtins,
  'function-tether': answeringOnce((request) => ({ok: true, response: runFunction(request)})),
};

/** A story of examples/, by its path without the ending, opened as `tether explore` opens it. */
export function opened(story: string, crossplane: ProfileName, ...flags: readonly string[]) {
  const file = new URL(`../../../examples/${story}.yaml`, import.meta.url).pathname;
  const args = parseExploreArgs([file, ...flags]);
  if (args === undefined) throw new Error('no help was asked for');
  return {args, exploration: openExploration(readScenario(file, functions), crossplane, args, functions)};
}

/** The story explored, with its failures made small. */
export function found(story: string, crossplane: ProfileName, ...flags: readonly string[]) {
  const {args, exploration} = opened(story, crossplane, ...flags);
  const explored = explore(exploration, args, () => undefined);
  return {exploration, explored, failures: failuresOf(exploration, explored)};
}

/** The path that takes the free schedule but for the first action that costs what `turns` says, in their order. */
export function pathWith({model}: Exploration, turns: readonly string[]): readonly number[] {
  const path: number[] = [];
  const left = [...turns];
  let state = model.initial();
  for (;;) {
    const actions = model.actions(state);
    const wanted = actions.findIndex((action) => model.cost(action) === left[0]);
    const free = actions.findIndex((action) => model.cost(action) === undefined);
    const index = left.length > 0 && wanted >= 0 ? wanted : free;
    const action = actions[index];
    if (action === undefined) return path;
    if (index === wanted && left.length > 0) left.shift();
    path.push(index);
    state = model.next(state, action);
  }
}
