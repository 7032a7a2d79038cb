// What is known of a value that never changes, kept with the value for as long as that lives.
//
// A WeakMap says the same, but takes a microsecond to note one thing, and every collection of garbage walks all of it.
// Here notes hang on a private field, which any object takes on when a constructor answers it: copies by spread do not
// carry it, Object.keys does not show it, and nobody but a memo can read it. All memos share the one field: a field each
// would give values of one shape as many hidden classes as there are orders of noting, and slow down whoever reads them.

export interface Memo<K extends object, V> {
  /** What was noted of the value; undefined where nothing was. */
  readonly get: (value: K) => V | undefined;
  readonly set: (value: K, note: V) => void;
}

export function memo<K extends object, V>(): Memo<K, V> {
  const memory: Memo<K, V> = {
    get: (value) => Noted.find(value, memory)?.content as V | undefined,
    set: (value, content) => Noted.put(value, memory, content),
  };
  return memory;
}

/** The function, which works out its answer for a value once. */
export function remembering<K extends object, V>(make: (value: K) => V): (value: K) => V {
  const memory = {};
  return (value) => {
    const note = Noted.find(value, memory);
    if (note !== undefined) return note.content as V;
    const made = make(value);
    Noted.put(value, memory, made);
    return made;
  };
}

/** What one memo knows of a value, and what the others do. */
interface Note {
  readonly memory: object;
  content: unknown;
  readonly next: Note | undefined;
}

class Answering {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the subclass puts its private field on what is answered here.
    return value;
  }
}

class Noted extends Answering {
  #notes: Note | undefined;

  static find(value: object, memory: object): Note | undefined {
    if (!(#notes in value)) return undefined;
    let note = value.#notes;
    while (note !== undefined && note.memory !== memory) note = note.next;
    return note;
  }

  static put(value: object, memory: object, content: unknown): void {
    const note = Noted.find(value, memory);
    if (note !== undefined) {
      note.content = content;
      return;
    }
    const noted = #notes in value ? value : (new Noted(value) as Noted);
    noted.#notes = {memory, content, next: noted.#notes};
  }
}
