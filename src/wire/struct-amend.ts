// Changing a few fields of a Struct in its bytes: labels and annotations of a desired resource, mostly. Everything that
// is not named is copied as it came, so an amended resource costs what it adds and not what it holds.

import type {Json, JsonObject} from './json.ts';
import {isJsonObject} from './json.ts';
import type {Sink} from './sink.ts';
import {valueStruct} from './struct-cells.ts';
import {encodeValue} from './struct-encode.ts';
import type {EntryPlace, StructView} from './struct-view.ts';

/**
 * Writes the fields of `view` with `overlay` laid over them: objects of the overlay merge into objects, anything else
 * replaces what is there. Keys that are new come last, sorted.
 */
export function amendStruct(sink: Sink, view: StructView, overlay: JsonObject): void {
  const present: (readonly [EntryPlace, string])[] = [];
  const added: string[] = [];
  for (const key of Object.keys(overlay)) {
    const entry = view.find(key);
    if (entry === undefined) added.push(key);
    else present.push([entry, key]);
  }
  for (const key of added.sort().reverse()) writeAdded(sink, key, overlay[key] as Json);
  present.sort(([left], [right]) => right.start - left.start);
  let upTo = view.end;
  for (const [entry, key] of present) {
    sink.raw(view.bytes, entry.end, upTo);
    writeAmended(sink, view, entry, overlay[key] as Json);
    upTo = entry.start;
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

function writeAmended(sink: Sink, view: StructView, entry: EntryPlace, value: Json): void {
  const sizeBefore = sink.size;
  const inner = isJsonObject(value) ? view.structOf(entry) : undefined;
  if (inner === undefined) {
    encodeValue(sink, value);
  } else {
    amendStruct(sink, inner, value as JsonObject);
    sink.message(valueStruct, sizeBefore);
  }
  sink.message(2, sizeBefore);
  sink.copy(1, view.bytes, entry.keyStart, entry.keyEnd);
  sink.message(1, sizeBefore);
}
