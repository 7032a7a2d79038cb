// What an object says about where it comes from, and whether it is back: existed before, lost its status, can be Ready, is.
//
// What a managed resource has is from crossplane-runtime 4e7ed235 (pkg/reconciler/managed/reconciler.go, pkg/meta/meta.go):
// its finalizer, the annotations around a create, `crossplane.io/paused`. managedFields have an entry for each subresource
// that somebody wrote (kubernetes apimachinery pkg/apis/meta/v1 ManagedFieldsEntry), and Velero puts them back.

import {isUsage} from '../facts/edges.ts';
import {hasFinalizer, isManaged, noted} from '../facts/external-policies.ts';
import {isComposedManager} from '../facts/naming.ts';
import {isDeleting} from '../facts/ownership.ts';
import {isConfig} from '../facts/reads.ts';
import {condition, isBackAndReady, readiness} from '../facts/ready.ts';
import {isXr, listedBy} from '../facts/references.ts';
import {at, isList, isObject, type JsonObject, text} from '../words/json.ts';
import type {Awaited} from '../words/reasons.ts';
import type {ResourceView} from '../words/snapshot.ts';

const conditionsPath = ['status', 'conditions'];

/** Whether it can be Ready, or have a status, and is not or has none. What is being deleted never will be. */
export function isUnready(view: ResourceView): boolean {
  if (isDeleting(view) || isUsage(view)) return false;
  return saysReadyByNature(view) ? !isBackAndReady(view) : hasLostStatus(view, false);
}

/** Whether its kind is one whose objects say Ready, as far as the object shows. */
function saysReadyByNature(view: ResourceView): boolean {
  return isManaged(view) || isXr(view) || readiness(view) !== undefined || statusEntries(view).some(namesReady);
}

/** Whether its provider, or its own controller if it is an XR, had made something for it. */
export function hasExisted(view: ResourceView): boolean {
  if (noted(view, 'create-succeeded') !== '') return true;
  if (hasFinalizer(view)) return noted(view, 'create-pending') === '';
  return isXr(view) && listedBy(view).length > 0;
}

/**
 * Whether it had a status once and has none: managedFields name one. Or a managed resource or an XR had existed, and it was
 * made by another hand than Crossplane's, which never sends a status along, or `isXrReady`. What Crossplane has just made is
 * none of these: with it the XR is not Ready. A config may have a status that comes and goes, such as how many use it.
 */
export function hasLostStatus(view: ResourceView, isXrReady: boolean): boolean {
  if (isConfig(view) || !isWithoutStatus(view)) return false;
  return statusEntries(view).length > 0 || (hasExisted(view) && (isXrReady || !entriesOf(view).some(isOfCrossplane)));
}

/** The API server itself makes a status of some kinds, with empty parts. */
function isWithoutStatus(view: ResourceView): boolean {
  if (isManaged(view) || isXr(view)) return view.isBlank(conditionsPath);
  const status = view.isBlank(['status']) ? undefined : view.field(['status']);
  return !isObject(status) || Object.keys(status).every((key) => view.isBlank(['status', key]));
}

function isOfCrossplane({manager, operation}: JsonObject): boolean {
  return operation === 'Apply' && isComposedManager(text(manager));
}

function statusEntries(view: ResourceView): readonly JsonObject[] {
  return entriesOf(view).filter(
    (entry) => entry['subresource'] === 'status' || at(entry, ['fieldsV1', 'f:status']) !== undefined,
  );
}

function entriesOf(view: ResourceView): readonly JsonObject[] {
  const entries = view.field(['metadata', 'managedFields']);
  return isList(entries) ? entries.filter(isObject) : [];
}

/** Whether whoever wrote the status once wrote a condition that says whether the object is ready. */
function namesReady(entry: JsonObject): boolean {
  const conditions = at(entry, ['fieldsV1', 'f:status', 'f:conditions']);
  const keys = isObject(conditions) ? Object.keys(conditions) : [];
  return keys.some((key) => key === 'k:{"type":"Ready"}' || key === 'k:{"type":"Available"}');
}

/** Why it is not Ready, as far as it shows. */
export function causeOf(resourceName: string, view: ResourceView): Awaited {
  if (text(view.field(['metadata', 'annotations', 'crossplane.io/paused'])) === 'true') {
    return {cause: 'paused', resourceName};
  }
  if (isCreateIncomplete(view)) return {cause: 'create-pending', resourceName};
  const synced = condition(view, 'Synced');
  const said = synced?.['status'] === 'False' ? synced : readiness(view);
  if (said === undefined) return {cause: 'silent', resourceName};
  const [type, status, why] = [said['type'], said['status'], said['reason']].map(text) as [string, string, string];
  return {cause: 'unready', resourceName, type, status, why};
}

/** Its provider does not know whether a create came to an end, and does nothing more before a person says so. */
function isCreateIncomplete(view: ResourceView): boolean {
  const pending = noted(view, 'create-pending');
  return pending !== '' && pending > noted(view, 'create-succeeded') && pending > noted(view, 'create-failed');
}
