// A fingerprint as two 32-bit lanes, so that the visited set can live in typed arrays.
//
// Integers below 2^64 are mixed by a Feistel network, which is a bijection: they never collide. Strings and longer
// integers are hashed to 64 bits; two different states are then taken for one with a chance of about n^2 / 2^65 for n
// states (3 in 10^6 for ten million), and the search would miss what only the second could reach.

import {invariant} from './invariant.ts';
import type {Fingerprint} from './model.ts';

const word = 0x1_0000_0000;

/** Reused for every state of a search, so that the hot loop allocates nothing. */
export class StateKey {
  high = 0;
  low = 0;

  set(fingerprint: Fingerprint): void {
    if (typeof fingerprint === 'number') this.#setNumber(fingerprint);
    else if (typeof fingerprint === 'string') this.#setText(fingerprint);
    else this.#setBigint(fingerprint);
    this.#mix();
  }

  #setNumber(value: number): void {
    invariant(Number.isSafeInteger(value), `cannot use fingerprint ${value}: expected a safe integer`);
    this.high = Math.floor(value / word) >>> 0;
    this.low = value >>> 0;
  }

  #setBigint(value: bigint): void {
    this.high = Number((value >> 32n) & 0xffff_ffffn);
    this.low = Number(value & 0xffff_ffffn);
    for (let rest = value >> 64n; rest !== 0n && rest !== -1n; rest >>= 64n) {
      this.#mix();
      this.high = (this.high ^ Number((rest >> 32n) & 0xffff_ffffn)) >>> 0;
      this.low = (this.low ^ Number(rest & 0xffff_ffffn)) >>> 0;
    }
  }

  /** Two multiply-rotate chains, each fed by the other, so that no bit of either depends on the low bits alone. */
  #setText(text: string): void {
    let high = 0x9e3779b9 ^ text.length;
    let low = 0x7f4a7c15;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      high = Math.imul(high ^ unit, 0xcc9e2d51);
      high = (high << 15) | (high >>> 17);
      low = (Math.imul(low ^ unit, 0x1b873593) + high) | 0;
      low = (low << 13) | (low >>> 19);
    }
    this.high = high >>> 0;
    this.low = low >>> 0;
  }

  #mix(): void {
    this.low = (this.low ^ avalanche(this.high + 0x9e3779b9)) >>> 0;
    this.high = (this.high ^ avalanche(this.low + 0x3c6ef372)) >>> 0;
    this.low = (this.low ^ avalanche(this.high + 0xdaa66d2b)) >>> 0;
    this.high = (this.high ^ avalanche(this.low + 0x78dde6e4)) >>> 0;
  }
}

function avalanche(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
