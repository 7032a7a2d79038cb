/**
 * An immutable queue: what joined first leaves first. Queues that grow out of one another share one list, and each is a range of it. So
 * joining and leaving cost the same whatever the length; only a second queue that grows out of the same one copies the list.
 */
export class Fifo<T> implements Iterable<T> {
  readonly #list: T[];
  readonly #from: number;
  readonly #to: number;

  /** The list is the queue's from now on. */
  constructor(list: T[], from = 0, to = list.length) {
    this.#list = list;
    this.#from = from;
    this.#to = to;
  }

  get length(): number {
    return this.#to - this.#from;
  }

  get first(): T | undefined {
    return this.length === 0 ? undefined : this.#list[this.#from];
  }

  get last(): T | undefined {
    return this.length === 0 ? undefined : this.#list[this.#to - 1];
  }

  and(item: T): Fifo<T> {
    if (this.#to < this.#list.length) return new Fifo([...this, item]);
    this.#list.push(item);
    return new Fifo(this.#list, this.#from, this.#to + 1);
  }

  withoutFirst(): Fifo<T> {
    const from = this.#from + 1;
    // Values that left are forgotten once they are the most of the list.
    return from * 2 > this.#to ? new Fifo(this.#list.slice(from, this.#to)) : new Fifo(this.#list, from, this.#to);
  }

  [Symbol.iterator](): ArrayIterator<T> {
    return this.#list.slice(this.#from, this.#to).values();
  }
}
