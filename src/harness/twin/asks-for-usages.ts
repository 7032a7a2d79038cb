import {decodeRequest} from '../../wire/request-decode.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';

const partsWithUsages = ['order', 'usages', 'protect', 'resources'];

/** Whether the input of the request asked for Usages: by a part, or it is another function's. */
export function asksForUsages(request: Uint8Array): boolean {
  const {input} = decodeRequest(request);
  if (input === undefined) return false;
  const words = decodeStruct(input);
  return (
    !String(words['apiVersion']).startsWith('tether.') || partsWithUsages.some((part) => words[part] !== undefined)
  );
}
