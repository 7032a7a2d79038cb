// Which rule of the input allows a move to another resource name or kind.

import type {Input} from '../../input/input.ts';
import {matches} from '../../input/selector.ts';
import {groupOf, type Kind} from '../../words/references.ts';
import type {ResourceView} from '../../words/snapshot.ts';

export type HandoverRule = NonNullable<Input['handover']>[number];

/** A rule, and where in the input it stands. */
export interface PlacedRule {
  readonly path: string;
  readonly rule: HandoverRule;
}

/** The first rule whose `from` selects the old object and whose `to` `accepts` takes; undefined where none does. */
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

/** Whether `to` means this kind. What it does not say is left open; but then the kind has to be the old one's. */
export function isToKind({apiVersion, kind}: HandoverRule['to'], wanted: Kind, old: Kind): boolean {
  const group = groupOf(apiVersion ?? old.apiVersion);
  return wanted.kind === (kind ?? old.kind) && groupOf(wanted.apiVersion) === group;
}
