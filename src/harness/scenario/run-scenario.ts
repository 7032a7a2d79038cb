import {isAbsolute, join} from 'node:path';
import {driveWith} from '../functions/drive.ts';
import {type FunctionPool, openFunctions} from '../functions/function-pool.ts';
import {isOneOf} from '../functions/function-source.ts';
import {type DriveOptions, driveScenario} from './drive-scenario.ts';
import {type Goldens, openGoldens} from './golden/goldens.ts';
import type {RunResult} from './run-result.ts';
import type {Scenario} from './scenario.ts';

// One run of a scenario: one Crossplane version, one variant, one seed. To run a scenario from code:
//
//   const scenario = readScenario('examples/restore-orphan/scenario.yaml');   // throws InputError
//   const result = await runScenario(scenario, {crossplane: 'main', variant: scenario.variants[0]});
//   result.failures, result.orphans, result.timeline, result.externals ...    // report/*.ts turns them into text

export interface RunOptions extends Omit<DriveOptions, 'golden'> {
  /** Functions that run already; started for this run alone where absent. */
  readonly pool?: FunctionPool;
  /** The golden files to compare with; by default they are only read. */
  readonly goldens?: Goldens;
}

/** Runs a scenario with its functions. Throws InputError if its input or a function is missing. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<RunResult> {
  const called = {...scenario, functions: withoutSkipped(scenario.functions, options.variant.without)};
  const pool = options.pool ?? (await openFunctions(called));
  try {
    return await driveWith(driveScenario(scenario, {...options, golden: goldenOf(scenario, options)}), async (call) => {
      options.progress?.waitsFor(`function "${call.target}"`);
      const reply = await pool.call(call);
      options.progress?.waitsFor(undefined);
      return reply;
    });
  } finally {
    if (options.pool === undefined) await pool.close();
  }
}

function withoutSkipped(functions: Scenario['functions'], skipped: readonly string[]): Scenario['functions'] {
  return Object.fromEntries(Object.entries(functions).filter(([name]) => !isOneOf(name, skipped)));
}

/** Golden files lie beside the scenario, or at a place that it names, one for each run that its name distinguishes. */
function goldenOf({folder}: Scenario, {goldens = openGoldens(false), variant, crossplane}: RunOptions) {
  return (name: string, text: string): string | undefined => {
    const file = name
      .replaceAll('{variant}', variant.name.replaceAll(/[^\w.-]+/g, '-'))
      .replaceAll('{crossplane}', crossplane);
    return goldens.compare(isAbsolute(file) ? file : join(folder, file), text);
  };
}
