// A story run twice: with the functions named, and with pass-through in their place.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {openStory, type Story} from '../explore/story.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import type {Scenario} from '../scenario/scenario.ts';
import {drawFrom} from '../worlds/draw.ts';
import {asStruck} from './as-struck.ts';
import {unexplained} from './asked-for.ts';
import {believing} from './believed.ts';
import {harmsOf} from './compare.ts';
import {isCutOff} from './cut-off.ts';
import {type Ending, endingOf} from './ending.ts';
import {type Harm, isSameHarm} from './harm.ts';
import type {Explain} from './lives.ts';
import type {StoryRun} from './run-story.ts';
import {SharedRuns, type Turn} from './shared-runs.ts';

export interface TwinSetting {
  readonly crossplane: ProfileName;
  /** The functions that are replaced in the other run. */
  readonly twin: readonly string[];
  readonly functions: {readonly [name: string]: InProcessFunction};
  readonly explain?: Explain;
}

export interface TwinResult {
  readonly violations: readonly Harm[];
  /** All that is worse, the explained included. */
  readonly harms: readonly Harm[];
  readonly with: Ending;
  readonly without: Ending;
}

export type Side = 'with' | 'without';

export interface Twins {
  readonly with: Story;
  readonly without: Story;
  /** What stories of the platform have in common runs once. */
  readonly shared: {readonly [side in Side]: SharedRuns};
  /** Of the story without the functions, by the number of the turn. */
  readonly turns: readonly SharedRuns[];
}

/** Both worlds before the first step; stories of one platform share them. */
export function openTwins(scenario: Scenario, {crossplane, twin, functions}: TwinSetting): Twins {
  const options = {crossplane, moveOrder: 'in-order' as const, searched: false, functions};
  const plain = {name: '', without: [], expect: []};
  const mine = openStory(scenario, {...options, variant: plain});
  const theirs = openStory(scenario, {...options, variant: {...plain, without: twin}});
  return {
    with: mine,
    without: theirs,
    shared: {with: new SharedRuns(mine, twin), without: new SharedRuns(theirs, twin)},
    turns: otherTurns.map((turn) => new SharedRuns(theirs, twin, turn)),
  };
}

const together = (seed: number, by: number): Turn => ({seed, shift: () => by});

/** Each move on its own: what a person's step meets depends on what is going on just then, a fault's on who is at work. */
function apart(seed: number): Turn {
  const far = [2, 8, 40][seed % 3] as number;
  return {seed, shift: (move) => drawFrom(BigInt(seed), move).below(2 * far + 1) - far};
}

/** Other turns the story without the function may take: a harm that any of them shows is not the function's doing. */
const otherTurns: readonly Turn[] = [
  together(1, 0),
  // Who waits until all rests: what a person's step is about may be made an instant later than with the function.
  together(0, Number.POSITIVE_INFINITY),
  together(0, 1),
  together(0, -1),
  together(2, 3),
  together(0, -3),
  together(3, 7),
  together(4, -8),
  together(0, 15),
  together(0, -40),
  together(0, 40),
  // What a function adds to a reconcile may be as many steps as a person waits.
  together(0, -80),
  together(0, 80),
  ...Array.from({length: 72}, (_, index) => apart(index + 5)),
];

export function runTwins(twins: Twins, scenario: Scenario, setting: TwinSetting): TwinResult {
  const ending = endingOf(twins.shared.with.run(scenario));
  const other = endingOf(twins.shared.without.run(scenario));
  const harms = harmsOf(ending, other);
  let violations = unexplained(harms, ending, believing(setting.explain, ending)).filter(
    (harm) => !isCutOff(harm, ending),
  );
  for (const story of [scenario, ...asStruck(scenario, ending.run)]) {
    for (const run of otherRuns(twins, story, story !== scenario)) {
      if (violations.length === 0) break;
      const still = harmsOf(ending, endingOf(run()));
      violations = violations.filter((harm) => still.some((one) => isSameHarm(one, harm)));
    }
  }
  return {violations, harms, with: ending, without: other};
}

/** The story without the function, in each of its turns; `isNew`: it has not run as it is written yet. */
function otherRuns(twins: Twins, scenario: Scenario, isNew: boolean): readonly (() => StoryRun)[] {
  const canShift = scenario.steps.some(({early, faults}) => early !== undefined || faults !== undefined);
  // Nothing to shift: the turn is the story as it ran already.
  const turns = twins.turns.filter((_, index) => canShift || otherTurns[index]?.seed !== 0);
  return [...(isNew ? [twins.shared.without] : []), ...turns].map((turn) => () => turn.run(scenario));
}
