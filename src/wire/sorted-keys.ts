// Keys in code unit order. Most objects have few keys, and most of those are in order already; Array.sort() allocates for
// each of them what a whole resource takes to write.

const insertionMax = 12;

/** The own keys of `object`, sorted. */
export function sortedKeys(object: object): string[] {
  return sortKeys(Object.keys(object));
}

/** `keys`, sorted in place. */
function sortKeys(keys: string[]): string[] {
  if (keys.length > insertionMax) return isSorted(keys) ? keys : keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let to = index;
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  }
  return true;
}
