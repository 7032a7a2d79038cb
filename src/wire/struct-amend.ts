// Changing a few fields of a Struct in its bytes: labels and annotations of a desired resource, mostly. Everything that
// is not named is copied as it came, so an amended resource costs what it adds and not what it holds.

import type {Json, JsonObject} from './json.ts';
import {isJsonObject} from './json.ts';
import type {Sink} from './sink.ts';
import {sortedKeys} from './sorted-keys.ts';
import {valueStruct} from './struct-cells.ts';
import {nestingMax} from './struct-decode.ts';
import {encodeValue} from './struct-encode.ts';
import type {StructView} from './struct-view.ts';

/** More levels than any Struct has. */
export const allLevels = nestingMax + 1;

/**
 * Writes the fields of `view` with `overlay` laid over them: objects of the overlay merge into objects, down to
 * `mergeDepth` levels below this one; anything else replaces what is there. Keys that are new come last, sorted.
 */
export function amendStruct(sink: Sink, view: StructView, overlay: JsonObject, mergeDepth = allLevels): void {
  const keys = sortedKeys(overlay);
  let present = 0;
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] as string;
    if (view.find(key) < 0) writeAdded(sink, key, overlay[key] as Json);
    else present++;
  }
  let upTo = view.end;
  // Last to first, as they stand in the view: few, so looking for the next one is cheaper than a list of them.
  for (let before = view.afterLast; present > 0; present--) {
    const key = lastBefore(view, keys, before);
    before = view.find(key);
    sink.raw(view.bytes, view.entryEnd(before), upTo);
    writeAmended(sink, view, before, key, overlay[key] as Json, mergeDepth);
    upTo = view.entryStart(before);
  }
  sink.raw(view.bytes, view.start, upTo);
}

function lastBefore(view: StructView, keys: readonly string[], before: number): string {
  let last = '';
  let at = -1;
  for (const key of keys) {
    const entry = view.find(key);
    if (entry <= at || entry >= before) continue;
    at = entry;
    last = key;
  }
  return last;
}

function writeAdded(sink: Sink, key: string, value: Json): void {
  if (typeof value === 'string' && sink.shortTextEntry(key, value)) return;
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
