// Keys in code unit order. Most objects have few keys, and most of those are in order already; Array.sort() allocates for
// each of them what a whole resource takes to write.

const insertionMax = 12;

/** The keys of an object as it has them, and sorted. */
export interface Keys {
  readonly own: readonly string[];
  readonly sorted: readonly string[];
}

/** The own keys of `object`: those of `like`, where it has the same in the same order, as objects of one list mostly do. */
export function keysLike(object: object, like: Keys | undefined): Keys {
  const own = Object.keys(object);
  return like !== undefined && isSame(own, like.own) ? like : {own, sorted: sortKeys([...own])};
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** `keys`, sorted in place. */
export function sortKeys(keys: string[]): string[] {
  if (keys.length > insertionMax) return isSorted(keys) ? keys : keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let to = index;
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}

/** True if they are in code unit order. */
function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  }
  return true;
}
