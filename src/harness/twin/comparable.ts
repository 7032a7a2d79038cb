// Whether a comparison can show anything. A function that composes is no guard of what others compose: without it there is
// nothing left to be worse off, and every run with it looks harmful or every run without it harmless.

import {InputError} from '../input/input-error.ts';
import type {Scenario} from '../scenario/scenario.ts';
import {openTwins, type Side, type TwinSetting} from './twin.ts';

/** Throws InputError if nothing is composed in the story without the functions, and something is with them. */
export function refuseIncomparable(scenario: Scenario, setting: TwinSetting): void {
  const twins = openTwins(scenario, setting);
  const composes = (side: Side): boolean => {
    const {books} = twins.shared[side].run(scenario).witness.intent;
    return [...books.byUid.values()].some(({xr}) => xr !== undefined);
  };
  if (composes('without') || !composes('with')) return;
  const names = setting.twin.join(', ');
  throw new InputError(
    '',
    `cannot compare with and without ${names}: without it nothing is composed. --twin is for a function that changes what others compose; leave it out to judge ${names}`,
  );
}
