// The fate of an external resource by its managed resource's own policies.
//
// By what a managed reconciler does on deletion (reference: crossplane-runtime pkg/reconciler/managed/policies.go; recorded table
// of managementPolicies and deletionPolicy): it deletes the external resource iff deletionPolicy is Delete and the policies contain
// Delete or "*", or the policies are another list than ["*"] and contain Delete.
//
// Another resource with the same external name leads to the same external resource, which an object that leaves would take along. Some
// parameters, such as a region, decide together with the name. Nobody can list them for all kinds, so any that differs leaves it open.
// So does another group of the kind, as a provider has for its namespaced kinds. Left out: names that stand in a parameter.

import {at, isList, isObject, type Json, text} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import {isSameKind} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {annotationOf, fieldEntriesOf} from './metadata.ts';
import {isXr} from './ownership.ts';

const deletionPolicies: readonly unknown[] = ['Delete', 'Orphan'];
const finalizerOfManaged = 'finalizer.managedresource.crossplane.io';
const pathsOfManaged = ['managementPolicies', 'deletionPolicy', 'providerConfigRef'].map((name) => ['spec', name]);
const managementPolicies: readonly unknown[] = ['*', 'Observe', 'Create', 'Update', 'Delete', 'LateInitialize'];

/**
 * True if the policies of the kind can make it leave its external resource alone. Both fields have a default in the CRD of a
 * managed resource, so they are present even if no one set them. A field of that name with other values is another field, whose
 * schema may refuse ours. The word ObserveDelete of a v1alpha1 Object deletes whatever its deletionPolicy is.
 */
export function canOrphan(view: ResourceView): boolean {
  const deletion = view.field(['spec', 'deletionPolicy']);
  const management = view.field(['spec', 'managementPolicies']);
  if (view.field(['spec', 'managementPolicy']) === 'ObserveDelete') return false;
  if (deletion !== undefined && !deletionPolicies.includes(deletion)) return false;
  if (management === undefined) return deletion !== undefined;
  return isList(management) && management.every((policy) => managementPolicies.includes(policy));
}

/** True if its external resource goes with the object. */
export function deletesExternal(view: ResourceView): boolean {
  const deletionPolicy = text(view.field(['spec', 'deletionPolicy'])) || 'Delete';
  const policies = managementPoliciesOf(view);
  if (isEverything(policies)) return deletionPolicy === 'Delete';
  return policies.includes('Delete') || (policies.includes('*') && deletionPolicy === 'Delete');
}

/** The policies that its provider goes by: all, if it has none. */
export function managementPoliciesOf(view: ResourceView): readonly Json[] {
  const policies = view.field(['spec', 'managementPolicies']);
  return isList(policies) ? policies : ['*'];
}

/** True if the policies allow everything. */
export function isEverything(policies: readonly unknown[]): boolean {
  return policies.length === 1 && policies[0] === '*';
}

/** True if the object has the fields of a managed resource. */
export function isManaged(view: ResourceView): boolean {
  // Asked for every resource in every call, so what is there is not decoded.
  if (pathsOfManaged.some((path) => !view.isBlank(path) || view.field(path) !== undefined)) return true;
  return (
    hasFinalizer(view) ||
    ['create-pending', 'create-succeeded', 'name'].some((name) => externalAnnotation(view, name) !== '')
  );
}

/** True if the finalizer is there, its provider's unless named. */
export function hasFinalizer(view: ResourceView, finalizer = finalizerOfManaged): boolean {
  const finalizers = view.field(['metadata', 'finalizers']);
  return isList(finalizers) && finalizers.includes(finalizer);
}

/** The value of the provider's annotation about its external resource, '' if none. */
export function externalAnnotation(view: ResourceView, what: string): string {
  return annotationOf(view, `crossplane.io/external-${what}`);
}

export function externalNameOf(view: ResourceView): string {
  return externalAnnotation(view, 'name');
}

/**
 * True if its provider is in the middle of a create: status still shows an earlier one, and a new name will follow. If the create
 * never came to an end, the provider waits for a person. It writes RFC 3339 in UTC to the second, which sorts as text.
 */
