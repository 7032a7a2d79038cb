// Seals: HMAC-SHA256 (RFC 2104) with a key that only the platform knows. Remembered external names lie where others may write
// (docs/background/security.md). So a name counts only with a seal that no other writer could have made.
//
// Comparing takes no constant time. An attacker who guesses writes a seal into an XR and learns at most, a reconcile later, whether
// a name was used. A network, a queue and a reconcile of milliseconds lie between the guess and the clock, and no JavaScript engine
// promises how long anything takes. An early end over 64 digits of a hash that depends on the key reveals nothing about the next
// one.

import {sha256} from '../../hash/sha256.ts';
import {memoized, remembered} from '../words/memo.ts';

export interface Seals {
  /** Without a key nothing is sealed, and no seal is valid. */
  readonly hasKey: boolean;
  /** The seal over these words in this order, '' without a key. */
  seal(words: readonly string[]): string;
  /** True if one of the keys made this seal over these words. */
  isValid(words: readonly string[], seal: string): boolean;
}

const blockBytes = 64;
const isSeal = /^[0-9a-f]{64}$/;

/**
 * The first key seals, every one of them is believed: so that a new key can come before the old one goes. Derived keys and earlier
 * seals are shared by all calls with one list of keys.
 */
export const sealsOf = memoized((keys: readonly string[]): Seals => {
  const [first, ...others] = keys.map(sealWith);
  return {
    hasKey: first !== undefined,
    seal: (words) => first?.(words) ?? '',
    isValid: (words, seal) => isSeal.test(seal) && [first, ...others].some((make) => make?.(words) === seal),
  };
}, new WeakMap());

export const noSeals: Seals = sealsOf([]);

// The same names are sealed in every call of an XR.
function sealWith(key: string): (words: readonly string[]) => string {
  const [inner, outer] = padsOf(new TextEncoder().encode(key));
  const seal = (message: string) => {
    const digest = sha256(joined(inner, new TextEncoder().encode(message)));
    return sha256(joined(outer, bytesOf(digest)));
  };
  const sealed = remembered(seal, 4096, 1024);
  // As JSON, so that no two lists of words are the same bytes.
  return (words) => sealed(JSON.stringify(words));
}

/** The key as RFC 2104 mixes it into the inner and the outer hash. */
function padsOf(key: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const block = new Uint8Array(blockBytes);
  block.set(key.length > blockBytes ? bytesOf(sha256(key)) : key);
  return [block.map((byte) => byte ^ 0x36), block.map((byte) => byte ^ 0x5c)];
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({length: hex.length / 2}, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

function joined(front: Uint8Array, back: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(front.length + back.length);
  bytes.set(front);
  bytes.set(back, front.length);
  return bytes;
}
