// apiextensions.fn.proto.v1 RunFunctionRequest, decoded as far as the map keys. Requests are large (100 resources are 400 KB) and
// mostly pass through, so resources stay bytes until they are read (see resource-message.ts). Credentials and connection details
// are never read at all.

import type {CallMemory} from './call-memory.ts';
import {
  type Cursor,
  cursorOf,
  expectOnce,
  expectWire,
  type Slice,
  wholeSlice,
  wireBytes,
  wireVarint,
} from './cursor.ts';
import {ResourceMessage} from './resource-message.ts';
import {readMapEntry} from './struct-cells.ts';
import {StructIndex} from './struct-index.ts';
import {atPlace, keyPlace, WireError} from './text.ts';

/** Among the capabilities: this Crossplane lists them at all, so what is not listed is not supported. */
export const capabilityCapabilities = 1;
/** It answers requirements.schemas. */
export const capabilityRequiredSchemas = 5;

/** One field of a State that holds a resource: [start, end) of the state's bytes, its tag included. */
export interface ResourceField {
  readonly start: number;
  readonly end: number;
  readonly resource: ResourceMessage;
}

/** Observed or desired state. `slice` is all of it, so that it can be copied whole. */
export interface StateMessage {
  readonly slice: Slice;
  readonly composite: ResourceMessage | undefined;
  /** By resource name, in the request's order. Of a name given twice the last. */
  readonly resources: ReadonlyMap<string, ResourceMessage>;
  /** The composite and the resources as they came, also those that a later one replaces. */
  readonly fields: readonly ResourceField[];
}

export interface RequestMessage {
  /** The fields read from it so far. */
  readonly index: StructIndex;
  readonly tag: string;
  readonly capabilities: readonly number[];
  readonly observed: StateMessage;
  readonly desired: StateMessage;
  /** The Struct of the step's input, undefined if the step has none. */
  readonly input: Slice | undefined;
  readonly context: Slice | undefined;
  /** Answers by requirement name; an empty list was looked for and does not exist. */
  readonly requiredResources: ReadonlyMap<string, readonly ResourceMessage[]>;
  /** The same under the name of Crossplane before v2. */
  readonly extraResources: ReadonlyMap<string, readonly ResourceMessage[]>;
  /** The OpenAPI Struct by requirement name; undefined was looked for and does not exist. */
  readonly requiredSchemas: ReadonlyMap<string, Slice | undefined>;
  /** Bytes of the answers with objects, by requirement name. */
  readonly answerBytes: ReadonlyMap<string, number>;
}

type Mutable<T> = {-readonly [K in keyof T]: T[K]};

/** Decodes a RunFunctionRequest as far as its map keys. Throws WireError. */
export function decodeRequest(bytes: Uint8Array, memory?: CallMemory): RequestMessage {
  const extraResources = new Map<string, readonly ResourceMessage[]>();
  const requiredResources = new Map<string, readonly ResourceMessage[]>();
  const requiredSchemas = new Map<string, Slice | undefined>();
  const answerBytes = new Map<string, number>();
  const slices = new Map<number, Slice>();
  const answer = (cursor: Cursor, name: string, answers: Map<string, readonly ResourceMessage[]>) => {
    const [key, value] = entryAt(cursor, name);
    answers.set(key, items(index, value, name, key));
    answerBytes.set(key, (answerBytes.get(key) ?? 0) + value.end - value.start);
  };
  // Not a Buffer: its subarray() costs several times what that of a plain array does, and every resource is one.
  const index = new StructIndex(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), memory);
  const cursor = cursorOf(wholeSlice(index.bytes));
  while (!cursor.done) {
    const tag = cursor.tag();
    const field = tag >>> 3;
    const name = fieldNames[field];
    if (name === undefined) {
      cursor.skip(tag);
      continue;
    }
    expectWire(tag, wireBytes, name);
    if (field === 6) answer(cursor, name, extraResources);
    else if (field === 8) answer(cursor, name, requiredResources);
    else if (field === 9) {
      const [key, value] = entryAt(cursor, name);
      requiredSchemas.set(key, schema(value, name, key));
    } else {
      expectOnce(slices.get(field), name);
      slices.set(field, cursor.slice());
    }
  }
  return {
    index,
    ...meta(slices.get(1)),
    observed: stateIn(index, slices.get(2), 'observed'),
    desired: stateIn(index, slices.get(3), 'desired'),
    input: slices.get(4),
    context: slices.get(5),
    extraResources,
    requiredResources,
    requiredSchemas,
    answerBytes,
  };
}

/** The tag and desired state alone, for answering a request that is otherwise refused; neither if one cannot be read. */
export function decodeEnvelope(bytes: Uint8Array): {readonly tag?: string; readonly desired?: Slice | undefined} {
  try {
    const cursor = cursorOf(wholeSlice(bytes));
    let tagSlice: Slice | undefined;
    let desired: Slice | undefined;
    while (!cursor.done) {
      const tag = cursor.tag();
      if (tag === ((1 << 3) | wireBytes)) tagSlice = cursor.slice();
      else if (tag === ((3 << 3) | wireBytes))
        desired = desired === undefined ? cursor.slice() : joined(desired, cursor.slice());
      else cursor.skip(tag);
    }
    return {tag: meta(tagSlice).tag, desired};
  } catch {
    return {};
  }
}

