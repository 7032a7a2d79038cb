// One object that rules let become two: its own resource name is desired of another kind, or it goes to one resource name, and
// a second rule gives it another one, which is desired and has no object. Crossplane would make that one anew, beside the
// one that moved, and nobody knows which of the two was meant. So nothing moves and nothing is made, until one is left.

import type {Input} from '../../input/input.ts';
import {matches} from '../../input/selector.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';

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
