// A chain of moves in one edit: `a` is to become `b`, and the object that is `b` now is to become `c`. Of `b` nobody knows
// then which of the two objects it means, and of the rule for `c` nobody knows whether it is an old one that is done. So `b`
// stays, `a` waits for its name, and `c` is not made anew: made once it would be in the way of `b` for good.

import {refTo} from '../../facts/naming.ts';
import type {Input} from '../../input/input.ts';
import type {ObjectRef} from '../../words/references.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';
import {isToKind, ruleFor} from './rules.ts';

/** The end of a chain: the resource name that has no object yet, and the object that a rule moves there. */
export interface ChainEnd {
  /** What the first object of the chain is to become. */
  readonly next: string;
  readonly name: string;
  readonly from: string;
  readonly object: ObjectRef;
}

/** What the object that has the resource name already is to become, or who comes after that; undefined where no chain is. */
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
