// A story run twice: with the functions named, and with pipelines that have no step of them.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {openStory, type Story, withSteps} from '../explore/story.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import type {Scenario} from '../scenario/scenario.ts';
import {type Ending, endingOf} from './ending.ts';
import type {Verdict} from './grades.ts';
import {isSame, type Judged, judged, unpermitted, worseThan} from './judge.ts';
import {isOpen, type Race, races} from './races.ts';
import {runStory, type StoryRun} from './run-story.ts';
import {SharedRuns} from './shared-runs.ts';

export interface TwinSetting {
  readonly crossplane: ProfileName;
  /** The functions that the other run does not have. */
  readonly twin: readonly string[];
  readonly functions: {readonly [name: string]: InProcessFunction};
}

export interface TwinResult {
  readonly violations: readonly Verdict[];
  /** All that is worse, what the input permits included. */
  readonly worse: readonly Verdict[];
  readonly with: Ending;
  readonly without: Ending;
}

export type Side = 'with' | 'without';

export interface Twins {
  readonly with: Story;
  readonly without: Story;
  /** What stories of the platform have in common runs once. */
  readonly shared: {readonly [side in Side]: SharedRuns};
  /** Of the story without the functions, by the number of the race. */
  readonly turns: readonly SharedRuns[];
}

/** Both worlds before the first step; stories of one platform share them. */
export function openTwins(scenario: Scenario, {crossplane, twin, functions}: TwinSetting): Twins {
  const open = (absent: boolean) =>
    openStory(scenario, {
      crossplane,
      moveOrder: 'in-order',
      searched: false,
      functions,
      variant: {name: '', without: [], expect: []},
      watched: {functions: twin, absent},
    });
  const [mine, theirs] = [open(false), open(true)];
  return {
    with: mine,
    without: theirs,
    shared: {with: new SharedRuns(mine), without: new SharedRuns(theirs)},
    turns: races.map((race) => new SharedRuns(theirs, race)),
  };
}

export function runTwins(twins: Twins, scenario: Scenario): TwinResult {
  const mine = judged(endingOf(twins.shared.with.run(scenario)));
  const theirs = judged(endingOf(twins.shared.without.run(scenario)));
  const worse = worseThan(mine, theirs);
  const all = unpermitted(worse, mine);
  const violations = sinceRaces(
    all,
    mine,
    races.entries().map(
      ([index, race]) =>
        () =>
          turn(twins, scenario, mine, race, index),
    ),
  );
  return {violations, worse, with: mine.ending, without: theirs.ending};
}

/** What is worse than in every turn the story may take without the function. */
export function sinceRaces(
  all: readonly Verdict[],
  mine: Judged,
  others: Iterable<() => StoryRun | undefined>,
): readonly Verdict[] {
  let left = all;
  for (const other of others) {
    if (left.length === 0) return left;
    const run = other();
    if (run === undefined) continue;
    const still = worseThan(mine, judged(endingOf(run)));
    left = left.filter((one) => still.some((two) => isSame(one, two)));
  }
  return left;
}

function turn(twins: Twins, scenario: Scenario, {ending}: Judged, race: Race, index: number): StoryRun | undefined {
  if (!isOpen(race, scenario)) return undefined;
  if (race.sameMoments !== true) return twins.turns[index]?.run(scenario);
  return runStory(withSteps(twins.without, scenario), {seed: scenario.seed + race.seed, moments: ending.run});
}
