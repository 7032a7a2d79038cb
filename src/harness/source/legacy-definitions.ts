// Definitions as no API server takes them. What was written as version 1 is shown as version 2 too, which the tools take that
// ask for the preferred version: Velero, and kubectl unless it is told otherwise. Version 2 has no words for the scope of
// before, claims and connection secrets, and a create is refused for them (crossplane/crossplane 2d040d2da
// apis/apiextensions/v2/xrd_types.go); what is stored is stored, and an update may leave it as it is.

import {groupOf, type KubeObject} from '../../cluster/object.ts';

export type LegacyField = 'scope LegacyCluster' | 'claimNames' | 'connectionSecretKeys';

/** What keeps a definition from being created as it is; empty where nothing does, and for what is no definition. */
export function legacyFields({apiVersion, kind, spec}: KubeObject): readonly LegacyField[] {
  const isOther = kind !== 'CompositeResourceDefinition' || groupOf(apiVersion) !== 'apiextensions.crossplane.io';
  if (isOther || !apiVersion.endsWith('/v2')) return [];
  return [
    ...(spec?.['scope'] === 'LegacyCluster' ? (['scope LegacyCluster'] as const) : []),
    ...(spec?.['claimNames'] === undefined ? [] : (['claimNames'] as const)),
    ...(spec?.['connectionSecretKeys'] === undefined ? [] : (['connectionSecretKeys'] as const)),
  ];
}
