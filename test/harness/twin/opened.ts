// Twins for many functions: what a story begins with is opened once. That takes longer than a small story, and a world that has not
// begun knows its functions by name alone.

import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {managedKindsOf} from '../../../src/harness/control-plane/managed-kinds.ts';
import {SharedPlays} from '../../../src/harness/explore/shared-plays.ts';
import {builtins, type InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import type {Scenario} from '../../../src/harness/scenario/scenario.ts';
import {openTwins, type Plays, type Twins} from '../../../src/harness/twin/twin.ts';
import {TwinWitness} from '../../../src/harness/twin/witness.ts';

/** The side with `run` in the place of `former`, which has been called by no story yet. */
export function playsWith(
  run: InProcessFunction,
  former: InProcessFunction,
  {platform}: Plays,
  {fixtures, provider}: Scenario,
): Plays {
  const {parts, definition} = platform;
  const replaced = <Of>(functions: {readonly [name: string]: Of | InProcessFunction}) =>
    Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, one === former ? run : one]));
  const kinds = managedKindsOf(fixtures, provider);
  return new SharedPlays(
    {
      ...platform,
      parts: {...parts, functions: replaced(parts.functions)},
      definition: {...definition, functions: replaced(definition.functions)},
    },
    () => TwinWitness.of(kinds),
  );
}

const opened = new Map<string, Twins>();
const nothing: InProcessFunction = () => ({ok: false, message: 'stands for another function'});

/** Each of these twins has plays of its own. */
export function twinsWith(run: InProcessFunction, scenario: Scenario, crossplane: ProfileName): Twins {
  const {steps: _, name: __, ...beginning} = scenario;
  const key = JSON.stringify([crossplane, beginning]);
  const functions = {...builtins, 'function-tether': nothing};
  const twins = opened.get(key) ?? openTwins(scenario, {crossplane, twin: ['function-tether'], functions});
  opened.set(key, twins);
  return {
    with: playsWith(run, nothing, twins.with, scenario),
    without: playsWith(run, nothing, twins.without, scenario),
  };
}
