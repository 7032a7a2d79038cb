// Decides whether a restore is complete. A backup tool brings objects back without their status. A template that reads status then
// leaves out resources that the XR still wants. Released meanwhile, they would be deleted in the cloud and created again, empty. So
// a leaving resource is held until all restored resources are Ready again and the pipeline has seen it.
//
// An observed resource that can be Ready, and is not, is awaited if one of these is so:
// - It has no controller reference, and proof that this XR composed it. The apply that adopts it puts our mark on, too.
// - It has the mark, which every other decision leaves on.
// - Its status is gone: managedFields name one, or show another creator than Crossplane, or the XR became Ready with it. If the
//   pipeline itself calls it ready, the XR proves nothing.
// - It has had connection details, by a mark of ours, and its Secret has none.
// - It existed before, as a provider noted on it, and another is awaited: a tool may have taken the mark off.
// - A lookup finds an object that no step desires: the XR came back before it, so any other may have been made anew since.
// A desired resource without an object is awaited, too, because it may not have been brought back, and so is a restored one that is
// being deleted. It may be made much later, so the mark on the others names it until then. If an XR that is Ready or Synced lists an
// object that is not there, that one was lost, which counts as a restore by itself. A move meanwhile marks the old object and the new one.
//
// Ready counts whatever its date: a status that was restored, and that the provider finds to be true, keeps the old one. Any other
// condition proves nothing: the first condition after a restore is often Synced=False. A kind without a condition Ready is awaited
// until it has a status again: it has a mark for good once it had one, for a tool may take managedFields off. An XR within this one
// is not back either while its own condition is Restoring, or Unknown because its pipeline fails.
//
// An XR within this one has the mark, too, as long as anything is awaited: its spec may be made of resources that are not back. So
// an XR with the mark waits for the XR that composes it. That alone is not Restoring, or each would wait for the other.
//
// All marks end together, once nothing is awaited, and leaving resources go in the reconcile after that one. A template
// may relay a value through the XR's own status: while the pipeline sets a field there that the XR does not have yet, or has with
// another value, the restore goes on. So it does while the pipeline sets connection details of the XR and its Secret has none. Without
// a restore leaving resources wait once, too, for a field that the XR lacks, or for its Secret: a person, a tool or another version of its
// definition may have emptied those alone.
//
// Connection details count as a status does, because a template may read them: an object that names a Secret for them is awaited
// while the Secret has none. Its provider publishes when it looks at the external resource (crossplane/crossplane-runtime 4e7ed235
// pkg/reconciler/managed/reconciler.go, after Observe), and Crossplane reads the Secret before it calls the functions
// (crossplane/crossplane 2d040d2da composite/connection.go FetchConnection). No event reports the Secret, but the TTL of 60 s does.
//
// Many kinds publish nothing. If an object in its first life is Ready without details, and the XR is Ready, the object gets another
// mark, `none`: the XR composes everything without these details. So they are not awaited if the object comes back with that mark,
// and its XR comes back, too. An object with details has the mark `published` for good: two writes in a life at most. Without a restore, too,
// it is awaited once its Secret has no value any more, as if a person deleted that.
//
// Not helped: templates that read objects outside of their XR, a field of status or a key of the Secret that comes later than the
// rest, and first details that come while the backup is taken.

import {isUsage} from '../facts/edges.ts';
import {externalAnnotation, externalNameOf, hasFinalizer, isCreating, isManaged} from '../facts/external-policies.ts';
import {observedPhase} from '../facts/marks.ts';
import {annotationOf, fieldEntriesOf, jsonTexts, madeAt} from '../facts/metadata.ts';
import {isComposedManager} from '../facts/naming.ts';
import {isDeleting, isPipelineStatus, isXr, listedBy, type Owners} from '../facts/ownership.ts';
import {condition, conditionsOf, hasReadyTrue, isConfig, statusOf} from '../facts/ready.ts';
import type {Scene} from '../input/scene.ts';
import type {Decision, Hold} from '../words/decision.ts';
import {at, isLeftOut, isList, isObject, type Json, type JsonObject, levelsMax, text} from '../words/json.ts';
import {type Awaited, connectionField} from '../words/reasons.ts';
import {groupOf, isSameKind, type Kind, objectKey, refTo} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

