// Two XRs that want one object, as where a Composition says its name: the one that comes first has it, and the other is not
// Synced, with the function and without it. Which of them that is, is a matter of the moment. Where that name came with another
// kind it is nobody's without the function, or that other XR's alone: there Crossplane goes on with the name of the object of the
// kind before.

import {type Ending, innerXrsOf} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';

const ofWhoComesSecond: readonly HarmKind[] = ['missing', 'gone', 'recreated', 'not-synced', 'not-ready'];

/**
 * Whether another XR has what the XR of the harm wants, and has without the function. What that makes of an inner XR makes its outer
 * one unready.
 */
export function isOfWhoComesSecond({kind, place, xr = place}: Harm, w: Ending, wo: Ending): boolean {
  if (!ofWhoComesSecond.includes(kind)) return false;
  const inner = kind === 'not-ready' ? innerXrsOf(xr, w) : [];
  return [xr, ...inner].some((one) => comesSecond(one, w, wo));
}

function comesSecond(xr: string, w: Ending, wo: Ending): boolean {
  return [...(w.asked.get(xr)?.addresses ?? [])].some((address) => {
    const owner = ownerAt(address, w);
    const isWanted = owner !== undefined && owner !== xr && w.asked.get(owner)?.addresses.has(address) === true;
    return isWanted && (ownerAt(address, wo) === xr || hasFormerName({address, owner, xr}, w, wo));
  });
}

/** What two XRs want, one of which has it. */
interface Wanted {
  readonly address: string;
  readonly owner: string;
  readonly xr: string;
}

/** Whether nobody else has it without the function, and the XR has one of its kind under the name of another kind before. */
function hasFormerName({address, owner, xr}: Wanted, {asked}: Ending, {places, living}: Ending): boolean {
  const found = [...living.values()].flat().filter(({made}) => made.address === address);
  if (found.some(({controller}) => controller !== owner)) return false;
  const [kind] = split(address);
  const own = [...places.values()].filter(
    (made) => made.xr === xr && asked.get(xr)?.kinds.get(made.resourceName ?? '') === kind,
  );
  return own.some((made) => {
    const [itsKind, name] = split(made.address);
    const before = own.filter(({resourceName}) => resourceName === made.resourceName).map((one) => split(one.address));
    return itsKind === kind && living.has(made.place) && before.some((one) => one[0] !== kind && one[1] === name);
  });
}

/** Kind and name of an address: in which namespace it is may change with the kind. */
function split(address: string): readonly [string, string] {
  const [kind = '', where = ''] = address.split(' ');
  return [kind, where.split('/').at(-1) ?? ''];
}

/** The place of who controls the object of that address. */
function ownerAt(address: string, {living}: Ending): string | undefined {
  return [...living.values()].flat().find(({made}) => made.address === address)?.controller;
}
