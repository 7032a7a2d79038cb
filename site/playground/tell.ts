import {driveHere} from '../../src/harness/functions/drive.ts';
import type {RecordedRun} from '../../src/harness/report/lanes/chart.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import type {Scenario} from '../../src/harness/scenario/scenario.ts';
import {functions, scenarioOf, type Workspace} from './workspace.ts';

/** Runs the story in each of its variants, to its end whatever fails on the way. Throws InputError. */
export function tell(workspace: Workspace): readonly RecordedRun[] {
  return runScenarioFile(scenarioOf(workspace), workspace);
}

export function runScenarioFile(
  scenario: Scenario,
  {crossplane}: Pick<Workspace, 'crossplane'>,
): readonly RecordedRun[] {
  return scenario.variants.map((variant) => {
    const options = {crossplane, variant, builtins: functions, record: true, keepGoing: true};
    const run = driveHere(driveScenario(scenario, options));
    if (run.history === undefined) throw new Error('the run was not recorded');
    return {...run, history: run.history};
  });
}

/**
 * How long the action of a step takes in the first variant, in milliseconds: a backup and a restore are many requests,
 * everything else is one moment.
 */
export function actionMs(workspace: Workspace, step: number): number {
  const scenario = scenarioOf(workspace);
  const [variant] = scenario.variants;
  const here = scenario.steps[step];
  if (variant === undefined || (here?.action?.kind !== 'backup' && here?.action?.kind !== 'restore')) return 0;
  const {wait: _, ...acting} = here;
  const steps = [...scenario.steps.slice(0, step), {...acting, expect: []}];
  const [run] = runScenarioFile({...scenario, steps, variants: [{...variant, expect: []}]}, workspace);
  const began = run?.timeline.findLast(({change}) => change.kind === 'step')?.atMs ?? 0;
  return (run?.lastedMs ?? 0) - began;
}
