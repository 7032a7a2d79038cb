// Where the entries of Structs are in their message, for all views of one message (see struct-view.ts).

import type {CallMemory} from './call-memory.ts';
import {Cursor, expectWire, wireBytes} from './cursor.ts';
import type {Json} from './json.ts';
import {decodeValue, newEntry, readEntry} from './struct-cells.ts';

// One entry is `stride` numbers: its start and end with its tag, its key's, its Value's, its index in `read` (0 if none), and the
// first and last byte of its key, which are enough to distinguish nearly all keys.
export const stride = 8;
export const atStart = 0;
export const atEnd = 1;
export const atKeyStart = 2;
export const atKeyEnd = 3;
export const atValueStart = 4;
export const atValueEnd = 5;
export const atRead = 6;
export const atKeyEnds = 7;

// A message of 4 KB has some thirty entries on the levels that are read.
const bytesPerNumber = 16;
// Up to here making a value costs no more than comparing it: it is a string.
const comparedMin = 64;
const numbersMin = 16 * stride;

const slowEntry = newEntry();

/** The first and the last byte of a key as one number. */
export function endsOfKey(first: number, last: number): number {
  return (first << 8) | last;
}

/**
 * The memory of all views of one message, in one list: a request has thousands of entries, and a list for each level would cost the
 * garbage collector more than reading them costs us.
 */
export class StructIndex {
  readonly bytes: Uint8Array;
  /** Of every entry scanned `stride` numbers. Replaced when it grows, so never to be kept. */
  places: Int32Array;
  /** The results of reading: the view of a Struct, the value of anything else. Number 0 is empty. */
  readonly read: unknown[] = [undefined];
  private readonly memory: CallMemory | undefined;
  private used = 0;
  private words: DataView | undefined;
  // The value decoded last of those that are worth comparing.
  private latest: Json = null;
  private latestStart = 0;
  private latestEnd = 0;
  // Where the objects and lists came from that are worth copying, should they go back as they are.
  private readonly origins = new Map<object, {readonly start: number; readonly end: number}>();

  /** With `memory` the places are there, until the next index is. */
  constructor(bytes: Uint8Array, memory?: CallMemory) {
    this.bytes = bytes;
    this.memory = memory;
    this.places = memory?.placesKept ?? new Int32Array(0);
  }

  /**
   * The value that the Value in [start, end) holds. Throws WireError. One that is the same as the one before is made once:
   * the policy asks for the owner references of one resource after the other, and they are the same on all of them.
   */
  decode(start: number, end: number): Json {
    if (end - start <= comparedMin) return decodeValue(this.bytes, start, end);
    if (end - start === this.latestEnd - this.latestStart && this.isLatest(start, end)) return this.latest;
    this.latest = decodeValue(this.bytes, start, end);
    this.latestStart = start;
    this.latestEnd = end;
    if (typeof this.latest === 'object' && this.latest !== null) this.origins.set(this.latest, {start, end});
    return this.latest;
  }

  /** The Value of which `value` was made here: the very same object or list, since values never change. */
  originOf(value: object): {readonly start: number; readonly end: number} | undefined {
    return this.origins.get(value);
  }

  // Four bytes at a time, then what is left of them.
  private isLatest(start: number, end: number): boolean {
    this.words ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    const {words} = this;
    const away = this.latestStart - start;
    let at = end;
    for (; at - start >= 4; at -= 4) if (words.getInt32(at - 4) !== words.getInt32(at - 4 + away)) return false;
    for (; at > start; at--) if (words.getInt8(at - 1) !== words.getInt8(at - 1 + away)) return false;
    return true;
  }

  /** Adds the entries of the Struct in [start, end) and returns where they begin; they end where the next ones will. */
  scan(start: number, end: number): number {
    const first = this.used;
    let at = start;
    while (at < end) {
      at = this.scanPlain(at, end);
      if (at === end) break;
      if (this.used + stride > this.places.length) this.grow();
      else {
        const cursor = new Cursor(this.bytes, at, end);
        this.scanAny(cursor);
        at = cursor.at;
      }
    }
    return first;
  }

  /** Where the entries end that were scanned last. */
  get end(): number {
    return this.used;
  }

  /** The entries from there on are scanned no more. */
  forgetFrom(end: number): void {
    this.used = end;
  }

  // The entries from `at` on that are written as every encoder writes them: key, then value, each once, both lengths of at most two
  // bytes. Returns where the first one begins that is anything else or has no place, `end` if none is. Reading past the array gives
  // undefined, which fits nothing.
  private scanPlain(start: number, end: number): number {
    const {bytes, places} = this;
    const full = places.length - stride;
    let {used} = this;
    let at = start;
    while (at < end && used <= full && bytes[at] === 0x0a) {
      let length = bytes[at + 1] as number;
      let key = at + 2;
      if (length >= 0x80) {
        const high = bytes[key++] as number;
        if (high >= 0x80) break;
        length = (length & 0x7f) | (high << 7);
      }
      const entryEnd = key + length;
      const keyLength = bytes[key + 1] as number;
      if (entryEnd > end || bytes[key] !== 0x0a || keyLength >= 0x80) break;
      const keyStart = key + 2;
      const keyEnd = keyStart + keyLength;
      if (bytes[keyEnd] !== 0x12) break;
      let valueLength = bytes[keyEnd + 1] as number;
      let value = keyEnd + 2;
      if (valueLength >= 0x80) {
        const high = bytes[value++] as number;
        if (high >= 0x80) break;
        valueLength = (valueLength & 0x7f) | (high << 7);
      }
      if (value + valueLength !== entryEnd) break;
      put(bytes, places, used, at, entryEnd, keyStart, keyEnd, value, entryEnd);
      used += stride;
      at = entryEnd;
    }
    this.used = used;
    return at;
  }

  // Any entry, or a field that is none and is left out.
  private scanAny(cursor: Cursor): void {
    const start = cursor.at;
    const tag = cursor.tag();
    if (tag >>> 3 !== 1) {
      cursor.skip(tag);
      return;
    }
    expectWire(tag, wireBytes, 'Struct.fields');
    readEntry(cursor, slowEntry);
    const {keyStart, keyEnd, valueStart, valueEnd} = slowEntry;
    put(this.bytes, this.places, this.used, start, cursor.at, keyStart, keyEnd, valueStart, valueEnd);
    this.used += stride;
  }

  private grow(): void {
    const {bytes, places} = this;
    const length = places.length === 0 ? Math.ceil(bytes.length / bytesPerNumber) : places.length * 2;
    const grown = new Int32Array(Math.max(length, numbersMin));
    grown.set(places);
    this.places = grown;
    this.memory?.keepPlaces(grown);
  }
}

function put(
  bytes: Uint8Array,
  places: Int32Array,
  entry: number,
  start: number,
  end: number,
  keyStart: number,
  keyEnd: number,
  valueStart: number,
  valueEnd: number,
): void {
  places[entry + atStart] = start;
  places[entry + atEnd] = end;
  places[entry + atKeyStart] = keyStart;
  places[entry + atKeyEnd] = keyEnd;
  places[entry + atValueStart] = valueStart;
  places[entry + atValueEnd] = valueEnd;
  places[entry + atRead] = 0;
  places[entry + atKeyEnds] = keyStart < keyEnd ? endsOfKey(bytes[keyStart] as number, bytes[keyEnd - 1] as number) : 0;
}
