// Decides if a comparison is meaningful. If the judged function composes the resources itself, the run without it has none: every run with
// it then looks harmful, or every run without it harmless.

import {InputError} from '../input/input-error.ts';
import type {Scenario} from '../scenario/scenario.ts';
import type {TwinRun, Twins} from './twin.ts';

/** True if Crossplane composed something in the run. */
export function composes({witness}: TwinRun): boolean {
  return witness.intent.books.byUid.values().some(({xr}) => xr !== undefined);
}

/** Throws InputError if nothing is composed in the story without the functions, and something is with them. */
export function refuseIncomparable(scenario: Scenario, {shared}: Twins, without: readonly string[]): void {
  if (composes(shared.without.run(scenario)) || !composes(shared.with.run(scenario))) return;
  const names = without.join(', ');
  throw new InputError(
    '',
    `cannot compare with and without ${names}: without it nothing is composed. --twin is for a function that changes what others compose; leave it out to judge ${names}`,
  );
}
