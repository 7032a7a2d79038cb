// The rule of the input that allows a move to another resource name or kind.

import type {Input} from '../../input/input.ts';
import {matches} from '../../input/selector.ts';
import {groupOf, type Kind} from '../../words/references.ts';
import type {ResourceView} from '../../words/snapshot.ts';

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
