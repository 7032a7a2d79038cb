import {asksForUsages} from './asks-for-usages.ts';
import type {Ending} from './ending.ts';
import type {Made} from './ledger.ts';

/** Whether a Usage denied the delete of a person, and said so, of an XR whose input asked for Usages. */
export function isDeniedAsAsked({place, xr}: Pick<Made, 'place' | 'xr'>, {run, asked}: Ending): boolean {
  if (!run.ledger.isDenied(place)) return false;
  const all = xr === undefined ? [...asked.values()] : [asked.get(xr)];
  return all.some((one) => one?.requests.some(asksForUsages) === true);
}

/** Whether somebody asked for the XR again while what its input asked for, Usages, still kept it from being gone. */
export function isAskedTooSoon(xr: string, {run, asked}: Ending): boolean {
  return run.ledger.wasAskedTooSoon(xr) && asked.get(xr)?.requests.some(asksForUsages) === true;
}

/** Whether a backup had an XR that was on its way still, for its input asked for Usages, and a restore brought it back. */
export function isSavedWhileGoing({place, xr}: Made, {run, asked}: Ending, wo: Ending): boolean {
  if (xr !== undefined || !run.ledger.wasRestored(place) || wo.run.ledger.wasRestored(place)) return false;
  return asked.get(place)?.requests.some(asksForUsages) === true;
}

/** Whether without the function it was made anew since. */
export function isOlder({place, index}: Made, wo: Ending): boolean {
  return (wo.living.get(place)?.[0]?.made.index ?? index) > index;
}
