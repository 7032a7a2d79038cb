// UTF-8 both ways. Invalid text is refused in both directions, because replacing it would change a name or a value silently.
//
// A request repeats the same short strings: keys, kinds, the UID of the XR in every owner reference. So short strings are looked up
// in a table of the latest ones before they are made: comparing costs less than a TextDecoder call. The table has a fixed size and
// a slot for each hash, so it never grows and needs no eviction. It compares bytes, four at a time: the characters of a string cost
// several times as much to look at.

const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
const encoder = new TextEncoder();
const shortLength = 48;
const wordBytes = 4;
const slotWords = shortLength / wordBytes;
const slots = 8192;
const recent: string[] = new Array<string>(slots).fill('');
const recentLengths = new Uint8Array(slots);
const recentWords = new Int32Array(slots * slotWords);
// The bytes decoded last, nearly always those of the one request, by words.
let source: Uint8Array = new Uint8Array(0);
let sourceWords = new DataView(source.buffer);

export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  if (length > shortLength) return decodeAny(bytes, start, end);
  if (bytes !== source) {
    source = bytes;
    sourceWords = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
  const slot = slotOf(start, end);
  if (recentLengths[slot] === length && isRecent(start, end, slot)) return recent[slot] as string;
  const text = decodeAny(bytes, start, end);
  for (let at = start, word = slot * slotWords; at < end; at += wordBytes) recentWords[word++] = wordAt(at, end);
  recentLengths[slot] = length;
  recent[slot] = text;
  return text;
}

/** The UTF-8 bytes of `text`. */
export function encodeText(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new WireError('a string holds half a surrogate pair and has no UTF-8 form');
  return encoder.encode(text);
}

/** Writes the UTF-8 bytes of `text` into `target`. Returns how many of its characters have room. */
export function encodeInto(text: string, target: Uint8Array): number {
  return encoder.encodeInto(text, target).read;
}

/** True if bytes[start, end) is `text`, without making a string if that is possible. */
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

// Names, keys and UIDs differ in their last characters; where they do not, they only share a slot.
function slotOf(start: number, end: number): number {
  let hash = end - start;
  const from = Math.max(start, end - 3 * wordBytes);
  for (let at = from; at < end; at += wordBytes) hash = Math.imul(hash, 0x9e3779b1) ^ wordAt(at, end);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & (slots - 1);
}

function isRecent(start: number, end: number, slot: number): boolean {
  let word = slot * slotWords;
  for (let at = start; at < end; at += wordBytes) if (recentWords[word++] !== wordAt(at, end)) return false;
  return true;
}

// The four bytes of the source at `at`, or those up to the end, as one number.
function wordAt(at: number, end: number): number {
  if (at + wordBytes <= end) return sourceWords.getInt32(at, true);
  let word = 0;
  for (let rest = end - 1; rest >= at; rest--) word = (word << 8) | sourceWords.getUint8(rest);
  return word;
}

function decodeAny(bytes: Uint8Array, start: number, end: number): string {
  try {
    return decoder.decode(bytes.subarray(start, end));
  } catch {
    throw new WireError(`a string holds invalid UTF-8 (byte ${start})`);
  }
}

/**
 * The only error that this folder throws on purpose: bytes that are no RunFunction message, or a value that no RunFunction message
 * can hold. The message is one sentence without a subject ("a string holds invalid UTF-8 (byte 17)"); `place` is the path in the
 * message, outermost first, as the user would write it.
 */
export class WireError extends Error {
  readonly problem: string;
  readonly place: string;

  constructor(problem: string, place = '') {
    super(place === '' ? problem : `${place}: ${problem}`);
    this.name = 'WireError';
    this.problem = problem;
    this.place = place;
  }
}

/** `error` with `place` in front of its own place; anything but a WireError comes back as it is. */
export function atPlace(place: string, error: unknown): unknown {
  if (!(error instanceof WireError)) return error;
  const glue = error.place === '' || error.place.startsWith('[') ? '' : '.';
  return new WireError(error.problem, `${place}${glue}${error.place}`);
}

/** A map key as part of a place: `["db"]`. Very long keys are cut, so that a sentence stays a sentence. */
export function keyPlace(key: string): string {
  return `[${JSON.stringify(key.length > 80 ? `${key.slice(0, 77)}...` : key)}]`;
}
