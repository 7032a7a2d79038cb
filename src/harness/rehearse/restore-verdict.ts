// Decides if a rehearsed restore passes: it has no outcome that the same edits never have on a control plane that was never lost
// (the twin), and everything that the twin has at the end exists. Outcomes that the twin has, too, come from the edits: they
// stand in the plan, and are no fault of the restore.

import {addressOf} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import {isXr} from '../control-plane/standing/xrs.ts';
import {composedBy} from './composed.ts';
import {type Finding, findingsOf, findingText, named} from './findings.ts';
import type {Rehearsal} from './rehearse.ts';

export interface Problem {
  readonly kind: Finding['kind'] | 'lost';
  readonly text: string;
}

/** The problems of the rehearsal beyond its twin; none if it passes. */
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
      const resourceName = resourceNameOf(one);
      places.set(resourceName === undefined ? addressOf(one) : `${xr} ${resourceName}`, named(one));
    }
  }
  return places;
}
