// Definitions that no API server accepts. A definition of version 1 is also shown as version 2, and tools that ask for the
// preferred version take that: Velero, and kubectl by default. Version 2 has no fields for the legacy scope, claims and connection
// secrets, and a create with them is refused (crossplane/crossplane 2d040d2da apis/apiextensions/v2/xrd_types.go). A stored one
// stays, and an update may leave it as it is.

import {groupOf, type KubeObject} from '../../../cluster/object.ts';

export type LegacyField = 'scope LegacyCluster' | 'claimNames' | 'connectionSecretKeys';

/** The fields that keep a definition from being created as it is; empty if none does, and for other objects. */
export function legacyFields({apiVersion, kind, spec}: KubeObject): readonly LegacyField[] {
  const isOther = kind !== 'CompositeResourceDefinition' || groupOf(apiVersion) !== 'apiextensions.crossplane.io';
  if (isOther || !apiVersion.endsWith('/v2')) return [];
  return [
    ...(spec?.['scope'] === 'LegacyCluster' ? (['scope LegacyCluster'] as const) : []),
    ...(spec?.['claimNames'] === undefined ? [] : (['claimNames'] as const)),
    ...(spec?.['connectionSecretKeys'] === undefined ? [] : (['connectionSecretKeys'] as const)),
  ];
}
