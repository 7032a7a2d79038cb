// What is known of a value that never changes, kept with the value for as long as that lives.
//
// A WeakMap says the same, but takes a microsecond to note one thing, and every collection of garbage walks all of it.
// Here a note is a private field, which any object takes on when a constructor answers it: copies by spread do not carry
// it, Object.keys does not show it, and nobody but its memo can read it.

export interface Memo<K extends object, V> {
  /** What was noted of the value; undefined where nothing was. */
  readonly get: (value: K) => V | undefined;
  readonly set: (value: K, note: V) => void;
}

export function memo<K extends object, V>(): Memo<K, V> {
  return class Noted extends Answering {
    #note: V | undefined;

    static get(value: K): V | undefined {
      return #note in value ? value.#note : undefined;
    }

    static set(value: K, note: V): void {
      const noted = #note in value ? value : (new Noted(value) as Noted);
      noted.#note = note;
    }
  };
}

class Answering {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the subclass puts its private field on what is answered here.
    return value;
  }
}
