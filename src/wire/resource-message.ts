// One apiextensions.fn.proto.v1 Resource, undecoded. Its bytes are read when somebody asks for a field of the object,
// and only as far as needed; what nobody asks for is never looked at.

import {cursorOf, expectOnce, expectWire, type Slice, wireBytes, wireVarint} from './cursor.ts';
import type {Json, JsonObject} from './json.ts';
import {decodeStruct} from './struct-decode.ts';
import {type FieldPath, StructView} from './struct-view.ts';
import {atPlace, keyPlace} from './wire-error.ts';

/** Ready as the contract numbers it. */
export const readyUnspecified = 0;
export const readyTrue = 1;
export const readyFalse = 2;

export const resourceObject = 1;
export const resourceConnectionDetails = 2;
export const resourceReady = 3;

interface Parts {
  readonly ready: number;
  readonly object: StructView;
  /** The fields that are neither the object nor ready, tags included, in order: connection details and unknown ones. */
  readonly others: readonly Slice[];
}

/** A resource of a request. Every accessor throws a WireError that names the resource if its bytes are broken. */
export class ResourceMessage implements Slice {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  private readonly state: string;
  private readonly key: string | undefined;
  private parts: Parts | undefined;
  private decoded: JsonObject | undefined;

  /** `state` and `key` are where it was found, for errors: `observed.resources` and `db`. */
  constructor(slice: Slice, state: string, key: string | undefined) {
    this.bytes = slice.bytes;
    this.start = slice.start;
    this.end = slice.end;
    this.state = state;
    this.key = key;
  }

  /** READY_UNSPECIFIED (0), READY_TRUE (1), READY_FALSE (2), or a number that a later contract gives a meaning. */
  get ready(): number {
    return this.read().ready;
  }

  /** The object's fields, for reading a few of them or for amending. */
  get object(): StructView {
    return this.read().object;
  }

  /** All fields but the object and ready, as they came. */
  get others(): readonly Slice[] {
    return this.read().others;
  }

  /** The value at `path` of the object, undefined where there is none. */
  field(path: FieldPath): Json | undefined {
    const {object} = this.read();
    try {
      return object.field(path);
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }

  /** The whole object, decoded once. */
  json(): JsonObject {
    const {object} = this.read();
    try {
      this.decoded ??= decodeStruct(object);
      return this.decoded;
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }

  private get place(): string {
    return this.key === undefined ? this.state : `${this.state}${keyPlace(this.key)}`;
  }

  private read(): Parts {
    if (this.parts !== undefined) return this.parts;
    try {
      this.parts = split(this);
      return this.parts;
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }
}

const nothing = new Uint8Array(0);

function split(slice: Slice): Parts {
  const cursor = cursorOf(slice);
  const others: Slice[] = [];
  let object: Slice | undefined;
  let ready = readyUnspecified;
  while (!cursor.done) {
    const start = cursor.at;
    const tag = cursor.tag();
    if (tag >>> 3 === resourceObject) {
      expectWire(tag, wireBytes, 'resource');
      expectOnce(object, 'resource');
      object = cursor.slice();
    } else if (tag >>> 3 === resourceReady) {
      expectWire(tag, wireVarint, 'ready');
      ready = cursor.int32();
    } else {
      cursor.skip(tag);
      others.push({bytes: slice.bytes, start, end: cursor.at});
    }
  }
  const {bytes, start, end} = object ?? {bytes: nothing, start: 0, end: 0};
  return {ready, object: new StructView(bytes, start, end), others};
}
