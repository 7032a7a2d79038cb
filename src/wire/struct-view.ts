// Reading a few fields of a google.protobuf.Struct without building the rest. A view scans one level once, on first
// use, and remembers where its entries are; asking for metadata.name never looks inside spec.

import {Cursor, expectWire, type Slice, wireBytes} from './cursor.ts';
import {isJsonObject, type Json} from './json.ts';
import {newCell, newEntry, readCell, readEntry, valueStruct} from './struct-cells.ts';
import {decodeValue} from './struct-decode.ts';
import {isText} from './text.ts';

/** Keys of objects and indices of lists, outermost first. */
export type FieldPath = readonly (string | number)[];

// One entry is `stride` numbers in a flat list, since a request has thousands of them: where it starts and ends with
// its tag, where its key is, and where its Value is.
const stride = 6;
const atStart = 0;
const atEnd = 1;
const atKeyStart = 2;
const atKeyEnd = 3;
const atValueStart = 4;
const atValueEnd = 5;

// Filled by every scan and then copied: growing a list of its own would cost each view three copies.
const scanned: number[] = [];
const scannedMax = 60_000;

const cell = newCell();
const slowEntry = newEntry();

export class StructView implements Slice {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  private places: readonly number[] | undefined;
  // What was read of each entry: of a Struct its view, of anything else its value.
  private read: (StructView | Json | undefined)[] | undefined;
  // What was found last: of a resource it is nearly always metadata.
  private lastKey: string | undefined;
  private lastEntry = -1;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** A number that stands for the entry of `key`, -1 if there is none; of a key given twice the last. */
  find(key: string): number {
    if (key === this.lastKey) return this.lastEntry;
    this.lastEntry = this.search(key);
    this.lastKey = key;
    return this.lastEntry;
  }

  private search(key: string): number {
    this.places ??= scan(this.bytes, this.start, this.end);
    const {bytes, places} = this;
    // The last character tells most keys apart before anything else is compared.
    const last = key.charCodeAt(key.length - 1);
    for (let entry = places.length - stride; entry >= 0; entry -= stride) {
      const keyEnd = places[entry + atKeyEnd] as number;
      if (last < 0x80 && bytes[keyEnd - 1] !== last) continue;
      if (isText(bytes, places[entry + atKeyStart] as number, keyEnd, key)) return entry;
    }
    return -1;
  }

  /** Where the bytes of an entry begin, its tag included. */
  entryStart(entry: number): number {
    return this.places?.[entry + atStart] ?? this.start;
  }

  /** Where the bytes of an entry end. */
  entryEnd(entry: number): number {
    return this.places?.[entry + atEnd] ?? this.end;
  }

  /** The Struct that an entry holds, undefined where it holds anything else. */
  structOf(entry: number): StructView | undefined {
    const {bytes, places = []} = this;
    const known = this.read?.[entry / stride];
    if (known instanceof StructView) return known;
    if (known !== undefined && !isJsonObject(known)) return undefined;
    readCell(bytes, places[entry + atValueStart] as number, places[entry + atValueEnd] as number, cell);
    if (cell.member !== valueStruct) return undefined;
    const struct = new StructView(bytes, cell.start, cell.end);
    this.remember(entry, struct);
    return struct;
  }

  /** The value at `path`, undefined where the path leads nowhere. Decodes that value and nothing else. */
  field(path: FieldPath): Json | undefined {
    let view: StructView = this;
    for (let index = 0; index < path.length; index++) {
      const step = path[index];
      const entry = typeof step === 'string' ? view.find(step) : -1;
      if (entry < 0) return undefined;
      const inner = index === path.length - 1 ? undefined : view.structOf(entry);
      if (inner === undefined) return inside(view.valueOf(entry), path, index + 1);
      view = inner;
    }
    return undefined;
  }

