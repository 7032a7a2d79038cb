// Which rule of the input allows a move, and what it says the new object's external name is.

import type {Input, InvalidInput} from '../../input/input.ts';
import {matches} from '../../input/selector.ts';
import {celProblem, compileCel} from '../../templates/cel/cel.ts';
import type {Meter} from '../../templates/cel/functions.ts';
import {sourceOf} from '../../templates/cel/values.ts';
import {text} from '../../words/json.ts';
import type {NoValue} from '../../words/phrases.ts';
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

/** The external name that the new object is to have. */
export type NewName =
  | {readonly kind: 'name'; readonly name: string}
  /** The old one has no external name, or the expression makes none of it. */
  | {readonly kind: 'none'; readonly cause: NoValue};

const nameVariables = ['self', 'xr'] as const;
const expected = 'an expression that is a string that is not empty';

export function newNameOf(
  {path, rule}: PlacedRule,
  old: ResourceView,
  oldName: string,
  xr: ResourceView,
  meter: Meter,
): NewName | InvalidInput {
  if (rule.externalName === undefined) return {kind: 'name', name: oldName};
  const made = nameMadeBy(rule.externalName, `${path}.externalName`, {old, xr, meter});
  return made.kind === 'name' && made.name === '' ? {kind: 'none', cause: {kind: 'unfit', expected, got: '""'}} : made;
}

/** What an expression over the old object and the XR makes of the old external name; '' where it is no string. */
export function nameMadeBy(
  expression: string,
  path: string,
  {old, xr, meter}: {readonly old: ResourceView; readonly xr: ResourceView; readonly meter: Meter},
): NewName | InvalidInput {
  const program = compileCel(expression, nameVariables);
  if (program.kind === 'failed') return {kind: 'invalid-input', path, expected, got: celProblem(expression, program)};
  const outcome = program.run({self: sourceOf(old), xr: sourceOf(xr)}, meter);
  switch (outcome.kind) {
    case 'unresolved':
      return {kind: 'none', cause: {kind: 'missing', field: outcome.missing}};
    // The old object's values are not the platform's: who writes them stops this move, and not the XR.
    case 'failed':
      return {kind: 'none', cause: {kind: 'unfit', expected, got: celProblem(expression, outcome)}};
    case 'value':
      return {kind: 'name', name: text(outcome.value)};
  }
}
