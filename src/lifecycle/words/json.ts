// Plain JSON values as the policy core sees them: never mutated, never shared with a request that may change.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A place in an object: keys of maps and indices of lists, outermost first. */
export type Path = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The object, or an empty one for anything else. */
export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list; none for anything else. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** The value of a JSON text that others may have written; undefined where it is none. */
export function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}

/** The value at a path, or undefined where the path leads nowhere. Only own keys count, so `__proto__` is data. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  let current = value;
  for (const step of path) {
    if (isList(current)) current = typeof step === 'number' ? current[step] : undefined;
    else if (isObject(current)) current = Object.hasOwn(current, step) ? current[step] : undefined;
    else return undefined;
  }
  return current;
}

/** The string, or '' for anything else: absent metadata and empty metadata mean the same to Kubernetes. */
export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** True of a value that a template leaves out or empties: it is absent, null, '', {} or []. */
export function isLeftOut(value: Json | undefined): boolean {
  return value !== false && isBlank(value);
}

/** True if the value is absent, null, false, '', {} or []. */
export function isBlank(value: Json | undefined): boolean {
  if (typeof value === 'number') return false;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value;
}

const ownKey = {enumerable: true, configurable: true, writable: true};

/** An object with exactly these entries as own keys, whatever they are called. */
export function fromEntries(entries: Iterable<readonly [string, Json]>): JsonObject {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries) {
    // The one name that an assignment would not make a key of; defining every key would cost five times as much.
    if (key === '__proto__') Object.defineProperty(object, key, {value, ...ownKey});
    else object[key] = value;
  }
  return object;
}

/** A map with its keys in code unit order; of two values for one key the later stays. */
export function sortedMap<V>(entries: Iterable<readonly [string, V]>): Map<string, V> {
  const map = new Map(entries);
  const keys = [...map.keys()];
  if (isSorted(keys)) return map;
  return new Map(keys.sort().map((key): [string, V] => [key, map.get(key) as V]));
}

/** `names` in code unit order. Most lists of them are already. */
export function sortedNames(names: readonly string[]): readonly string[] {
  return isSorted(names) ? names : names.toSorted();
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, index) => index === 0 || (names[index - 1] as string) < name);
}

/** Any writer of an object may nest values in it as deep as they like, and the engine's stack has an end. */
export const levelsMax = 500;

/** At most so long, and no half of a character anywhere: a message of protobuf has no bytes for one. */
export function shortened(text: string, length: number): string {
  return (text.length > length ? `${text.slice(0, length)}…` : text).toWellFormed();
}
