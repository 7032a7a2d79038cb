// Harms that the death of a provider explains: it stopped between the annotation that announces a create and the create's
// answer, and from then on it refuses to go on by itself. Which resource that hits is a matter of the moment. Nobody is
// harmed by leaving it out: the provider alone writes these annotations, and what the function deletes or makes again
// on the way is a harm by itself.

import {conditionOf} from '../../cluster/object.ts';
import {type Ending, type Found, foundIn} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';
import {areAllNamed} from './named-in.ts';

const ofWhoGoes: readonly HarmKind[] = ['deleting', 'left-behind', 'doubled'];

export function isCutOff({kind, place}: Harm, ending: Ending): boolean {
  // It is asked to go, and its provider refuses that, too.
  if (ofWhoGoes.includes(kind))
    return (ending.deleting.get(place) ?? []).some(({object}) => ending.run.ledger.isCutOff(object));
  if (kind !== 'destroyed' && kind !== 'not-ready') return false;
  return (ending.living.get(place) ?? []).some((found) => isStuck(found, ending) || isOfUnseen(found, ending));
}

/**
 * Whether an XR is not ready for nothing but what its provider has not looked at since an event was missed, and says nothing yet: which
 * event that is, is a matter of the moment, too.
 */
function isOfUnseen({made, object}: Found, {living, run}: Ending): boolean {
  if (!run.happened.some(({fault}) => fault === 'missed-event')) return false;
  const unseen = [...living.values()]
    .flat()
    .filter((one) => one.made.xr === made.place && one.object.status?.conditions === undefined)
    .map((one) => one.made.resourceName ?? '');
  return areAllNamed(conditionOf(object, 'Ready')?.message, 'Unready resources', (name) => unseen.includes(name));
}

/** An object that was cut off, or an XR of which nothing else is unready. */
function isStuck({made, object}: Found, ending: Ending): boolean {
  if (ending.run.ledger.isCutOff(object)) return true;
  const composed = foundIn(ending).filter((one) => one.made.xr === made.place);
  const unready = composed.filter((one) => isUnready(one));
  return unready.length > 0 && unready.every((one) => isStuck(one, ending));
}

function isUnready({object}: Found): boolean {
  const ready = conditionOf(object, 'Ready');
  return ready !== undefined && ready.status !== 'True';
}
