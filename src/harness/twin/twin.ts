// A story run twice: with the functions named, and with pipelines that have no step of them.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {managedKindsOf} from '../control-plane/managed-kinds.ts';
import type {StoryRun} from '../explore/play-story.ts';
import {SharedPlays} from '../explore/shared-plays.ts';
import {openStory} from '../explore/story.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import {InputError} from '../input/input-error.ts';
import type {Scenario} from '../scenario/scenario.ts';
import type {Verdict} from './grades.ts';
import {type Harm, harmsOf, isOfKept, keptIn, sinceOthers, unpermitted} from './judge.ts';
import {TwinWitness} from './witness.ts';

export interface TwinSetting {
  readonly crossplane: ProfileName;
  /** The functions that the other run does not have. */
  readonly twin: readonly string[];
  readonly functions: {readonly [name: string]: InProcessFunction};
}

export interface TwinResult {
  readonly violations: readonly Verdict[];
  /** All that is worse, what the input permits included. */
  readonly worse: readonly Harm[];
  readonly with: TwinRun;
  readonly without: TwinRun;
  /** Steps that all its worlds took. */
  readonly steps: number;
}

export type TwinRun = StoryRun<TwinWitness>;

export type Side = 'with' | 'without';

/** Both worlds before the first step; stories of one platform share them, and what they have in common runs once. */
export type Twins = {readonly [side in Side]: Plays};
export type Plays = Pick<SharedPlays<TwinWitness>, 'platform' | 'run' | 'alone'>;

export function openTwins(scenario: Scenario, setting: TwinSetting): Twins {
  return {with: openSide(scenario, setting, 'with'), without: openSide(scenario, setting, 'without')};
}

export function openSide(scenario: Scenario, {crossplane, twin, functions}: TwinSetting, side: Side): Plays {
  if (scenario.from !== undefined)
    throw new InputError('cannot compare twins from a control plane that lived: give fixtures instead of from');
  const platform = openStory(scenario, {
    crossplane,
    moveOrder: 'in-order',
    searched: false,
    functions,
    variant: {name: '', without: [], expect: []},
    watched: {functions: twin, absent: side === 'without'},
  });
  const kinds = managedKindsOf(scenario.fixtures, scenario.provider);
  return new SharedPlays(platform, () => TwinWitness.of(kinds));
}

/**
 * Added to the seeds of more runs without the functions. In the even ones early steps and faults come after the same writes as with
 * them, in the odd ones faults strike the first call of the kind. The functions do no harm that one of these runs shows, too.
 */
const schedules = [0, 1, 2] as const;
/** A restore writes for long beside Crossplane, so its ends are more. */
const schedulesOfRestores = [...schedules, 3, 4, 5] as const;

export function runTwins(twins: Twins, scenario: Scenario): TwinResult {
  const mine = twins.with.run(scenario);
  let steps = mine.steps;
  const against = (story: Scenario, is: (harm: Harm) => boolean) => {
    const theirs = twins.without.run(story);
    const worse = harmsOf(mine, theirs).filter(is);
    steps += theirs.steps;
    const isTimed = story.steps.some(({early, faults}) => early !== undefined || faults !== undefined);
    const isRestored = story.steps.some(({action}) => action?.kind === 'restore');
    const others = (isRestored ? schedulesOfRestores : schedules).flatMap((added) => {
      if (added === 0 && !isTimed) return [];
      return () => {
        const moments = added % 2 === 0 ? mine : {moments: new Map(), happened: mine.happened.map(atOnce)};
        const run = twins.without.alone(story, {seed: story.seed + added, moments});
        steps += run.steps;
        return run;
      };
    });
    return {theirs, worse, violations: sinceOthers(unpermitted(worse), mine, others).map(({verdict}) => verdict)};
  };
  const {theirs, worse, violations} = against(scenario, () => true);
  const spared = keptIn(mine) ? against(withoutDenied(scenario, mine), isOfKept).violations : [];
  return {violations: [...violations, ...spared], worse, with: mine, without: theirs, steps};
}

/** The story without the deletions that were denied with the functions: the XRs that they would delete live there, too. */
function withoutDenied(scenario: Scenario, {witness: {intent}}: TwinRun): Scenario {
  let move = -1;
  const steps = scenario.steps.map((step) => {
    if (step.action !== undefined) move++;
    const isDenied = step.action?.kind === 'delete' && intent.books.refused.has(move);
    return isDenied ? {...step, action: {kind: 'apply' as const, objects: []}} : step;
  });
  return {...scenario, steps};
}

function atOnce({moment: _, ...fault}: TwinRun['happened'][number]): Omit<TwinRun['happened'][number], 'moment'> {
  return fault;
}
