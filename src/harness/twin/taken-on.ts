import {at, isObject} from '../../cluster/json.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';
import type {Ending} from './ending.ts';

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

/** The resource names that the input of the request takes from other XRs. */
function takenIn(request: Uint8Array): readonly string[] {
  const {input} = decodeRequest(request);
  const rules = input === undefined ? [] : at(decodeStruct(input), ['take']);
  if (!Array.isArray(rules)) return [];
  return rules
    .flatMap((rule) => (isObject(rule) && Array.isArray(rule['resources']) ? rule['resources'] : []))
    .flatMap((one) => (isObject(one) ? [String(one['name'])] : []));
}
