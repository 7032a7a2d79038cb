// What Crossplane asks of function-tether while a scenario runs, as the calls' bytes: for tests of what it says step by step.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import type {Scenario} from '../../src/harness/scenario/scenario.ts';
import {registry} from './registry.ts';

/** The requests of one run, in order. Throws where the scenario fails. */
export function askedOfTether(scenario: Scenario, crossplane: ProfileName, seed: number): readonly Uint8Array[] {
  const variant = scenario.variants.find(({without}) => !without.includes('function-tether'));
  const tether = registry['function-tether'];
  if (variant === undefined || tether === undefined) throw new Error(`${scenario.name} runs no function-tether`);
  const requests: Uint8Array[] = [];
  const recorded: typeof tether = (request, call) => {
    requests.push(request);
    return tether(request, call);
  };
  const builtins = {...registry, 'function-tether': recorded};
  const {failures} = driveHere(driveScenario(scenario, {crossplane, variant, seed, builtins}));
  if (failures[0] !== undefined) throw new Error(`${scenario.name}: ${failures[0].message}`);
  return requests;
}
