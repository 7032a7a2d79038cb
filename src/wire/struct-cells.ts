// The two cells every google.protobuf.Struct is made of: a map entry and a Value. They are read into records that the
// caller owns and reuses, because a request of 100 resources holds some ten thousand of them.

import {Cursor, expectWire, type Slice, wireBytes, wireFixed64, wireVarint} from './cursor.ts';
import {decodeText} from './text.ts';
import {WireError} from './wire-error.ts';

/** A map entry: where its key and its value are. A missing key or value is an empty one, as protobuf has it. */
export interface Entry {
  bytes: Uint8Array;
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
}

/** The members of google.protobuf.Value's oneof, by field number; 0 is a Value that sets none. */
const valueUnset = 0;
export const valueNull = 1;
export const valueNumber = 2;
export const valueString = 3;
export const valueBool = 4;
export const valueStruct = 5;
export const valueList = 6;

/** A Value: which member it holds, and the number (also 0 or 1 for a bool) or where the content is. */
export interface Cell {
  member: number;
  number: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

const stringTag = (valueString << 3) | wireBytes;
const structTag = (valueStruct << 3) | wireBytes;
const listTag = (valueList << 3) | wireBytes;

const nothing = new Uint8Array(0);

/** A record for `readEntry` to fill. */
export function newEntry(): Entry {
  return {bytes: nothing, keyStart: 0, keyEnd: 0, valueStart: 0, valueEnd: 0};
}

/** A record for `readCell` to fill. */
export function newCell(): Cell {
  return {member: valueUnset, number: 0, bytes: nothing, start: 0, end: 0};
}

/** The key and the value of the map entry at the cursor. */
export function readMapEntry(cursor: Cursor): readonly [key: string, value: Slice] {
  const entry = newEntry();
  const key = readKey(cursor, entry);
  return [key, {bytes: entry.bytes, start: entry.valueStart, end: entry.valueEnd}];
}

/** The key of the map entry at the cursor, and in `entry` where its value is. */
export function readKey(cursor: Cursor, entry: Entry): string {
  readEntry(cursor, entry);
  return decodeText(entry.bytes, entry.keyStart, entry.keyEnd);
}

/** Reads the length-prefixed map entry at the cursor and leaves the cursor after it. */
export function readEntry(cursor: Cursor, entry: Entry): void {
  const start = cursor.content();
  if (readPlainEntry(cursor.bytes, start, cursor.at, entry)) return;
  readEntryContent(new Cursor(cursor.bytes, start, cursor.at), entry);
}

// The entry if it is written as every encoder writes it: key, then value, each once, lengths of one byte for the key and
// at most two for the value. False where it is anything else; then nothing is certain. Reading past the array gives
// undefined, which fits nothing.
function readPlainEntry(bytes: Uint8Array, start: number, end: number, entry: Entry): boolean {
  const keyLength = bytes[start + 1] as number;
  if (bytes[start] !== 0x0a || keyLength >= 0x80) return false;
  const keyEnd = start + 2 + keyLength;
  if (keyEnd + 2 > end || bytes[keyEnd] !== 0x12) return false;
  let length = bytes[keyEnd + 1] as number;
  let valueStart = keyEnd + 2;
  if (length >= 0x80) {
    const high = bytes[valueStart++] as number;
    if (high >= 0x80) return false;
    length = (length & 0x7f) | (high << 7);
  }
  if (valueStart + length !== end) return false;
  entry.bytes = bytes;
  entry.keyStart = start + 2;
  entry.keyEnd = keyEnd;
  entry.valueStart = valueStart;
  entry.valueEnd = end;
  return true;
}

function readEntryContent(cursor: Cursor, entry: Entry): void {
  entry.bytes = cursor.bytes;
  entry.keyStart = entry.keyEnd = entry.valueStart = entry.valueEnd = cursor.at;
  let valued = false;
  while (cursor.at < cursor.end) {
    const tag = cursor.tag();
    if (tag >>> 3 === 1) {
      expectWire(tag, wireBytes, 'map key');
      entry.keyStart = cursor.content();
      entry.keyEnd = cursor.at;
    } else if (tag >>> 3 === 2) {
      expectWire(tag, wireBytes, 'map value');
      if (valued) throw new WireError('given twice', 'map value');
      valued = true;
      entry.valueStart = cursor.content();
      entry.valueEnd = cursor.at;
    } else {
      cursor.skip(tag);
    }
  }
}

/** Reads the Value in bytes[start, end). Of several members the last wins. */
export function readCell(bytes: Uint8Array, start: number, end: number, cell: Cell): void {
  if (readPlainContent(bytes, start, end, cell)) return;
  const cursor = new Cursor(bytes, start, end);
  cell.member = valueUnset;
  cell.number = 0;
  cell.bytes = bytes;
  while (cursor.at < end) {
    const tag = cursor.tag();
    const member = tag >>> 3;
    if (member === valueString || member === valueStruct || member === valueList) {
      expectWire(tag, wireBytes, 'Value');
      readContent(cursor, member, cell);
    } else if (member === valueNumber) {
      expectWire(tag, wireFixed64, 'Value.number_value');
      cell.number = cursor.double();
      cell.member = member;
    } else if (member === valueNull || member === valueBool) {
      expectWire(tag, wireVarint, 'Value');
      cell.number = cursor.varint() === 0 ? 0 : 1;
      cell.member = member;
    } else {
      cursor.skip(tag);
    }
  }
}

// A string, struct or list and nothing beside it, its length of at most two bytes: nearly every Value there is.
function readPlainContent(bytes: Uint8Array, start: number, end: number, cell: Cell): boolean {
  const tag = bytes[start];
  if (start + 2 > end || (tag !== stringTag && tag !== structTag && tag !== listTag)) return false;
  let length = bytes[start + 1] as number;
  let at = start + 2;
  if (length >= 0x80) {
    const high = bytes[at++] as number;
    if (high >= 0x80) return false;
    length = (length & 0x7f) | (high << 7);
  }
  if (at + length !== end) return false;
  cell.member = tag >> 3;
  cell.number = 0;
  cell.bytes = bytes;
  cell.start = at;
  cell.end = end;
  return true;
}

function readContent(cursor: Cursor, member: number, cell: Cell): void {
  if (cell.member === member && member !== valueString) throw new WireError('given twice', 'Value');
  cell.start = cursor.content();
  cell.end = cursor.at;
  cell.member = member;
}
