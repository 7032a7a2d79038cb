// apiextensions.fn.proto.v1 RunFunctionResponse to JSON: the caller's side, for a simulated Crossplane.

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
import type {JsonObject} from './json.ts';
import type {ResourceBody, StateBody} from './request-encode.ts';
import {
  type Condition,
  ResourceMessage,
  type ResourceSelector,
  type Result,
  type SchemaSelector,
  severityNumbers,
  statusNumbers,
  type Target,
  targetNumbers,
} from './resource-message.ts';
import {decodeStruct, readMapEntry} from './struct-cells.ts';
import {StructIndex} from './struct-index.ts';
import {atPlace, decodeText, keyPlace, WireError} from './text.ts';

export interface ResponseBody {
  readonly tag: string;
  /** Whole seconds and nanoseconds as one number; undefined if the response has none. */
  readonly ttlSeconds: number | undefined;
  readonly desired: StateBody;
  readonly results: readonly Result[];
  readonly conditions: readonly Condition[];
  readonly context: JsonObject | undefined;
  readonly output: JsonObject | undefined;
  /** By requirement name: requirements.resources, and requirements.extra_resources. */
  readonly requirements: ReadonlyMap<string, ResourceSelector>;
  readonly extraRequirements: ReadonlyMap<string, ResourceSelector>;
  /** requirements.schemas by requirement name. */
  readonly schemaRequirements: ReadonlyMap<string, SchemaSelector>;
}

type Fields = (field: number, tag: number, cursor: Cursor) => boolean;

/** Decodes a whole RunFunctionResponse. Throws WireError. */
export function decodeResponse(bytes: Uint8Array): ResponseBody {
  const results: Result[] = [];
  const conditions: Condition[] = [];
  const slices = new Map<number, Slice>();
  each(wholeSlice(bytes), 'response', (field, tag, cursor) => {
    if (field === 0 || field > 7) return false;
    expectWire(tag, wireBytes, `field ${field}`);
    if (field === 3) results.push(result(cursor.slice(), results.length));
    else if (field === 6) conditions.push(condition(cursor.slice(), conditions.length));
    else {
      expectOnce(slices.get(field), `field ${field}`);
      slices.set(field, cursor.slice());
    }
    return true;
  });
  return {
    ...meta(slices.get(1)),
    desired: state(slices.get(2)),
    results,
    conditions,
    context: struct(slices.get(4), 'context'),
    output: struct(slices.get(7), 'output'),
    requirements: selectors(slices.get(5), 2),
    extraRequirements: selectors(slices.get(5), 1),
    // Its fields are the first two of a ResourceSelector.
    schemaRequirements: selectors(slices.get(5), 3),
  };
}

function meta(slice: Slice | undefined): Pick<ResponseBody, 'tag' | 'ttlSeconds'> {
  let tagText = '';
  let ttlSeconds: number | undefined;
  each(slice, 'meta', (field, tag, cursor) => {
    if (field === 1) {
      expectWire(tag, wireBytes, 'tag');
      tagText = cursor.text();
    } else if (field === 2) {
      expectWire(tag, wireBytes, 'ttl');
      ttlSeconds = duration(cursor.slice());
    } else return false;
    return true;
  });
  return {tag: tagText, ttlSeconds};
}

function duration(slice: Slice): number {
  let seconds = 0;
  let nanos = 0;
  each(slice, 'meta.ttl', (field, tag, cursor) => {
    if (field > 2) return false;
    expectWire(tag, wireVarint, 'duration');
    if (field === 1) seconds = cursor.varint();
    else nanos = cursor.int32();
    return true;
  });
  return seconds + nanos / 1e9;
}

function state(slice: Slice | undefined): StateBody {
  const resources = new Map<string, ResourceBody>();
  let composite: ResourceBody | undefined;
  each(slice, 'desired', (field, tag, cursor) => {
    if (field > 2) return false;
    expectWire(tag, wireBytes, `field ${field}`);
    if (field === 1) {
      composite = resourceBody(cursor.slice(), 'composite');
    } else {
      const [name, value] = readMapEntry(cursor);
      resources.set(name, resourceBody(value, 'resources', name));
    }
    return true;
  });
  return composite === undefined ? {resources} : {composite, resources};
}

function resourceBody({bytes, start, end}: Slice, place: string, name?: string): ResourceBody {
  const resource = new ResourceMessage(new StructIndex(bytes), start, end, place, name);
  return {object: resource.json(), ready: resource.ready};
}

