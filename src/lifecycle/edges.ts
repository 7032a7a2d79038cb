// Usages as edges of the deletion order, whoever wrote them: this function, another step of the pipeline, a template.
// Read from the references, which the Usage controller also writes where a Usage was written with selectors. A Usage
// whose `of` is not resolved yet protects nothing and is no edge.
//
// Scope of references: crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go (`of` in its
// own namespace or the Usage's, `by` cluster-scoped or in the Usage's) and apis/protection/v1beta1.

import type {End, ObjectRef} from './decision.ts';
import {at, isObject, type JsonObject, text} from './json.ts';
import {groupOf, objectKey, refTo} from './naming.ts';
import type {ResourceView} from './snapshot.ts';

export interface Edge {
  /** Resource name of the Usage. */
  readonly usage: string;
  readonly apiVersion: string;
  readonly of: End;
  /** Undefined for a Usage that protects for a reason, not for a resource. */
  readonly by: End | undefined;
}

/** The resource name of an object, '' if it is not among the XR's. */
export type Resolve = (ref: ObjectRef) => string;

export function isUsage(view: ResourceView): boolean {
  if (view.kind === 'ClusterUsage') return groupOf(view.apiVersion) === 'protection.crossplane.io';
  if (view.kind !== 'Usage') return false;
  const group = groupOf(view.apiVersion);
  return group === 'protection.crossplane.io' || group === 'apiextensions.crossplane.io';
}

/** The edges that the Usages among these resources are, sorted by resource name. */
export function edgesOf(resources: ReadonlyMap<string, ResourceView>, resolve: Resolve): readonly Edge[] {
  const edges: Edge[] = [];
  for (const [usage, view] of resources) {
    const edge = isUsage(view) ? readEdge(usage, view, resolve) : undefined;
    if (edge !== undefined) edges.push(edge);
  }
  return edges.sort((a, b) => (a.usage < b.usage ? -1 : 1));
}

/** Finds resource names by object; where two resources name one object the first in sorted order wins. */
export function resolver(...layers: readonly ReadonlyMap<string, ResourceView>[]): Resolve {
  let names: ReadonlyMap<string, string> | undefined;
  return (ref) => {
    // Most XRs have no Usage: the index is made for the first that has.
    names ??= indexOf(layers);
    return names.get(objectKey(ref)) ?? '';
  };
}

function indexOf(layers: readonly ReadonlyMap<string, ResourceView>[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const layer of layers) {
    const found = new Map<string, string>();
    for (const [resourceName, view] of layer) {
      if (view.name === '') continue;
      const key = objectKey(refTo(view));
      const other = found.get(key);
      if (other === undefined || resourceName < other) found.set(key, resourceName);
    }
    for (const [key, resourceName] of found) if (!names.has(key)) names.set(key, resourceName);
  }
  return names;
}

function readEdge(usage: string, view: ResourceView, resolve: Resolve): Edge | undefined {
  const spec = view.field(['spec']);
  const ofSpec = at(spec, ['of']);
  const ofNamespace = text(at(ofSpec, ['resourceRef', 'namespace'])) || view.namespace;
  const of = isObject(ofSpec) ? endOf(ofSpec, ofNamespace, resolve) : undefined;
  if (of === undefined) return undefined;
  const bySpec = at(spec, ['by']);
  const by = isObject(bySpec) ? endOf(bySpec, view.namespace, resolve) : undefined;
  return {usage, apiVersion: view.apiVersion, of, by};
}

/** Nothing in a reference says whether a kind is namespaced, so a resource of either scope is looked for. */
function endOf(spec: JsonObject, namespace: string, resolve: Resolve): End | undefined {
  const name = text(at(spec, ['resourceRef', 'name']));
  if (name === '') return undefined;
  const namespaced = {apiVersion: text(spec['apiVersion']), kind: text(spec['kind']), namespace, name};
  const clusterScoped = {...namespaced, namespace: ''};
  const resourceName = resolve(namespaced);
  if (resourceName !== '' || namespace === '') return {resourceName, object: namespaced};
  const other = resolve(clusterScoped);
  return other === '' ? {resourceName: '', object: namespaced} : {resourceName: other, object: clusterScoped};
}
