/**
 * A cache of recently used values, up to about so many bytes. It has two halves: used values stay in the younger one, and when that
 * is full, the older one goes.
 */
export class Recent<K, V> {
  readonly #bytesMax: number;
  readonly #bytesOf: (value: V) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #youngBytes = 0;

  constructor(bytesMax: number, bytesOf: (value: V) => number) {
    this.#bytesMax = bytesMax;
    this.#bytesOf = bytesOf;
  }

  get(key: K): V | undefined {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.#youngBytes += this.#bytesOf(value);
    if (this.#youngBytes > this.#bytesMax / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = this.#bytesOf(value);
    }
    this.#young.set(key, value);
  }
}
