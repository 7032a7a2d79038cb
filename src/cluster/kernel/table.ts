// An immutable map with string keys, in insertion order.
//
// Most changes give a key that is there another value. So keys and values are kept apart: tables that follow from one
// another share their keys, and such a change copies one short list of values, where a copy of a Map puts every key in
// its place again.

export class Table<V> implements Iterable<readonly [string, V]> {
  readonly places: Places;
  readonly list: readonly V[];

  constructor(places: Places, list: readonly V[]) {
    this.places = places;
    this.list = list;
  }

  get size(): number {
    return this.list.length;
  }

  get(key: string): V | undefined {
    const place = this.places.of(key);
    return place < 0 ? undefined : this.list[place];
  }

  has(key: string): boolean {
    return this.places.of(key) >= 0;
  }

  keys(): readonly string[] {
    return this.places.keys;
  }

  values(): readonly V[] {
    return this.list;
  }

  forEach(visit: (value: V, key: string) => void): void {
    const {keys} = this.places;
    for (let place = 0; place < keys.length; place++) visit(this.list[place] as V, keys[place] as string);
  }

  [Symbol.iterator](): Iterator<readonly [string, V]> {
    return this.places.keys.map((key, place): readonly [string, V] => [key, this.list[place] as V]).values();
  }
}

/** Up to here looking through a list is cheaper than an index beside it. */
const listMax = 4;

/** The keys of a table, each once, in the order of their values. */
class Places {
  readonly keys: readonly string[];
  /** May know keys of a table that grew out of this one, too: those have places beyond the last. */
  #index: Map<string, number> | undefined;
  #sorted: readonly number[] | undefined;

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  /** -1 where the key is not there. */
  of(key: string): number {
    const {keys} = this;
    if (keys.length <= listMax) return keys.indexOf(key);
    this.#index ??= new Map(keys.map((each, place) => [each, place]));
    const place = this.#index.get(key) ?? -1;
    return place < keys.length ? place : -1;
  }

  /** With one key more, which is not there yet. The first table that grows out of this one shares its index. */
  and(key: string): Places {
    const {keys} = this;
    const more = new Places([...keys, key]);
    if (this.#index?.size === keys.length) more.#index = this.#index.set(key, keys.length);
    return more;
  }

  get sorted(): readonly number[] {
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  #sort(): readonly number[] {
    const {keys} = this;
    const text = (place: number) => keys[place] as string;
    return [...keys.keys()].sort((left, right) => (text(left) < text(right) ? -1 : 1));
  }
}

const nothing = new Table<never>(new Places([]), []);

export function emptyTable<V>(): Table<V> {
  return nothing;
}

export function tableOf<V>(entries: Iterable<readonly [string, V]>): Table<V> {
  const distinct = new Map(entries);
  return new Table(new Places([...distinct.keys()]), [...distinct.values()]);
}

export function put<V>(table: Table<V>, key: string, value: V): Table<V> {
  const {places, list} = table;
  const place = places.of(key);
  if (place < 0) return new Table(places.and(key), [...list, value]);
  if (list[place] === value) return table;
  const next = list.slice();
  next[place] = value;
  return new Table(places, next);
}

export function drop<V>(table: Table<V>, key: string): Table<V> {
  const {places, list} = table;
  const place = places.of(key);
  if (place < 0) return table;
  if (list.length === 1) return nothing;
  const isOther = (_: unknown, other: number) => other !== place;
  return new Table(new Places(places.keys.filter(isOther)), list.filter(isOther));
}

/** The entries in the order of their keys. */
export function sorted<V>({places, list}: Table<V>): readonly (readonly [string, V])[] {
  return places.sorted.map((place) => [places.keys[place] as string, list[place] as V]);
}
