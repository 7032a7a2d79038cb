// An index of Usages by the used object's group, kind, name and namespace. Its oddities are upstream's. A ClusterUsage and a legacy
// Usage protect by name in any namespace. If `of` of a namespaced Usage names no namespace, it means the Usage's own: so one that
// names a cluster-scoped object protects nothing. Versions that join with '.' confuse group example.org, kind Foo, name x with
// other splits of the same dots.
// Source: crossplane/crossplane 2d040d2da internal/protection/usage/finder.go; v1.20.11 internal/usage/handler.go.

import {type GroupVersionKind, groupOf, type KubeObject} from '../object.ts';
import type {UsageBehaviour} from './profile.ts';
import {isNamespacedUsage, usedOf} from './usage-object.ts';

/** The kinds in the order their Usages are counted and named. */
export function* usagesOf(
  object: KubeObject,
  behaviour: UsageBehaviour,
  list: (kind: GroupVersionKind) => Iterable<KubeObject>,
): Generator<KubeObject, void, undefined> {
  for (const kind of behaviour.kinds) {
    const wanted = objectKey(object, isNamespacedUsage(kind) ? object.metadata.namespace : undefined, behaviour);
    for (const usage of list(kind)) if (usedKey(usage, behaviour) === wanted) yield usage;
  }
}

function usedKey(usage: KubeObject, behaviour: UsageBehaviour): string | undefined {
  const {apiVersion, kind, name, namespace} = usedOf(usage);
  if (name === undefined) return undefined;
  const place = isNamespacedUsage(usage) ? (namespace ?? usage.metadata.namespace) : undefined;
  return join([groupOf(apiVersion), kind, name], place, behaviour);
}

function objectKey(object: KubeObject, namespace: string | undefined, behaviour: UsageBehaviour): string {
  return join([groupOf(object.apiVersion), object.kind, object.metadata.name], namespace, behaviour);
}

function join(parts: readonly string[], namespace: string | undefined, {indexSeparator}: UsageBehaviour): string {
  return [...parts, namespace ?? ''].join(indexSeparator);
}
