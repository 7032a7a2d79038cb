// Sets and map lists must not hold anything twice.
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apiserver/schema/listtype/validation.go.

import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {type Structural, schemaOfKey} from '../schema/structural.ts';
import {duplicate, type FieldError, invalidValue} from './errors.ts';
import {childPath} from './validation.ts';

/** Lists of type set or map that hold something twice. */
export function listTypeErrors(value: Json, structural: Structural, path: string): readonly FieldError[] {
  if (!structural.hasKeyedLists) return [];
  const own = isList(value) ? duplicates(value, structural, path) : [];
  return [...own, ...errorsBelow(value, structural, path, listTypeErrors)];
}

/** The errors of the values inside a value, each with its schema and its path. */
export function errorsBelow(
  value: Json,
  structural: Structural,
  path: string,
  errorsOf: (value: Json, structural: Structural, path: string) => readonly FieldError[],
): readonly FieldError[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, child]) => {
      const schema = schemaOfKey(structural, key);
      return schema === undefined ? [] : errorsOf(child, schema, placeOf(structural, path, key));
    });
  }
  const {items} = structural;
  if (!isList(value) || items === undefined) return [];
  return value.flatMap((item, index) => errorsOf(item, items, `${path}[${index}]`));
}

/** The path of the value of a key. Keys outside the schema are printed like keys of a map. */
function placeOf({properties}: Structural, path: string, key: string): string {
  return properties.has(key) ? childPath(path, key) : `${path}[${key}]`;
}

function duplicates(list: readonly Json[], structural: Structural, path: string): readonly FieldError[] {
  if (structural.listType === 'set')
    return repeated(list).map((index) => duplicate(`${path}[${index}]`, list[index] ?? null));
  if (structural.listType !== 'map') return [];
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalidValue(`${path}[${wrong}]`, list[wrong] ?? null, detail)];
  }
  const keys = list.map((item) => keyFields(item, structural.listMapKeys));
  return repeated(keys).map((index) => duplicate(`${path}[${index}]`, keys[index] ?? null));
}

function keyFields(item: Json, names: readonly string[]): JsonObject {
  if (!isObject(item)) return {};
  return Object.fromEntries(
    [...names]
      .sort()
      .filter((name) => Object.hasOwn(item, name))
      .map((name) => [name, item[name] ?? null]),
  );
}

/** The index of the second of each group of equal items. */
function repeated(items: readonly Json[]): readonly number[] {
  if (items.length < 2) return [];
  const times = new Map<string, number>();
  return items.flatMap((item, index) => {
    const key = JSON.stringify(item);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    return before === 1 ? [index] : [];
  });
}
