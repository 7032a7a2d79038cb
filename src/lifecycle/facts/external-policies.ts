// What a managed resource's own policies say becomes of its external resource.
//
// By what a managed reconciler does on deletion (reference: crossplane-runtime pkg/reconciler/managed/policies.go; recorded table of
// managementPolicies and deletionPolicy): it deletes the external resource iff deletionPolicy is Delete and the policies contain
// Delete or "*", or the policies are another list than ["*"] and contain Delete.

import {isList, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

const deletionPolicies: readonly unknown[] = ['Delete', 'Orphan'];
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
