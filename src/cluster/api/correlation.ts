// A value paired with its value before an update. Fields pair by name; list items pair only in lists with keys.
//
// kubernetes/apiserver v0.34.4 pkg/cel/common/{equality,maplist}.go.

import {equal, isList, isObject, type Json} from '../json.ts';
import type {Structural} from '../schema/structural.ts';

export interface Correlation {
  readonly now: Json;
  readonly before: Json;
  readonly structural: Structural;
}

/** The field or item and its former self; undefined where it has none, or where the schema does not know it. */
export function child({now, before, structural}: Correlation, step: string | number): Correlation | undefined {
  if (typeof step === 'string') {
    if (!isObject(now) || !isObject(before) || !Object.hasOwn(now, step) || !Object.hasOwn(before, step))
      return undefined;
    const {properties, additionalProperties} = structural;
    const schema =
      properties.get(step) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    return schema === undefined
      ? undefined
      : {now: now[step] as Json, before: before[step] as Json, structural: schema};
  }
  const {items} = structural;
  if (!isList(now) || !isList(before) || items === undefined) return undefined;
  const item = now[step] as Json;
  const former = formerItem(structural, before)(item);
  return former === undefined ? undefined : {now: item, before: former, structural: items};
}

/** The old item that corresponds to a new one. Only items of map lists have a counterpart. */
export function formerItem(
  {listType, listMapKeys}: Structural,
  before: readonly Json[] | undefined,
): (item: Json) => Json | undefined {
  if (listType !== 'map' || before === undefined) return () => undefined;
  const byKey = new Map<string, Json>();
  for (const item of before) {
    const key = keyOf(item, listMapKeys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = keyOf(item, listMapKeys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

/** Undefined where a key is missing or is no scalar. */
function keyOf(item: Json, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  return values.some((value) => value === undefined || value === null || typeof value === 'object')
    ? undefined
    : JSON.stringify(values);
}

/** True if the update left the value as it was. Fields outside the schema count as changed. */
export function isUnchanged(pair: Correlation | undefined): boolean {
  if (pair === undefined) return false;
  const {now, before, structural} = pair;
  if (now === null || before === null) return now === before;
  if (isList(now)) {
    if (!isList(before) || now.length !== before.length) return false;
    if (structural.listType !== 'map') return equal(now, before);
    return now.every((_, index) => isUnchanged(child(pair, index)));
  }
  if (!isObject(now)) return now === before;
  if (!isObject(before)) return false;
  const keys = Object.keys(now);
  return keys.length === Object.keys(before).length && keys.every((key) => isUnchanged(child(pair, key)));
}
