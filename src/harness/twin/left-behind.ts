// What is left of an XR that is gone, or of what moved: an object with something that owns it, one that a restore brought back as
// nobody's, an external resource that is counted where it was made.

import type {Ending, Found} from './ending.ts';
import {addressOf, type Made} from './ledger.ts';
import {isTaker} from './taken-on.ts';

/** Whether it goes with something that is there without the function, too: a Usage is owned by its `by`. */
export function isOwned(mine: readonly Found[], w: Ending, wo: Ending): boolean {
  return mine.every(({object}) =>
    (object.metadata.ownerReferences ?? []).some(({uid}) => {
      const owner = w.run.ledger.ofUid(uid)?.place;
      if (owner === undefined || !(wo.living.has(owner) || wo.deleting.has(owner))) return false;
      return [...(w.living.get(owner) ?? []), ...(w.deleting.get(owner) ?? [])].some(isUid(uid));
    }),
  );
}

function isUid(uid: string): (found: Found) => boolean {
  return ({object}) => object.metadata.uid === uid;
}

/**
 * Whether a template made what came back as nobody's, as in a restore that is done after its XR: beside what the steps compose,
 * which came back as nobody's in both runs; or without the function alone, where with it only this came back too late for
 * its XR, which a person deletes meanwhile.
 */
export function isLeftAsOthers(
  {place: own, xr = '', resourceName = ''}: Made,
  mine: readonly Found[],
  w: Ending,
  wo: Ending,
): boolean {
  if (w.asked.get(xr)?.desired.has(resourceName) === true) return false;
  const isNobodys = ({controller}: Found) => controller === undefined;
  const isLeft = (place: string, {living}: Ending) => living.get(place)?.some(isNobodys) === true;
  const others = [...w.places.values()].filter((other) => other.xr === xr);
  const isLate = w.run.ledger.cameBackLate(own);
  return mine.every(isNobodys) && others.some(({place}) => (isLate || isLeft(place, w)) && isLeft(place, wo));
}

/** Whether a person deleted its XR and asked that what it composes stay. */
export function isOrphanedAsAsked({xr = ''}: Pick<Made, 'xr'>, {run}: Ending): boolean {
  return run.story.moves.some(({action}) => {
    if (action.kind !== 'delete' || action.propagationPolicy !== 'Orphan') return false;
    const {apiVersion, kind, name, namespace} = action.target;
    if (apiVersion === undefined || name === undefined) return false;
    return addressOf({apiVersion, kind, metadata: namespace === undefined ? {name} : {name, namespace}}) === xr;
  });
}

/**
 * Whether without the function its XR leaves one more behind under another resource name, or another XR that takes from
 * somebody, under whichever name it has that by now: what moved there is that one's, and is counted where it was made.
 */
export function isLeftInstead({place, xr}: Made, w: Ending, wo: Ending): boolean {
  return [...wo.externals.keys()].some((other) => {
    const there = wo.places.get(other);
    if (other === place || xr === undefined || there?.xr === undefined) return false;
    return (there.xr === xr || isTaker(there.xr, w)) && leftAt(other, wo) > leftAt(other, w);
  });
}

/** How many external resources of the place are alive that no object leads to. */
function leftAt(place: string, {externals, living, run}: Ending): number {
  const led = new Set([...living.values()].flat().map(({object}) => run.ledger.idOf(object)));
  return (externals.get(place) ?? []).filter(({id}) => !led.has(id)).length;
}
