import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {Functions} from '../explore/explore.ts';
import {isOneOf} from '../functions/function-version.ts';
import {InputError} from '../input/input-error.ts';
import type {Scenario} from '../scenario/scenario.ts';
import type {Explain} from './lives.ts';
import type {TwinSetting} from './twin.ts';

export interface TwinContext {
  readonly functions: Functions;
  readonly explain?: Explain;
  readonly entry: string;
}

/** Throws InputError where `twin` names what the scenario does not have. */
export function settingFor(
  scenario: Scenario,
  file: string,
  given: string,
  crossplane: ProfileName,
  {functions, explain}: TwinContext,
): TwinSetting {
  const names = given.split(',');
  const known = Object.keys(scenario.functions);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InputError(file, `--twin must name functions of the scenario (${known.join(', ')}), got "${unknown}"`);
  // What a function decides is known only of the one this package is about.
  const isKnown = names.every((name) => isOwn(scenario, name));
  const twin = [...names, ...known.filter((key) => !names.includes(key) && isOneOf(key, names))];
  return {crossplane, twin, functions, ...(isKnown && explain !== undefined ? {explain} : {})};
}

function isOwn({functions}: Scenario, name: string): boolean {
  const source = functions[name];
  return source?.kind === 'builtin' && source.name === 'function-tether';
}
