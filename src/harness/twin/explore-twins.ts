// One story, run with one fault of one kind at every opportunity, and with one move of one actor at every rest: all effects of one unit
// of that budget along the free schedule. Each run is compared with every run of the same kind without the function. The function
// causes a harm only if none of those shows it.

import type {Actor, FaultKind, Scenario, Step} from '../scenario/scenario.ts';
import {actors, faultKinds} from '../scenario/step-form.ts';
import {actorMenu} from './actor-menu.ts';
import type {Verdict} from './grades.ts';
import {harmsOf, lastRest, sinceOthers, unpermitted} from './judge.ts';
import {openTwins, type Side, type TwinRun, type TwinSetting, type Twins} from './twin.ts';

export interface Explored {
  /** A kind of fault, an actor, or 'nothing'. */
  readonly unit: FaultKind | Actor | 'nothing';
  /** Runs with the function. */
  readonly stories: number;
  readonly worse: readonly Worse[];
}

interface Worse {
  readonly story: Scenario;
  readonly verdicts: readonly Verdict[];
}

export const units: readonly Explored['unit'][] = ['nothing', ...faultKinds, ...actors.filter((one) => one !== 'user')];

export function exploreTwins(scenario: Scenario, setting: TwinSetting, unit: Explored['unit']): Explored {
  const twins = openTwins(scenario, setting);
  const ways = unit === 'nothing' ? bare : isFault(unit) ? faulted(unit) : acted(unit);
  const mine = ways(twins, 'with', scenario);
  const theirs = ways(twins, 'without', scenario);
  const worse = mine.flatMap(({story, run}) => {
    // An actor has to do the same in both runs. A fault only has to be possible in both.
    const [first, ...others] = isFault(unit) ? theirs : theirs.filter((one) => one.story.name === story.name);
    const harms = sinceOthers(
      unpermitted(harmsOf(run, (first as OneRun).run)),
      run,
      others.map((other) => () => other.run),
    );
    return harms.length === 0 ? [] : [{story, verdicts: harms.map(({verdict}) => verdict)}];
  });
  return {unit, stories: mine.length, worse};
}

interface OneRun {
  readonly story: Scenario;
  readonly run: TwinRun;
}

type Ways = (twins: Twins, side: Side, scenario: Scenario) => readonly OneRun[];

function one(twins: Twins, side: Side, story: Scenario): OneRun {
  return {story, run: twins[side].run(story)};
}

function bare(twins: Twins, side: Side, scenario: Scenario): readonly OneRun[] {
  return [one(twins, side, scenario)];
}

/** The fault at its first opportunity, at its second ... until there is none. */
function faulted(fault: FaultKind): Ways {
  return (twins, side, scenario) => {
    const all: OneRun[] = [];
    for (let at = 0; ; at++) {
      const [first, ...rest] = scenario.steps as readonly [Step, ...Step[]];
      const story = {
        ...scenario,
        name: `${scenario.name} ${fault} ${at}`,
        steps: [{...first, faults: [{fault, at}]}, ...rest],
      };
      const made = one(twins, side, story);
      const isStruck = made.run.happened.length > 0;
      if (isStruck || all.length === 0) all.push(made);
      if (!isStruck) return all;
    }
  };
}

/** Every move of the actor after every step. Its targets are the objects of the run with the function. */
function acted(actor: Actor): Ways {
  return (twins, side, scenario) =>
    scenario.steps.flatMap((_, index) => {
      const before = {...scenario, steps: scenario.steps.slice(0, index + 1)};
      const moves = actorMenu(lastRest(one(twins, 'with', before).run).ending).get(actor) ?? [];
      return moves.map((move) => {
        const steps = [...before.steps, move, ...scenario.steps.slice(index + 1)];
        return one(twins, side, {...scenario, name: `${scenario.name} ${index} ${move.name}`, steps});
      });
    });
}

function isFault(unit: Explored['unit']): unit is FaultKind {
  return faultKinds.some((kind) => kind === unit);
}
