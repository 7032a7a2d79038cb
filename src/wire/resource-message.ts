// One apiextensions.fn.proto.v1 Resource, undecoded. A field of the object is decoded when it is read, and only as far as needed;
// other fields are never decoded.

import {Cursor, cursorOf, expectOnce, expectWire, type Slice, wireBytes, wireVarint} from './cursor.ts';
import type {Json, JsonObject} from './json.ts';
import {decodeStruct, readMapEntry} from './struct-cells.ts';
import type {StructIndex} from './struct-index.ts';
import {type FieldPath, StructView} from './struct-view.ts';
import {atPlace, keyPlace} from './text.ts';

export const resourceObject = 1;
const resourceConnectionDetails = 2;
export const resourceReady = 3;

const objectTag = (resourceObject << 3) | wireBytes;
const readyTag = (resourceReady << 3) | wireVarint;
const noOthers: readonly Slice[] = [];
const noDetails: ReadonlyMap<string, Uint8Array> = new Map();
const apiVersionPath: FieldPath = ['apiVersion'];
const kindPath: FieldPath = ['kind'];
const namePath: FieldPath = ['metadata', 'name'];
const namespacePath: FieldPath = ['metadata', 'namespace'];
const uidPath: FieldPath = ['metadata', 'uid'];

/** A resource of a message. Every accessor throws a WireError that names the resource if its bytes are broken. */
export class ResourceMessage implements Slice {
  readonly start: number;
  readonly end: number;
  /** Its resource name, undefined for a composite and for what is in a list. */
  readonly key: string | undefined;
  private readonly index: StructIndex;
  private readonly state: string;
  // Set once they are read, all three at once.
  private view: StructView | undefined;
  private readyRead = 0;
  private othersRead = noOthers;
  // The strings that everybody asks for again and again.
  private apiVersionRead: string | undefined;
  private kindRead: string | undefined;
  private nameRead: string | undefined;
  private namespaceRead: string | undefined;
  private uidRead: string | undefined;
  private decoded: JsonObject | undefined;

  /** [start, end) of the index's bytes. `state` and `key` are where it was found: `observed.resources` and `db`. */
  constructor(index: StructIndex, start: number, end: number, state: string, key?: string) {
    this.index = index;
    this.start = start;
    this.end = end;
    this.state = state;
    this.key = key;
  }

  get bytes(): Uint8Array {
    return this.index.bytes;
  }

  /** The object's apiVersion, '' if it has none. */
  get apiVersion(): string {
    this.apiVersionRead ??= this.text(apiVersionPath);
    return this.apiVersionRead;
  }

  /** The object's kind, '' if it has none. */
  get kind(): string {
    this.kindRead ??= this.text(kindPath);
    return this.kindRead;
  }

  /** The object's metadata.name, '' if it has none. */
  get name(): string {
    this.nameRead ??= this.text(namePath);
    return this.nameRead;
  }

  /** The object's metadata.namespace, '' if it has none. */
  get namespace(): string {
    this.namespaceRead ??= this.text(namespacePath);
    return this.namespaceRead;
  }

  /** The object's metadata.uid, '' if it has none. */
  get uid(): string {
    this.uidRead ??= this.text(uidPath);
    return this.uidRead;
  }

  get ready(): Ready {
    return readyOf(this.readyNumber);
  }

  /** Ready as it came. */
  get readyNumber(): number {
    this.read();
    return this.readyRead;
  }

  /** The object's fields, for reading a few of them or for amending. */
  get object(): StructView {
    return this.read();
  }

  /** All fields but the object and ready, tags included, in order: connection details and unknown ones. */
  get others(): readonly Slice[] {
    this.read();
    return this.othersRead;
  }

