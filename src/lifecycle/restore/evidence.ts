// Evidence on an object of its past, and of its recovery: it existed before, lost its status, can be Ready, is Ready.
//
// The marks of a managed resource are from crossplane-runtime 4e7ed235 (pkg/reconciler/managed/reconciler.go, pkg/meta/meta.go):
// its finalizer, the annotations around a create, `crossplane.io/paused`. managedFields have an entry for each subresource that a
// client wrote (kubernetes apimachinery pkg/apis/meta/v1 ManagedFieldsEntry), and Velero puts them back.

import {isUsage} from '../facts/edges.ts';
import {externalAnnotation, externalNameOf, hasFinalizer, isCreating, isManaged} from '../facts/external-policies.ts';
import {annotationOf, fieldEntriesOf, madeAt} from '../facts/metadata.ts';
import {isComposedManager} from '../facts/naming.ts';
import {isDeleting, isPipelineStatus, isXr, listedBy} from '../facts/ownership.ts';
import {condition, conditionsOf, isConfig} from '../facts/ready.ts';
import {at, isObject, type Json, type JsonObject, text} from '../words/json.ts';
import type {Awaited} from '../words/reasons.ts';
import {groupOf} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';

const conditionsPath = ['status', 'conditions'];
const secretPath = ['spec', 'writeConnectionSecretToRef'];

export const annotationDetails = 'tether.fn.crossplane.io/connection-details';
/**
 * On an object of a kind that no provider manages, for good: it has had a status. A tool may take managedFields off, and a list of
 * conditions without keys is one field there.
 */
export const annotationStatus = 'tether.fn.crossplane.io/status';

/** `none`: it was Ready without connection details; `published`: it has had some. */
export type DetailsMark = 'none' | 'published';

/** `ready`: with a condition of readiness; `seen`: without one. */
type StatusMark = 'seen' | 'ready';

/**
 * True if it can be Ready and is not, if it lost its status, or if its provider has not looked at it since: it lacks connection
 * details, or the finalizer. An object that is being deleted never will be Ready. One that leaves need not publish again.
 */
export function isUnready(view: ResourceView, isDesired: boolean, xr: ResourceView): boolean {
  if (isDeleting(view) || isUsage(view)) return false;
  if (lacksFinalizer(view) || (isDesired && lacksConnection(view) && !publishesNothing(view, xr))) return true;
  if (canBeReady(view)) return !isBackAndReady(view);
  return hasLostStatus(view) || (shownStatus(view) !== undefined && isWithoutStatus(view));
}

/**
 * True if it is ready and does not report a restore of its own. Objects of Kubernetes' own kinds have Available instead. While a
 * pipeline fails, Crossplane sets what its functions reported to Unknown: it may have been Restoring.
 */
function isBackAndReady(view: ResourceView): boolean {
  if (readiness(view)?.['status'] !== 'True') return false;
  const {status, reason} = condition(view, 'Tethered') ?? {};
  return status !== 'Unknown' && reason !== 'Restoring';
}

/** The condition of readiness, undefined if there is none. */
function readiness(view: ResourceView): JsonObject | undefined {
  return condition(view, 'Ready') ?? condition(view, 'Available');
}

/** True if its kind has a condition of readiness, as far as the object shows. */
function canBeReady(view: ResourceView): boolean {
  if (isManaged(view) || isXr(view) || readiness(view) !== undefined) return true;
  return annotationOf(view, annotationStatus) === 'ready' || statusEntries(view).some(namesReady);
}

/** True if its provider, or its own controller if it is an XR, had made something for it, or it has had a status. */
export function hasExisted(view: ResourceView): boolean {
  if (annotationOf(view, annotationStatus) !== '') return true;
  if (externalAnnotation(view, 'create-succeeded') !== '') return true;
  if (hasFinalizer(view)) return externalAnnotation(view, 'create-pending') === '';
  return isXr(view) && listedBy(view).length > 0;
}

/**
 * True if it had a status once and has none: managedFields name one. Or a managed resource or an XR had existed, and Crossplane,
 * which never sends a status, did not create it; or `wasReady`. A config may have a status that comes and goes, such as its
 * number of users.
 */
export function hasLostStatus(view: ResourceView, wasReady: () => boolean = () => false): boolean {
  if (isConfig(view) || !isWithoutStatus(view)) return false;
  return (
    statusEntries(view).length > 0 || (hasExisted(view) && (wasReady() || !fieldEntriesOf(view).some(isOfCrossplane)))
  );
}

/** Its mark if it has a status or had one, and no provider manages it. */
export function shownStatus(view: ResourceView): StatusMark | undefined {
  if (isManaged(view) || isXr(view) || isConfig(view) || isUsage(view)) return undefined;
  const before = annotationOf(view, annotationStatus);
  if (before === 'ready' || readiness(view) !== undefined) return 'ready';
  return before !== '' || !isWithoutStatus(view) ? 'seen' : undefined;
}

