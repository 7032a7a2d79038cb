// JSON values as the simulated world stores them. Values are immutable by convention: nothing here or elsewhere in
// cluster/ changes a value it did not just make, so states may share structure freely.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
export type Path = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Structural equality; the order of keys does not matter. */
export function equal(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isList(left)) return isList(right) && equalLists(left, right);
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]));
}

/** Structural equality without the fields of these names, at any depth. */
export function equalBut(ignored: ReadonlySet<string>, left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => equalBut(ignored, item, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left).filter((key) => !ignored.has(key));
  const others = Object.keys(right).filter((key) => !ignored.has(key));
  return keys.length === others.length && keys.every((key) => equalBut(ignored, left[key], right[key]));
}

function equalLists(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((item, index) => equal(item, right[index]));
}

/** The value at `path`, or undefined where any step is missing. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  let current = value;
  for (const step of path) {
    if (isList(current) && typeof step === 'number') current = current[step];
    else if (isObject(current) && typeof step === 'string' && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

/** A copy of `object` with `value` at `path`; missing objects on the way are made. `undefined` removes the key. */
export function withAt<T extends JsonObject>(object: T, path: readonly string[], value: Json | undefined): T {
  const [head, ...rest] = path;
  if (head === undefined) return object;
  const child = Object.hasOwn(object, head) ? object[head] : undefined;
  const next = rest.length === 0 ? value : withAt(isObject(child) ? child : {}, rest, value);
  if (next === undefined) return without(object, head) as T;
  return {...object, [head]: next};
}

/** A copy of `object` without `key`; the same object where the key is absent. */
export function without(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const {[key]: _, ...rest} = object;
  return rest;
}

/** By code units, the same on every machine. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
