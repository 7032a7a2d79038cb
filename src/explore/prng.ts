// Random numbers that are the same everywhere: xoshiro128** 1.1, seeded by splitmix64, both by Blackman and Vigna
// (https://prng.di.unimi.it/). Not for secrets.

const mask64 = 0xffff_ffff_ffff_ffffn;

/** The first `count` outputs of splitmix64 from a 64-bit seed. */
export function splitmix64(seed: bigint, count: number): bigint[] {
  const outputs: bigint[] = [];
  let state = seed & mask64;
  for (let i = 0; i < count; i++) {
    state = (state + 0x9e3779b97f4a7c15n) & mask64;
    let mixed = state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & mask64;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask64;
    outputs.push(mixed ^ (mixed >> 31n));
  }
  return outputs;
}

export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** Four 32-bit words, not all zero. */
  constructor(a: number, b: number, c: number, d: number) {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    this.#d = d | 0;
  }

  /** A stream of its own for every (seed, stream) pair: walk 7 of a seed is the same in every process. */
  static seeded(seed: bigint, stream = 0): Prng {
    const [start = 0n] = splitmix64(seed, 1);
    const [first = 0n, second = 0n] = splitmix64(start ^ BigInt(stream), 2);
    return new Prng(lowWord(first), highWord(first), lowWord(second), highWord(second));
  }

  /** A whole number in [0, 2^32). */
  next(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotateLeft(this.#d, 11);
    return result;
  }

  /** A whole number in [0, bound), each equally likely; `bound` from 1 to 2^32. */
  below(bound: number): number {
    const unbiased = 0x1_0000_0000 - (0x1_0000_0000 % bound);
    let value = this.next();
    while (value >= unbiased) value = this.next();
    return value % bound;
  }

  /** A fraction in [0, 1). */
  fraction(): number {
    return this.next() / 0x1_0000_0000;
  }
}

function rotateLeft(bits: number, by: number): number {
  return (bits << by) | (bits >>> (32 - by));
}

function lowWord(value: bigint): number {
  return Number(value & 0xffff_ffffn);
}

function highWord(value: bigint): number {
  return Number(value >> 32n);
}
