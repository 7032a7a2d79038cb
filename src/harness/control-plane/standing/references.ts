// The kinds that fields of managed resources refer to. A provider's code knows them, its definitions do not. But every resolved
// reference stands in its object with the name of its target.

import {isList, isObject, type Json} from '../../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../../cluster/object.ts';

export interface FoundReference {
  readonly field: string;
  readonly kind: string;
}

/** One for each field of which every resolved reference leads to objects of one kind. `managed` are managed resources. */
export function foundReferences(managed: readonly KubeObject[]): readonly FoundReference[] {
  const byName = Map.groupBy(managed, ({metadata}) => metadata.name);
  const kinds = new Map<string, Set<string>>();
  for (const object of managed) {
    const forProvider = object.spec?.['forProvider'];
    if (!isObject(forProvider)) continue;
    for (const [key, value] of Object.entries(forProvider)) {
      const [, base = '', many] = /^(.+)Ref(s?)$/.exec(key) ?? [];
      if (base === '') continue;
      for (const name of namesIn(value)) {
        // Of two objects of that name the one of the same group is meant: a provider refers within itself first.
        const named = byName.get(name) ?? [];
        const near = named.filter((one) => groupOf(one.apiVersion) === groupOf(object.apiVersion));
        const [found, other] = near.length > 0 ? near : named;
        if (found === undefined || other !== undefined) continue;
        for (const field of many === '' ? [base] : [base, `${base}s`]) {
          kinds.set(field, (kinds.get(field) ?? new Set()).add(found.kind));
        }
      }
    }
  }
  return [...kinds].flatMap(([field, names]) => (names.size === 1 ? [...names].map((kind) => ({field, kind})) : []));
}

function namesIn(reference: Json): readonly string[] {
  if (isList(reference)) return reference.flatMap(namesIn);
  const name = isObject(reference) ? reference['name'] : undefined;
  return typeof name === 'string' ? [name] : [];
}
