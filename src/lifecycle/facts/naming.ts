// Names that are the same in every reconcile, after every restore, and on every machine.

import {sha256} from '../../hash/sha256.ts';
import {remembered} from '../words/memo.ts';
import {groupOf, type ObjectRef, objectKey} from '../words/references.ts';
import type {DesiredView, ResourceView, Snapshot} from '../words/snapshot.ts';
import {annotationOf, labelOf} from './metadata.ts';

const composedManagerPrefix = 'apiextensions.crossplane.io/composed/';
/** The label of composed resources. Its value is the name of the outermost XR. */
export const labelOutermost = 'crossplane.io/composite';

/**
 * The annotation with an object's resource name in the XR that composes it. Crossplane lists an object before it applies it, and stops
 * the whole XR at a listed one without this annotation. If that apply were refused, only a person could help (2d040d2da
 * composite/composition_functions.go ObserveComposedResources).
 */
export const annotationResourceName = 'crossplane.io/composition-resource-name';

/** The SHA-256 of a text as hex digits. The names of an XR are asked for in every call: its field manager, its Usages, its stable names. */
export const digestOf = remembered((text: string) => sha256(text), 4096, 1024);

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** True if an object can have this name. Asked for an invalid one, Crossplane gets an error and runs no step to its end. */
export function isAskable({namespace, name}: Pick<ObjectRef, 'namespace' | 'name'>): boolean {
  const isName = (said: string) => said.length <= 253 && said.split('.').every((part) => label.test(part));
  return isName(name) && (namespace === '' || isName(namespace));
}

/** The XR as a label value: it survives a new UID, because only group, kind, namespace and name go in. */
export function compositeId(xr: ObjectRef): string {
  return digestOf(objectKey(xr)).slice(0, 16);
}

/**
 * The field manager Crossplane applies this XR's composed resources with: sha256 of name and Kind.group, so the same
 * after a restore. crossplane/crossplane 2d040d2da internal/controller/apiextensions/composite/composition_functions.go
 * ComposedFieldOwnerName.
 */
export function composedFieldManager(xr: ResourceView): string {
  const group = groupOf(xr.apiVersion);
  const groupKind = group === '' ? xr.kind : `${xr.kind}.${group}`;
  return `${composedManagerPrefix}${digestOf(xr.name + groupKind)}`;
}

/** True if Crossplane applies some XR's composed resources with this field manager. */
export function isComposedManager(manager: string): boolean {
  return manager.startsWith(composedManagerPrefix);
}

/**
 * The name of a composed resource that does not depend on the XR's UID: a prefix, and a hash of the XR's identity and the
 * resource name. At most 63 characters, as labels and most kinds want it.
 */
export function stableName(xr: ResourceView, resourceName: string, prefix: string): string {
  return `${prefix.slice(0, 51)}${digestOf(`${objectKey(xr)} ${resourceName}`).slice(0, 12)}`;
}

/** The prefix of generated names of composed resources: the name of the outermost XR. */
export function prefixOf(xr: ResourceView): string {
  return labelOf(xr, labelOutermost) || xr.name;
}

/**
 * The name that Crossplane 2 makes up, the same for the life of the XR: at most 63 characters. crossplane/crossplane 2d040d2da
 * internal/names/names.go ChildName.
 */
export function madeUpName(xr: ResourceView, resourceName: string, desired: DesiredView): string {
  const said = desired.field(['metadata', 'generateName']);
  const prefix = typeof said === 'string' && said !== '' ? said : `${prefixOf(xr)}-`;
  const hash = digestOf(`${xr.uid}${resourceName}`).slice(0, 12);
  const dashed = prefix === '' || prefix.endsWith('-') ? prefix : `${prefix}-`;
  if (dashed.length + hash.length <= 63) return `${dashed}${hash}`;
  const cut = dashed.slice(0, 63 - hash.length);
  return `${cut.endsWith('-') ? cut : `${cut.slice(0, -1)}-`}${hash}`;
}

/** The part of a name that people read, in front of a hash. */
export function readable(name: string): string {
  const clean = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, 20)
    .replaceAll(/^-+|-+$/g, '');
  return clean === '' ? 'x' : clean;
}

// Resource names that are function-tether's own: no order of the input selects them. Under one of them the old object of a hand-over
// waits, so that the new one can have the name in the Composition.

/** Requirement, and resource name, of the ConfigMap that remembers external names. */
export const memoryName = 'tether-external-names';

const prefix = 'tether-handover-of-';

/** On an object that moves: the resource name that it, or its successor, is going to have. */
export const annotationTo = 'tether.fn.crossplane.io/handover-to';

export function setAsideName(resourceName: string): string {
  return `${prefix}${resourceName}`;
}

/** True of a name that function-tether gives. A pipeline may give its own resources such names, too. */
export function isSetAsideName(resourceName: string): boolean {
  return resourceName.startsWith(prefix);
}

/** True if this function set the object aside: its annotation names the target. */
export function isSetAside(resourceName: string, view: Pick<ResourceView, 'field'>): boolean {
  return isSetAsideName(resourceName) && annotationOf(view, annotationTo) !== '';
}

/** The resource name that the object had before it was set aside. */
export function nameBefore(resourceName: string): string {
  return isSetAsideName(resourceName) ? resourceName.slice(prefix.length) : resourceName;
}

// Gives a desired resource without a name one before Crossplane generates one.

/** The name for an object, and its namespace, unless it is the desired one. */
type Placement = Pick<DesiredView, 'name'> & Partial<Pick<DesiredView, 'namespace'>>;

/** The name for a resource that is still to be created without one; undefined for none. */
export type NameFor = (resourceName: string, view: DesiredView) => Placement | undefined;

/** The snapshot in which each resource that is still to be created without a name has the first one that there is for it. */
export function withNames(snapshot: Snapshot, sources: readonly (NameFor | undefined)[]): Snapshot {
  const named = new Map<string, DesiredView>();
  const nameFor = sources.filter((source) => source !== undefined);
  if (nameFor.length === 0) return snapshot;
  snapshot.desired.forEach((view, resourceName) => {
    if (view.name !== '' || snapshot.observed.has(resourceName)) return;
    let place: Placement | undefined;
    for (const source of nameFor) place ??= source(resourceName, view);
    if (place !== undefined) named.set(resourceName, viewWith(view, {...place, ready: view.ready}));
  });
  return named.size === 0 ? snapshot : {...snapshot, desired: new Map([...snapshot.desired, ...named])};
}

/** The same resource with these fields. A view may be of a class, so its methods are called on it. */
export function viewWith(view: ResourceView, fields: Pick<DesiredView, 'ready'> & Partial<Placement>): DesiredView {
  return {
    apiVersion: view.apiVersion,
    kind: view.kind,
    name: view.name,
    namespace: view.namespace,
    uid: view.uid,
    field: (path) => view.field(path),
    isBlank: (path) => view.isBlank(path),
    connectionDetails: view.connectionDetails,
    json: () => view.json(),
    ...fields,
  };
}
