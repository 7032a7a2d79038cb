// The annotations that record a move on its objects. An editor of the XR cannot write them. That of an exchange outlives its rule, so an
// exchange whose rule is taken away midway is still known, and nothing is lost.

import {annotationOf} from '../facts/metadata.ts';
import {annotationTo} from '../facts/naming.ts';
import {annotationPolicies} from '../removal/policies.ts';
import {at, isList, type Path, parsed, text} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import {isSameKind, isSameObject, type Kind, kindIn, type ObjectRef} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

/** On the new object while the old one is there, and on a renamed one: the resource name that it comes from. */
export const annotationFrom = 'tether.fn.crossplane.io/handover-from';

/** On both objects of an exchange between XRs: the other side, and the stage of the exchange. */
const annotationWith = 'tether.fn.crossplane.io/handover-with';

/** Marks that stay on an object as long as its policies are not its own, or it has to be known again. */
export const lastingMarks = [annotationPolicies, annotationFrom, annotationTo, annotationWith];

/** The observed objects with such a mark, by resource name: in nearly every call none. */
export const lastinglyMarked = memoized((observed: Snapshot['observed']): ReadonlyMap<string, ResourceView> => {
  const found = new Map<string, ResourceView>();
  observed.forEach((view, name) => {
    for (const key of lastingMarks) if (annotationOf(view, key) !== '') found.set(name, view);
  });
  return found;
}, new WeakMap());

/** The resource name that it is going to have; '' for none. */
export function goesTo(view: ResourceView): string {
  return annotationOf(view, annotationTo);
}

/** The resource name of its predecessor, or that it had itself; '' for none. */
export function comesFrom(view: ResourceView): string {
  return annotationOf(view, annotationFrom);
}

/** True if it is in an exchange between XRs. */
export function isExchanged(view: ResourceView): boolean {
  return annotationOf(view, annotationWith) !== '';
}

/**
 * By the side of the exchange on which the object is. offering: it may be taken. giving: it has let go, or is told to. taking-back:
 * it may no longer be taken. observing: the new object only observes. left: it still does, and the old one is gone. taken: it has its
 * own policies.
 */
const stages = {
  offering: 'give',
  giving: 'give',
  'taking-back': 'give',
  observing: 'take',
  left: 'take',
  taken: 'take',
} as const;

export type Stage = keyof typeof stages;

/** The other XR, the resource name there, and the kind of the object. */
export interface Partner {
  readonly xr: ObjectRef;
  readonly resource: string;
  readonly kind: Kind;
}

export interface Mark extends Partner {
  readonly side: 'give' | 'take';
  readonly stage: Stage;
  /** The keys of its connection Secret with a value: no answer of Crossplane shows them to the other XR. */
  readonly keys: readonly string[];
}

export function markAnnotation(
  stage: Stage,
  {xr, resource, kind}: Partner,
  keys: readonly string[] = [],
): {readonly [key: string]: string} {
  const {namespace, name} = xr;
  const mark = {stage, xr: {...kindIn(xr), namespace, name}, resource, kind: kindIn(kind)};
  return {[annotationWith]: JSON.stringify(keys.length === 0 ? mark : {...mark, keys})};
}

/** The mark of the object's exchange, undefined if it is in none. */
export function markOn(view: ResourceView): Mark | undefined {
  const said = annotationOf(view, annotationWith);
  if (said === '') return undefined;
  const mark = parsed(said);
  const part = (...where: Path) => text(at(mark, where));
  const [stage, resource] = [part('stage'), part('resource')];
  const xr = {apiVersion: part('xr', 'apiVersion'), kind: part('xr', 'kind'), name: part('xr', 'name')};
  const kind = {apiVersion: part('kind', 'apiVersion'), kind: part('kind', 'kind')};
  const needed = [resource, ...Object.values(xr), ...Object.values(kind)];
  if (!isStage(stage) || needed.includes('')) return undefined;
  const keys = at(mark, ['keys']);
  return {
    side: stages[stage],
    stage,
    xr: {...xr, namespace: part('xr', 'namespace')},
    resource,
    kind,
    keys: isList(keys) ? keys.map(text) : [],
  };
}

function isStage(said: string): said is Stage {
  return Object.hasOwn(stages, said);
}

export function isSamePartner(a: Partner, b: Partner): boolean {
  return isSameObject(a.xr, b.xr) && a.resource === b.resource && isSameKind(a.kind, b.kind);
}
