// Usages as edges of the deletion order, from any writer: this function, another step of the pipeline, a template. They are read
// from the references, which the Usage controller also writes for a Usage with selectors. A Usage whose `of` is not resolved yet
// protects nothing and is no edge.
//
// Scope of references: crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go (`of` in its own
// namespace or the Usage's, `by` cluster-scoped or in the Usage's) and apis/protection/v1beta1.

import {at, type Json, text} from '../words/json.ts';
import {type End, groupOf, type ObjectRef, objectKey, placedRef, refTo} from '../words/references.ts';
import type {Composition, ResourceView, Snapshot} from '../words/snapshot.ts';

export interface Edge {
  /** Resource name of the Usage. */
  readonly usage: string;
  readonly apiVersion: string;
  readonly of: End;
  /** Undefined for a Usage that protects for a reason, not for a resource. */
  readonly by: End | undefined;
}

interface Layer {
  readonly views: ReadonlyMap<string, ResourceView>;
  readonly refOf: (view: ResourceView) => ObjectRef;
}

export function isUsage({apiVersion, kind}: Pick<ResourceView, 'apiVersion' | 'kind'>): boolean {
  if (kind === 'ClusterUsage') return groupOf(apiVersion) === 'protection.crossplane.io';
  if (kind !== 'Usage') return false;
  const group = groupOf(apiVersion);
  return group === 'protection.crossplane.io' || group === 'apiextensions.crossplane.io';
}

/** True if a Usage of this API group is observed: then Crossplane serves the group, since it has just read one. */
export function observesUsagesOf(group: string, {observed}: Pick<Snapshot, 'observed'>): boolean {
  return [...observed.values()].some((view) => isUsage(view) && groupOf(view.apiVersion) === group);
}

/**
 * The edges that the Usages among the observed are, sorted by resource name. Their ends are looked for by object, in
 * observed before desired; where two resources name one object the first in sorted order is meant.
 */
export function edgesOf({xr, observed, desired}: Composition): readonly Edge[] {
  const written: Written[] = [];
  observed.forEach((view, usage) => {
    const read = isUsage(view) ? readUsage(usage, view) : undefined;
    if (read !== undefined) written.push(read);
  });
  const layers = [
    {views: observed, refOf: refTo},
    {views: desired, refOf: (view: ResourceView) => placedRef(view, xr)},
  ];
  const resolve = resolver(layers, written);
  return written
    .map(({usage, apiVersion, of, by}) => ({
      usage,
      apiVersion,
      of: endOf(of, resolve),
      by: by === undefined ? undefined : endOf(by, resolve),
    }))
    .sort((a, b) => (a.usage < b.usage ? -1 : 1));
}

/** The references of a Usage, before they are resolved to resources. */
interface Written {
  readonly usage: string;
  readonly apiVersion: string;
  readonly of: ObjectRef;
  readonly by: ObjectRef | undefined;
}

/** True if a Usage names the object as that end. A reference does not show whether its kind is namespaced. */
export function isEndOf(usage: ResourceView, end: 'of' | 'by', object: ObjectRef): boolean {
  const named = readUsage('', usage)?.[end];
  const isThere = object.namespace === '' || object.namespace === named?.namespace;
  return (
    named !== undefined && isThere && objectKey({...named, namespace: ''}) === objectKey({...object, namespace: ''})
  );
}

function readUsage(usage: string, view: ResourceView): Written | undefined {
  const spec = view.field(['spec']);
  const of = refIn(at(spec, ['of']), text(at(spec, ['of', 'resourceRef', 'namespace'])) || view.namespace);
  if (of === undefined) return undefined;
  return {usage, apiVersion: view.apiVersion, of, by: refIn(at(spec, ['by']), view.namespace)};
}

function refIn(end: Json | undefined, namespace: string): ObjectRef | undefined {
  const name = text(at(end, ['resourceRef', 'name']));
  if (name === '') return undefined;
  return {apiVersion: text(at(end, ['apiVersion'])), kind: text(at(end, ['kind'])), namespace, name};
}

/** Finds the resource name of an object, '' if none. Only objects that a Usage names are looked at twice. */
function resolver(layers: readonly Layer[], written: readonly Written[]): (ref: ObjectRef) => string {
  const wanted = new Set(written.flatMap(({of, by}) => (by === undefined ? [of.name] : [of.name, by.name])));
  const names = new Map<string, string>();
  const resolve = (ref: ObjectRef) => names.get(objectKey(ref)) ?? '';
  const isOpen = ({of, by}: Written) => [of, by].some((ref) => ref && endOf(ref, resolve).resourceName === '');
  for (const {views, refOf} of layers) {
    if (!written.some(isOpen)) break;
    const found = new Map<string, string>();
    views.forEach((view, resourceName) => {
      if (!wanted.has(view.name)) return;
      const key = objectKey(refOf(view));
      const other = found.get(key);
      if (other === undefined || resourceName < other) found.set(key, resourceName);
    });
    for (const [key, resourceName] of found) if (!names.has(key)) names.set(key, resourceName);
  }
  return resolve;
}

/** A reference does not show whether its kind is namespaced, so both scopes are tried. */
function endOf(object: ObjectRef, resolve: (ref: ObjectRef) => string): End {
  const resourceName = resolve(object);
  if (resourceName !== '' || object.namespace === '') return {resourceName, object};
  const clusterScoped = {...object, namespace: ''};
  const other = resolve(clusterScoped);
  return other === '' ? {resourceName: '', object} : {resourceName: other, object: clusterScoped};
}
