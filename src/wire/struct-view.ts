// Reading a few fields of a google.protobuf.Struct without building the rest. A view scans one level once, on first
// use, and remembers where its entries are; asking for metadata.name never looks inside spec.

import {Cursor, type Slice, wireBytes} from './cursor.ts';
import {isJsonObject, type Json} from './json.ts';
import {newCell, readCell, valueList, valueStruct} from './struct-cells.ts';
import {
  atEnd,
  atKeyEnd,
  atKeyEnds,
  atKeyStart,
  atRead,
  atStart,
  atValueEnd,
  atValueStart,
  endsOfKey,
  type StructIndex,
  stride,
} from './struct-index.ts';
import {isText} from './text.ts';

/** Keys of objects and indices of lists, outermost first. */
export type FieldPath = readonly (string | number)[];

const cell = newCell();
const itemTag = (1 << 3) | wireBytes;
const notScanned = -1;
const anyKey = -1;

/** The Struct that a list begins with: of owner references it is nearly always the controller. */
class FirstItem {
  readonly view: StructView;

  constructor(view: StructView) {
    this.view = view;
  }
}

export class StructView implements Slice {
  readonly start: number;
  readonly end: number;
  private readonly index: StructIndex;
  // The entries are [first, last) of the index's places.
  private first = notScanned;
  private last = notScanned;
  // The two Structs below this one that were asked for last: of metadata they are nearly always labels and annotations.
  private latestKey: string | undefined;
  private latest: StructView | undefined;
  private earlierKey: string | undefined;
  private earlier: StructView | undefined;

  /** The Struct in [start, end) of the index's bytes. */
  constructor(index: StructIndex, start: number, end: number) {
    this.index = index;
    this.start = start;
    this.end = end;
  }

  get bytes(): Uint8Array {
    return this.index.bytes;
  }

  /** A number that stands for the entry of `key`, -1 if there is none; of a key given twice the last. */
  find(key: string): number {
    const {index} = this;
    if (this.first === notScanned) {
      this.first = index.scan(this.start, this.end);
      this.last = index.end;
    }
    return this.findAmong(this.first, this.last, key);
  }

  private findAmong(from: number, to: number, key: string): number {
    const {bytes, places} = this.index;
    const first = key.charCodeAt(0);
    const last = key.charCodeAt(key.length - 1);
    // Only of ASCII it is known what its bytes are.
    const ends = first < 0x80 && last < 0x80 ? endsOfKey(first, last) : anyKey;
    for (let entry = to - stride; entry >= from; entry -= stride) {
      if (ends !== anyKey && places[entry + atKeyEnds] !== ends) continue;
      if (isText(bytes, places[entry + atKeyStart] as number, places[entry + atKeyEnd] as number, key)) return entry;
    }
    return -1;
  }

  /** Where the bytes of an entry begin, its tag included. */
  entryStart(entry: number): number {
    return this.index.places[entry + atStart] as number;
  }

  /** Where the bytes of an entry end. */
  entryEnd(entry: number): number {
    return this.index.places[entry + atEnd] as number;
  }

  /** The Struct that an entry holds, undefined where it holds anything else. */
  structOf(entry: number): StructView | undefined {
    const known = this.readOf(entry);
    if (known instanceof StructView) return known;
    if (known !== undefined && !isJsonObject(known)) return undefined;
    const {places} = this.index;
    const struct = this.structIn(places[entry + atValueStart] as number, places[entry + atValueEnd] as number);
    if (struct !== undefined) this.remember(entry, struct);
    return struct;
  }

  /** The value at `path`, undefined where the path leads nowhere. Decodes that value and nothing else. */
  field(path: FieldPath): Json | undefined {
    let view: StructView = this;
    let index = 0;
    for (const last = path.length - 1; index < last; index++) {
      // A list is decoded whole, unless it is its first item that is asked for something.
      const first = path[index + 1] === 0 && index + 1 < last ? view.firstBelow(path[index]) : undefined;
      const inner: StructView | undefined = first ?? view.below(path[index]);
      if (inner === undefined) break;
      view = inner;
      if (first !== undefined) index++;
    }
    const step = path[index];
    const entry = typeof step === 'string' ? view.find(step) : -1;
    return entry < 0 ? undefined : inside(view.valueOf(entry), path, index + 1);
  }

