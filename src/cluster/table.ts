// An immutable map with string keys, in insertion order.
//
// Most changes give a key that is there another value. So keys and values are kept apart: tables that follow from one
// another share their keys, and such a change copies one short list of values, where a copy of a Map puts every key in
// its place again. Keys and values are cut into pieces at the same places, so that no change copies a long list.

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
    return this.places.size;
  }

  get(key: string): V | undefined {
    const place = this.places.of(key);
    return place < 0 ? undefined : this.at(place);
  }

  has(key: string): boolean {
    return this.places.of(key) >= 0;
  }

  /** The value at a place: see `placeIn`. */
  at(place: number): V | undefined {
    return this.pieces[pieceAt(place)]?.[place % pieceMax];
  }

  keys(): readonly string[] {
    return this.places.keys;
  }

  values(): readonly V[] {
    this.#whole ??= flat(this.pieces);
    return this.#whole;
  }

  forEach(visit: (value: V, key: string) => void): void {
    const {pieces} = this;
    for (let at = 0; at < pieces.length; at++) {
      const values = pieces[at] as readonly V[];
      const {keys} = this.places.pieces[at] as KeyPiece;
      for (let index = 0; index < values.length; index++) visit(values[index] as V, keys[index] as string);
    }
  }

  [Symbol.iterator](): Iterator<readonly [string, V]> {
    const values = this.values();
    return this.keys()
      .map((key, index): readonly [string, V] => [key, values[index] as V])
      .values();
  }
}

/** A longer piece is copied in more time than it takes to find one among many. */
const pieceMax = 64;
/** What is left of two neighbours becomes one piece, or a table that loses keys would be cut ever finer. */
const mergedMax = pieceMax / 2;

/** Up to here looking through a list is cheaper than an index beside it. */
const listMax = 4;

/** A place as one number, which rises with the order: the piece, and where in it. */
function placeIn(piece: number, index: number): number {
  return piece * pieceMax + index;
}

function pieceAt(place: number): number {
  return Math.floor(place / pieceMax);
}

/**
 * The numbers of the keys of all tables that grew out of one another, as the latest of them gave them: every key of each
 * table is in it, perhaps with the number that it has in another table.
 */
interface Index {
  readonly numbers: Map<string, number>;
  /** The keys that have no other number than this one; undefined after two tables grew out of one. */
  exactFor: Places | undefined;
}

/** Keys, and rising numbers beside them: a key keeps its number for as long as it is there, whatever goes before it. */
interface KeyPiece {
  readonly keys: readonly string[];
  readonly numbers: readonly number[];
}

/** The keys of a table, each once, in the order of their values. */
class Places {
  readonly size: number;
  readonly pieces: readonly KeyPiece[];
  #index: Index | undefined;
  #whole: readonly string[] | undefined;
  #sorted: readonly number[] | undefined;

  constructor(size: number, pieces: readonly KeyPiece[], index?: Index) {
    this.size = size;
    this.pieces = pieces;
    this.#index = index;
  }

  get keys(): readonly string[] {
    this.#whole ??= flat(this.pieces.map(({keys}) => keys));
    return this.#whole;
  }

  /** One and the same for tables that followed from one another, mostly. */
  get family(): object {
    this.#index ??= {numbers: numbersIn(this.pieces), exactFor: this};
    return this.#index;
  }

  /** -1 where the key is not there. */
  of(key: string): number {
    const {pieces} = this;
    if (this.size <= listMax) return this.#listed(key);
    this.#index ??= {numbers: numbersIn(pieces), exactFor: this};
    const {numbers, exactFor} = this.#index;
    const number = numbers.get(key);
    if (number === undefined) return -1;
    const at = pieces.length === 1 ? 0 : pieceOf(pieces, number);
    const piece = pieces[at];
    if (piece !== undefined) {
      const index = indexOf(piece, number);
      if (piece.keys[index] === key) return placeIn(at, index);
    }
    return exactFor === this ? -1 : this.#listed(key);
  }

  #listed(key: string): number {
    const {pieces} = this;
    for (let at = 0; at < pieces.length; at++) {
      const index = (pieces[at] as KeyPiece).keys.indexOf(key);
      if (index >= 0) return placeIn(at, index);
    }
    return -1;
  }

  /** With one key more, which is not there yet. */
  and(key: string): Places {
    const {pieces} = this;
    const last = pieces.at(-1);
    const number = last === undefined ? 0 : (last.numbers.at(-1) as number) + 1;
    this.#index?.numbers.set(key, number);
    const isFull = last === undefined || last.keys.length >= pieceMax;
    const grown = isFull
      ? [...pieces, {keys: [key], numbers: [number]}]
      : withPiece(pieces, pieces.length - 1, {keys: [...last.keys, key], numbers: [...last.numbers, number]});
    return this.#next(this.size + 1, grown, this.#index);
  }

  without(place: number): Places {
    const at = pieceAt(place);
    const {keys, numbers} = this.pieces[at] as KeyPiece;
    const index = place % pieceMax;
    const left = {keys: keys.toSpliced(index, 1), numbers: numbers.toSpliced(index, 1)};
    const pieces = shrunk(this.pieces, at, left, sizeOfKeys, joinedKeys);
    // Removed keys stay in the index. If they are the most of it, a new index is made when the next reader needs it.
    const isFull = this.#index !== undefined && this.#index.numbers.size > 2 * this.size + listMax;
    return this.#next(this.size - 1, pieces, isFull ? undefined : this.#index);
  }

  #next(size: number, pieces: readonly KeyPiece[], index: Index | undefined): Places {
    const next = new Places(size, pieces, index);
    if (index !== undefined) index.exactFor = index.exactFor === this ? next : undefined;
    return next;
  }

  get sorted(): readonly number[] {
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  #sort(): readonly number[] {
    const {keys} = this;
    const text = (index: number) => keys[index] as string;
    return [...keys.keys()].sort((left, right) => (text(left) < text(right) ? -1 : 1));
  }
}

