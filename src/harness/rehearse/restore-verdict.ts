// Whether a rehearsed restore may be called one that passed: it comes to nothing that the same edits do not come to on a
// control plane that was never lost (the twin), and everything that the twin has at the end is there. What the twin finds,
// too, is the edits' doing: it stands in the plan, and is no restore's fault.

import {addressOf} from '../../cluster/object.ts';
import {annotationResourceName} from '../../cluster/vocabulary.ts';
import {composedBy} from './composed.ts';
import {type Finding, findingsOf, findingText, named} from './findings.ts';
import type {Rehearsal} from './rehearse.ts';
import {isXr} from './xrs.ts';

export interface Problem {
  readonly kind: Finding['kind'] | 'lost';
  readonly text: string;
}

/** What the rehearsal comes to beyond its twin; none where it passes. */
export function problemsOf(rehearsal: Rehearsal, twin: Rehearsal): readonly Problem[] {
  const expected = new Set(findingsOf(twin).map(findingText));
  return [...findingsOf(rehearsal).filter((one) => !expected.has(findingText(one))), ...lostIn(rehearsal, twin)];
}

/** XRs, claims and composed resources that the twin has and the rehearsal has not: an object may have another name. */
function lostIn({result}: Rehearsal, twin: Rehearsal): readonly Problem[] {
  const there = placesIn(result.objects);
  return [...placesIn(twin.result.objects)]
    .filter(([place]) => !there.has(place))
    .map(([, text]) => ({kind: 'lost', text: `${text} does not come back`}));
}

/** By XR and resource name, or by its own name: what is there. */
function placesIn(objects: Rehearsal['result']['objects']): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const object of objects) if (isXr(object, objects)) places.set(addressOf(object), named(object));
  for (const [xr, {resources}] of composedBy(objects)) {
    for (const one of resources) {
      const resourceName = one.metadata.annotations?.[annotationResourceName];
      places.set(resourceName === undefined ? addressOf(one) : `${xr} ${resourceName}`, named(one));
    }
  }
  return places;
}
