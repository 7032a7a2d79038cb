import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {Functions} from '../explore/explore.ts';
import {isOneOf} from '../functions/function-version.ts';
import {InputError} from '../input/input-error.ts';
import type {Scenario} from '../scenario/scenario.ts';
import type {TwinSetting} from './twin.ts';

export interface TwinContext {
  readonly functions: Functions;
  readonly entry: string;
}

/** Throws InputError where `twin` names what the scenario does not have. */
export function settingFor(
  scenario: Scenario,
  file: string,
  given: string,
  crossplane: ProfileName,
  {functions}: TwinContext,
): TwinSetting {
  const names = given.split(',');
  const known = Object.keys(scenario.functions);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InputError(file, `--twin must name functions of the scenario (${known.join(', ')}), got "${unknown}"`);
  const twin = [...names, ...known.filter((key) => !names.includes(key) && isOneOf(key, names))];
  return {crossplane, twin, functions};
}
