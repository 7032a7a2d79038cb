// Changing a few fields of a Struct in its bytes: labels and annotations of a desired resource, mostly. Everything that
// is not named is copied as it came, so an amended resource costs what it adds and not what it holds.

import type {Json, JsonObject} from './json.ts';
import {isJsonObject} from './json.ts';
import type {Sink} from './sink.ts';
import {sortKeys} from './sorted-keys.ts';
import {valueStruct} from './struct-cells.ts';
import {nestingMax} from './struct-decode.ts';
import {encodeValue} from './struct-encode.ts';
import type {StructView} from './struct-view.ts';

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