export function isCreating(view: ResourceView): boolean {
  const pending = externalAnnotation(view, 'create-pending');
  const hasEnded = ['create-succeeded', 'create-failed'].some((end) => externalAnnotation(view, end) >= pending);
  return pending !== '' && !hasEnded;
}

/**
 * True if nothing is lost with the object: only Crossplane has written it, for this XR, and no controller keeps or reports anything
 * there. A Secret may hold a generated value, so it never counts.
 */
export function isDisposable(view: ResourceView, manager: string): boolean {
  if (view.kind === 'Secret' || isManaged(view) || isXr(view)) return false;
  const paths = [['status'], ['metadata', 'finalizers'], ['spec', 'finalizers']];
  if (paths.some((path) => view.field(path) !== undefined)) return false;
  const [only, ...others] = fieldEntriesOf(view);
  return others.length === 0 && only?.['manager'] === manager && only['operation'] === 'Apply';
}

const parameters = ['forProvider', 'initProvider'] as const;

/** A desired resource with the external name of an object. */
export interface Namesake {
  readonly name: string;
  /** The first field that may make it another external resource; undefined if both lead to the same. */
  readonly differs: string | undefined;
}

/** The namesakes of an object whose external resource would go with it; those that lead to the same come first, then by name. */
export function namesakesOf(
  resourceName: string,
  view: ResourceView,
  {desired}: Pick<Snapshot, 'desired'>,
): readonly Namesake[] {
  const external = externalNameOf(view);
  if (external === '' || isXr(view) || !deletesExternal(view)) return [];
  const names = namesByExternal(desired).get(external) ?? [];
  const found = names.flatMap((name) => (name === resourceName ? [] : namesakeIn(name, desired.get(name), view)));
  return found.sort(
    (a, b) => Number(a.differs !== undefined) - Number(b.differs !== undefined) || (a.name < b.name ? -1 : 1),
  );
}

/** The desired resource, if it has the kind, perhaps of another group, and the external name of the object. */
export function namesakeIn(name: string, wanted: ResourceView | undefined, view: ResourceView): readonly Namesake[] {
  const external = externalNameOf(view);
  if (external === '' || wanted?.kind !== view.kind) return [];
  return externalNameOf(wanted) === external ? [{name, differs: differing(wanted, view)}] : [];
}

/** The resource names by the external name that is written there, read once in a call. */
const namesByExternal = memoized(
  (desired: Snapshot['desired']) =>
    Map.groupBy(desired.keys(), (name) => externalNameOf(desired.get(name) as ResourceView)),
  new WeakMap(),
);

function differing(wanted: ResourceView, view: ResourceView): string | undefined {
  if (!isSameKind(wanted, view)) return 'apiVersion';
  const field = (of: ResourceView, ...path: readonly string[]) => of.field(['spec', ...path]);
  const config = (of: ResourceView) => text(field(of, 'providerConfigRef', 'name')) || 'default';
  const kindOfConfig = field(wanted, 'providerConfigRef', 'kind');
  const isOtherKind = kindOfConfig !== undefined && kindOfConfig !== field(view, 'providerConfigRef', 'kind');
  if (config(wanted) !== config(view) || isOtherKind) return 'spec.providerConfigRef';
  const other = parameters.find((name) => !isWithin(field(wanted, name), field(view, name)));
  return other && `spec.${other}`;
}

/** True if the second value has everything of the first. A provider adds fields to what was desired. */
function isWithin(wanted: Json | undefined, seen: Json | undefined): boolean {
  const open = [[wanted, seen]];
  const isFit = ([one, other]: (typeof open)[number]) => {
    if (!isList(one) && !isObject(one)) return one === undefined || one === other;
    for (const [key, value] of Object.entries(one)) open.push([value, at(other, [isList(one) ? Number(key) : key])]);
    return isList(one) ? isList(other) && one.length === other.length : isObject(other);
  };
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) if (!isFit(pair)) return false;
  return true;
}
