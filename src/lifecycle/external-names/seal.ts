// Seals: HMAC-SHA256 (RFC 2104) with a key that only the platform knows. Remembered external names lie where others may write
// (docs/background/security.md). So a name counts only with a seal that no other writer could have made.
//
// Comparing takes no constant time. An attacker who guesses writes a seal into an XR and learns at most, a reconcile later, whether
// a name was used. A network, a queue and a reconcile of milliseconds lie between the guess and the clock, and no JavaScript engine
// promises how long anything takes. An early end over 64 digits of a hash that depends on the key reveals nothing about the next
// one.

import {hmacSha256} from '../../hash/sha256.ts';
import {memoized, remembered} from '../words/memo.ts';

export interface Seals {
  /** Without a key nothing is sealed, and no seal is valid. */
  readonly hasKey: boolean;
  /** The seal over these words in this order, '' without a key. */
  seal(words: readonly string[]): string;
  /** True if one of the keys made this seal over these words. */
  isValid(words: readonly string[], seal: string): boolean;
}

const isSeal = /^[0-9a-f]{64}$/;

/**
 * The first key seals, every one of them is believed: so that a new key can come before the old one goes. Earlier seals are
 * shared by all calls with one list of keys.
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
  const sealed = remembered((message: string) => hmacSha256(key, message), 4096, 1024);
  // As JSON, so that no two lists of words are the same bytes.
  return (words) => sealed(JSON.stringify(words));
}
