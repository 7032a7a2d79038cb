// JSON -> google.protobuf.Struct. Keys are sorted, so equal objects give equal bytes however they were built.
//
// A value that a Struct cannot hold faithfully is refused with its path rather than changed: Go's protojson rejects NaN, infinities
// and a list item without value, and a Date, a bigint or a Map would arrive as something else or as {}. A key whose value is
// undefined is left out, as JSON.stringify does. An integer beyond 2^53 that a person wrote is refused, too, because it would
// arrive as another one; one that came as a double is written back as the double it is.
//
// Iterative like the decoder, and back to front like the Sink: a container is opened, its members are written last to first, then
// it is closed with its length.

import {isJsonObject, type Json, type JsonObject} from './json.ts';
import type {Sink} from './sink.ts';
import {
  type Keys,
  keysLike,
  nestingMax,
  sortKeys,
  valueBool,
  valueList,
  valueNull,
  valueNumber,
  valueString,
  valueStruct,
} from './struct-cells.ts';
import type {StructView} from './struct-view.ts';
import {keyPlace, WireError} from './text.ts';

interface Open {
  /** The list, or undefined for an object. */
  readonly list: readonly unknown[] | undefined;
  readonly object: {readonly [key: string]: unknown};
  /** The object's keys. */
  readonly keys: Keys;
  /** Those of the object below this one that was written last. */
  keysBelow: Keys | undefined;
  /** The member that comes next, counted down. */
  next: number;
  readonly sizeBefore: number;
}

const structFields = 1;
const entryKey = 1;
const entryValue = 2;
const listValues = 1;
const noKeys: Keys = {own: [], sorted: []};
const noMembers: {readonly [key: string]: unknown} = {};
const nothing: readonly Open[] = [];

/** The integers that may be written: those that doubles hold exactly, or any that came as doubles. */
export type Integers = 'safe' | 'any';

/** Writes the fields of the Struct that holds `object`. Throws WireError with the path as its place. */
export function encodeStruct(sink: Sink, object: JsonObject, integers: Integers = 'safe'): void {
  writeMembers(sink, open(sink, object, nothing), [], integers);
}

/** Writes the fields of the google.protobuf.Value that holds `value`. */
function encodeValue(sink: Sink, value: Json): void {
  const container = writeOrOpen(sink, value, nothing, 'safe');
  if (container === undefined) return;
  writeMembers(sink, container, [], 'safe');
  closeValue(sink, container);
}

function writeMembers(sink: Sink, root: Open, outer: Open[], integers: Integers): void {
  let container = root;
  for (;;) {
    if (container.next === 0) {
      const parent = outer.pop();
      if (parent === undefined) return;
      closeValue(sink, container);
      closeMember(sink, parent, container.sizeBefore);
      container = parent;
      continue;
    }
    container.next--;
    const member = memberOf(container);
    if (member === undefined && container.list === undefined) continue;
    if (typeof member === 'string' && container.list === undefined) {
      if (sink.shortTextEntry(container.keys.sorted[container.next] as string, member)) continue;
    }
    const sizeBefore = sink.size;
    outer.push(container);
    const inner = writeOrOpen(sink, member, outer, integers);
    if (inner !== undefined) {
      container = inner;
    } else {
      outer.pop();
      closeMember(sink, container, sizeBefore);
    }
  }
}

function memberOf(container: Open): unknown {
  return container.list === undefined
    ? container.object[container.keys.sorted[container.next] as string]
    : container.list[container.next];
}

// Writes a scalar and returns undefined, or returns the container to go on with.
function writeOrOpen(sink: Sink, value: unknown, outer: readonly Open[], integers: Integers): Open | undefined {
  switch (typeof value) {
    case 'string':
      writeText(sink, value, outer);
      return undefined;
    case 'number':
      expectNumber(value, outer, integers);
      sink.double(valueNumber, value);
      return undefined;
    case 'boolean':
      sink.uint(valueBool, value ? 1 : 0, true);
      return undefined;
    case 'object':
      if (value === null) sink.uint(valueNull, 0, true);
      else if (!sink.copyRead(value)) return open(sink, value, outer);
      return undefined;
    default:
      throw refusal(value === undefined ? 'undefined' : `a ${typeof value}`, outer);
  }
}

function writeText(sink: Sink, text: string, outer: readonly Open[]): void {
  if (!text.isWellFormed()) throw refusal('a string with half a surrogate pair', outer);
  sink.text(valueString, text, true);
}