function result(slice: Slice, index: number): Result {
  let severity = 0;
  let message = '';
  const optional: {reason?: string; target?: Target} = {};
  const place = `results[${index}]`;
  each(slice, place, (field, tag, cursor) => {
    if (field > 4) return false;
    expectWire(tag, field === 1 || field === 4 ? wireVarint : wireBytes, `field ${field}`);
    if (field === 1) severity = cursor.int32();
    else if (field === 2) message = cursor.text();
    else if (field === 3) optional.reason = cursor.text();
    else Object.assign(optional, target(cursor.int32(), place));
    return true;
  });
  return {severity: named(severityNumbers, severity, `${place}.severity`), message, ...optional};
}

function condition(slice: Slice, index: number): Condition {
  let type = '';
  let status = 0;
  let reason = '';
  const optional: {message?: string; target?: Target} = {};
  const place = `conditions[${index}]`;
  each(slice, place, (field, tag, cursor) => {
    if (field > 5) return false;
    expectWire(tag, field === 2 || field === 5 ? wireVarint : wireBytes, `field ${field}`);
    if (field === 1) type = cursor.text();
    else if (field === 2) status = cursor.int32();
    else if (field === 3) reason = cursor.text();
    else if (field === 4) optional.message = cursor.text();
    else Object.assign(optional, target(cursor.int32(), place));
    return true;
  });
  // A status that is not given counts as unknown.
  const known = status === 0 ? 'Unknown' : named(statusNumbers, status, `${place}.status`);
  return {type, status: known, reason, ...optional};
}

function selectors(slice: Slice | undefined, wanted: number): ReadonlyMap<string, ResourceSelector> {
  const found = new Map<string, ResourceSelector>();
  each(slice, 'requirements', (field, tag, cursor) => {
    if (field !== wanted) return false;
    expectWire(tag, wireBytes, `field ${field}`);
    const [name, value] = readMapEntry(cursor);
    found.set(name, selector(value, `requirements${keyPlace(name)}`));
    return true;
  });
  return found;
}

function selector(slice: Slice, place: string): ResourceSelector {
  const found: {-readonly [K in keyof ResourceSelector]: ResourceSelector[K]} = {apiVersion: '', kind: ''};
  each(slice, place, (field, tag, cursor) => {
    if (field > 5) return false;
    expectWire(tag, wireBytes, `field ${field}`);
    if (field === 1) found.apiVersion = cursor.text();
    else if (field === 2) found.kind = cursor.text();
    else if (field === 3) found.match = {kind: 'name', name: cursor.text()};
    else if (field === 4) found.match = {kind: 'labels', labels: labels(cursor.slice(), place)};
    else found.namespace = cursor.text();
    return true;
  });
  return found;
}

function labels(slice: Slice, place: string): {readonly [key: string]: string} {
  const found = Object.create(null) as {[key: string]: string};
  each(slice, place, (field, tag, cursor) => {
    if (field !== 1) return false;
    expectWire(tag, wireBytes, 'labels');
    const [key, value] = readMapEntry(cursor);
    found[key] = decodeText(value.bytes, value.start, value.end);
    return true;
  });
  return found;
}

function target(number: number, place: string): {target?: Target} {
  return number === 0 ? {} : {target: named(targetNumbers, number, `${place}.target`)};
}

function named<T extends string>(numbers: {readonly [name in T]: number}, number: number, place: string): T {
  const name = (Object.keys(numbers) as T[]).find((candidate) => numbers[candidate] === number);
  if (name === undefined) {
    throw new WireError(`expected one of ${Object.values(numbers).join(', ')}, got ${number}`, place);
  }
  return name;
}

function struct(slice: Slice | undefined, place: string): JsonObject | undefined {
  if (slice === undefined) return undefined;
  try {
    return decodeStruct(slice);
  } catch (error) {
    throw atPlace(place, error);
  }
}

// Offers every field of a message to `take`; what it does not take is an unknown field and is skipped.
function each(slice: Slice | undefined, place: string, take: Fields): void {
  if (slice === undefined) return;
  const cursor = cursorOf(slice);
  try {
    while (!cursor.done) {
      const tag = cursor.tag();
      if (!take(tag >>> 3, tag, cursor)) cursor.skip(tag);
    }
  } catch (error) {
    throw atPlace(place, error);
  }
}
