// UTF-8 both ways. Short ASCII is the common case (keys, kinds, names) and is done by hand: a TextDecoder call costs
// more than the string. Invalid text is refused in both directions, because replacing it would change a name or a
// value silently.

import {WireError} from './wire-error.ts';

const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
const encoder = new TextEncoder();
const shortLength = 12;

/** The string in bytes[start, end). */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > shortLength) return decodeLong(bytes, start, end);
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) return decodeLong(bytes, start, end);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** The UTF-8 bytes of `text`. */
export function encodeText(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new WireError('a string holds half a surrogate pair and has no UTF-8 form');
  return encoder.encode(text);
}

function decodeLong(bytes: Uint8Array, start: number, end: number): string {
  try {
    return decoder.decode(bytes.subarray(start, end));
  } catch {
    throw new WireError(`a string holds invalid UTF-8 (byte ${start})`);
  }
}
