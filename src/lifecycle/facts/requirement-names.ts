// What this function calls its own requirements, so that it knows them again among those of the earlier steps.

import type {ObjectRef} from '../words/references.ts';
import {groupOf, type Kind} from '../words/references.ts';

/** Requirement, and resource name, of the ConfigMap that remembers external names. */
export const memoryName = 'tether-external-names';

/** Lost resources of one kind. */
export function lookupOf({apiVersion, kind}: Kind): string {
  return `lost-${kind}.${groupOf(apiVersion)}`;
}

/** The object that had the resource's external name before the restore. */
export function oldObjectOf(resourceName: string): string {
  return `remembered-${resourceName}`;
}

/** What is in the place of an object that is about to be made. */
export function placeOf(resourceName: string): string {
  return `place-of-${resourceName}`;
}

/** The `by` of a Usage. */
export function lookupOfBy(usage: string): string {
  return `by-of-${usage}`;
}

/** Usages of this XR's name, of one kind, in one namespace or in none (''). */
export function formerUsagesOf({kind, namespace}: Pick<ObjectRef, 'kind' | 'namespace'>): string {
  return namespace === '' ? `former-${kind}` : `former-${kind}-in-${namespace}`;
}

/** Whether an answer of that name may be one about such Usages. */
export function isOfFormerUsages(requirement: string): boolean {
  return requirement.startsWith('former-');
}

/** The `of` of a Usage, where the XR has none. */
export function formerOf(usage: string): string {
  return `former-of-${usage}`;
}

/** Whether an earlier step, or the WatchOperation, requires it, and not this function. */
export function isForeign(requirement: string): boolean {
  return requirement !== memoryName && !/^(lost|remembered|place-of|by-of|handover|former)-/.test(requirement);
}