/** The parts of one message, joined: a message may come in parts. */
function joined(one: Slice, other: Slice): Slice {
  const bytes = new Uint8Array(one.end - one.start + other.end - other.start);
  bytes.set(one.bytes.subarray(one.start, one.end));
  bytes.set(other.bytes.subarray(other.start, other.end), one.end - one.start);
  return {bytes, start: 0, end: bytes.length};
}

/**
 * True if every resource of the State in `slice`, and everything in it that the contract knows, can be read. Passing resources are
 * never decoded, so a broken one would pass unseen; this is for answers that must arrive whatever the request holds.
 */
export function isReadableState(slice: Slice): boolean {
  try {
    const state = stateIn(new StructIndex(slice.bytes), slice, 'desired');
    for (const {resource} of state.fields) {
      resource.json();
      void resource.connectionDetails;
    }
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

function stateIn(index: StructIndex, slice: Slice | undefined, name: string): StateMessage {
  const resources = new Map<string, ResourceMessage>();
  const fields: ResourceField[] = [];
  let composite: ResourceMessage | undefined;
  if (slice === undefined) return {slice: {bytes: index.bytes, start: 0, end: 0}, composite, resources, fields};
  const cursor = cursorOf(slice);
  const place = `${name}.resources`;
  while (!cursor.done) {
    const start = cursor.at;
    const tag = cursor.tag();
    if (tag >>> 3 === 1) {
      expectWire(tag, wireBytes, `${name}.composite`);
      expectOnce(composite, `${name}.composite`);
      const content = cursor.content();
      composite = new ResourceMessage(index, content, cursor.at, `${name}.composite`);
      fields.push({start, end: cursor.at, resource: composite});
    } else if (tag >>> 3 === 2) {
      expectWire(tag, wireBytes, place);
      const [key, value] = entryAt(cursor, place);
      const resource = new ResourceMessage(index, value.start, value.end, place, key);
      resources.set(key, resource);
      fields.push({start, end: cursor.at, resource});
    } else {
      cursor.skip(tag);
    }
  }
  return {slice, composite, resources, fields};
}

const fieldNames: {readonly [field: number]: string} = {
  1: 'meta',
  2: 'observed',
  3: 'desired',
  4: 'input',
  5: 'context',
  6: 'extra_resources',
  8: 'required_resources',
  9: 'required_schemas',
};

function meta(slice: Slice | undefined): Pick<RequestMessage, 'tag' | 'capabilities'> {
  const result: Mutable<Pick<RequestMessage, 'tag'>> & {capabilities: number[]} = {tag: '', capabilities: []};
  if (slice === undefined) return result;
  const cursor = cursorOf(slice);
  while (!cursor.done) {
    const tag = cursor.tag();
    if (tag >>> 3 === 1) {
      expectWire(tag, wireBytes, 'meta.tag');
      result.tag = cursor.text();
    } else if (tag === ((2 << 3) | wireBytes)) {
      const packed = cursorOf(cursor.slice());
      while (!packed.done) result.capabilities.push(packed.int32());
    } else if (tag >>> 3 === 2) {
      expectWire(tag, wireVarint, 'meta.capabilities');
      result.capabilities.push(cursor.int32());
    } else {
      cursor.skip(tag);
    }
  }
  return result;
}

function entryAt(cursor: Cursor, place: string): readonly [key: string, value: Slice] {
  try {
    return readMapEntry(cursor);
  } catch (error) {
    throw atPlace(place, error);
  }
}

// The items of a Resources message.
function items(index: StructIndex, slice: Slice, place: string, key: string): readonly ResourceMessage[] {
  const found: ResourceMessage[] = [];
  const at = `${place}${keyPlace(key)}`;
  eachBytesField(slice, at, 1, ({start, end}) =>
    found.push(new ResourceMessage(index, start, end, `${at}.items[${found.length}]`)),
  );
  return found;
}

// The Struct of a Schema message.
function schema(slice: Slice, place: string, key: string): Slice | undefined {
  let found: Slice | undefined;
  eachBytesField(slice, `${place}${keyPlace(key)}`, 1, (openApi) => {
    expectOnce(found, 'openapi_v3');
    found = openApi;
  });
  return found;
}

function eachBytesField(slice: Slice, place: string, field: number, found: (slice: Slice) => void): void {
  try {
    const cursor = cursorOf(slice);
    while (!cursor.done) {
      const tag = cursor.tag();
      if (tag >>> 3 !== field) {
        cursor.skip(tag);
        continue;
      }
      expectWire(tag, wireBytes, `field ${field}`);
      found(cursor.slice());
    }
  } catch (error) {
    throw atPlace(place, error);
  }
}
