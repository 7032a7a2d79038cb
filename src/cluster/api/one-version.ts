// Kinds as Kubernetes' code generators write them: one version, and a plural that follows from the name.

import type {JsonObject} from '../json.ts';
import {groupOf, versionOf} from '../object.ts';
import type {KindDefinition, KindVersion} from './kinds.ts';

/** The fields in which a kind differs. By default it has a status and no namespace. */
export type OneVersion = Omit<Partial<KindDefinition>, 'group' | 'kind' | 'plural' | 'versions'> &
  Partial<Pick<KindVersion, 'status' | 'check'>>;

/** `apiVersion` is `v1` for the core group, `apps/v1` for another. */
export function oneVersionKind(
  apiVersion: string,
  kind: string,
  schema: JsonObject,
  {namespaced = false, status = true, check, ...more}: OneVersion = {},
): KindDefinition {
  const checked = check === undefined ? {} : {check};
  const version = {name: versionOf(apiVersion), served: true, storage: true, status, schema, ...checked};
  return {group: groupOf(apiVersion), kind, plural: pluralOf(kind), namespaced, ...more, versions: [version]};
}

/** k8s.io/gengo v2 namer/plural_namer.go. */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}
