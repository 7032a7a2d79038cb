// References: an object, a kind, an end of a Usage, a controller.

import {type JsonObject, text} from './json.ts';
import type {ResourceView} from './snapshot.ts';

/** One object of the API server. `namespace` is '' for cluster-scoped objects. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** An end of a Usage: the object, and the resource name it has in this XR, '' if this XR does not compose it. */
export interface End {
  readonly resourceName: string;
  readonly object: ObjectRef;
}

/** The controller reference that an object carries although it belongs to another owner. */
export interface Controller {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The kind alone, of what has more. */
export function kindIn({apiVersion, kind}: Kind): Kind {
  return {apiVersion, kind};
}

/** The kind of a body. */
export function kindOf(body: JsonObject): Kind {
  return {apiVersion: text(body['apiVersion']), kind: text(body['kind'])};
}

/** The API group, '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** True if one object of the API server answers to both, in any version. */
export function isSameKind(a: Kind, b: Kind): boolean {
  return a.kind === b.kind && (a.apiVersion === b.apiVersion || groupOf(a.apiVersion) === groupOf(b.apiVersion));
}

/** True if both name one object of the API server. */
export function isSameObject(a: ObjectRef, b: ObjectRef): boolean {
  return isSameKind(a, b) && a.namespace === b.namespace && a.name === b.name;
}

export function refTo(view: ResourceView): ObjectRef {
  return {apiVersion: view.apiVersion, kind: view.kind, namespace: view.namespace, name: view.name};
}

/** The reference of a desired resource as Crossplane places it: a namespaced XR composes in its own namespace. */
export function placedRef(desired: ResourceView, xr: ResourceView): ObjectRef {
  return {...refTo(desired), namespace: xr.namespace || desired.namespace};
}

/** One string per object, whatever version it is read in. '/' occurs in none of the four parts. */
export function objectKey(ref: ObjectRef): string {
  return `${groupOf(ref.apiVersion)}/${ref.kind}/${ref.namespace}/${ref.name}`;
}
