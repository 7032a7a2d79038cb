// Where the functions of a scenario run beyond what its files say: as the command line says, and, where that asks for it,
// from the packages that their manifests name.

import {many, on} from '../command-line/option-table.ts';
import type {FunctionSource} from '../harness/functions/function-source.ts';
import {readPlace} from '../harness/functions/said-places.ts';
import {InputError} from '../harness/input/input-error.ts';
import {packageFunctions} from '../harness/packages/package-functions.ts';
import {packagedFunctions} from '../harness/scenario/packaged-functions.ts';
import {calledFunctionNames, everythingApplied} from '../harness/scenario/pipeline-functions.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';

export const placeOptions = {
  function: many(
    'NAME=PLACE',
    'where a function runs, whatever the files say: HOST:PORT, or a command that is started, with --insecure --address where it does not say itself where it listens; may be given more than once',
    (text) => ({text, place: readPlace(text)}),
  ),
  'run-functions': on(
    'run functions of the pipeline that nobody names a place for from their packages (spec.package): pulled by digest, and started on this machine as you, or in a container where they need one',
  ),
};

export interface PlaceValues {
  readonly function: readonly {readonly text: string; readonly place: readonly [name: string, FunctionSource]}[];
  readonly 'run-functions': boolean;
}

/** The scenario with those places, and a note for each function that comes from its package. Throws InputError. */
export async function placedScenario(scenario: Scenario, values: PlaceValues): Promise<Scenario> {
  const called = calledFunctionNames(scenario);
  const said = saidPlaces(values, [...new Set([...Object.keys(scenario.functions), ...called])]);
  const functions = {...scenario.functions, ...said};
  if (!values['run-functions']) return {...scenario, functions};
  const unplaced = packagedFunctions(everythingApplied(scenario)).filter(
    ({name}) => called.includes(name) && functions[name] === undefined,
  );
  const {sources, notes} = await packageFunctions(unplaced);
  return {...scenario, functions: {...functions, ...sources}, notes: [...(scenario.notes ?? []), ...notes]};
}

/** By name. Throws InputError for a name that no pipeline calls. */
export function saidPlaces(values: PlaceValues, known: readonly string[]): {readonly [name: string]: FunctionSource} {
  const said = values.function.map(({place}) => place);
  for (const [name] of said) {
    if (known.includes(name)) continue;
    throw new InputError(
      '',
      `--function names "${name}", which no pipeline calls: known are ${known.join(', ') || 'none'}`,
    );
  }
  return Object.fromEntries(said);
}

/** The options as a person would type them; '' for none. */
export function placeFlags(values: PlaceValues): string {
  const said = values.function.map(({text}) => ` --function '${text}'`);
  return [...said, ...(values['run-functions'] ? [' --run-functions'] : [])].join('');
}
