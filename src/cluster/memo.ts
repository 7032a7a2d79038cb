// Values derived from an immutable object, kept with it as long as it lives.
//
// A WeakMap does the same, but takes a microsecond to store one value, and every collection of garbage walks all of it. Here values
// hang on a private field, which any object takes on when a constructor returns it. Copies by spread do not carry it, Object.keys
// does not show it, and only a memo can read it. All memos share the one field. A field for each memo would give values of one
// shape as many hidden classes as there are orders of storing, and slow down all readers.

export interface Memo<K extends object, V> {
  /** The value stored for the object; undefined if there is none. */
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

/** The value of one memo, and the link to those of the others. */
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
