import {builtins} from '../functions/builtin.ts';
import {passing} from '../functions/passing.ts';
import {InputError} from '../input/input-error.ts';
import {readScenario} from '../scenario/parse-scenario.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {runScenario} from '../scenario/run-scenario.ts';
import type {Scenario, Variant} from '../scenario/scenario.ts';
import {type FunctionsUnderTest, openFunctionsUnderTest, sourcesOf} from './function-under-test.ts';
import {checkScenarioOptions} from './given.ts';
import type {CrossplaneVersion} from './world.ts';

export interface ScenarioOptions {
  /** The first that the scenario names where absent. */
  readonly crossplane?: CrossplaneVersion;
  /** The variant whose name contains this; the first where absent. */
  readonly variant?: string;
  /** The scenario's own where absent. */
  readonly seed?: number;
  /** Run instead of what the scenario says about the functions of these names. */
  readonly functions?: FunctionsUnderTest;
}

/**
 * Tells a scenario file, as `tether test` does, and answers what came of it: `failures` is empty where every expectation
 * holds. Throws InputError with one sentence where the file, or a function, is not as it must be.
 */
export async function tellScenario(file: string, options: ScenarioOptions = {}): Promise<RunResult> {
  checkScenarioOptions(options);
  const {functions = {}, seed} = options;
  const read = readScenario(file, {...builtins, ...Object.fromEntries(Object.keys(functions).map(standIn))});
  const scenario = {...read, functions: {...read.functions, ...sourcesOf(functions)}};
  const variant = variantOf(read, options.variant);
  const crossplane = options.crossplane ?? (read.crossplane[0] as CrossplaneVersion);
  const others = Object.fromEntries(
    Object.entries(read.functions)
      .filter(([name]) => !variant.without.includes(name) && !Object.hasOwn(functions, name))
      .map(([name, source]) => [name, source.kind === 'builtin' ? {builtin: source.name} : source]),
  );
  const pool = await openFunctionsUnderTest({...others, ...functions}, read.folder);
  try {
    return await runScenario(scenario, {crossplane, variant, pool, ...(seed === undefined ? {} : {seed})});
  } finally {
    await pool.close();
  }
}

/** A scenario may call a builtin that only the caller has: what it is, the caller's own functions say. */
function standIn(name: string) {
  return [name, passing] as const;
}

function variantOf({variants, name}: Scenario, wanted: string | undefined): Variant {
  const found = wanted === undefined ? variants[0] : variants.find((one) => one.name.includes(wanted));
  if (found !== undefined) return found;
  const known = variants.map((one) => `"${one.name}"`).join(', ');
  throw new InputError('', `no variant of scenario "${name}" is named "${wanted}": known are ${known}`);
}
