// The format in which a kind's external names contain the cloud's identifier. Two kinds of one type may have different ones:
// `vpc-1` and `eu-central-1/vpc-1`, or an ARN. Source: crossplane/upjet dbfccb48 pkg/config/externalname.go, GetIDFn and
// GetExternalNameFn of TemplatedStringAsIdentifier, here the other way around: the identifier is the cloud's, the name is made of
// it.
//
// A name that is there before the create is kept: NameAsExternalName writes none over it (crossplane/crossplane-runtime 4e7ed235
// pkg/reconciler/managed/api.go:69), and NameAsIdentifier, ParameterAsIdentifier and TemplatedStringAsIdentifier create under it
// (externalname.go:29, 58, 106). IdentifierFromProvider (externalname.go:46) has no initializer: the cloud chooses, and its
// identifier replaces the name. No schema shows which of them a kind has.
//
// Not modelled: names made of fields of the spec. A name that does not have the format is looked up as it is, and the cloud chooses
// another at the create.

import type {AskedId} from '../cloud/cloud-protocol.ts';
import type {KubeObject} from '../object.ts';
import {externalNameOf} from './annotations.ts';
import {inClusterId} from './in-cluster.ts';
import type {ManagedKind} from './managed-kind.ts';

const idPlaceholder = '{id}';

/** The external name that the managed resource has once its external resource is there. */
export function nameFor(kind: ManagedKind, managed: KubeObject, id: string): string {
  return inClusterId(managed) === undefined ? formatted(kind, id) : externalNameOf(managed);
}

function formatted({nameFormat}: ManagedKind, id: string): string {
  return nameFormat.replace(idPlaceholder, id);
}

/** The identifier of the external resource that a managed resource leads to, '' for none. */
export function idFor({nameFormat}: Pick<ManagedKind, 'nameFormat'>, managed: KubeObject): string {
  const [placed, name] = [inClusterId(managed), externalNameOf(managed)];
  if (placed !== undefined && name !== '') return placed;
  const [before = '', after = ''] = nameFormat.split(idPlaceholder);
  const hasFormat = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return hasFormat ? name.slice(before.length, name.length - after.length) : name;
}

/** The identifier that a create asks for; undefined if the cloud chooses it. */
export function askedId(kind: ManagedKind, managed: KubeObject): AskedId | undefined {
  const id = idFor(kind, managed);
  if (inClusterId(managed) !== undefined) return {id};
  if (id === '' || kind.namedBy === 'cloud') return undefined;
  if (kind.namedBy === 'object') return {id};
  // The annotation may hold an identifier that the cloud chose itself, for an external resource that is gone.
  return formatted(kind, id) === externalNameOf(managed) ? {id, unlessChosen: true} : undefined;
}
