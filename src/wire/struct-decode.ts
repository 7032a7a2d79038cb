// google.protobuf.Struct -> JSON (https://protobuf.dev/reference/protobuf/google.protobuf/#struct).
//
// Iterative: nesting costs heap, not stack, so the limit is a decision and not an accident. Go's protobuf and
// encoding/json both stop at 10,000, so nothing deeper reaches a function from Crossplane. The TypeScript SDK stops at
// 32 and proto-loader at 49 (OpenAPI schemas are deeper than that).
//
// A Value that sets no member becomes null, as Go's Value.AsInterface has it. NaN and infinities are kept as numbers:
// a reader may look at them, only encoding refuses them. Of a key given twice the last wins.

import {Cursor, expectWire, type Slice, wireBytes} from './cursor.ts';
import type {Json, JsonObject} from './json.ts';
import {sortKeys} from './sorted-keys.ts';
import {
  type Cell,
  newCell,
  newEntry,
  readCell,
  readKey,
  valueBool,
  valueList,
  valueNumber,
  valueString,
  valueStruct,
} from './struct-cells.ts';
import {decodeText} from './text.ts';
import {WireError} from './wire-error.ts';

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
