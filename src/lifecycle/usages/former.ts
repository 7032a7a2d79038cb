// A Usage in the place of one of this XR's, with another UID for its controller: of the XR of that name before, which was
// deleted, or which a backup with owner references knows. Kubernetes deletes it, and it waits for its `by`, which the XR of
// now has again under the same name. An apply over it is refused for a second controller, in every reconcile, so the XR
// would not be Synced for as long as `by` lives. It protects what it names meanwhile, so none is composed beside it.
//
// Asked for by our label only while the XR is not Synced, or something was refused when it was asked last: in the way of an
// XR that is Synced stands nobody. Before Crossplane 1.17 no XR says what was refused, so there it is asked for always: composed
// again as soon as the XR is Synced without it, it would be refused, and so on without end. Or while lost resources are looked for,
// for a Usage may be lost, too (lookup.ts). Or where an XR that does not say whether it is Synced lists a Usage: it came back
// without its status, and a `by` made in its first reconcile would be what the Usage waits for ever after; or where Velero brought
// the XR back. And only where Usages of that API are known to be served, because an answer that fails stops the XR as a whole: by a
// Crossplane that answers questions about schemas (v2.2 on), because the input says which one it is, or because one is observed.

import {isUsage, isUsedBy, observesUsagesOf} from '../facts/edges.ts';
import {isChecking} from '../facts/in-use-label.ts';
import {labelComposite} from '../facts/marks.ts';
import {objectKey, refTo} from '../facts/naming.ts';
import {isDeleting, ownershipOf} from '../facts/ownership.ts';
import type {Claim} from '../facts/proof.ts';
import {isRestored, listedBy, saysSynced} from '../facts/references.ts';
import {hasRoomForLists} from '../facts/room.ts';
import type {Input} from '../input/input.ts';
import {formerUsagesOf, isOfFormerUsages} from '../questions/registry.ts';
import type {Requirement} from '../words/edit.ts';
import {at, isList, type JsonObject, text} from '../words/json.ts';
import {groupOf, isSameKind, type ObjectRef} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {type UsageApi, usageKind, usagesAsked} from './usage-api.ts';

export interface Former {
  /** Whether a Usage of this body is in the place of which another UID has one. */
  readonly isInPlaceOf: (body: JsonObject) => boolean;
  /** One that goes, or is about to as its owner is gone, and waits for the object to be gone. */
  readonly waitsFor: (object: ObjectRef) => ObjectRef | undefined;
}

export function formerUsages(snapshot: Snapshot, {uid}: Claim, api: UsageApi): Former {
  const {required, xr} = snapshot;
  const isAnswered = [...required.keys()].some(isOfFormerUsages);
  const former = (isAnswered ? placesOf(snapshot, api) : [])
    .flatMap((place) => required.get(formerUsagesOf(place)) ?? [])
    .filter((view) => isOfFormerXr(view, uid, xr));
  const keys = new Set(former.map((view) => objectKey(refTo(view))));
  return {
    isInPlaceOf: (body) => keys.size > 0 && keys.has(keyOf(body)),
    waitsFor: (object) => {
      const found = former.find((view) => isToGo(view, uid, xr) && isUsedBy(view, object));
      return found && refTo(found);
    },
  };
}

/** Whether an XR of this kind and name, with another UID, controls it. */
function isOfFormerXr(view: ResourceView, uid: string, xr: ResourceView): boolean {
  const ownership = ownershipOf(view, uid);
  return ownership.kind === 'stale' && ownership.controller.name === xr.name && isSameKind(ownership.controller, xr);
}

/** The owner GC knows whether an owner is there only of a version that is served, as the XR's own is. */
function isToGo(view: ResourceView, uid: string, {apiVersion}: ResourceView): boolean {
  const ownership = ownershipOf(view, uid);
  return isDeleting(view) || (ownership.kind === 'stale' && ownership.controller.apiVersion === apiVersion);
}

/** By requirement name. `hasUsages`: whether the input asks for any; `isLooking`: whether lost resources are looked for. */
export function formerRequirements(
  snapshot: Snapshot,
  {crossplane}: Input,
  {id}: Claim,
  api: UsageApi,
  hasUsages: boolean,
  isLooking: boolean,
): readonly (readonly [string, Requirement])[] {
  const isLabelled = isChecking(snapshot);
  if (!hasUsages && !isLabelled) return [];
  const {xr, schemas} = snapshot;
  const isInTheWay = !api.showsConditions || mayBeInTheWay(xr) || cameBackWithUsages(xr) || isRestored(xr);
  const isServed = () =>
    schemas !== undefined || crossplane !== undefined || observesUsagesOf(groupOf(api.usages), snapshot);
  if (!(isLabelled || isLooking || isInTheWay) || !isServed()) return [];
  const places = placesOf(snapshot, api);
  const kinds = places.map(({kind}) => ({apiVersion: api.usages, kind}));
  if (!hasRoomForLists(kinds, snapshot)) return [];
  const match = {kind: 'labels', labels: {[labelComposite]: id}} as const;
  return places.map((place) => [formerUsagesOf(place), {apiVersion: usagesAsked(api), ...place, match}]);
}

/** Whether something may be in the way of the XR: it is not Synced, or something was refused when it was asked last. */
export function mayBeInTheWay(xr: ResourceView): boolean {
  const conditions = xr.field(['status', 'conditions']);
  return (
    isList(conditions) &&
    conditions.some((one) => {
      const type = at(one, ['type']);
      if (type === 'Synced') return at(one, ['status']) === 'False';
      return type === 'Tethered' && at(one, ['reason']) === 'Refusing';
    })
  );
}

function cameBackWithUsages(xr: ResourceView): boolean {
  if (saysSynced(xr)) return false;
  return listedBy(xr).some((ref) => isUsage({apiVersion: text(ref['apiVersion']), kind: text(ref['kind'])}));
}

/**
 * Kinds and namespaces in which this XR may have Usages: those of what it composes. Elsewhere anybody could have the answer
 * grow until it stops the XR.
 */
function placesOf(
  {xr, observed, desired}: Snapshot,
  api: UsageApi,
): readonly Pick<Requirement, 'kind' | 'namespace'>[] {
  const cluster = {kind: usageKind('', api), namespace: ''};
  if (usageKind('any', api) === cluster.kind) return [cluster];
  // A namespaced XR composes in its own namespace alone.
  if (xr.namespace !== '') return [cluster, {kind: usageKind(xr.namespace, api), namespace: xr.namespace}];
  const namespaces = new Set<string>();
  for (const views of [observed, desired]) views.forEach(({namespace}) => void namespaces.add(namespace));
  for (const ref of listedBy(xr)) namespaces.add(text(ref['namespace']));
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