function numbersIn(pieces: readonly KeyPiece[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const {keys, numbers} of pieces)
    for (let index = 0; index < keys.length; index++) found.set(keys[index] as string, numbers[index] as number);
  return found;
}

/** The piece that may hold a number; -1 where none does. */
function pieceOf(pieces: readonly KeyPiece[], number: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (((pieces[middle] as KeyPiece).numbers[0] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Where in the piece the number would be. */
function indexOf({numbers}: KeyPiece, number: number): number {
  // So it is where nothing went from between.
  const near = number - (numbers[0] as number);
  if (numbers[near] === number) return near;
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

const nothing = new Table<never>(new Places(0, []), []);

export function emptyTable<V>(): Table<V> {
  return nothing;
}

export function tableOf<V>(entries: Iterable<readonly [string, V]>): Table<V> {
  const distinct = new Map(entries);
  if (distinct.size === 0) return nothing;
  const [keys, values] = [[...distinct.keys()], [...distinct.values()]];
  const pieces: V[][] = [];
  const ofKeys: KeyPiece[] = [];
  for (let at = 0; at < values.length; at += pieceMax) {
    const some = keys.slice(at, at + pieceMax);
    ofKeys.push({keys: some, numbers: some.map((_, index) => at + index)});
    pieces.push(values.slice(at, at + pieceMax));
  }
  return new Table(new Places(keys.length, ofKeys), pieces);
}

export function put<V>(table: Table<V>, key: string, value: V): Table<V> {
  const {places, pieces} = table;
  const place = places.of(key);
  if (place < 0) return new Table(places.and(key), appended(pieces, value));
  if (table.at(place) === value) return table;
  const piece = (pieces[pieceAt(place)] as readonly V[]).slice();
  piece[place % pieceMax] = value;
  return new Table(places, withPiece(pieces, pieceAt(place), piece));
}

export function drop<V>(table: Table<V>, key: string): Table<V> {
  const {places, pieces} = table;
  const place = places.of(key);
  if (place < 0) return table;
  if (table.size === 1) return nothing;
  const at = pieceAt(place);
  const left = (pieces[at] as readonly V[]).toSpliced(place % pieceMax, 1);
  return new Table(places.without(place), shrunk<readonly V[]>(pieces, at, left, sizeOf, joined));
}

type Pieces<V> = readonly (readonly V[])[];

function appended<V>(pieces: Pieces<V>, value: V): Pieces<V> {
  const last = pieces.at(-1);
  if (last === undefined || last.length >= pieceMax) return [...pieces, [value]];
  return withPiece(pieces, pieces.length - 1, [...last, value]);
}

function withPiece<P>(pieces: readonly P[], at: number, piece: P): readonly P[] {
  if (pieces.length === 1) return [piece];
  const next = pieces.slice();
  next[at] = piece;
  return next;
}

/** With less in one piece: an empty one goes, and a short one becomes part of a short one before or after it. */
function shrunk<P>(
  pieces: readonly P[],
  at: number,
  piece: P,
  size: (piece: P) => number,
  join: (left: P, right: P) => P,
): readonly P[] {
  if (size(piece) === 0) return pieces.toSpliced(at, 1);
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  if (before !== undefined && size(before) + size(piece) <= mergedMax)
    return pieces.toSpliced(at - 1, 2, join(before, piece));
  if (after !== undefined && size(piece) + size(after) <= mergedMax) return pieces.toSpliced(at, 2, join(piece, after));
  return withPiece(pieces, at, piece);
}

function sizeOf({length}: readonly unknown[]): number {
  return length;
}

function joined<T>(left: readonly T[], right: readonly T[]): readonly T[] {
  return [...left, ...right];
}

function sizeOfKeys({keys}: KeyPiece): number {
  return keys.length;
}

function joinedKeys(left: KeyPiece, right: KeyPiece): KeyPiece {
  return {keys: joined(left.keys, right.keys), numbers: joined(left.numbers, right.numbers)};
}

function flat<T>(pieces: Pieces<T>): readonly T[] {
  if (pieces.length === 1) return pieces[0] as readonly T[];
  return pieces.flat(1) as T[];
}

/** The entries in the order of their keys. */
export function sorted<V>(table: Table<V>): readonly (readonly [string, V])[] {
  const {keys, sorted} = table.places;
  const values = table.values();
  return sorted.map((place) => [keys[place] as string, values[place] as V]);
}
