// How a kind's external names say the cloud's identifier. Two kinds that stand for one type of thing may say it differently:
// `vpc-1` and `eu-central-1/vpc-1`, or an ARN. Source: crossplane/upjet dbfccb48 pkg/config/externalname.go,
// GetIDFn and GetExternalNameFn of TemplatedStringAsIdentifier, here the other way around: the identifier is the cloud's,
// the name is made of it.
//
// Not modelled: names made of fields of the spec. A name that does not have the format is asked for as it is, and the cloud
// knows nothing of that name.

import type {ManagedKind} from './managed-kind.ts';

const idPlaceholder = '{id}';

/** The external name of an external resource. */
export function nameFor({nameFormat}: Pick<ManagedKind, 'nameFormat'>, id: string): string {
  return nameFormat.replace(idPlaceholder, id);
}

/** The identifier that an external name says, '' for no name. */
export function idFor({nameFormat}: Pick<ManagedKind, 'nameFormat'>, name: string): string {
  const [before = '', after = ''] = nameFormat.split(idPlaceholder);
  const hasFormat = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return hasFormat ? name.slice(before.length, name.length - after.length) : name;
}
