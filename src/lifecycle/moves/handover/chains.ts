// A chain of moves in one edit: `a` is to become `b`, and the present object of `b` is to become `c`. Then `b` may mean either
// object, and the rule for `c` may be an old one that is done. So `b` stays, `a` waits for its name, and `c` is not created: once
// created, it would be in the way of `b` for good.

import type {Input} from '../../input/input.ts';
import {type ObjectRef, refTo} from '../../words/references.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';
import {isToKind, ruleFor} from './moves.ts';

/** The end of a chain: the resource name without an object, and the object that a rule moves there. */
export interface ChainEnd {
  /** The new resource name of the first object of the chain. */
  readonly next: string;
  readonly name: string;
  readonly from: string;
  readonly object: ObjectRef;
}

/** The end of the chain that the present object of the resource name begins; undefined if there is none. */
export function chainEnd(
  resourceName: string,
  {observed, desired}: Pick<Snapshot, 'observed' | 'desired'>,
  input: Input,
): ChainEnd | undefined {
  const passed = new Set<string>();
  let from = resourceName;
  let next: string | undefined;
  for (let view = observed.get(from); view !== undefined && !passed.has(from); view = observed.get(from)) {
    passed.add(from);
    const name = nextName(from, view, desired, input);
    if (name === undefined) return undefined;
    next ??= name;
    if (!observed.has(name)) return {next, name, from, object: refTo(view)};
    from = name;
  }
  return undefined;
}

function nextName(
  resourceName: string,
  view: ResourceView,
  desired: Snapshot['desired'],
  input: Input,
): string | undefined {
  const allowed = ruleFor(input, resourceName, view, (to) => {
    const wanted = to.resource === undefined ? undefined : desired.get(to.resource);
    return to.resource !== resourceName && wanted !== undefined && isToKind(to, wanted, view);
  });
  return allowed?.rule.to.resource;
}
