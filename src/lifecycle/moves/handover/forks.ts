// One object that rules would turn into two. It goes to one resource name, or its own is desired of another kind. And a second rule
// gives it another resource name, which is desired and has no object. Crossplane would create that one beside the moved one, and
// either may be meant. So nothing moves and nothing is created until one target is left.

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