const annotationRestore = 'tether.fn.crossplane.io/restore';
const annotationDetails = 'tether.fn.crossplane.io/connection-details';
/**
 * On an object of a kind that no provider manages, for good: it has had a status. A tool may take managedFields off, and a list of
 * conditions without keys is one field there.
 */
const annotationStatus = 'tether.fn.crossplane.io/status';

export interface ComingBack {
  /** By resource name; what concerns the XR itself comes last. Empty if the world is back. */
  readonly awaited: readonly Awaited[];
  /** Without a controller reference, proven to be this XR's, and not awaited; sorted. */
  readonly unadopted: readonly string[];
  /** Resource names that get the mark, whatever is decided. */
  readonly waiting: ReadonlySet<string>;
  /** True if an observed object has the mark. */
  readonly isAnyMarked: boolean;
  /** Resources that did not come back and are created again later, sorted. */
  readonly lost: readonly string[];
}

/**
 * `leaving`: what the pipeline leaves out. `isElsewhere`: whether another object is there for a resource name. `later`: what waits for
 * an order. `isFinding`: whether a lookup found an object that the XR adopts and no step desires.
 */
export function comingBack(
  {snapshot, owners}: Scene,
  leaving: ReadonlySet<string>,
  isElsewhere: (resourceName: string) => boolean,
  later: ReadonlySet<string>,
  isFinding: boolean,
): ComingBack {
  const {isAnyMarked, unready, going} = cameBack(snapshot, owners, isFinding);
  const {unadopted} = owners;
  const isComposerWaiting = isMarkedRestored(snapshot.xr);
  const missing = missingIn(snapshot, isElsewhere);
  // Reads the whole list of the XR, which takes long: in nearly every call nothing is missing.
  const mayBeLost = missing.length === 0 ? () => false : lostOf(snapshot, isFinding || unadopted.length > 0);
  const isWhole = !isAnyMarked && !isFinding && unready.size + unadopted.length === 0 && !isComposerWaiting;
  if (isWhole && !missing.some(mayBeLost)) {
    const own = statusOnItsWay(snapshot, isLacking) ?? connectionOnItsWay(snapshot);
    const awaited = own !== undefined && mayComeYet(leaving, snapshot) ? [own] : [];
    return {awaited, unadopted, waiting: new Set(), isAnyMarked, lost: []};
  }
  const lostBefore = new Set([...snapshot.observed.values()].flatMap(lostByMark));
  const isLost = (name: string) => lostBefore.has(name) || mayBeLost(name);
  const awaited = new Map<string, Awaited>();
  unready.forEach((view, name) => void awaited.set(name, causeOf(name, view)));
  // One that its order has never let be made may never come.
  const mayCome = (name: string) => !later.has(name) || lostBefore.size >= lostMax || isLost(name);
  for (const name of missing) if (mayCome(name)) awaited.set(name, {cause: 'missing', resourceName: name});
  for (const name of going) awaited.set(name, {cause: 'deleting', resourceName: name});
  const all = [...awaited.keys()].sort().map((name) => awaited.get(name) as Awaited);
  const field = all.length === 0 ? statusOnItsWay(snapshot, isOther) : undefined;
  if (field !== undefined) all.push(field);
  const connection = connectionOnItsWay(snapshot);
  if (connection !== undefined) all.push(connection);
  if (isComposerWaiting) all.push({cause: 'composer'});
  const lost = [...missing.filter(isLost), ...going].sort();
  const innerXrs = () => [...snapshot.observed].flatMap(([name, view]) => (isXr(view) ? [name] : []));
  const waiting = all.length === 0 ? [] : [...unready.keys(), ...leaving, ...lost, ...innerXrs()];
  return {
    awaited: all,
    unadopted: unadopted.filter((name) => !unready.has(name)),
    waiting: new Set(waiting),
    isAnyMarked,
    lost,
  };
}

/**
 * True if a field that the XR lacks may still come: it does with the status that Crossplane writes last in a reconcile. So it has not
 * yet if something leaves that was not held before, or something that was held is desired again, as a pipeline may relay one value
 * after the other; nor if the XR is not Synced. A Synced XR whose definition has no such field keeps nothing for good.
 */
