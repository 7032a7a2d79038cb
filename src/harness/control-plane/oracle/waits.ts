// The objects that an object under deletion waits for, read off the objects themselves: dependents of a deletion in the
// foreground, Usages, the users of a ProviderConfig, what is left in a namespace, the objects of a definition, the XR of a claim.

import {isUsage, usedOf, usedRef, usingOf, usingRef} from '../../../cluster/crossplane/usage-object.ts';
import {groupKindDefined} from '../../../cluster/defined-kinds.ts';
import {at, isObject} from '../../../cluster/json.ts';
import {groupKindOf, groupOf, isDeleting, type KubeObject, type ResourceRef} from '../../../cluster/object.ts';

export interface Waits {
  /** The objects that keep it, nearest first. */
  readonly of: (object: KubeObject) => readonly KubeObject[];
  /** The way from the object back to itself, if it waits for itself; the object is first and last. */
  readonly circle: (object: KubeObject) => readonly KubeObject[] | undefined;
}

export function waitsAmong(objects: readonly KubeObject[]): Waits {
  const known = new Map<KubeObject, readonly KubeObject[]>();
  const usages = objects.filter((one) => isUsage(one) && !isDeleting(one));
  const of = (object: KubeObject): readonly KubeObject[] => {
    const found = known.get(object) ?? [...new Set(waitsOf(object, objects, usages))];
    known.set(object, found);
    return found;
  };
  return {of, circle: (object) => circleFrom(object, of)};
}

function waitsOf(
  object: KubeObject,
  objects: readonly KubeObject[],
  usages: readonly KubeObject[],
): readonly KubeObject[] {
  const finalizers = object.metadata.finalizers ?? [];
  if (!isDeleting(object)) return usages.filter((one) => protects(one, object));
  const dependents = finalizers.includes('foregroundDeletion')
    ? objects.filter(({metadata}) =>
        metadata.ownerReferences?.some(
          ({uid, blockOwnerDeletion}) => uid === object.metadata.uid && blockOwnerDeletion === true,
        ),
      )
    : [];
  return [...dependents, ...keptBy(object, objects)];
}

function keptBy(object: KubeObject, objects: readonly KubeObject[]): readonly KubeObject[] {
  const {kind, metadata} = object;
  const finalizers = metadata.finalizers ?? [];
  if (kind === 'Namespace') return objects.filter((one) => one.metadata.namespace === metadata.name);
  if (kind === 'CompositeResourceDefinition' || kind === 'CustomResourceDefinition') {
    return objects.filter((one) => groupKindOf(one) === groupKindDefined(object));
  }
  if (isUsage(object)) {
    const by = usingOf(object);
    return by?.name === undefined ? [] : found(usingRef(object, by), objects);
  }
  if (finalizers.includes('in-use.crossplane.io')) {
    return objects.filter((one) => uses(one, object)).flatMap((usage) => userOf(usage, objects));
  }
  const xr = object.spec?.['resourceRef'];
  const isClaim = finalizers.includes('finalizer.apiextensions.crossplane.io') && isObject(xr);
  if (!isClaim) return [];
  const {apiVersion, kind: kindOfXr, name} = xr;
  return found({apiVersion: String(apiVersion), kind: String(kindOfXr), name: String(name)}, objects);
}

/** The shortest one. */
function circleFrom(
  object: KubeObject,
  of: (object: KubeObject) => readonly KubeObject[],
): readonly KubeObject[] | undefined {
  const came = new Map<KubeObject, KubeObject>();
  const queue = [object];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const one of of(next)) {
      if (one === object) return wayTo(next, came, object);
      if (came.has(one)) continue;
      came.set(one, next);
      queue.push(one);
    }
  }
  return undefined;
}

function wayTo(last: KubeObject, came: ReadonlyMap<KubeObject, KubeObject>, object: KubeObject): readonly KubeObject[] {
  const way = [object];
  for (let one: KubeObject | undefined = last; one !== undefined && one !== object; one = came.get(one)) {
    way.unshift(one);
  }
  return [object, ...way];
}

function protects(usage: KubeObject, object: KubeObject): boolean {
  const of = usedOf(usage);
  return of.name !== undefined && isSame(usedRef(usage, of), object);
}

function uses(usage: KubeObject, config: KubeObject): boolean {
  return (
    usage.kind.endsWith('ProviderConfigUsage') && at(usage, ['providerConfigRef', 'name']) === config.metadata.name
  );
}

/** A usage without its user keeps the config itself. */
function userOf(usage: KubeObject, objects: readonly KubeObject[]): readonly KubeObject[] {
  const {apiVersion, kind, name} = (usage['resourceRef'] ?? {}) as {[key: string]: string | undefined};
  const users = objects.filter(
    (one) => one.kind === kind && groupOf(one.apiVersion) === groupOf(apiVersion ?? '') && one.metadata.name === name,
  );
  return users.length === 0 ? [usage] : users;
}

function found(ref: ResourceRef, objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((one) => isSame(ref, one));
}

function isSame(ref: ResourceRef, object: KubeObject): boolean {
  const isKind = groupKindOf(ref) === groupKindOf(object) && ref.name === object.metadata.name;
  return isKind && (object.metadata.namespace === undefined || object.metadata.namespace === ref.namespace);
}
