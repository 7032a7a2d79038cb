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
import {
  type Cell,
  newCell,
  newEntry,
  readCell,
  readEntry,
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

interface Frame {
  readonly cursor: Cursor;
  readonly object: MutableObject | undefined;
  readonly list: Json[] | undefined;
}

/** The object that the Struct in `slice` holds. Throws WireError. */
export function decodeStruct(slice: Slice): JsonObject {
  const object = emptyObject();
  fill({cursor: new Cursor(slice.bytes, slice.start, slice.end), object, list: undefined});
  return object;
}

/** The value that the google.protobuf.Value in bytes[start, end) holds. Throws WireError. */
export function decodeValue(bytes: Uint8Array, start: number, end: number): Json {
  const cell = newCell();
  readCell(bytes, start, end, cell);
  if (cell.member === valueString) return decodeText(bytes, cell.start, cell.end);
  if (!isContainer(cell)) return scalar(cell);
  const frame = open(cell);
  fill(frame);
  return container(frame);
}

function fill(root: Frame): void {
  const entry = newEntry();
  const cell = newCell();
  const outer: Frame[] = [];
  let frame = root;
  for (;;) {
    const {cursor} = frame;
    if (cursor.at >= cursor.end) {
      const next = outer.pop();
      if (next === undefined) return;
      frame = next;
      continue;
    }
    const tag = cursor.tag();
    if (tag >>> 3 !== 1) {
      cursor.skip(tag);
      continue;
    }
    expectWire(tag, wireBytes, frame.list === undefined ? 'Struct.fields' : 'ListValue.values');
    let key: string | undefined;
    if (frame.list === undefined) {
      readEntry(cursor, entry);
      key = decodeText(entry.bytes, entry.keyStart, entry.keyEnd);
      readCell(entry.bytes, entry.valueStart, entry.valueEnd, cell);
    } else {
      const start = cursor.content();
      readCell(cursor.bytes, start, cursor.at, cell);
    }
    if (!isContainer(cell)) {
      put(frame, key, scalar(cell));
      continue;
    }
    if (outer.length + 2 > nestingMax) throw new WireError(`nested deeper than ${nestingMax}`);
    const inner = open(cell);
    put(frame, key, container(inner));
    outer.push(frame);
    frame = inner;
  }
}

function put(frame: Frame, key: string | undefined, value: Json): void {
  if (frame.list !== undefined) frame.list.push(value);
  else if (frame.object !== undefined && key !== undefined) frame.object[key] = value;
}

function isContainer(cell: Cell): boolean {
  return cell.member === valueStruct || cell.member === valueList;
}

function open(cell: Cell): Frame {
  const cursor = new Cursor(cell.bytes, cell.start, cell.end);
  return cell.member === valueList
    ? {cursor, object: undefined, list: []}
    : {cursor, object: emptyObject(), list: undefined};
}

function container(frame: Frame): Json {
  return frame.list ?? (frame.object as JsonObject);
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