function mayComeYet(leaving: ReadonlySet<string>, {observed, xr}: Snapshot): boolean {
  if (leaving.size === 0) return false;
  if (statusOf(xr, 'Synced') !== 'True') return true;
  return [...observed].some(([name, view]) => leaving.has(name) === (observedPhase(view) !== 'pending-deletion'));
}

interface CameBack {
  /** Observed with our mark. */
  readonly isAnyMarked: boolean;
  readonly unready: ReadonlyMap<string, ResourceView>;
  /** Being deleted, and wanted. */
  readonly going: readonly string[];
}

function cameBack({observed, desired, xr}: Snapshot, {byName}: Owners, isFinding: boolean): CameBack {
  let isAnyMarked = false;
  const going: string[] = [];
  const unready = new Map<string, ResourceView>();
  const readySince = hasReadyTrue(xr) ? text(condition(xr, 'Ready')?.['lastTransitionTime']) : undefined;
  const wasReady = (view: ResourceView, name: string) =>
    readySince !== undefined && madeAt(view) <= readySince && desired.get(name)?.ready !== 'true';
  observed.forEach((view, name) => {
    const owner = byName.get(name)?.kind;
    const isMarked = isMarkedRestored(view);
    isAnyMarked ||= isMarked;
    if (owner !== 'ours' && owner !== 'unadopted') return;
    const isBack =
      owner === 'unadopted' || isMarked || hasLostStatus(view, () => wasReady(view, name)) || hasLostConnection(view);
    if (isBack && isUnready(view, desired.has(name), xr)) unready.set(name, view);
    if (isBack && isDeleting(view) && desired.has(name) && !isUsage(view)) going.push(name);
  });
  if (isFinding || unready.size > 0) {
    observed.forEach((view, name) => {
      const isOurs = byName.get(name)?.kind === 'ours' && !unready.has(name);
      if (isOurs && (isFinding || hasExisted(view)) && isUnready(view, desired.has(name), xr)) unready.set(name, view);
    });
  }
  return {isAnyMarked, unready, going};
}

function missingIn({observed, desired}: Snapshot, isElsewhere: (name: string) => boolean): readonly string[] {
  const missing: string[] = [];
  desired.forEach((_, name) => {
    if (!observed.has(name) && !isElsewhere(name)) missing.push(name);
  });
  return missing;
}

/**
 * Of a resource name, whether the XR lists an object of its kind that is not there, or has lost its list: it is no new one then. All
 * that an XR lists was there once it came back, or is Ready or Synced.
 */
function lostOf({xr, observed, desired}: Snapshot, cameBackNow: boolean): (resourceName: string) => boolean {
  if (!cameBackNow && !hasReadyTrue(xr) && statusOf(xr, 'Synced') !== 'True') return () => false;
  const listed = listedBy(xr) as readonly (Kind & {readonly name?: string; readonly namespace?: string})[];
  if (listed.length === 0) return () => cameBackNow;
  const there = new Set([...observed.values()].map((view) => objectKey({...refTo(view), namespace: ''})));
  const absent = listed.filter((ref) => !there.has(objectKey({...ref, name: ref.name ?? '', namespace: ''})));
  return (resourceName) => absent.some((ref) => isSameKind(ref, desired.get(resourceName) as ResourceView));
}

/** If the pipeline sets connection details with a value, and the XR's Secret has none yet. XRs of Crossplane 2 publish none. */
function connectionOnItsWay({xr, desiredXr}: Snapshot): Awaited | undefined {
  if (desiredXr === undefined || isObject(xr.field(['spec', 'crossplane'])) || !lacksConnection(xr)) return undefined;
  const isSet = desiredXr.connectionDetails.values().some(({length}) => length > 0);
  return isSet ? {cause: 'own-field', field: connectionField, isThere: false} : undefined;
}

type IsOnItsWay = (wanted: Json, there: Json | undefined) => boolean;

const isOther: IsOnItsWay = (wanted, there) => wanted !== there;

/** A field with another value may change each time. */
const isLacking: IsOnItsWay = (_, there) => there === undefined;

