// The external name of the new object: the old one's, or the result of the rule's expression over the old object and the XR. And the
// name of its connection Secret, which has to be another than the old one's.
//
// The Secrets of the old object go with it: Kubernetes deletes them by their owner references. Some providers publish a password only
// after their create (crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/reconciler.go:1452), and the new object creates nothing.
// Others generate one into a Secret that the object owns, and the new provider would generate another.

import {externalNameOf} from '../facts/external-policies.ts';
import type {InvalidInput} from '../input/input.ts';
import {sourceOf} from '../templates/templates.ts';
import {evaluate, type NotYet, unfitResult} from '../templates/value.ts';
import {asObject, type JsonObject, text} from '../words/json.ts';
import {placedRef} from '../words/references.ts';
import type {DesiredView, ResourceView} from '../words/snapshot.ts';
import type {Given} from './objects.ts';

const variables = ['self', 'xr'] as const;
const expected = 'an expression that is a string that is not empty';

/** `rule` is the rule's place in the input. Without an expression the name is the old one's, '' if that has none. */
export function newNameOf(
  expression: string | undefined,
  rule: string,
  old: ResourceView,
  {snapshot: {xr}, meter}: Given,
): {readonly kind: 'name'; readonly name: string} | NotYet | InvalidInput {
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

/**
 * The obstacle if both objects would publish connection details to one Secret. An object in a namespace publishes there. `keys`: those
 * of the Secret of another XR's object, for which the new object has to name one.
 */
export function sharedSecret(old: ResourceView, wanted: DesiredView, xr: ResourceView, keys: readonly string[] = []) {
  const refOf = (view: ResourceView) => asObject(view.field(['spec', 'writeConnectionSecretToRef']));
  const secretOf = ({name, namespace}: JsonObject, within: string) =>
    text(name) && `${within || text(namespace)}/${text(name)}`;
  const secret = secretOf(refOf(old), old.namespace);
  const wantedSecret = secretOf(refOf(wanted), placedRef(wanted, xr).namespace);
  if (keys.length > 0 && wantedSecret === '') return {kind: 'secret', why: 'none'} as const;
  const isShared = secret !== '' && secret === wantedSecret;
  return isShared ? ({kind: 'secret', why: 'shared'} as const) : undefined;
}

/** The keys of its connection Secret that have a value, sorted. */
export function keysOf({connectionDetails}: ResourceView): readonly string[] {
  return [...connectionDetails].flatMap(([key, {length}]) => (length > 0 ? [key] : [])).sort();
}

/**
 * The obstacle if a Secret goes with the old object: one that its provider generated (autoGeneratePassword), or its connection Secret, if
 * that has a value and the new one, which has `keys`, has not. A person may confirm that it goes.
 */
export function goingSecret(old: ResourceView, keys: readonly string[] | undefined, isConfirmed: boolean) {
  if (isConfirmed) return undefined;
  const fields = Object.entries(asObject(old.field(['spec', 'forProvider'])));
  const isGenerated = fields.some(([name, value]) => /^auto-?generate/i.test(name) && value === true);
  const isLacking = keys !== undefined && keysOf(old).some((key) => !keys.includes(key));
  if (isGenerated) return {kind: 'secret', why: 'generated'} as const;
  return isLacking ? ({kind: 'secret', why: 'lacking'} as const) : undefined;
}
