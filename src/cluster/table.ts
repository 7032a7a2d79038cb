// An immutable map with string keys, in insertion order.
//
// Most changes give a key that is there another value. So keys and values are kept apart: tables that follow from one
// another share their keys, and such a change copies one short list of values, where a copy of a Map puts every key in
// its place again.

export class Table<V> implements Iterable<readonly [string, V]> {
  readonly places: Places;
  /** The values in their order. A change makes one piece anew, so a memo of the other pieces stays true. */
  readonly pieces: Pieces<V>;
  #whole: readonly V[] | undefined;

  constructor(places: Places, pieces: Pieces<V>) {
    this.places = places;
    this.pieces = pieces;
  }

  get size(): number {
    return this.places.keys.length;
  }

  get(key: string): V | undefined {
    const place = this.places.of(key);
    return place < 0 ? undefined : this.at(place);
  }

  has(key: string): boolean {
    return this.places.of(key) >= 0;
  }

  /** The value at a place in the order; undefined beyond the end. */
  at(place: number): V | undefined {
    const {pieces} = this;
    if (pieces.length === 1) return (pieces[0] as readonly V[])[place];
    let rest = place;
    for (const piece of pieces) {
      if (rest < piece.length) return piece[rest];
      rest -= piece.length;
    }
    return undefined;
  }

  keys(): readonly string[] {
    return this.places.keys;
  }

  values(): readonly V[] {
    this.#whole ??= this.pieces.length === 1 ? (this.pieces[0] as readonly V[]) : (this.pieces.flat(1) as V[]);
    return this.#whole;
  }

  forEach(visit: (value: V, key: string) => void): void {
    const {keys} = this.places;
    const values = this.values();
    for (let place = 0; place < keys.length; place++) visit(values[place] as V, keys[place] as string);
  }

  [Symbol.iterator](): Iterator<readonly [string, V]> {
    const values = this.values();
    return this.places.keys.map((key, place): readonly [string, V] => [key, values[place] as V]).values();
  }
}

/** A longer piece is copied in more time than it takes to find one among many. */
const pieceMax = 64;

/** Up to here looking through a list is cheaper than an index beside it. */
const listMax = 4;

/**
 * The numbers of the keys of all tables that grew out of one another, as the latest of them gave them: every key of each
 * table is in it, perhaps with the number that it has in another table.
 */
interface Index {
  readonly numbers: Map<string, number>;
  /** The keys that have no other number than this one; undefined after two tables grew out of one. */
  exactFor: Places | undefined;
}

/** The keys of a table, each once, in the order of their values. */
class Places {
  readonly keys: readonly string[];
  /** Rising numbers beside the keys: a key keeps its number for as long as it is there, whatever goes before it. */
  readonly #numbers: readonly number[] | undefined;
  #index: Index | undefined;
  #sorted: readonly number[] | undefined;

  constructor(keys: readonly string[], numbers?: readonly number[], index?: Index) {
    this.keys = keys;
    this.#numbers = numbers;
    this.#index = index;
  }

  /** -1 where the key is not there. */
  of(key: string): number {
    const {keys} = this;
    if (keys.length <= listMax) return keys.indexOf(key);
    this.#index ??= {numbers: new Map(keys.map((each, place) => [each, this.#number(place)])), exactFor: this};
    const {numbers, exactFor} = this.#index;
    const number = numbers.get(key);
    if (number === undefined) return -1;
    const place = this.#placeOf(number);
    if (keys[place] === key) return place;
    return exactFor === this ? -1 : keys.indexOf(key);
  }

  /** With one key more, which is not there yet. */
  and(key: string): Places {
    const {keys} = this;
    const number = keys.length === 0 ? 0 : this.#number(keys.length - 1) + 1;
    this.#index?.numbers.set(key, number);
    return this.#next([...keys, key], this.#numbers && [...this.#numbers, number], this.#index);
  }

  without(place: number): Places {
    const numbers = this.#numbers ?? [...this.keys.keys()];
    const keys = this.keys.toSpliced(place, 1);
    // Removed keys stay in the index. If they are the most of it, a new index is made when the next reader needs it.
    const isFull = this.#index !== undefined && this.#index.numbers.size > 2 * keys.length + listMax;
    return this.#next(keys, numbers.toSpliced(place, 1), isFull ? undefined : this.#index);
  }

  #next(keys: readonly string[], numbers: readonly number[] | undefined, index: Index | undefined): Places {
    const next = new Places(keys, numbers, index);
    if (index !== undefined) index.exactFor = index.exactFor === this ? next : undefined;
    return next;
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
  const values = [...distinct.values()];
  const pieces: V[][] = [];
  for (let at = 0; at < values.length; at += pieceMax) pieces.push(values.slice(at, at + pieceMax));
  return new Table(new Places([...distinct.keys()]), pieces);
}

export function put<V>(table: Table<V>, key: string, value: V): Table<V> {
  const {places, pieces} = table;
  const place = places.of(key);
  if (place < 0) return new Table(places.and(key), appended(pieces, value));
  if (table.at(place) === value) return table;
  const [at, index] = pieceOf(pieces, place);
  const piece = (pieces[at] as readonly V[]).slice();
  piece[index] = value;
  return new Table(places, replaced(pieces, at, piece));
}

export function drop<V>(table: Table<V>, key: string): Table<V> {
  const {places, pieces} = table;
  const place = places.of(key);
  if (place < 0) return table;
  if (table.size === 1) return nothing;
  const [at, index] = pieceOf(pieces, place);
  const piece = (pieces[at] as readonly V[]).toSpliced(index, 1);
  return new Table(places.without(place), piece.length === 0 ? pieces.toSpliced(at, 1) : replaced(pieces, at, piece));
}

type Pieces<V> = readonly (readonly V[])[];

/** The piece that holds a place, and where in it. */
function pieceOf(pieces: Pieces<unknown>, place: number): readonly [at: number, index: number] {
  let index = place;
  let at = 0;
  for (let piece = pieces[at]; piece !== undefined && index >= piece.length; piece = pieces[++at])
    index -= piece.length;
  return [at, index];
}

function replaced<V>(pieces: Pieces<V>, at: number, piece: readonly V[]): Pieces<V> {
  if (pieces.length === 1) return [piece];
  const next = pieces.slice();
  next[at] = piece;
  return next;
}

function appended<V>(pieces: Pieces<V>, value: V): Pieces<V> {
  const last = pieces.at(-1);
  if (last === undefined || last.length >= pieceMax) return [...pieces, [value]];
  return replaced(pieces, pieces.length - 1, [...last, value]);
}

/** The entries in the order of their keys. */
export function sorted<V>(table: Table<V>): readonly (readonly [string, V])[] {
  const {keys, sorted} = table.places;
  const values = table.values();
  return sorted.map((place) => [keys[place] as string, values[place] as V]);
}
