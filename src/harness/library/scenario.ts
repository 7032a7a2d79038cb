import {builtins} from '../functions/builtin.ts';
import {isOneOf} from '../functions/function-source.ts';
import {passThrough} from '../functions/passing.ts';
import {InputError} from '../input/input-error.ts';
import {readScenario} from '../scenario/read-scenario.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {runScenario} from '../scenario/run-scenario.ts';
import type {Scenario, Variant} from '../scenario/scenario.ts';
import {refusingAtCaller} from './callers-line.ts';
import {openFunctionsUnderTest, sourcesOf} from './function-under-test.ts';
import {readGiven, scenarioOptions} from './given.ts';
import type {CrossplaneVersion, ScenarioOptions} from './options.ts';

/**
 * Runs a scenario file, as `tether test` does, and answers what came of it: `failures` is empty where every expectation
 * holds. Throws InputError with one sentence where the file, or a function, is not as it must be.
 */
export const runScenarioFile: (file: string, options?: ScenarioOptions) => Promise<RunResult> = refusingAtCaller(run);

async function run(file: string, options: ScenarioOptions = {}): Promise<RunResult> {
  const asked = readGiven(scenarioOptions, options, 'options');
  const {functions, seed} = asked;
  const read = readScenario(file, {...builtins, ...Object.fromEntries(Object.keys(functions).map(standIn))});
  const scenario = {...read, functions: {...read.functions, ...sourcesOf(functions)}};
  const variant = variantOf(read, asked.variant);
  const crossplane = asked.crossplane ?? (read.crossplane[0] as CrossplaneVersion);
  const own = Object.entries(read.functions).filter(([name]) => !isOneOf(name, variant.without));
  const pool = await openFunctionsUnderTest({...Object.fromEntries(own), ...functions}, read.folder);
  try {
    return await runScenario(scenario, {crossplane, variant, pool, ...(seed === undefined ? {} : {seed})});
  } finally {
    await pool.close();
  }
}

/** A scenario may call a builtin that only the caller has: the caller's own functions define it. */
function standIn(name: string) {
  return [name, passThrough] as const;
}

function variantOf({variants, name}: Scenario, wanted: string | undefined): Variant {
  const found = wanted === undefined ? variants[0] : variants.find((one) => one.name.includes(wanted));
  if (found !== undefined) return found;
  const known = variants.map((one) => `"${one.name}"`).join(', ');
  throw new InputError(`no variant of scenario "${name}" is named "${wanted}": known are ${known}`);
}
