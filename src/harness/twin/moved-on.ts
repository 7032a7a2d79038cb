// What went on under another resource name, or to another object. It is counted where it was made, while without the function
// the new name has an object of its own: so what was made there before it, and lives on, seems to be one too many.

import {annotationResourceName} from '../../cluster/crossplane/vocabulary.ts';
import type {Ending, Found} from './ending.ts';
import type {MadeExternal} from './ledger.ts';

/**
 * Whether its XR has it under another of its resource names by now, where without the function that name has another object.
 */
export function hasMovedOn({made, object, controller}: Found, {asked}: Ending, wo: Ending): boolean {
  const name = object.metadata.annotations?.[annotationResourceName] ?? '';
  const isMoved = controller !== undefined && controller === made.xr && name !== made.resourceName;
  return isMoved && isWantedAs(name, controller, asked) && hasAt(name, controller, wo);
}

/** Whether an object of another name or XR has it by now, where that one has an external resource of its own without the function. */
export function isInUseElsewhere({id, place}: MadeExternal, w: Ending, wo: Ending): boolean {
  return [...w.living.values()].flat().some(({made, object, controller}) => {
    if (w.run.ledger.idOf(object) !== id || controller === undefined || controller !== made.xr) return false;
    const name = object.metadata.annotations?.[annotationResourceName] ?? '';
    const isSame = made.place === place && name === made.resourceName;
    return !isSame && isWantedAs(name, controller, w.asked) && hasAt(name, controller, wo);
  });
}

function isWantedAs(name: string, xr: string, asked: Ending['asked']): boolean {
  return asked.get(xr)?.desired.has(name) === true;
}

/** Whether the XR has an object of its own under the resource name. */
function hasAt(name: string, xr: string, {living}: Ending): boolean {
  return [...living.values()]
    .flat()
    .some(({made, controller}) => controller === xr && made.xr === xr && made.resourceName === name);
}
