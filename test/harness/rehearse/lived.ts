import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {runFunction} from '../../../src/function/run.ts';
import {type ControlPlane, openControlPlane} from '../../../src/harness/control-plane/control-plane.ts';
import {type Builtins, builtins, type InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {passThrough} from '../../../src/harness/functions/passing.ts';
import {prepare} from '../../../src/harness/scenario/prepare.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import {RunRecord} from '../../../src/harness/scenario/run-record.ts';
import {runSteps} from '../../../src/harness/scenario/run-steps.ts';
import type {Scenario} from '../../../src/harness/scenario/scenario.ts';
import {providerOf} from '../../../src/harness/scenario/simulated-provider.ts';

// A control plane that has lived through the first steps of a scenario, to dump and to go on with.

export const known: Builtins = {
  ...builtins,
  'function-tether': (request) => ({ok: true, response: runFunction(request, {})}),
};

export interface Lived {
  readonly scenario: Scenario;
  readonly controlPlane: ControlPlane;
  readonly record: RunRecord;
  readonly functions: {readonly [name: string]: InProcessFunction};
}

const restMs = 200_000;

export function lived(
  file: string,
  steps: number,
  {crossplane = 'main', without = []}: {readonly crossplane?: ProfileName; readonly without?: readonly string[]} = {},
): Lived {
  const scenario = readScenario(file, known);
  const functions = Object.fromEntries(
    Object.entries(scenario.functions).map(([name, source]) => {
      const here = source.kind === 'builtin' && !without.includes(name) ? known[source.name] : undefined;
      return [name, here ?? passThrough];
    }),
  );
  const record = new RunRecord({history: undefined, progress: undefined, golden: undefined});
  const options = {crossplane, seed: 1, functions, ...providerOf(scenario), observers: [record.observe]};
  const controlPlane = openControlPlane(options);
  driveHere(prepare(scenario, controlPlane));
  record.begin(controlPlane);
  const setting = {controlPlane, evidence: record.evidence, crossplane};
  const telling = {beginStep: (step: Scenario['steps'][number]) => record.beginStep(step, 1), keepGoing: false};
  const {failures} = driveHere(runSteps(scenario.steps.slice(0, steps), setting, telling));
  if (failures[0] !== undefined) throw new Error(failures[0].message);
  driveHere(controlPlane.session.run(controlPlane.session.nowMs + restMs));
  return {scenario, controlPlane, record, functions};
}
