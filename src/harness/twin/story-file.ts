import {asScenarioAction} from '../control-plane/operator/action.ts';
import {fileText, settingOf} from '../explore/save-scenario.ts';
import type {Scenario} from '../scenario/scenario.ts';
import {type Verdict, verdictText} from './grades.ts';

/** The story as a scenario file that `tether test --twin` runs again, step for step. */
export function storyText(scenario: Scenario, verdicts: readonly Verdict[], twin: readonly string[]): string {
  const {name, crossplane, seed, steps} = scenario;
  const body = {
    name,
    description: 'Worse off with the function than without it.',
    crossplane,
    seed,
    ...settingOf(scenario),
    steps: steps.map(({name: step, by, early, faults, action}) => ({
      name: step,
      ...(by === undefined ? {} : {by}),
      ...(early === undefined ? {} : {early}),
      ...(faults === undefined ? {} : {faults}),
      ...(action === undefined ? {wait: {quiet: '5s'}} : asScenarioAction(action)),
    })),
  };
  return fileText([...verdicts.map(verdictText), `tether test --twin ${twin.join(',')} FILE`], body);
}
