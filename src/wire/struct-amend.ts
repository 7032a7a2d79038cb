// Changing a few fields of a Struct in its bytes: labels and annotations of a desired resource, mostly. Everything that
// is not named is copied as it came, so an amended resource costs what it adds and not what it holds.

import type {Json, JsonObject} from './json.ts';
import {isJsonObject} from './json.ts';
import type {Sink} from './sink.ts';
import {valueStruct} from './struct-cells.ts';
import {encodeValue} from './struct-encode.ts';
import type {StructView} from './struct-view.ts';

/**
 * Writes the fields of `view` with `overlay` laid over them: objects of the overlay merge into objects, down to
 * `mergeDepth` levels below this one; anything else replaces what is there. Keys that are new come last, sorted.
 */
export function amendStruct(sink: Sink, view: StructView, overlay: JsonObject, mergeDepth = Infinity): void {
  const present: (readonly [number, string])[] = [];
  const added: string[] = [];
  for (const key of Object.keys(overlay)) {
    const entry = view.find(key);
    if (entry < 0) added.push(key);
    else present.push([entry, key]);
  }
  if (added.length > 1) added.sort();
  for (const key of added.reverse()) writeAdded(sink, key, overlay[key] as Json);
  if (present.length > 1) present.sort(([left], [right]) => right - left);
  let upTo = view.end;
  for (const [entry, key] of present) {
    sink.raw(view.bytes, view.entryEnd(entry), upTo);
    writeAmended(sink, view, entry, key, overlay[key] as Json, mergeDepth);
    upTo = view.entryStart(entry);
  }
  sink.raw(view.bytes, view.start, upTo);
}

function writeAdded(sink: Sink, key: string, value: Json): void {
  const sizeBefore = sink.size;
  encodeValue(sink, value);
  sink.message(2, sizeBefore);
  sink.text(1, key);
  sink.message(1, sizeBefore);
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
