// UTF-8 both ways. Invalid text is refused in both directions, because replacing it would change a name or a value
// silently.
//
// A request says the same short strings again and again: keys, kinds, the UID of the XR in every owner reference. So
// short ASCII strings are looked up in a table of the latest ones before they are made: comparing costs less than a
// TextDecoder call. The table has a fixed size and a slot for each hash, so it never grows and needs no eviction.

import {WireError} from './wire-error.ts';

const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
const encoder = new TextEncoder();
const shortLength = 48;
const hashedLength = 14;
const recentMask = 8191;
const recent: string[] = new Array<string>(recentMask + 1).fill('');

/** The string in bytes[start, end). */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  if (length > shortLength) return decodeAny(bytes, start, end);
  const slot = slotOf(bytes, start, end);
  const known = recent[slot] as string;
  if (known.length === length && sameAscii(bytes, start, known)) return known;
  const text = decodeAny(bytes, start, end);
  recent[slot] = text;
  return text;
}

/** The UTF-8 bytes of `text`. */
export function encodeText(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new WireError('a string holds half a surrogate pair and has no UTF-8 form');
  return encoder.encode(text);
}

/** Whether bytes[start, end) is `text`, found out without making a string where that is possible. */
export function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  const length = end - start;
  if (length === text.length) return sameAscii(bytes, start, text);
  // Beyond ASCII a text has more bytes than characters, three for one at most.
  if (length < text.length || length > text.length * 3) return false;
  return !isAscii(text) && decodeText(bytes, start, end) === text;
}

// For strings of as many characters as bytes: then every character must be its own byte.
function sameAscii(bytes: Uint8Array, start: number, text: string): boolean {
  for (let index = text.length - 1; index >= 0; index--) {
    const code = text.charCodeAt(index);
    if (bytes[start + index] !== code || code >= 0x80) return false;
  }
  return true;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x80) return false;
  return true;
}

function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  // Names, keys and UIDs differ in their last characters; where they do not, they only share a slot.
  for (let at = Math.max(start, end - hashedLength); at < end; at++) hash = Math.imul(hash, 31) + (bytes[at] as number);
  return (hash ^ (hash >>> 10)) & recentMask;
}

function decodeAny(bytes: Uint8Array, start: number, end: number): string {
  try {
    return decoder.decode(bytes.subarray(start, end));
  } catch {
    throw new WireError(`a string holds invalid UTF-8 (byte ${start})`);
  }
}
