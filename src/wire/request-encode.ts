// apiextensions.fn.proto.v1 RunFunctionRequest from JSON: the caller's side, for a simulated Crossplane.
// Map entries are written sorted by key, so equal bodies give equal bytes. `salt` gives the resources another order, as Go gives its
// maps.

import type {CallMemory} from './call-memory.ts';
import type {JsonObject} from './json.ts';
import {type Ready, readyNumbers} from './resource-message.ts';
import {Sink} from './sink.ts';
import {encodeStruct, type Integers} from './struct-encode.ts';
import {atPlace, keyPlace} from './text.ts';

/** A resource: its object, and the other fields of the contract. */
export interface ResourceBody {
  readonly object: JsonObject;
  /** READY_UNSPECIFIED (0), READY_TRUE (1), READY_FALSE (2); left out = 0. */
  readonly ready?: Ready;
  readonly connectionDetails?: ReadonlyMap<string, Uint8Array>;
}

export interface StateBody {
  readonly composite?: ResourceBody;
  /** By resource name. */
  readonly resources: ReadonlyMap<string, ResourceBody>;
}

export interface RequestBody {
  readonly tag: string;
  readonly salt?: string | undefined;
  readonly capabilities?: readonly number[];
  readonly observed: StateBody;
  readonly desired: StateBody;
  readonly input?: JsonObject;
  readonly context?: JsonObject;
  /** Answers to earlier requirements by name; an empty list = looked for and not there. */
  readonly requiredResources?: ReadonlyMap<string, readonly JsonObject[]>;
  readonly extraResources?: ReadonlyMap<string, readonly JsonObject[]>;
  /** OpenAPI schemas by requirement name; undefined = looked for and not there. */
  readonly requiredSchemas?: ReadonlyMap<string, JsonObject | undefined>;
}

/** The bytes of Structs by the objects they hold: for callers whose objects never change and are sent again and again. */
export interface StructMemory {
  readonly get: (object: JsonObject) => Uint8Array | undefined;
  /** Has to copy the bytes: they are there until the next request is encoded. */
  readonly set: (object: JsonObject, bytes: Uint8Array) => void;
}

/**
 * The bytes of a RunFunctionRequest. Throws WireError where a value has no place in a Struct. Objects that `memory` knows
 * are not encoded again. With `callMemory` the bytes are written there, and are there until the next request is.
 */
export function encodeRequest(body: RequestBody, memory?: StructMemory, callMemory?: CallMemory): Uint8Array {
  const sink = new RequestSink(16_384, memory, callMemory);
  for (const [name, schema] of descending(body.requiredSchemas)) {
    writeEntry(sink, 9, name, () => {
      if (schema !== undefined) writeStruct(sink, 1, schema, `required_schemas${keyPlace(name)}`);
    });
  }
  writeAnswers(sink, 8, 'required_resources', body.requiredResources);
  writeAnswers(sink, 6, 'extra_resources', body.extraResources);
  if (body.context !== undefined) writeStruct(sink, 5, body.context, 'context');
  if (body.input !== undefined) writeStruct(sink, 4, body.input, 'input');
  writeState(sink, 3, body.desired, 'desired', body.salt);
  writeState(sink, 2, body.observed, 'observed', body.salt);
  writeMeta(sink, body);
  return sink.finish();
}

class RequestSink extends Sink {
  readonly memory: StructMemory | undefined;

  constructor(sizeHint: number, memory: StructMemory | undefined, callMemory: CallMemory | undefined) {
    super(sizeHint, callMemory);
    this.memory = memory;
  }
}

function writeMeta(sink: Sink, body: RequestBody): void {
  const sizeBefore = sink.size;
  for (const capability of (body.capabilities ?? []).toReversed()) sink.varint(capability);
  if (sink.size > sizeBefore) sink.message(2, sizeBefore);
  sink.text(1, body.tag);
  sink.message(1, sizeBefore);
}

function writeState(sink: RequestSink, field: number, state: StateBody, place: string, salt?: string): void {
  const sizeBefore = sink.size;
  for (const [name, resource] of salt === undefined ? descending(state.resources) : shuffled(state.resources, salt)) {
    writeEntry(sink, 2, name, () => writeResource(sink, resource, `${place}.resources${keyPlace(name)}`));
  }
  if (state.composite !== undefined) {
    const compositeBefore = sink.size;
    writeResource(sink, state.composite, `${place}.composite`);
    sink.message(1, compositeBefore);
  }
  sink.message(field, sizeBefore);
}

function writeAnswers(
  sink: RequestSink,
  field: number,
  place: string,
  answers: ReadonlyMap<string, readonly JsonObject[]> | undefined,
): void {
  for (const [name, objects] of descending(answers)) {
    writeEntry(sink, field, name, () => {
      for (const object of objects.toReversed()) {
        const sizeBefore = sink.size;
        writeResource(sink, {object}, `${place}${keyPlace(name)}`);
        sink.message(1, sizeBefore);
      }
    });
  }
}

function writeResource(sink: RequestSink, resource: ResourceBody, place: string): void {
  sink.uint(3, readyNumbers[resource.ready ?? 'unspecified']);
  for (const [name, bytes] of descending(resource.connectionDetails)) {
    const sizeBefore = sink.size;
    sink.copy(2, bytes, 0, bytes.length);
    sink.text(1, name);
    sink.message(2, sizeBefore);
  }
  // As Crossplane does with whatever the API server stores.
  writeStruct(sink, 1, resource.object, place, 'any');
}

function writeStruct(
  sink: RequestSink,
  field: number,
  object: JsonObject,
  place: string,
  integers: Integers = 'safe',
): void {
  const known = sink.memory?.get(object);
  if (known !== undefined) return sink.copy(field, known, 0, known.length);
  const sizeBefore = sink.size;
  try {
    encodeStruct(sink, object, integers);
  } catch (error) {
    throw atPlace(place, error);
  }
  sink.memory?.set(object, sink.since(sizeBefore));
  sink.message(field, sizeBefore);
}

function writeEntry(sink: Sink, field: number, key: string, writeValue: () => void): void {
  const sizeBefore = sink.size;
  writeValue();
  sink.message(2, sizeBefore);
  sink.text(1, key);
  sink.message(field, sizeBefore);
}

function descending<T>(map: ReadonlyMap<string, T> | undefined): readonly (readonly [string, T])[] {
  return [...(map ?? [])].sort(([left], [right]) => (left < right ? 1 : -1));
}

function shuffled<T>(map: ReadonlyMap<string, T>, salt: string): readonly (readonly [string, T])[] {
  const placed = [...map].map((entry) => [shortHash(`${salt} ${entry[0]}`), entry] as const);
  return placed.sort(([left], [right]) => left - right).map(([, entry]) => entry);
}

function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash ^ (hash >>> 15);
}
