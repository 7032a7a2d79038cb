// The annotations by which the objects of a move carry it themselves.

import {isSetAside} from '../facts/set-aside.ts';
import {text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

/** On the new object while the old one is there, and on a renamed one: the resource name that it comes from. */
export const annotationFrom = 'tether.fn.crossplane.io/handover-from';

/** On an object that is on its way: the resource name that it, or what comes after it, is going to have. */
export const annotationTo = 'tether.fn.crossplane.io/handover-to';

/** On both objects of an exchange between XRs: with whom, and how far it is. */
export const annotationWith = 'tether.fn.crossplane.io/handover-with';

/** The resource name of the object that this one comes after, or that it had itself; '' for none. */
export function comesFrom(view: ResourceView): string {
  return annotation(view, annotationFrom);
}

/** The resource name that it is going to have; '' for none. */
export function goesTo(view: ResourceView): string {
  return annotation(view, annotationTo);
}

/** Whether it is in an exchange between XRs. */
export function isExchanged(view: ResourceView): boolean {
  return annotation(view, annotationWith) !== '';
}

/** Whether the object itself says that it is in the middle of a move, whatever else is observed. */
export function saysItMoves(view: ResourceView): boolean {
  return isSetAside(comesFrom(view)) || isExchanged(view);
}

function annotation(view: ResourceView, key: string): string {
  return text(view.field(['metadata', 'annotations', key]));
}
