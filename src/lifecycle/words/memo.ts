// Answers that are worked out once. The same question has the same answer, so remembering some changes none.

interface Known<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** `make`, asked once for each key. With a WeakMap the answer is forgotten with the key. */
export function memoized<K, V>(make: (key: K) => NonNullable<V>, known: Known<K, V> = new Map()): (key: K) => V {
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/**
 * `make`, with its answers remembered from call to call. All are forgotten at once where too many have gathered, and those about
 * longer texts, which others may write, are not remembered.
 */
export function remembered<V>(
  make: (text: string) => NonNullable<V>,
  max: number,
  lengthMax = Number.POSITIVE_INFINITY,
): (text: string) => V {
  const known = new Map<string, V>();
  const ask = memoized(make, known);
  return (text) => {
    if (text.length > lengthMax) return make(text);
    if (known.size >= max && !known.has(text)) known.clear();
    return ask(text);
  };
}
