// The external name of the new object: the old one's, or the result of the rule's expression over the old object and the XR.

import {externalNameOf} from '../facts/external-policies.ts';
import type {InvalidInput} from '../input/input.ts';
import {sourceOf} from '../templates/cel/cel.ts';
import type {Meter} from '../templates/cel/functions.ts';
import {evaluate, type Unresolved, unfitResult} from '../templates/value.ts';
import {text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

const variables = ['self', 'xr'] as const;
const expected = 'an expression that is a string that is not empty';

/** `rule` is the rule's place in the input. Without an expression the name is the old one's, '' if that has none. */
export function newNameOf(
  expression: string | undefined,
  rule: string,
  old: ResourceView,
  xr: ResourceView,
  meter: Meter,
): {readonly kind: 'name'; readonly name: string} | Unresolved | InvalidInput {
  if (expression === undefined) return {kind: 'name', name: externalNameOf(old)};
  const path = `${rule}.externalName`;
  // The old object's values are not the platform's. A wrong one stops this move, and not the XR.
  const resolved = evaluate(
    expression,
    path,
    {variables, sources: {self: sourceOf(old), xr: sourceOf(xr)}, meter},
    expected,
  );
  if (resolved.kind !== 'value') return resolved;
  const name = text(resolved.value);
  return name === '' ? unfitResult(path, expected, '""') : {kind: 'name', name};
}
