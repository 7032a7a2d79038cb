// The two cells every google.protobuf.Struct is made of: a map entry and a Value. They are read into records that the
// caller owns and reuses, because a request of 100 resources holds some ten thousand of them.

import {Cursor, expectWire, type Slice, wireBytes, wireFixed64, wireVarint} from './cursor.ts';
import type {Json, JsonObject} from './json.ts';
import {decodeText, WireError} from './text.ts';

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
interface Cell {
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
function readKey(cursor: Cursor, entry: Entry): string {
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

// google.protobuf.Struct -> JSON (https://protobuf.dev/reference/protobuf/google.protobuf/#struct).
//
// Iterative: nesting costs heap, not stack, so the limit is a decision and not an accident. Go's protobuf and
// encoding/json both stop at 10,000, so nothing deeper reaches a function from Crossplane. The TypeScript SDK stops at
// 32 and proto-loader at 49 (OpenAPI schemas are deeper than that).
//
// A Value that sets no member becomes null, as Go's Value.AsInterface has it. NaN and infinities are kept as numbers:
// a reader may look at them, only encoding refuses them. Of a key given twice the last wins.

/** How many objects and lists may be nested in each other. */
export const nestingMax = 10_000;

type MutableObject = {[key: string]: Json};

/** An object or a list on its way. */
interface Frame {
  readonly cursor: Cursor;
  readonly isList: boolean;
  /** How many members there were before its own, on the pile of those of all that are on their way. */
  readonly from: number;
  /** The keys of the object below this one that was made last. */
  keysBelow: readonly string[];
}

const noKeys: readonly string[] = [];
// Up to here looking for each key in turn is quicker than sorting them.
const fewKeys = 12;
// A call reads thousands of values one after the other.
const outermost = newCell();

/** The object that the Struct in `slice` holds. Throws WireError. */
export function decodeStruct(slice: Slice): JsonObject {
  const cursor = new Cursor(slice.bytes, slice.start, slice.end);
  return fill({cursor, isList: false, from: 0, keysBelow: noKeys}) as JsonObject;
}

/** The value that the google.protobuf.Value in bytes[start, end) holds. Throws WireError. */
export function decodeValue(bytes: Uint8Array, start: number, end: number): Json {
  readCell(bytes, start, end, outermost);
  return isContainer(outermost) ? fill(open(outermost, 0)) : scalar(outermost);
}

function fill(root: Frame): Json {
  const entry = newEntry();
  const cell = newCell();
  const outer: Frame[] = [];
  // The members read so far of all that is on its way; of a list without keys.
  const keys: string[] = [];
  const values: Json[] = [];
  let frame = root;
  for (;;) {
    const {cursor, isList} = frame;
    if (cursor.at >= cursor.end) {
      const around = outer.pop();
      const made = isList ? values.slice(frame.from) : object(keys, values, frame.from, around);
      if (around === undefined) return made;
      keys.length = frame.from;
      values.length = frame.from;
      values[frame.from - 1] = made;
      frame = around;
      continue;
    }
    const tag = cursor.tag();
    if (tag >>> 3 !== 1) {
      cursor.skip(tag);
      continue;
    }
    expectWire(tag, wireBytes, isList ? 'ListValue.values' : 'Struct.fields');
    let key = '';
    if (isList) {
      const start = cursor.content();
      readCell(cursor.bytes, start, cursor.at, cell);
    } else {
      key = readKey(cursor, entry);
      readCell(entry.bytes, entry.valueStart, entry.valueEnd, cell);
    }
    keys.push(key);
    if (!isContainer(cell)) {
      values.push(scalar(cell));
      continue;
    }
    if (outer.length + 2 > nestingMax) throw new WireError(`nested deeper than ${nestingMax}`);
    // Its place, until it is made.
    values.push(null);
    outer.push(frame);
    frame = open(cell, values.length);
  }
}

function isContainer(cell: Cell): boolean {
  return cell.member === valueStruct || cell.member === valueList;
}

function open(cell: Cell, from: number): Frame {
  const cursor = new Cursor(cell.bytes, cell.start, cell.end);
  return {cursor, isList: cell.member === valueList, from, keysBelow: noKeys};
}

// Keys of objects are in code unit order, whatever order the map came in: what reads one object after the other finds
// them all of one form, as V8 wants them to be fast. Its members are those from `from` on.
function object(keys: readonly string[], values: readonly Json[], from: number, around: Frame | undefined): JsonObject {
  const like = around?.keysBelow ?? noKeys;
  const count = keys.length - from;
  if (count <= fewKeys && count === like.length) {
    const alike = objectLike(like, keys, values, from);
    if (alike !== undefined) return alike;
  }
  const made = sortedObject(keys, values, from);
  if (around !== undefined) around.keysBelow = Object.keys(made);
  return made;
}

/** Undefined where its keys are others than `like`. */
function objectLike(like: readonly string[], keys: readonly string[], values: readonly Json[], from: number) {
  const made = emptyObject();
  for (let place = 0; place < like.length; place++) {
    const key = like[place] as string;
    const index = keys[from + place] === key ? from + place : keys.indexOf(key, from);
    if (index < 0) return undefined;
    made[key] = values[index] as Json;
  }
  return made;
}

function sortedObject(keys: readonly string[], values: readonly Json[], from: number): JsonObject {
  const members = new Map<string, Json>();
  // Of a key given twice the last one wins.
  for (let index = from; index < keys.length; index++) members.set(keys[index] as string, values[index] as Json);
  const made = emptyObject();
  for (const key of sortKeys([...members.keys()])) made[key] = members.get(key) as Json;
  return made;
}

function scalar(cell: Cell): Json {
  switch (cell.member) {
    case valueNumber:
      return cell.number;
    case valueString:
      return decodeText(cell.bytes, cell.start, cell.end);
    case valueBool:
      return cell.number !== 0;
    default:
      return null;
  }
}

// As good as Object.create(null): there is nothing to inherit, and no accessor to catch __proto__. But V8 keeps objects
// that a constructor makes in their fast form, and those of Object.create(null) as hash tables.
class BareObject {
  [key: string]: Json;
}
Reflect.deleteProperty(BareObject.prototype, 'constructor');
Object.freeze(Object.setPrototypeOf(BareObject.prototype, null));

function emptyObject(): MutableObject {
  return new BareObject();
}

// Keys in code unit order. Most objects have few keys, and most of those are in order already; Array.sort() allocates for
// each of them what a whole resource takes to write.

const insertionMax = 12;

/** The keys of an object as it has them, and sorted. */
export interface Keys {
  readonly own: readonly string[];
  readonly sorted: readonly string[];
}

/** The own keys of `object`: those of `like`, where it has the same in the same order, as objects of one list mostly do. */
export function keysLike(object: object, like: Keys | undefined): Keys {
  const own = Object.keys(object);
  return like !== undefined && isSame(own, like.own) ? like : {own, sorted: sortKeys([...own])};
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** `keys`, sorted in place. */
export function sortKeys(keys: string[]): string[] {
  if (keys.length > insertionMax) return isSorted(keys) ? keys : keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let to = index;
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}

/** True if they are in code unit order. */
function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  }
  return true;
}