  /** The values of its connection Secret, by key. */
  get connectionDetails(): ReadonlyMap<string, Uint8Array> {
    if (this.others.length === 0) return noDetails;
    try {
      return new Map(this.others.flatMap(detailOf));
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }

  /** The value at `path` of the object, undefined where there is none. */
  field(path: FieldPath): Json | undefined {
    if (path.length === 0) return this.json();
    const object = this.read();
    try {
      return object.field(path);
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }

  /** True if the value at `path` of the object is absent, null, false, '', {} or []. */
  isBlank(path: readonly string[]): boolean {
    const object = this.read();
    try {
      return object.isBlank(path);
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }

  /** The whole object, decoded once. */
  json(): JsonObject {
    const object = this.read();
    try {
      this.decoded ??= decodeStruct(object);
      return this.decoded;
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }

  private text(path: FieldPath): string {
    const value = this.field(path);
    return typeof value === 'string' ? value : '';
  }

  private get place(): string {
    return this.key === undefined ? this.state : `${this.state}${keyPlace(this.key)}`;
  }

  private read(): StructView {
    if (this.view !== undefined) return this.view;
    try {
      this.view = this.split();
      return this.view;
    } catch (error) {
      throw atPlace(this.place, error);
    }
  }

  // As every encoder writes a resource without connection details: the object, and ready or nothing behind it.
  private split(): StructView {
    const {index, start, end} = this;
    const {bytes} = index;
    const length = bytes[start + 1] as number;
    const high = bytes[start + 2] as number;
    const objectStart = start + 3;
    const objectEnd = objectStart + ((length & 0x7f) | (high << 7));
    if (start + 3 > end || bytes[start] !== objectTag || length < 0x80 || high >= 0x80) return this.splitAny();
    if (objectEnd + 2 === end && bytes[objectEnd] === readyTag) {
      const ready = bytes[objectEnd + 1] as number;
      if (ready >= 0x80) return this.splitAny();
      this.readyRead = ready;
    } else if (objectEnd !== end) return this.splitAny();
    return new StructView(index, objectStart, objectEnd);
  }

  private splitAny(): StructView {
    const {index, start, end} = this;
    const cursor = new Cursor(index.bytes, start, end);
    const others: Slice[] = [];
    let object: StructView | undefined;
    while (!cursor.done) {
      const fieldStart = cursor.at;
      const tag = cursor.tag();
      if (tag >>> 3 === resourceObject) {
        expectWire(tag, wireBytes, 'resource');
        expectOnce(object, 'resource');
        const objectStart = cursor.content();
        object = new StructView(index, objectStart, cursor.at);
      } else if (tag >>> 3 === resourceReady) {
        expectWire(tag, wireVarint, 'ready');
        this.readyRead = cursor.int32();
      } else {
        cursor.skip(tag);
        others.push({bytes: index.bytes, start: fieldStart, end: cursor.at});
      }
    }
    if (others.length > 0) this.othersRead = others;
    return object ?? new StructView(index, start, start);
  }
}

function detailOf(field: Slice): readonly (readonly [string, Uint8Array])[] {
  const cursor = cursorOf(field);
  const tag = cursor.tag();
  if (tag >>> 3 !== resourceConnectionDetails) return [];
  expectWire(tag, wireBytes, 'connection_details');
  const [key, {bytes, start, end}] = readMapEntry(cursor);
  return [[key, bytes.subarray(start, end)]];
}

// The words of what a function answers, and their numbers in the contract's own terms (apiextensions.fn.proto.v1).

type Severity = 'fatal' | 'warning' | 'normal';
export type Target = 'composite' | 'composite-and-claim';
/** READY_UNSPECIFIED, READY_TRUE, READY_FALSE. Any other number, of a later contract, counts as unspecified. */
export type Ready = 'unspecified' | 'true' | 'false';
type ConditionStatus = 'Unknown' | 'True' | 'False';

/** An event on the XR. */
export interface Result {
  readonly severity: Severity;
  readonly message: string;
  /** PascalCase; if it is left out, Crossplane writes ComposeResources. */
  readonly reason?: string;
  readonly target?: Target;
}

/** A condition of the XR. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message?: string;
  readonly target?: Target;
}

/** Objects that Crossplane should look up before it goes on. */
export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly match?:
    | {readonly kind: 'name'; readonly name: string}
    | {readonly kind: 'labels'; readonly labels: {readonly [key: string]: string}};
  /** Left out or '': cluster-scoped objects, or with labels those of every namespace. */
  readonly namespace?: string;
}

/** A kind whose schema Crossplane should look up. */
export type SchemaSelector = Pick<ResourceSelector, 'apiVersion' | 'kind'>;

export const readyNumbers: {readonly [ready in Ready]: number} = {unspecified: 0, true: 1, false: 2};
export const severityNumbers: {readonly [severity in Severity]: number} = {fatal: 1, warning: 2, normal: 3};
export const targetNumbers: {readonly [target in Target]: number} = {composite: 1, 'composite-and-claim': 2};
export const statusNumbers: {readonly [status in ConditionStatus]: number} = {Unknown: 1, True: 2, False: 3};

/** The readiness of a resource that a number stands for. */
export function readyOf(number: number): Ready {
  return number === readyNumbers.true ? 'true' : number === readyNumbers.false ? 'false' : 'unspecified';
}