export function observedDetails(view: ResourceView): DetailsMark | undefined {
  const mark = annotationOf(view, annotationDetails);
  return mark === 'none' || mark === 'published' ? mark : undefined;
}

/**
 * True if it is in its first life, or was Ready without connection details before its XR came back. An XR that lives on may have
 * composed others since, from details that came after the backup.
 */
function publishesNothing(view: ResourceView, xr: ResourceView): boolean {
  const mark = observedDetails(view);
  if (mark === 'published') return false;
  return isInFirstLife(view) || (mark === 'none' && externalAnnotation(view, 'create-succeeded') < madeAt(xr));
}

/** True if its provider created its external resource after the API server had created it. Of a restored object it is older. */
export function isInFirstLife(view: ResourceView): boolean {
  const since = madeAt(view);
  return since !== '' && externalAnnotation(view, 'create-succeeded') >= since;
}

/** True if it lacks its connection details, and has had some, or had existed and Crossplane did not create it. */
export function hasLostConnection(view: ResourceView): boolean {
  if (!lacksConnection(view)) return false;
  return observedDetails(view) === 'published' || (hasExisted(view) && !fieldEntriesOf(view).some(isOfCrossplane));
}

export function namesSecret(view: ResourceView): boolean {
  return !view.isBlank(secretPath);
}

/** True if it names a Secret for its connection details, and no value is in there: its provider has not published since. */
export function lacksConnection(view: ResourceView): boolean {
  return namesSecret(view) && view.connectionDetails.values().every(({length}) => length === 0);
}

/** True if it is a managed resource with an external name, and a tool has taken its provider's finalizer off. */
function lacksFinalizer(view: ResourceView): boolean {
  return externalNameOf(view) !== '' && !hasFinalizer(view) && !isXr(view);
}

/** The API server itself makes a status of some kinds: of empty parts, first values and conditions that are all Unknown. */
function isWithoutStatus(view: ResourceView): boolean {
  const hasConditions = !view.isBlank(conditionsPath);
  if (isManaged(view) || isXr(view)) return !hasConditions;
  if (hasConditions && conditionsOf(view).some(({status}) => status !== 'Unknown')) return false;
  const status = view.isBlank(['status']) ? undefined : view.field(['status']);
  const first = groupOf(view.apiVersion).includes('.') ? firstOfCustom : firstOfNative;
  const isFirst = ([key, value]: [string, Json]) => key === 'conditions' || first.includes(value);
  return !isObject(status) || Object.entries(status).every((one) => isFirst(one) || view.isBlank(['status', one[0]]));
}

/** Of Kubernetes' own kinds: kubernetes v1.34 pkg/registry strategy.go, pkg/apis defaults.go. A controller adds observedGeneration. */
const firstOfNative: readonly unknown[] = [0, 'Pending'];
/** The usual default of `status.observedGeneration` in a CustomResourceDefinition, as Flux has it. */
const firstOfCustom: readonly unknown[] = [-1];

function isOfCrossplane({manager, operation}: JsonObject): boolean {
  return operation === 'Apply' && isComposedManager(text(manager));
}

/** Without the entry of the status that a pipeline sets: Crossplane applies it before a new XR has a condition. */
function statusEntries(view: ResourceView): readonly JsonObject[] {
  return fieldEntriesOf(view).filter(
    (entry) =>
      !isPipelineStatus(entry) &&
      (entry['subresource'] === 'status' || at(entry, ['fieldsV1', 'f:status']) !== undefined),
  );
}

/** True if a writer of the status wrote the condition Ready or Available. */
function namesReady(entry: JsonObject): boolean {
  const conditions = at(entry, ['fieldsV1', 'f:status', 'f:conditions']);
  const keys = isObject(conditions) ? Object.keys(conditions) : [];
  return keys.some((key) => key === 'k:{"type":"Ready"}' || key === 'k:{"type":"Available"}');
}

/** Why it is not back, as far as it shows. */
export function causeOf(resourceName: string, view: ResourceView): Awaited {
  if (annotationOf(view, 'crossplane.io/paused') === 'true') {
    return {cause: 'paused', resourceName};
  }
  if (isCreating(view)) return {cause: 'create-pending', resourceName};
  const synced = condition(view, 'Synced');
  const first = synced?.['status'] === 'False' ? synced : readiness(view);
  const isBack = first === undefined ? !canBeReady(view) : first['status'] === 'True';
  if (isBack && lacksFinalizer(view)) return {cause: 'no-finalizer', resourceName};
  if (isBack && lacksConnection(view)) return {cause: 'no-connection', resourceName};
  // An XR that is Ready may still report a restore of its own.
  const said = first?.['status'] === 'True' ? condition(view, 'Tethered') : first;
  if (said === undefined) return {cause: 'silent', resourceName};
  const [type, status, why] = [said['type'], said['status'], said['reason']].map(text) as [string, string, string];
  return {cause: 'unready', resourceName, type, status, why};
}
