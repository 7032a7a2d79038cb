// Decides whether an object may read a config: a ConfigMap, a Secret, an EnvironmentConfig or a ProviderConfig. A nested XR always
// may: its spec does not show what its Composition reads. Any other object reads the configs that its spec refers to, by kind and
// name, or under a key that ends with the kind, as providerConfigRef, passwordSecretRef and configMapKeyRef. It writes
// writeConnectionSecretToRef. Left out: volumes of Pods, and namespaces, which some references leave open.

import {isList, isObject, type Json, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {isXr} from './ownership.ts';

const configKinds = new Set(['ClusterProviderConfig', 'ConfigMap', 'EnvironmentConfig', 'ProviderConfig', 'Secret']);
const keyOfReference = /(configMap|environmentConfig|providerConfig|secret)(?:Key)?Refs?$/i;

export function isConfig({kind}: Pick<ResourceView, 'kind'>): boolean {
  return configKinds.has(kind);
}

/** Worked out once for each reader. */
export function readsOf(reader: ResourceView): (config: ResourceView) => boolean {
  if (isXr(reader)) return () => true;
  const references = referencesIn(reader.field(['spec']) ?? null);
  return ({kind, name}) =>
    references.has(`${kind} ${name}`) || references.has(`${kind.replace('Cluster', '').toLowerCase()} ${name}`);
}

/** `Kind name`; where only the key has the kind, `kind name` in lower case. */
function referencesIn(spec: Json): ReadonlySet<string> {
  const found = new Set<string>();
  // No recursion: who may write the object may nest it deeply.
  const open: (readonly [key: string, value: Json])[] = [['', spec]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [key, value] = next;
    if (isList(value)) for (const item of value) open.push([key, item]);
    else if (isObject(value)) {
      const kind = text(value['kind']) || (keyOfReference.exec(key)?.[1] ?? '').toLowerCase();
      if (kind !== '') found.add(`${kind} ${text(value['name'])}`);
      for (const entry of Object.entries(value)) open.push(entry);
    }
  }
  return found;
}