function open(sink: Sink, value: object, outer: readonly Open[]): Open {
  if (outer.length >= nestingMax) throw new WireError(`nested deeper than ${nestingMax}`);
  const sizeBefore = sink.size;
  if (Array.isArray(value)) {
    return {list: value, object: noMembers, keys: noKeys, keysBelow: undefined, next: value.length, sizeBefore};
  }
  if (!isPlain(value)) {
    throw refusal(`a ${(value.constructor as {name?: string} | undefined)?.name ?? 'class instance'}`, outer);
  }
  const around = outer.at(-1);
  const keys = keysLike(value, around?.keysBelow);
  if (around !== undefined) around.keysBelow = keys;
  const object = value as {readonly [key: string]: unknown};
  return {list: undefined, object, keys, keysBelow: undefined, next: keys.sorted.length, sizeBefore};
}

// Without a prototype, or with one that has none: object literals, and what struct-cells.ts makes.
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

// The Value that holds `container`, whose members are all written.
function closeValue(sink: Sink, container: Open): void {
  sink.message(container.list === undefined ? valueStruct : valueList, container.sizeBefore);
}

// The member of `parent` that comes next, whose Value is all that was written since `sizeBefore`.
function closeMember(sink: Sink, parent: Open, sizeBefore: number): void {
  if (parent.list !== undefined) {
    sink.message(listValues, sizeBefore);
    return;
  }
  sink.message(entryValue, sizeBefore);
  sink.text(entryKey, parent.keys.sorted[parent.next] as string);
  sink.message(structFields, sizeBefore);
}

function expectNumber(value: number, outer: readonly Open[], integers: Integers): void {
  if (!Number.isFinite(value)) throw refusal(String(value), outer);
  if (integers === 'any') return;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw refusal(`the unsafe integer ${value}`, outer);
}

function refusal(what: string, outer: readonly Open[]): WireError {
  const steps = outer.map((container) => {
    return container.list === undefined ? (container.keys.sorted[container.next] as string) : container.next;
  });
  return new WireError(`expected a JSON value, got ${what}`, jsonPlace(steps));
}

/** A path in JSON as a place: `spec.tags[0]["a.b"]`. */
function jsonPlace(steps: readonly (string | number)[]): string {
  const parts = steps.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z_][\w-]{0,79}$/.test(step) ? `.${step}` : keyPlace(step);
  });
  const place = parts.length > 20 ? [...parts.slice(0, 17), '...', ...parts.slice(-2)] : parts;
  return place.join('').replace(/^\./, '');
}

// Changing a few fields of a Struct in its bytes: labels and annotations of a desired resource, mostly. Everything that
// is not named is copied as it came, so an amended resource costs what it adds and not what it holds.

/** More levels than any Struct has. */
export const allLevels = nestingMax + 1;

const written = -1;

/**
 * Writes the fields of `view` with `overlay` laid over them: objects of the overlay merge into objects, down to
 * `mergeDepth` levels below this one; anything else replaces what is there. Keys that are new come last, sorted.
 */
export function amendStruct(sink: Sink, view: StructView, overlay: JsonObject, mergeDepth = allLevels): void {
  const keys = sortKeys(Object.keys(overlay));
  const entries = keys.map((key) => view.find(key));
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] as string;
    if ((entries[index] as number) < 0) writeAdded(sink, key, overlay[key] as Json);
  }
  let upTo = view.end;
  // Last to first, as they stand in the view: few, so looking for the next one is cheaper than sorting them.
  for (let index = lastOf(entries); index >= 0; index = lastOf(entries)) {
    const entry = entries[index] as number;
    const key = keys[index] as string;
    sink.raw(view.bytes, view.entryEnd(entry), upTo);
    writeAmended(sink, view, entry, key, overlay[key] as Json, mergeDepth);
    upTo = view.entryStart(entry);
    entries[index] = written;
  }
  sink.raw(view.bytes, view.start, upTo);
}

/** The place of the greatest entry, -1 where there is none left. */
function lastOf(entries: readonly number[]): number {
  let last = -1;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as number;
    if (entry >= 0 && (last < 0 || entry > (entries[last] as number))) last = index;
  }
  return last;
}

function writeAdded(sink: Sink, key: string, value: Json): void {
  if (typeof value === 'string' && sink.shortTextEntry(key, value)) return;
  // Most resources get the same addition, such as the annotation of their phase.
  if (isJsonObject(value) && sink.repeat(key, value)) return;
  const sizeBefore = sink.size;
  encodeValue(sink, value);
  sink.message(2, sizeBefore);
  sink.text(1, key);
  sink.message(1, sizeBefore);
  if (isJsonObject(value)) sink.remember(key, value, sizeBefore);
}

function writeAmended(sink: Sink, view: StructView, entry: number, key: string, value: Json, mergeDepth: number): void {
  const sizeBefore = sink.size;
  const inner = isJsonObject(value) && mergeDepth > 0 ? view.structOf(entry) : undefined;
  if (inner === undefined) {
    encodeValue(sink, value);
  } else {
    amendStruct(sink, inner, value as JsonObject, mergeDepth - 1);
    sink.message(valueStruct, sizeBefore);
  }
  sink.message(2, sizeBefore);
  sink.text(1, key);
  sink.message(1, sizeBefore);
}
