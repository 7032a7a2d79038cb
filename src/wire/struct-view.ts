// Reading a few fields of a google.protobuf.Struct without building the rest. A view scans one level once, on first
// use, and remembers where its entries are; asking for metadata.name never looks inside spec.

import {Cursor, expectWire, type Slice, wireBytes} from './cursor.ts';
import type {Json} from './json.ts';
import {newCell, newEntry, readCell, readEntry, valueStruct} from './struct-cells.ts';
import {decodeValue} from './struct-decode.ts';
import {decodeText} from './text.ts';

/** Keys of objects and indices of lists, outermost first. */
export type FieldPath = readonly (string | number)[];

/** Where an entry is: its bytes with the tag are [start, end), its key and Value are inside. */
export interface EntryPlace {
  readonly start: number;
  readonly end: number;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The view of the entry's own Struct, once somebody asked; null if the value is none. */
  struct: StructView | null | undefined;
}

export class StructView implements Slice {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  private entries: readonly EntryPlace[] | undefined;

  constructor(slice: Slice) {
    this.bytes = slice.bytes;
    this.start = slice.start;
    this.end = slice.end;
  }

  /** The entry of `key`; of a key given twice the last. */
  find(key: string): EntryPlace | undefined {
    this.entries ??= scan(this);
    for (let index = this.entries.length - 1; index >= 0; index--) {
      const entry = this.entries[index] as EntryPlace;
      if (sameText(this.bytes, entry.keyStart, entry.keyEnd, key)) return entry;
    }
    return undefined;
  }

  /** The Struct that `entry` of this view holds, undefined where it holds anything else. */
  structOf(entry: EntryPlace): StructView | undefined {
    if (entry.struct === undefined) entry.struct = structIn(this.bytes, entry);
    return entry.struct ?? undefined;
  }

  /** The value at `path`, undefined where the path leads nowhere. Decodes that value and nothing else. */
  field(path: FieldPath): Json | undefined {
    let view: StructView = this;
    for (let index = 0; index < path.length; index++) {
      const step = path[index];
      const entry = typeof step === 'string' ? view.find(step) : undefined;
      if (entry === undefined) return undefined;
      const inner = index === path.length - 1 ? undefined : view.structOf(entry);
      if (inner === undefined) {
        const value = decodeValue({bytes: view.bytes, start: entry.valueStart, end: entry.valueEnd});
        return inside(value, path, index + 1);
      }
      view = inner;
    }
    return undefined;
  }
}

function scan(view: StructView): readonly EntryPlace[] {
  const entries: EntryPlace[] = [];
  const cursor = new Cursor(view.bytes, view.start, view.end);
  const entry = newEntry();
  while (cursor.at < cursor.end) {
    const start = cursor.at;
    const tag = cursor.tag();
    if (tag >>> 3 !== 1) {
      cursor.skip(tag);
      continue;
    }
    expectWire(tag, wireBytes, 'Struct.fields');
    readEntry(cursor, entry);
    const {keyStart, keyEnd, valueStart, valueEnd} = entry;
    entries.push({start, end: cursor.at, keyStart, keyEnd, valueStart, valueEnd, struct: undefined});
  }
  return entries;
}

function structIn(bytes: Uint8Array, entry: EntryPlace): StructView | null {
  const cell = newCell();
  readCell(bytes, entry.valueStart, entry.valueEnd, cell);
  return cell.member === valueStruct ? new StructView(cell) : null;
}

// Compares without making a string. A key with a character beyond ASCII is decoded.
function sameText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start < text.length) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) return decodeText(bytes, start, end) === text;
    if (bytes[start + index] !== code) return false;
  }
  return end - start === text.length;
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
