// A tool that brings an XR back before what it composes: where Crossplane makes up a name, of the XR's new UID or by chance, it makes
// anew what is not there yet when it reconciles the XR, and the tool's object comes to be nobody's beside it. Which objects that
// hits is a matter of the moment, with the function and without it (docs/operations.md says to let XRs come last). So it is where an
// XR is lost in the middle of a reconcile, whose apply makes it again before any tool does.

import {asksForUsages} from './asks-for-usages.ts';
import {type Ending, innerXrsOf, placesOn, standsStill} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';

const ofWhoCameLate: readonly HarmKind[] = ['doubled', 'unowned'];
const ofWhoShares: readonly HarmKind[] = ['not-synced', 'not-ready'];
/** Of what a reconcile that a disaster overtook had be the XR's that was lost in it: the owner GC takes that. */
const ofWhoGoesWithLost: readonly HarmKind[] = ['gone', 'destroyed', 'recreated', 'unowned'];
const ofWhoWasRemade: readonly HarmKind[] = [...ofWhoCameLate, 'recreated'];

/**
 * Whether it is of an object that came back after its XR, in both runs, or that a stale cache does not show; or was made anew for an XR
 * that a reconcile made again: whether a disaster strikes in the middle of one is chance.
 */
export function isOfLateRestore({kind, place, xr}: Harm, w: Ending, wo: Ending): boolean {
  // Made again by an apply that says nothing else of it, it is empty, and there, though somebody had deleted it.
  if (['overwritten', 'kept'].includes(kind) && w.run.ledger.wasRemade(place)) return true;
  if (ofWhoGoesWithLost.includes(kind) && w.run.ledger.isOfLost(place)) return true;
  if (xr === undefined) return false;
  if (ofWhoShares.includes(kind) && isOfTwo(place, w, wo)) return true;
  // What an XR that was made again composes in turn is made anew with it.
  if (ofWhoWasRemade.includes(kind) && placesOn(xr).some((one) => w.run.ledger.wasRemade(one))) return true;
  // Nobody looks for it: somebody made the XR stand still before that, and deleted it then.
  if (kind === 'left-behind' && [w, wo].every((one) => standsStill(xr, one))) return w.run.ledger.cameBackLate(place);
  const isUnseen = ({run}: Ending) => run.ledger.cameBackLate(place) || (isStale(run) && run.ledger.wasRestored(place));
  return ofWhoCameLate.includes(kind) && [w, wo].every(isUnseen);
}

/**
 * Whether an XR is there twice, or one that it composes, so that two want the objects that the steps name: which of them has those is
 * chance.
 */
function isOfTwo(place: string, w: Ending, wo: Ending): boolean {
  return [...w.living].some(([other, {length}]) => {
    const isOf = other === place || other.startsWith(`${place} > `);
    const isTwice = length > 1 && w.xrs.some(({made}) => made.place === other);
    return isOf && isTwice && [w, wo].every(({run}) => run.ledger.cameBackLate(other));
  });
}

const ofWhoIsMadeAgain: readonly HarmKind[] = ['overwritten', ...ofWhoWasRemade];

/**
 * Whether the XR was lost and a reconcile made it again, empty, which saw it as it was: a stale cache shows it so, and what the input
 * asked for, a Usage, goes with it and has it reconciled once more. Made again it has no resource name, and an XR that lists it
 * is not Synced.
 */
export function isRemadeForUsage({kind, place}: Harm, xr: string, ending: Ending): boolean {
  const {run, asked} = ending;
  const isRemade = (one: string) => run.ledger.wasRemade(one) && asked.get(one)?.requests.some(asksForUsages) === true;
  const remade = ofWhoShares.includes(kind) ? innerXrsOf(place, ending) : ofWhoIsMadeAgain.includes(kind) ? [xr] : [];
  return remade.some(isRemade) && isStale(run);
}

/** Whether there was a fault after which Crossplane sees an XR as it was. */
export function isStale({happened}: Ending['run']): boolean {
  return happened.some(({fault}) => fault === 'stale-cache' || fault === 'missed-event');
}
