// Namespaces that a source names and does not hold. The manifests of a configuration name the namespace of a connection
// Secret and leave the namespace itself to the platform; a backup of a cluster has its namespaces. So a source without any
// Namespace is completed, and the plan has a note of it.

import {isList, isObject, type Json} from '../../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../../cluster/object.ts';

/** The namespaces that the objects name, if no Namespace is among them. */
export function namedNamespaces(objects: readonly KubeObject[]): readonly KubeObject[] {
  if (objects.some((object) => groupKindOf(object) === 'Namespace')) return [];
  const names = new Set(objects.flatMap(namesIn));
  return [...names]
    .filter((name) => !standing.has(name))
    .sort()
    .map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}}));
}

const standing: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);
const fields: ReadonlySet<string> = new Set(['namespace', 'writeConnectionSecretsToNamespace']);
const isLabel = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

function namesIn(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (typeof one !== 'string') return namesIn(one);
    return fields.has(key) && isLabel.test(one) ? [one] : [];
  });
}

/** A sentence for the plan. */
export function namespaceNotes(namespaces: readonly KubeObject[]): readonly string[] {
  if (namespaces.length === 0) return [];
  const names = namespaces.map(({metadata}) => metadata.name).join(', ');
  return [`taken to be there: Namespace ${names}, which objects name and the source does not hold`];
}