  /** True if the value at `path` is absent, null, false, '', {} or []. Decodes nothing. */
  isBlank(path: readonly string[]): boolean {
    let view: StructView = this;
    for (let index = 0; index < path.length - 2; index++) {
      const inner = view.below(path[index]);
      if (inner === undefined) return true;
      view = inner;
    }
    const key = path.at(-1) ?? '';
    return path.length < 2 ? view.hasBlank(view.find(key)) : view.hasBlankBelow(path.at(-2) ?? '', key);
  }

  private hasBlank(entry: number): boolean {
    const {bytes, places} = this.index;
    return (
      entry < 0 || isBlankValue(bytes, places[entry + atValueStart] as number, places[entry + atValueEnd] as number)
    );
  }

  // The level below is nearly always looked at for this one answer, so nothing of it is kept.
  private hasBlankBelow(step: string, key: string): boolean {
    const {index} = this;
    const entry = this.find(step);
    if (entry < 0) return true;
    const known = this.readOf(entry);
    if (known instanceof StructView) return known.hasBlank(known.find(key));
    const {bytes, places, end} = index;
    readCell(bytes, places[entry + atValueStart] as number, places[entry + atValueEnd] as number, cell);
    if (cell.member !== valueStruct) return true;
    const first = index.scan(cell.start, cell.end);
    const isBlank = this.hasBlank(this.findAmong(first, index.end, key));
    index.forgetFrom(end);
    return isBlank;
  }

  /** The Struct at `step`, undefined where there is none. */
  private below(step: string | number | undefined): StructView | undefined {
    if (step === this.latestKey) return this.latest;
    if (step === this.earlierKey) return this.earlier;
    if (typeof step !== 'string') return undefined;
    const entry = this.find(step);
    this.earlierKey = this.latestKey;
    this.earlier = this.latest;
    this.latestKey = step;
    this.latest = entry < 0 ? undefined : this.structOf(entry);
    return this.latest;
  }

  /** The Struct that the list at `step` begins with, undefined where there is none. */
  private firstBelow(step: string | number | undefined): StructView | undefined {
    const entry = typeof step === 'string' ? this.find(step) : -1;
    const known = entry < 0 ? undefined : this.readOf(entry);
    if (known instanceof FirstItem) return known.view;
    if (entry < 0 || known !== undefined) return undefined;
    const {bytes, places} = this.index;
    readCell(bytes, places[entry + atValueStart] as number, places[entry + atValueEnd] as number, cell);
    if (cell.member !== valueList) return undefined;
    const cursor = new Cursor(bytes, cell.start, cell.end);
    if (cursor.done || cursor.tag() !== itemTag) return undefined;
    const view = this.structIn(cursor.content(), cursor.at);
    if (view !== undefined) this.remember(entry, new FirstItem(view));
    return view;
  }

  /** The Struct that the Value in [start, end) holds, undefined if it holds anything else. */
  private structIn(start: number, end: number): StructView | undefined {
    readCell(this.bytes, start, end, cell);
    return cell.member === valueStruct ? new StructView(this.index, cell.start, cell.end) : undefined;
  }

  // Decoded once: the policy's parts ask for the same few fields of a resource independently of each other.
  private valueOf(entry: number): Json {
    const known = this.readOf(entry);
    if (known !== undefined && !(known instanceof StructView) && !(known instanceof FirstItem)) return known;
    const {places} = this.index;
    const value = this.index.decode(places[entry + atValueStart] as number, places[entry + atValueEnd] as number);
    // A Struct's view is worth more: what is below it is asked for again, all of it hardly ever.
    if (!(known instanceof StructView)) this.remember(entry, value);
    return value;
  }

  private readOf(entry: number): StructView | FirstItem | Json | undefined {
    const {places, read} = this.index;
    return read[places[entry + atRead] as number] as StructView | FirstItem | Json | undefined;
  }

  private remember(entry: number, value: StructView | FirstItem | Json): void {
    const {places, read} = this.index;
    places[entry + atRead] = read.push(value) - 1;
  }
}

function isBlankValue(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start <= 2 && bytes[end - 1] === 0;
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
