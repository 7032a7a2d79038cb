// Who goes by Ready, and deletes an XR as soon as the one that takes from it is Ready, is misled where that one only observes what
// the deleted one has still.

import {at} from '../../cluster/json.ts';
import type {World} from '../../cluster/kernel/world.ts';
import {conditionOf, controllerOf, type KubeObject} from '../../cluster/object.ts';
import {objectsIn} from '../explore/evidence.ts';

/** The UIDs of XRs that say Ready and observe what one of those has whose UIDs are `deleted`. */
export function readyTooSoon(
  deleted: ReadonlySet<string>,
  world: World,
  idOf: (object: KubeObject) => string,
): readonly string[] {
  const all = objectsIn(world);
  const had = new Set(all.filter((one) => deleted.has(ownerOf(one)) && !onlyObserves(one)).map(idOf));
  // Most of what is deleted is no XR.
  if (had.size === 0) return [];
  // Of one that its provider has not come to yet its XR has not said anything: it is made in the middle of a reconcile.
  const isSeen = (one: KubeObject) => conditionOf(one, 'Synced') !== undefined;
  const observers = new Set(all.filter((one) => onlyObserves(one) && isSeen(one) && had.has(idOf(one))).map(ownerOf));
  return all
    .filter(({metadata: {uid = ''}}) => observers.has(uid) && !deleted.has(uid))
    .filter((xr) => conditionOf(xr, 'Ready')?.status === 'True')
    .map(({metadata: {uid = ''}}) => uid);
}

export function onlyObserves({spec}: KubeObject): boolean {
  const policies = at(spec ?? {}, ['managementPolicies']);
  return Array.isArray(policies) && policies.length === 1 && policies[0] === 'Observe';
}

function ownerOf(object: KubeObject): string {
  return controllerOf(object)?.uid ?? '';
}
