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
  /** Rising numbers beside the keys: a key keeps its number for as long as it is there, whatever goes before it. */
  readonly #numbers: readonly number[] | undefined;
  /**
   * The numbers of the keys of all tables that grew out of one another, as the latest of them gave them: every key that is
   * here is in it, perhaps with the number that it has in another table.
   */
  #index: Map<string, number> | undefined;
  #sorted: readonly number[] | undefined;

  constructor(keys: readonly string[], numbers?: readonly number[], index?: Map<string, number>) {
    this.keys = keys;
    this.#numbers = numbers;
    this.#index = index;
  }

  /** -1 where the key is not there. */
  of(key: string): number {
    const {keys} = this;
    if (keys.length <= listMax) return keys.indexOf(key);
    this.#index ??= new Map(keys.map((each, place) => [each, this.#number(place)]));
    const number = this.#index.get(key);
    if (number === undefined) return -1;
    const place = this.#placeOf(number);
    return keys[place] === key ? place : keys.indexOf(key);
  }

  /** With one key more, which is not there yet. */
  and(key: string): Places {
    const {keys} = this;
    const number = keys.length === 0 ? 0 : this.#number(keys.length - 1) + 1;
    this.#index?.set(key, number);
    return new Places([...keys, key], this.#numbers && [...this.#numbers, number], this.#index);
  }

  without(place: number): Places {
    const numbers = this.#numbers ?? [...this.keys.keys()];
    const keys = this.keys.toSpliced(place, 1);
    // What went stays in the index; where that is most of it, another one is made when it is asked for.
    const isFull = this.#index !== undefined && this.#index.size > 2 * keys.length + listMax;
    return new Places(keys, numbers.toSpliced(place, 1), isFull ? undefined : this.#index);
  }

  #number(place: number): number {
    return this.#numbers === undefined ? place : (this.#numbers[place] as number);
  }

  #placeOf(number: number): number {
    const numbers = this.#numbers;
    if (numbers === undefined) return number;
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low;
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
  return new Table(places.without(place), list.toSpliced(place, 1));
}

/** The entries in the order of their keys. */
export function sorted<V>({places, list}: Table<V>): readonly (readonly [string, V])[] {
  return places.sorted.map((place) => [places.keys[place] as string, list[place] as V]);
}
