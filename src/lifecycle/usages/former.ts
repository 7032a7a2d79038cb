// A Usage left by a previous XR of the same name: its controller reference has the old UID. The previous XR was deleted, or a
// backup kept its owner references. Kubernetes deletes the Usage, but the deletion waits for its `by`, which the current XR has
// again under the same name. An apply over it is refused for a second controller, in every reconcile, so the XR would not be Synced
// for as long as `by` lives. It protects its `of` meanwhile, so no other is composed beside it.
//
// It is looked for by our label only in these cases:
// - The XR is not Synced, or not Tethered: one that leaves out what the Usage waits for is Synced, and would be refused again in
//   every other reconcile.
// - Crossplane is older than 1.17, so the XR shows no refusals. Composed again as soon as the XR is Synced without it, the Usage
//   would be refused again, without end.
// - Lost resources are looked for: a Usage may be lost, too (lookup.ts).
// - An XR without a condition Synced lists a Usage: it came back without its status, and the Usage would wait for ever for a `by`
//   from the first reconcile.
// - Velero brought the XR back.
// In all cases Usages of that API have to be known as served, because a failing answer stops the whole XR: Crossplane answers
// questions about schemas (v2.2 on), the input names its version, or a Usage is observed.

import {isEndOf, isUsage, observesUsagesOf} from '../facts/edges.ts';
import {checkOf, isLabelledInUse, labelComposite} from '../facts/marks.ts';
import {hasSynced, isDeleting, isRestored, listedBy, ownershipOf} from '../facts/ownership.ts';
import {statusOf} from '../facts/ready.ts';
import {type AnswersBeside, hasRoomForLists} from '../facts/room.ts';
import type {Scene} from '../input/scene.ts';
import type {UsageApi} from '../input/usage-api.ts';
import {questions, requirementOf} from '../questions/registry.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {at, type JsonObject, text} from '../words/json.ts';
import {groupOf, isSameKind, type ObjectRef, objectKey, refTo} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {usageKind} from './names.ts';

export interface Former {
  /** True if a Usage with another UID for its controller has the place of this body. */
  readonly isInPlaceOf: (body: JsonObject) => boolean;
  /** One that goes, or is about to as its owner is gone, and waits for the object to be gone. */
  readonly waitsFor: (object: ObjectRef) => ObjectRef | undefined;
}

export function formerUsages({snapshot, claim: {uid}, api}: Scene): Former {
  const {required, xr} = snapshot;
  const isAnswered = [...required.keys()].some((name) => name.startsWith(questions.formerUsages.prefix));
  const former = (isAnswered ? placesOf(snapshot, api) : [])
    .flatMap((place) => required.get(formerUsagesOf(place)) ?? [])
    .filter((view) => isOfFormerXr(view, uid, xr));
  const keys = new Set(former.map((view) => objectKey(view)));
  return {
    isInPlaceOf: (body) => keys.size > 0 && keys.has(keyOf(body)),
    waitsFor: (object) => {
      const found = former.find((view) => isToGo(view, uid, xr) && isEndOf(view, 'by', object));
      return found && refTo(found);
    },
  };
}

/** True if an XR of this kind and name, with another UID, controls it. */
function isOfFormerXr(view: ResourceView, uid: string, xr: ResourceView): boolean {
  const ownership = ownershipOf(view, uid);
  return ownership.kind === 'stale' && ownership.controller.name === xr.name && isSameKind(ownership.controller, xr);
}

/** The owner GC knows whether an owner is there only of a version that is served, as the XR's own is. */
function isToGo(view: ResourceView, uid: string, {apiVersion}: ResourceView): boolean {
  const ownership = ownershipOf(view, uid);
  return isDeleting(view) || (ownership.kind === 'stale' && ownership.controller.apiVersion === apiVersion);
}

/**
 * By requirement name. `hasPairs`: whether the input comes to any; `made`: bodies that this function adds; `isLooking`: whether lost
 * resources are looked for, beside whose answers these have to have room.
 */
