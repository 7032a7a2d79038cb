// Kubernetes objects as plain JSON with the metadata every controller reads.

import type {Json, JsonObject} from './json.ts';

export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry extends JsonObject {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: JsonObject;
  readonly subresource?: string;
}

export interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: {readonly [key: string]: string};
  readonly annotations?: {readonly [key: string]: string};
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

export interface GroupVersionKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** One object by address. `namespace` is absent for cluster-scoped kinds. */
export interface ResourceRef extends GroupVersionKind {
  readonly namespace?: string;
  readonly name: string;
}

export interface Condition extends JsonObject {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

export function refOf(object: KubeObject): ResourceRef {
  const {namespace, name} = object.metadata;
  const {apiVersion, kind} = object;
  return namespace === undefined ? {apiVersion, kind, name} : {apiVersion, kind, namespace, name};
}

/** The API group of an apiVersion; '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The version of an apiVersion: `v1` of `apps/v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/** A name of a kind, which is asked for every event, read and write: the few kinds there are get it once. */
export function namingKinds(name: (apiVersion: string, kind: string) => string): (of: GroupVersionKind) => string {
  const names = new Map<string, Map<string, string>>();
  return ({apiVersion, kind}) => {
    const kinds = names.get(apiVersion) ?? new Map<string, string>();
    if (kinds.size === 0) names.set(apiVersion, kinds);
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const made = name(apiVersion, kind);
    kinds.set(kind, made);
    return made;
  };
}

/** `Kind.group` as Kubernetes prints it, the identity of a kind across its versions. */
export const groupKindOf = namingKinds((apiVersion, kind) => {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
});

/** `Kind/name`, as people name an object. */
export function shortName({kind, metadata}: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

/** `Kind.group namespace/name`: what stays when an object is lost and restored. */
export function addressOf(object: KubeObject): string {
  return refAddress(refOf(object));
}

export function refAddress(ref: ResourceRef): string {
  return `${groupKindOf(ref)} ${ref.namespace ?? ''}/${ref.name}`;
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** Two objects without a controller do not share one (crossplane-runtime v2.4.0 pkg/meta/meta.go HaveSameController). */
export function haveSameController(left: KubeObject, right: KubeObject): boolean {
  const controller = controllerOf(left);
  return controller !== undefined && controller.uid === controllerOf(right)?.uid;
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

export function conditionOf(object: KubeObject | undefined, type: string): Condition | undefined {
  const conditions = object?.status?.['conditions'] as readonly Condition[] | undefined;
  return conditions?.find((condition) => condition.type === type);
}

/** True if the object has the condition, and its status is True. */
export function isTrue(object: KubeObject | undefined, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}

/** The object with `conditions` merged in by type; an unchanged status keeps its lastTransitionTime. */
export function withConditions<T extends KubeObject>(object: T, conditions: readonly Condition[], now: string): T {
  const before = (object.status?.['conditions'] ?? []) as readonly Condition[];
  const merged: Condition[] = [...before];
  for (const condition of conditions) {
    const index = merged.findIndex((other) => other.type === condition.type);
    const old = index < 0 ? undefined : merged[index];
    const since = old !== undefined && old.status === condition.status ? (old.lastTransitionTime ?? now) : now;
    const next: Condition = {...condition, lastTransitionTime: since};
    if (index < 0) merged.push(next);
    else merged[index] = next;
  }
  return {...object, status: {...object.status, conditions: merged as readonly Json[]}};
}

// Owner references as controllers write them.

export function asOwner({apiVersion, kind, metadata}: KubeObject): OwnerReference {
  return {apiVersion, kind, name: metadata.name, uid: metadata.uid ?? ''};
}

/** Of a controller to what it makes. */
export function asController(owner: KubeObject): OwnerReference {
  return {...asOwner(owner), controller: true, blockOwnerDeletion: true};
}

/** The owners with one more, in the place of the one with its uid. */
export function withOwner(owners: readonly OwnerReference[], owner: OwnerReference): readonly OwnerReference[] {
  const index = owners.findIndex(({uid}) => uid === owner.uid);
  return index < 0 ? [...owners, owner] : owners.with(index, owner);
}
