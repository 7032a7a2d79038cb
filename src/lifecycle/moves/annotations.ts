// The annotations that record a move on its objects.

import {annotationOf} from '../facts/metadata.ts';
import type {ResourceView} from '../words/snapshot.ts';

/** On the new object while the old one is there, and on a renamed one: the resource name that it comes from. */
export const annotationFrom = 'tether.fn.crossplane.io/handover-from';

/** On an object that moves: the resource name that it, or its successor, is going to have. */
export const annotationTo = 'tether.fn.crossplane.io/handover-to';

/** On both objects of an exchange between XRs: the other side, and the stage of the exchange. */
export const annotationWith = 'tether.fn.crossplane.io/handover-with';

/** The resource name of its predecessor, or that it had itself; '' for none. */
export function comesFrom(view: ResourceView): string {
  return annotationOf(view, annotationFrom);
}

/** The resource name that it is going to have; '' for none. */
export function goesTo(view: ResourceView): string {
  return annotationOf(view, annotationTo);
}

/** True if it is in an exchange between XRs. */
export function isExchanged(view: ResourceView): boolean {
  return annotationOf(view, annotationWith) !== '';
}