export function formerRequirements(
  {snapshot, input: {crossplane, protect, order, usages}, claim: {id}, api}: Scene,
  hasPairs: boolean,
  made: ReadonlyMap<string, JsonObject>,
  {isLooking, ...beside}: AnswersBeside & {readonly isLooking: boolean},
): ReadonlyMap<string, ResourceSelector> {
  const isLabelled = isChecking(snapshot);
  // Also if an order names nothing that is there: its Usage may be, as after a restore.
  const none: ReadonlyMap<string, ResourceSelector> = new Map();
  if (!(hasPairs || isLabelled || protect || order || usages)) return none;
  const {xr, schemas} = snapshot;
  const isInTheWay = mayBeInTheWay(xr, api) || cameBackWithUsages(xr) || isRestored(xr);
  // If the input names Crossplane 2, and the XR shows Crossplane 1, the question would stop the XR.
  const isServed = () =>
    schemas !== undefined ||
    (crossplane !== undefined && api.isServed) ||
    observesUsagesOf(groupOf(api.usages), snapshot);
  if (!(isLabelled || isLooking || isInTheWay) || !isServed()) return none;
  const places = placesOf(snapshot, api);
  const kinds = places.map(({kind}) => ({apiVersion: api.usages, kind}));
  if (!hasRoomForLists(kinds, snapshot, made, beside)) return none;
  const match = {kind: 'labels', labels: {[labelComposite]: id}} as const;
  return new Map(places.map((place) => [formerUsagesOf(place), {apiVersion: api.usages, ...place, match}]));
}

/** True if a label is being checked: a Usage that this XR has lost may explain it. */
function isChecking({observed, desired}: Snapshot): boolean {
  let isSeen = false;
  observed.forEach((view, name) => {
    isSeen ||= !desired.has(name) && isLabelledInUse(view) && checkOf(view).stage === 'seen';
  });
  return isSeen;
}

/** True if something may be in the way of the XR. One that leaves out what waits for that is Synced. */
export function mayBeInTheWay(xr: ResourceView, {showsConditions}: UsageApi): boolean {
  return !showsConditions || ['Synced', 'Tethered'].some((type) => statusOf(xr, type) === 'False');
}

function cameBackWithUsages(xr: ResourceView): boolean {
  if (hasSynced(xr)) return false;
  return listedBy(xr).some((ref) => isUsage({apiVersion: text(ref['apiVersion']), kind: text(ref['kind'])}));
}

const writtenMax = 500;

/** Kinds and namespaces of this XR's composed resources, and so of its Usages. Elsewhere others could make the answer too large. */
function placesOf(
  {xr, observed, desired}: Snapshot,
  api: UsageApi,
): readonly Pick<ResourceSelector, 'kind' | 'namespace'>[] {
  const cluster = {kind: usageKind('', api), namespace: ''};
  if (usageKind('any', api) === cluster.kind) return [cluster];
  // A namespaced XR composes in its own namespace alone.
  if (xr.namespace !== '') return [cluster, {kind: usageKind(xr.namespace, api), namespace: xr.namespace}];
  const namespaces = new Set<string>();
  for (const views of [observed, desired]) views.forEach(({namespace}) => void namespaces.add(namespace));
  // A Synced XR lists no more than it composes, if it did not come back with its status.
  const isSettled = statusOf(xr, 'Synced') === 'True' && !isRestored(xr);
  const listed = isSettled ? [] : listedBy(xr).map((ref) => text(ref['namespace']));
  const noted = [...observed.values()].flatMap((view) => checkOf(view).places);
  // Editors of the XR and of its resources write these. Each is a question, and too many make the answer too large.
  for (const namespace of [...listed, ...noted].sort()) if (namespaces.size < writtenMax) namespaces.add(namespace);
  namespaces.delete('');
  return [cluster, ...[...namespaces].sort().map((namespace) => ({kind: usageKind(namespace, api), namespace}))];
}

function keyOf(body: JsonObject): string {
  const field = (...path: readonly string[]) => String(at(body, path) ?? '');
  return objectKey({
    apiVersion: field('apiVersion'),
    kind: field('kind'),
    namespace: field('metadata', 'namespace'),
    name: field('metadata', 'name'),
  });
}

/** The question about Usages of this XR's name, of one kind, in one namespace or in none (''). */
function formerUsagesOf({kind, namespace}: Pick<ObjectRef, 'kind' | 'namespace'>): string {
  return requirementOf('formerUsages', `${kind}${namespace === '' ? '' : `-in-${namespace}`}`);
}
