import {at, isObject} from '../../cluster/json.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';
import type {Ending} from './ending.ts';
import type {Harm} from './harm.ts';

/**
 * Whether an XR that took resources from others is gone, or wants one of them no more: what was given to it goes with it, and
 * without the function it had one of its own, while the first one lived on.
 */
export function isTakerDone({asked, living}: Ending): boolean {
  return [...asked].some(([place, {requests, desired}]) => {
    const taken = new Set(requests.flatMap(takenIn));
    return taken.size > 0 && (!living.has(place) || [...taken].some((name) => !desired.has(name)));
  });
}

/** Whether an object of another XR leads to the external resource of what lives at the harm's place. */
export function isLedToByAnother({place, xr}: Harm, {living, run}: Ending): boolean {
  const ids = new Set((living.get(place) ?? []).map(({object}) => run.ledger.idOf(object)).filter((id) => id !== ''));
  return [...living.values()].flat().some(({made, object}) => made.xr !== xr && ids.has(run.ledger.idOf(object)));
}

/** The resource names that the input of the request takes from other XRs. */
function takenIn(request: Uint8Array): readonly string[] {
  const {input} = decodeRequest(request);
  const rules = input === undefined ? [] : at(decodeStruct(input), ['take']);
  if (!Array.isArray(rules)) return [];
  return rules
    .flatMap((rule) => (isObject(rule) && Array.isArray(rule['resources']) ? rule['resources'] : []))
    .flatMap((one) => (isObject(one) ? [String(one['name'])] : []));
}
