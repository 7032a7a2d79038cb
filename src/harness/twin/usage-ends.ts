import {isObject, type JsonObject} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import type {Ending, Found} from './ending.ts';
import {addressOf, type Made} from './ledger.ts';

// What a Usage that somebody asked for keeps once its XR is gone, or has another UID: no function is asked about it any more.
// It keeps its `of`, and itself, while its `by` is there. Where `by` is there without the function, too, as one that a restore
// brought back and nobody owns, that is what was asked for.

const groups = ['protection.crossplane.io', 'apiextensions.crossplane.io'];

/** Whether the object is a Usage whose `by` lives in both tellings. */
export function waitsForBy({object}: Found, w: Ending, wo: Ending): boolean {
  return isUsage(object) && livesInBoth(addressIn(object, 'by'), w, wo);
}

/** Whether such a Usage keeps what was made. */
export function isUsedByAnother({address}: Made, w: Ending, wo: Ending): boolean {
  const usages = [...w.living.values(), ...w.deleting.values()].flat();
  return usages.some((one) => waitsForBy(one, w, wo) && addressIn(one.object, 'of').includes(address));
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

function livesInBoth(addresses: readonly string[], w: Ending, wo: Ending): boolean {
  return [w, wo].every(({living}) =>
    [...living.values()].flat().some(({object}) => addresses.includes(addressOf(object))),
  );
}
