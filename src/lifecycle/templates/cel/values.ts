// Between JSON and CEL. Values go in as far as an expression names them: of an observed XR of hundreds of fields the
// expression `xr.spec.region` makes one string be decoded. They come out as JSON, or not at all.

import {type CelInput, type CelValue, isCelList, isCelMap, isCelUint} from '@bufbuild/cel';
import {fromEntries, isList, isObject, type Json, levelsMax, sortedNames} from '../../words/json.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import type {Meter} from './functions.ts';
import type {Reads} from './syntax.ts';

/** The content of a variable: the value at a path below it, undefined if there is none. */
export type Source = (path: readonly string[]) => Json | undefined;

/** An object of the request as a variable. */
export function sourceOf(view: ResourceView): Source {
  return (path) => fieldOf(view, path);
}

/** The value at a path of an object, or the whole object. */
export function fieldOf(view: ResourceView, path: readonly string[]): Json | undefined {
  return path.length === 0 ? view.json() : view.field(path);
}

class TooDeep extends Error {}

/** The variables of one run, with the fields that are read and no others; undefined where one has more than `levelsMax` levels. */
export function valuesOf(
  reads: Reads,
  sources: {readonly [variable: string]: Source | undefined},
): {[variable: string]: CelInput} | undefined {
  const values: {[variable: string]: CelInput} = {};
  try {
    for (const [variable, below] of reads) {
      const source = sources[variable];
      const value = source === undefined ? undefined : read(below, source, []);
      if (value !== undefined) values[variable] = value;
    }
    return values;
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/** The JSON of a result, or why it has none. */
type JsonOutcome =
  | {readonly kind: 'value'; readonly value: Json}
  | {readonly kind: 'no-json'; readonly problem: string};

/** The JSON of a result. Every value costs, because a small expression can make a large one out of itself. */
export function jsonOf(value: unknown, meter: Meter): JsonOutcome {
  meter.left -= 1;
  if (meter.left < 0) return none('more work than an input may cause');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return {kind: 'value', value};
  if (typeof value === 'number') {
    return Number.isFinite(value) ? {kind: 'value', value} : none(`a result that JSON does not know: ${value}`);
  }
  if (typeof value === 'bigint' || isCelUint(value)) return integer(isCelUint(value) ? value.value : value);
  if (isCelList(value)) return listOf([...value], meter);
  if (isCelMap(value)) return objectOf(value.entries(), meter);
  return none('a result that JSON does not know: use string() on bytes, timestamps and durations');
}

function read(below: Reads | 'whole', source: Source, path: readonly string[]): CelInput | undefined {
  if (below === 'whole') return celOf(source(path));
  const entries: [string, CelInput][] = [];
  for (const [key, deeper] of below) {
    const value = read(deeper, source, [...path, key]);
    if (value !== undefined) entries.push([key, value]);
  }
  if (entries.length > 0) return new Map(entries);
  // None of the fields is there. Only now does it matter what holds them.
  const holder = source(path);
  return isObject(holder) ? new Map() : celOf(holder);
}

function celOf(json: Json | undefined, level = 0): CelInput | undefined {
  if (json === undefined) return undefined;
  if (level > levelsMax) throw new TooDeep();
  const deeper = (value: Json | undefined): CelInput => celOf(value, level + 1) ?? null;
  if (isList(json)) return json.map(deeper);
  if (!isObject(json)) return json;
  // Maps of a request come in any order, and an expression may make a list of one: map.map(key, key).
  return new Map(sortedNames(Object.keys(json)).map((key): [string, CelInput] => [key, deeper(json[key])]));
}

function integer(value: bigint): JsonOutcome {
  const number = Number(value);
  return Number.isSafeInteger(number) ? {kind: 'value', value: number} : none('a whole number too large for JSON');
}

function listOf(items: readonly CelValue[], meter: Meter): JsonOutcome {
  const list: Json[] = [];
  for (const item of items) {
    const json = jsonOf(item, meter);
    if (json.kind !== 'value') return json;
    list.push(json.value);
  }
  return {kind: 'value', value: list};
}

function objectOf(entries: Iterable<readonly [unknown, unknown]>, meter: Meter): JsonOutcome {
  const members: [string, Json][] = [];
  for (const [key, value] of entries) {
    if (typeof key !== 'string') return none('an object with a key that is no string');
    const json = jsonOf(value, meter);
    if (json.kind !== 'value') return json;
    members.push([key, json.value]);
  }
  return {kind: 'value', value: fromEntries(members)};
}

function none(problem: string): JsonOutcome {
  return {kind: 'no-json', problem};
}
