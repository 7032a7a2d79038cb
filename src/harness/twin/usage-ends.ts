// What a Usage that somebody asked for keeps once its XR is gone, or has another UID: no function is asked about it any more.
// It keeps its `of`, and itself, while its `by` is there. Where `by` is there without the function, too, as one that a restore
// brought back and nobody owns, that is what was asked for.

import {isObject, type JsonObject} from '../../cluster/json.ts';
import {controllerOf, groupKindOf, groupOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {type Ending, type Found, foundIn, isServed, ownedBy} from './ending.ts';
import {addressOf, type Made} from './ledger.ts';
import {isOrphanedAsAsked} from './left-behind.ts';
import {hasMovedOn} from './moved-on.ts';
import {waitsForProvider} from './of-templates.ts';

const groups = ['protection.crossplane.io', 'apiextensions.crossplane.io'];

/**
 * Whether the object is a Usage whose `by` is there in both runs, or is kept itself: for a reason, or by such a Usage; or whose `by`, or
 * XR, is of a kind that a person removed: Crossplane and the owner GC, once they start anew, cannot ask whether it is gone
 * (docs/operations.md).
 */
export function waitsForBy({object}: Found, w: Ending, wo: Ending): boolean {
  if (!isUsage(object)) return false;
  return (
    isThereAsAsked(addressIn(object, 'by'), w, wo, [object]) ||
    isOfOwnerOfBefore(object, w) ||
    [w, wo].every((one) => isOfRemovedKind(object, one))
  );
}

/** Whether it came back with an owner of before, so that it goes once its `by` is gone, which a template makes. */
function isOfOwnerOfBefore(usage: KubeObject, w: Ending): boolean {
  const by = addressIn(usage, 'by');
  const isOfTemplate = ({made: {xr = '', resourceName = ''}, object}: Found) =>
    by.includes(addressOf(object)) && w.asked.get(xr)?.desired.has(resourceName) === false;
  const {place = ''} = w.run.ledger.of(usage) ?? {};
  return isDeleting(usage) && w.run.ledger.wasRestored(place) && foundIn(w).some(isOfTemplate);
}

/** Whether nobody serves the kind of its `by`, or of its XR. */
function isOfRemovedKind(usage: KubeObject, ending: Ending): boolean {
  return [(usage.spec?.['by'] ?? {}) as JsonObject, controllerOf(usage) ?? {}].some(({apiVersion, kind}) => {
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return false;
    return !isServed(groupKindOf({apiVersion, kind}), ending);
  });
}

/** Whether it is deleted in the foreground, and what it waits for are such Usages, and what they keep. */
export function waitsForUsages({object: owner}: Found, w: Ending, wo: Ending): boolean {
  const left = ownedBy(owner, w);
  return left.length > 0 && left.every((one) => waitsForBy(one, w, wo) || isUsedByAnother(one, w, wo));
}

function isThereAsAsked(addresses: readonly string[], w: Ending, wo: Ending, seen: readonly KubeObject[]): boolean {
  if (livesInBoth(addresses, w, wo) || isLeftOfTemplate(addresses, w)) return true;
  const isOfIt = (object: KubeObject) => addressIn(object, 'of').some((one) => addresses.includes(one));
  return foundIn(w).some(({object}) => {
    if (!isUsage(object) || seen.includes(object) || !isOfIt(object)) return false;
    return object.spec?.['by'] === undefined || isThereAsAsked(addressIn(object, 'by'), w, wo, [...seen, object]);
  });
}

/** Whether such a Usage keeps it. */
export function isUsedByAnother({object}: Pick<Found, 'object'>, w: Ending, wo: Ending): boolean {
  const address = addressOf(object);
  return foundIn(w).some((one) => waitsForBy(one, w, wo) && addressIn(one.object, 'of').includes(address));
}

/**
 * Whether it was composed for an XR of before that had another UID, and such a Usage keeps it beside what the XR of now has.
 */
export function isKeptOfFormer({made, object}: Found, w: Ending, wo: Ending): boolean {
  const uids = (w.living.get(made.xr ?? '') ?? []).map((xr) => xr.object.metadata.uid);
  const isFormer = uids.length > 0 && !uids.includes(controllerOf(object)?.uid);
  return isFormer && isUsedByAnother({object}, w, wo);
}

/** Whether a Usage without `by` keeps it, from everybody. */
export function isProtected({address}: Made, w: Ending): boolean {
  return foundIn(w).some(
    ({object}) => isUsage(object) && object.spec?.['by'] === undefined && addressIn(object, 'of').includes(address),
  );
}

/** Whether it is a Usage of something that is not there. */
export function keepsNothing({object}: Found, ending: Ending): boolean {
  const addresses = addressIn(object, 'of');
  return isUsage(object) && !foundIn(ending).some((one) => addresses.includes(addressOf(one.object)));
}

/** Whether a Usage names anything that was made at the place. */
export function isUsedAt(place: string, ending: Ending): boolean {
  const all = foundIn(ending);
  const addresses = all.filter(({made}) => made.place === place).map(({object}) => addressOf(object));
  return all.some(({object}) => isUsage(object) && addressIn(object, 'of').some((one) => addresses.includes(one)));
}

function isUsage({apiVersion, kind}: KubeObject): boolean {
  return groups.includes(groupOf(apiVersion)) && (kind === 'Usage' || kind === 'ClusterUsage');
}

/** The addresses that one end of a Usage may mean: a reference does not say whether its kind is namespaced. */
function addressIn({metadata: {namespace}, spec}: KubeObject, end: 'of' | 'by'): readonly string[] {
  const {apiVersion, kind, resourceRef} = (spec?.[end] ?? {}) as JsonObject;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isObject(resourceRef)) return [];
  const name = String(resourceRef['name']);
  const where = (resourceRef['namespace'] as string | undefined) ?? namespace;
  const object = {apiVersion, kind, metadata: {name}};
  return [object, ...(where === undefined ? [] : [{...object, metadata: {name, namespace: where}}])].map(addressOf);
}

/**
 * Whether a template made it, and it is nobody's because a person orphaned it, or a restore brought it back after its XR; or it goes,
 * and its provider is not done with it.
 */
function isLeftOfTemplate(addresses: readonly string[], w: Ending): boolean {
  return foundIn(w).some(({made, object, controller}) => {
    const {place, xr = '', resourceName = ''} = made;
    if (!addresses.includes(addressOf(object)) || w.asked.get(xr)?.desired.has(resourceName) !== false) return false;
    if (isDeleting(object)) return waitsForProvider(object);
    return controller === undefined && (isOrphanedAsAsked(made, w) || w.run.ledger.cameBackLate(place));
  });
}

/**
 * In the other run under another name, or another resource name, where Crossplane made it once more; being deleted, as one that a
 * finalizer keeps.
 */
function livesInBoth(addresses: readonly string[], w: Ending, wo: Ending): boolean {
  return foundIn(w).some(
    (one) =>
      addresses.includes(addressOf(one.object)) &&
      (wo.living.has(one.made.place) || wo.deleting.has(one.made.place) || hasMovedOn(one, w, wo)),
  );
}
