// Two XRs that want one object, as where a Composition says its name: the one that comes first has it, and the other is not
// Synced, with the function and without it. Which of them that is, is a matter of the moment.

import type {Ending} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';

const ofWhoComesSecond: readonly HarmKind[] = ['missing', 'gone', 'recreated', 'not-synced', 'not-ready'];

/** Whether another XR has what the XR of the harm wants, and has without the function. */
export function isOfWhoComesSecond({kind, place, xr = place}: Harm, w: Ending, wo: Ending): boolean {
  if (!ofWhoComesSecond.includes(kind)) return false;
  return [...(w.asked.get(xr)?.addresses ?? [])].some((address) => {
    const owner = ownerAt(address, w);
    const isWanted = owner !== undefined && owner !== xr && w.asked.get(owner)?.addresses.has(address) === true;
    return isWanted && ownerAt(address, wo) === xr;
  });
}

/** The place of who controls the object of that address. */
function ownerAt(address: string, {living}: Ending): string | undefined {
  return [...living.values()].flat().find(({made}) => made.address === address)?.controller;
}