  // Decoded once: the policy's parts ask for the same few fields of a resource independently of each other.
  private valueOf(entry: number): Json {
    const {bytes, places = []} = this;
    const known = this.read?.[entry / stride];
    if (known !== undefined && !(known instanceof StructView)) return known;
    const value = decodeValue(bytes, places[entry + atValueStart] as number, places[entry + atValueEnd] as number);
    // A Struct's view is worth more: what is below it is asked for again, all of it hardly ever.
    if (known === undefined) this.remember(entry, value);
    return value;
  }

  private remember(entry: number, found: StructView | Json): void {
    this.read ??= new Array<undefined>((this.places?.length ?? 0) / stride);
    this.read[entry / stride] = found;
  }
}

function scan(bytes: Uint8Array, start: number, end: number): readonly number[] {
  let count = 0;
  let at = start;
  while (at < end) {
    const next = scanPlain(bytes, at, end, count);
    if (next > 0) {
      at = next;
      count += stride;
    } else {
      const cursor = new Cursor(bytes, at, end);
      if (scanAny(cursor, count)) count += stride;
      at = cursor.at;
    }
  }
  const places = scanned.slice(0, count);
  // One huge level must not keep its memory for ever.
  if (scanned.length > scannedMax) scanned.length = 0;
  return places;
}

// The entry at `at` if it is written as every encoder writes it: key, then value, each once, both lengths of at most
// two bytes. Returns where it ends, 0 if it is anything else. Reading past the array gives undefined, which fits nothing.
function scanPlain(bytes: Uint8Array, at: number, end: number, count: number): number {
  if (bytes[at] !== 0x0a) return 0;
  let length = bytes[at + 1] as number;
  let key = at + 2;
  if (length >= 0x80) {
    const high = bytes[key++] as number;
    if (high >= 0x80) return 0;
    length = (length & 0x7f) | (high << 7);
  }
  const entryEnd = key + length;
  const keyLength = bytes[key + 1] as number;
  if (entryEnd > end || bytes[key] !== 0x0a || keyLength >= 0x80) return 0;
  const keyEnd = key + 2 + keyLength;
  if (bytes[keyEnd] !== 0x12) return 0;
  let valueLength = bytes[keyEnd + 1] as number;
  let value = keyEnd + 2;
  if (valueLength >= 0x80) {
    const high = bytes[value++] as number;
    if (high >= 0x80) return 0;
    valueLength = (valueLength & 0x7f) | (high << 7);
  }
  if (value + valueLength !== entryEnd) return 0;
  put(count, at, entryEnd, key + 2, keyEnd, value, entryEnd);
  return entryEnd;
}

// Any entry, or a field that is none: then false.
function scanAny(cursor: Cursor, count: number): boolean {
  const start = cursor.at;
  const tag = cursor.tag();
  if (tag >>> 3 !== 1) {
    cursor.skip(tag);
    return false;
  }
  expectWire(tag, wireBytes, 'Struct.fields');
  readEntry(cursor, slowEntry);
  const {keyStart, keyEnd, valueStart, valueEnd} = slowEntry;
  put(count, start, cursor.at, keyStart, keyEnd, valueStart, valueEnd);
  return true;
}

function put(
  at: number,
  start: number,
  end: number,
  keyStart: number,
  keyEnd: number,
  valueStart: number,
  valueEnd: number,
) {
  scanned[at + atStart] = start;
  scanned[at + atEnd] = end;
  scanned[at + atKeyStart] = keyStart;
  scanned[at + atKeyEnd] = keyEnd;
  scanned[at + atValueStart] = valueStart;
  scanned[at + atValueEnd] = valueEnd;
}

// The rest of a path below a value that had to be decoded: a list, or a scalar that ends it.
function inside(value: Json, path: FieldPath, from: number): Json | undefined {
  let current: Json | undefined = value;
  for (let index = from; index < path.length; index++) {
    const step = path[index] as string | number;
    if (typeof current !== 'object' || current === null) return undefined;
    if (Array.isArray(current) !== (typeof step === 'number') || !Object.hasOwn(current, step)) return undefined;
    current = (current as {readonly [key: string | number]: Json})[step];
  }
  return current;
}
