// An immutable map with string keys, in insertion order. Copy on write: tables here hold tens of entries, where a copy
// costs less than the bookkeeping of a persistent tree, and reads (the hot side) stay those of a plain Map.

export type Table<V> = ReadonlyMap<string, V>;

const nothing: Table<never> = new Map<string, never>();

export function emptyTable<V>(): Table<V> {
  return nothing;
}

export function put<V>(table: Table<V>, key: string, value: V): Table<V> {
  if (table.get(key) === value && value !== undefined) return table;
  const next = new Map(table);
  next.set(key, value);
  return next;
}

export function drop<V>(table: Table<V>, key: string): Table<V> {
  if (!table.has(key)) return table;
  const next = new Map(table);
  next.delete(key);
  return next;
}
