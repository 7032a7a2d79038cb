// Reads `--twin`: the compared functions of a scenario. A comparison is meaningful only if others compose: if the judged function
// composes the resources itself, the run without it has none, so every run with it looks harmful, or every run without it harmless.

import type {ProfileName} from '../cluster/crossplane/profiles.ts';
import {calledFunctions} from '../harness/explore/called-functions.ts';
import type {Functions} from '../harness/explore/explore.ts';
import {isOneOf} from '../harness/functions/function-source.ts';
import {InputError} from '../harness/input/input-error.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';
import {openTwins, type TwinRun, type TwinSetting, type Twins} from '../harness/twin/twin.ts';

export interface TwinContext {
  readonly functions: Functions;
  readonly entry: string;
}

/**
 * The runs with the functions that `given` names and without them. Throws InputError where it names what the scenario does not have,
 * or nothing is composed in the story without the functions, and something is with them.
 */
export function comparableTwins(
  scenario: Scenario,
  file: string,
  given: string,
  crossplane: ProfileName,
  context: TwinContext,
): {readonly setting: TwinSetting; readonly twins: Twins} {
  const names = given.split(',');
  const known = Object.keys(scenario.functions);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InputError(`--twin must name functions of the scenario (${known.join(', ')}), got "${unknown}"`, {
      place: file,
    });
  const twin = [...names, ...known.filter((key) => !names.includes(key) && isOneOf(key, names))];
  const setting = {crossplane, twin, functions: {...context.functions, ...calledFunctions()}};
  const twins = openTwins(scenario, setting);
  refuseIncomparable(scenario, twins, twin);
  return {setting, twins};
}

/** True if Crossplane composed something in the run. */
export function composes({witness}: TwinRun): boolean {
  return witness.intent.books.byUid.values().some(({xr}) => xr !== undefined);
}

/** Throws InputError if nothing is composed in the story without the functions, and something is with them. */
export function refuseIncomparable(scenario: Scenario, twins: Twins, without: readonly string[]): void {
  if (composes(twins.without.run(scenario)) || !composes(twins.with.run(scenario))) return;
  const names = without.join(', ');
  throw new InputError(
    `cannot compare with and without ${names}: without it nothing is composed. --twin is for a function that changes what others compose; leave it out to judge ${names}`,
  );
}
