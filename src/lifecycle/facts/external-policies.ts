// What a managed resource's own policies say becomes of its external resource.
//
// By what a managed reconciler does on deletion (reference: crossplane-runtime pkg/reconciler/managed/policies.go; recorded table of
// managementPolicies and deletionPolicy): it deletes the external resource iff deletionPolicy is Delete and the policies contain
// Delete or "*", or the policies are another list than ["*"] and contain Delete.

import {isList, isObject, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {isXr} from './references.ts';

const deletionPolicies: readonly unknown[] = ['Delete', 'Orphan'];
const finalizerOfManaged = 'finalizer.managedresource.crossplane.io';
const fieldsOfManaged = ['managementPolicies', 'deletionPolicy', 'providerConfigRef'];
const managementPolicies: readonly unknown[] = ['*', 'Observe', 'Create', 'Update', 'Delete', 'LateInitialize'];

/**
 * Whether the kind can be told to leave its external resource alone. Both fields have a default in the CRD of a managed
 * resource, so they are there even where nobody set them. A field of that name with other words is another field, whose
 * schema may refuse ours.
 */
export function canOrphan(view: ResourceView): boolean {
  const deletion = view.field(['spec', 'deletionPolicy']);
  const management = view.field(['spec', 'managementPolicies']);
  if (deletion !== undefined && !deletionPolicies.includes(deletion)) return false;
  if (management === undefined) return deletion !== undefined;
  return isList(management) && management.every((policy) => managementPolicies.includes(policy));
}

/** Whether its external resource goes with the object. */
export function deletesExternal(view: ResourceView): boolean {
  const deletionPolicy = text(view.field(['spec', 'deletionPolicy'])) || 'Delete';
  const field = view.field(['spec', 'managementPolicies']);
  const policies = isList(field) ? field : ['*'];
  if (isEverything(policies)) return deletionPolicy === 'Delete';
  return policies.includes('Delete') || (policies.includes('*') && deletionPolicy === 'Delete');
}

/** Whether a managed resource with them does all that it can. */
export function isEverything(policies: readonly unknown[]): boolean {
  return policies.length === 1 && policies[0] === '*';
}

/** Whether the object is a managed resource, as far as it shows. */
export function isManaged(view: ResourceView): boolean {
  if (fieldsOfManaged.some((name) => view.field(['spec', name]) !== undefined)) return true;
  return hasFinalizer(view) || ['create-pending', 'create-succeeded', 'name'].some((name) => noted(view, name) !== '');
}

/** Whether its provider's finalizer is there. */
export function hasFinalizer(view: ResourceView): boolean {
  const finalizers = view.field(['metadata', 'finalizers']);
  return isList(finalizers) && finalizers.includes(finalizerOfManaged);
}

/** What its provider noted about its external resource: '' if nothing. */
export function noted(view: ResourceView, what: string): string {
  return text(view.field(['metadata', 'annotations', `crossplane.io/external-${what}`]));
}

/**
 * Whether nothing goes with the object: Crossplane alone has written it, for this XR, and nobody keeps or reports anything
 * there. A Secret may hold what was made up once, so it never counts.
 */
export function standsAlone(view: ResourceView, manager: string): boolean {
  if (view.kind === 'Secret' || isManaged(view) || isXr(view)) return false;
  const paths = [['status'], ['metadata', 'finalizers'], ['spec', 'finalizers']];
  if (paths.some((path) => view.field(path) !== undefined)) return false;
  const entries = view.field(['metadata', 'managedFields']);
  const [only, ...others] = isList(entries) ? entries : [];
  return others.length === 0 && isObject(only) && only['manager'] === manager && only['operation'] === 'Apply';
}
