// Fields that a provider resolved from a reference to another object: they say that object's external name, which is another one
// where that object moved, or where the cloud counted otherwise. Whether the object they mean has become another external
// resource is a question about that object, and is asked there.

import type {Json} from '../../cluster/json.ts';
import {externalNameOf} from '../oracle/externals.ts';
import type {Ending} from './ending.ts';

/** Whether the two values are the external names of what is at one and the same place in both runs. */
export function isSameReference(one: Json | undefined, other: Json | undefined, w: Ending, wo: Ending): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const named = placesOf(one, w);
  return placesOf(other, wo).some((place) => named.includes(place));
}

function placesOf(externalName: string, {living}: Ending): readonly string[] {
  return [...living].flatMap(([place, all]) =>
    all.some(({object}) => externalNameOf(object) === externalName) ? [place] : [],
  );
}
