// The external name of the new object: the old one's, or the result of the rule's expression over the old object and the XR.

import {externalNameOf} from '../external-names/external-names.ts';
import type {InvalidInput} from '../input/input.ts';
import {celProblem, compileCel} from '../templates/cel/cel.ts';
import type {Meter} from '../templates/cel/functions.ts';
import {sourceOf} from '../templates/cel/values.ts';
import {text} from '../words/json.ts';
import type {NoValue} from '../words/phrases.ts';
import type {ResourceView} from '../words/snapshot.ts';

export type NewName =
  | {readonly kind: 'name'; readonly name: string}
  /** The expression has no result. */
  | {readonly kind: 'none'; readonly cause: NoValue};

const variables = ['self', 'xr'] as const;
const expected = 'an expression that is a string that is not empty';

/** `path` is the rule's place in the input. Without an expression the name is the old one's, '' if that has none. */
export function newNameOf(
  expression: string | undefined,
  path: string,
  old: ResourceView,
  xr: ResourceView,
  meter: Meter,
): NewName | InvalidInput {
  if (expression === undefined) return {kind: 'name', name: externalNameOf(old)};
  const program = compileCel(expression, variables);
  if (program.kind === 'failed') {
    return {kind: 'invalid-input', path: `${path}.externalName`, expected, got: celProblem(expression, program)};
  }
  const outcome = program.run({self: sourceOf(old), xr: sourceOf(xr)}, meter);
  // The old object's values are not the platform's. A wrong one stops this move, and not the XR.
  const unfit = (got: string): NewName => ({kind: 'none', cause: {kind: 'unfit', expected, got}});
  if (outcome.kind === 'unresolved') return {kind: 'none', cause: {kind: 'missing', field: outcome.missing}};
  if (outcome.kind === 'failed') return unfit(celProblem(expression, outcome));
  const name = text(outcome.value);
  return name === '' ? unfit('""') : {kind: 'name', name};
}
