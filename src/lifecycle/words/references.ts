// References: an object, a kind, an end of a Usage, a controller.

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

/** The API group, '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** True if one object of the API server answers to both, in any version. */
export function isSameKind(a: Kind, b: Kind): boolean {
  return a.kind === b.kind && (a.apiVersion === b.apiVersion || groupOf(a.apiVersion) === groupOf(b.apiVersion));
}