/** The first field that the pipeline sets in the XR's status and that is on its way there. */
function statusOnItsWay({xr, desiredXr}: Snapshot, isOnItsWay: IsOnItsWay): Awaited | undefined {
  const wanted = desiredXr?.field(['status']);
  if (!isObject(wanted)) return undefined;
  // Field by field: the XR's status may also hold the names of all its resources, and reading those takes long.
  for (const key of Object.keys(wanted).sort()) {
    if (key === 'conditions') continue;
    const found = firstOnItsWay(wanted[key], xr.field(['status', key]), isOnItsWay, `status.${key}`, 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstOnItsWay(
  wanted: Json | undefined,
  there: Json | undefined,
  isOnItsWay: IsOnItsWay,
  field: string,
  level: number,
): Awaited | undefined {
  // The XR keeps its value of a field that is left out.
  if (wanted === undefined || isLeftOut(wanted) || level > levelsMax) return undefined;
  const wantsList = isList(wanted);
  if (!wantsList && !isObject(wanted)) {
    return isOnItsWay(wanted, there) ? {cause: 'own-field', field, isThere: there !== undefined} : undefined;
  }
  if (wantsList && wanted.length > (isList(there) ? there.length : 0)) {
    return {cause: 'own-field', field, isThere: false};
  }
  for (const key of wantsList ? wanted.keys() : Object.keys(wanted).sort()) {
    const found = firstOnItsWay(
      at(wanted, [key]),
      at(there, [key]),
      isOnItsWay,
      wantsList ? field : `${field}.${key}`,
      level + 1,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The hold before a resource leaves. `isConfirmed`: a person confirmed the removal of this very object. */
export function holdWhileComingBack(
  view: ResourceView,
  {awaited, unadopted}: ComingBack,
  isConfirmed: () => boolean,
): Hold | undefined {
  const isOver = awaited.length === 0 && !isMarkedRestored(view);
  if (!isOver && !isConfirmed()) return {kind: 'hold', reason: 'restore-in-progress', awaited};
  // A resource that is held already has given the others their time: an apply that is rejected for good must not keep everything
  // else.
  if (unadopted.length === 0 || observedPhase(view) === 'pending-deletion') return undefined;
  const others = unadopted.map((resourceName): Awaited => ({cause: 'unadopted', resourceName}));
  return {kind: 'hold', reason: 'restore-in-progress', awaited: others};
}

/** The object that an edit is for, if it is there, and the resource name that it is observed under. */
export interface Subject {
  readonly resourceName: string;
  readonly view: ResourceView | undefined;
  readonly isOurs: boolean;
}

/** As nearly all objects have them: one for all. */
export const noMarks = {[annotationDetails]: undefined, [annotationStatus]: undefined, [annotationRestore]: undefined};

/** By annotation the mark that the object of a decision carries from now on, whichever resource name it gets; undefined for none. */
export function marksOf(
  {resourceName, view, isOurs}: Subject,
  decision: Decision,
  xr: ResourceView,
  {awaited, isAnyMarked, waiting, lost}: ComingBack,
): {readonly [annotation: string]: string | undefined} {
  const ours = isOurs ? view : undefined;
  const adopted = isAdopted(decision);
  const isMarkedNow = () => isAnyMarked && view !== undefined && isMarkedRestored(view);
  // Templates see nothing of what moves, or of what comes after it, until that is Ready.
  const isMoving = decision.kind === 'move' && awaited.length > 0;
  const isMarked = adopted || isMoving || waiting.has(resourceName) || isMarkedNow();
  // If nothing is awaited, it is back.
  const mark = awaited.length > 0 || adopted ? restoreMark(lost) : restoreOver;
  const details = ours !== undefined && namesSecret(ours) ? detailsOf(ours, xr) : undefined;
  const status = ours && shownStatus(ours);
  if (details === undefined && status === undefined && !isMarked) return noMarks;
  return {
    [annotationDetails]: details,
    [annotationStatus]: status,
    [annotationRestore]: isMarked ? mark : undefined,
  };
}

/** The mark of its connection details from now on, of one that names a Secret. */
function detailsOf(view: ResourceView, xr: ResourceView): DetailsMark | undefined {
  const before = observedDetails(view);
  if (!lacksConnection(view)) return 'published';
  const isAtRest = hasReadyTrue(view) && statusOf(view, 'Synced') === 'True' && hasReadyTrue(xr);
  return before ?? (isInFirstLife(view) && isAtRest ? 'none' : undefined);
}

function isAdopted(decision: Decision): boolean {
  if (decision.kind === 'adopt') return true;
  return decision.kind === 'hold' && (decision.reason === 'without-controller' || decision.reason === 'found-by-label');
}

/** True if an earlier reconcile marked it as one that came back, or that leaves and waits for one that came back. */
function isMarkedRestored(view: ResourceView): boolean {
  const mark = annotationOf(view, annotationRestore);
  return mark !== '' && mark !== restoreOver;
}

/** The resource names in its mark of lost ones. */
function lostByMark(view: ResourceView): readonly string[] {
  const mark = annotationOf(view, annotationRestore);
  return mark.startsWith(restoring) ? jsonTexts(mark.slice(restoring.length)) : [];
}

const restoring = 'in-progress';
/**
 * The mark of what is back. Left out at once, the mark would stay if another manager owns it by then: a tool that restores managedFields,
 * as Velero does after it has created an object, takes it away from Crossplane. An apply of another value makes it Crossplane's alone.
 */
const restoreOver = 'over';
const lostMax = 20;

/** The value of the mark for what came back. `lost`: what did not, and gets the mark in the reconcile that makes it again. */
function restoreMark(lost: readonly string[]): string {
  return lost.length === 0 ? restoring : `${restoring} ${JSON.stringify(lost.slice(0, lostMax))}`;
}

// Evidence on an object of its past, and of its recovery: it existed before, lost its status, can be Ready, is Ready.
//
// The marks of a managed resource are from crossplane-runtime 4e7ed235 (pkg/reconciler/managed/reconciler.go, pkg/meta/meta.go):
// its finalizer, the annotations around a create, `crossplane.io/paused`. managedFields have an entry for each subresource that a
// client wrote (kubernetes apimachinery pkg/apis/meta/v1 ManagedFieldsEntry), and Velero puts them back.

const conditionsPath = ['status', 'conditions'];
const secretPath = ['spec', 'writeConnectionSecretToRef'];

/** `none`: it was Ready without connection details; `published`: it has had some. */
type DetailsMark = 'none' | 'published';

/** `ready`: with a condition of readiness; `seen`: without one. */
type StatusMark = 'seen' | 'ready';

/**
 * True if it can be Ready and is not, if it lost its status, or if its provider has not looked at it since: it lacks connection
 * details, or the finalizer. An object that is being deleted never will be Ready. One that leaves need not publish again.
 */
function isUnready(view: ResourceView, isDesired: boolean, xr: ResourceView): boolean {
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
function hasExisted(view: ResourceView): boolean {
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
function hasLostStatus(view: ResourceView, wasReady: () => boolean = () => false): boolean {
  if (isConfig(view) || !isWithoutStatus(view)) return false;
  return (
    statusEntries(view).length > 0 || (hasExisted(view) && (wasReady() || !fieldEntriesOf(view).some(isOfCrossplane)))
  );
}

/** Its mark if it has a status or had one, and no provider manages it. */
function shownStatus(view: ResourceView): StatusMark | undefined {
  if (isManaged(view) || isXr(view) || isConfig(view) || isUsage(view)) return undefined;
  const before = annotationOf(view, annotationStatus);
  if (before === 'ready' || readiness(view) !== undefined) return 'ready';
  return before !== '' || !isWithoutStatus(view) ? 'seen' : undefined;
}

function observedDetails(view: ResourceView): DetailsMark | undefined {
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
function isInFirstLife(view: ResourceView): boolean {
  const since = madeAt(view);
  return since !== '' && externalAnnotation(view, 'create-succeeded') >= since;
}

/** True if it lacks its connection details, and has had some, or had existed and Crossplane did not create it. */
function hasLostConnection(view: ResourceView): boolean {
  if (!lacksConnection(view)) return false;
  return observedDetails(view) === 'published' || (hasExisted(view) && !fieldEntriesOf(view).some(isOfCrossplane));
}

function namesSecret(view: ResourceView): boolean {
  return !view.isBlank(secretPath);
}

/** True if it names a Secret for its connection details, and no value is in there: its provider has not published since. */
function lacksConnection(view: ResourceView): boolean {
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
function causeOf(resourceName: string, view: ResourceView): Awaited {
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
