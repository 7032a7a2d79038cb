// The rule of the input that allows a move to another resource name or kind, and a second rule that makes a fork of it.
//
// A fork: one object that rules would turn into two. It goes to one resource name, or its own is desired of another kind. And a second
// rule gives it another resource name, which is desired and has no object. Crossplane would create that one beside the moved one, and
// either may be meant. So nothing moves and nothing is created until one target is left.

import type {Input} from '../../input/input.ts';
import {matches} from '../../input/selector.ts';
import {groupOf, type Kind} from '../../words/references.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';

export type HandoverRule = NonNullable<Input['handover']>[number];

/** A rule with its place in the input. */
export interface PlacedRule {
  readonly path: string;
  readonly rule: HandoverRule;
}

/** The first rule whose `from` selects the old object and whose `to` passes `accepts`; undefined if there is none. */
export function ruleFor(
  {handover = []}: Input,
  resourceName: string,
  old: ResourceView,
  accepts: (to: HandoverRule['to']) => boolean,
): PlacedRule | undefined {
  const index = handover.findIndex(({from, to}) => accepts(to) && matches(from, resourceName, old));
  const rule = handover[index];
  return rule === undefined ? undefined : {path: `handover[${index}]`, rule};
}

/** True if `to` means this kind. A kind that it leaves out is the old object's. */
export function isToKind({apiVersion, kind}: HandoverRule['to'], wanted: Kind, old: Kind): boolean {
  const group = groupOf(apiVersion ?? old.apiVersion);
  return wanted.kind === (kind ?? old.kind) && groupOf(wanted.apiVersion) === group;
}

/** The resource name that a rule gives the object, and that is desired and has no object, other than `to`; undefined for none. */
export function otherTarget(
  at: string,
  old: ResourceView,
  to: string,
  {observed, desired}: Pick<Snapshot, 'observed' | 'desired'>,
  {handover = []}: Input,
): string | undefined {
  const isOpen = (name: string) => name !== to && name !== at && desired.has(name) && !observed.has(name);
  const rule = handover.find(({from, to: {resource = ''}}) => isOpen(resource) && matches(from, at, old));
  return rule?.to.resource;
}
