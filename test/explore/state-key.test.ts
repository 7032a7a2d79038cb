import {describe, expect, it} from 'vitest';
import type {Fingerprint} from '../../src/explore/model.ts';
import {StateKey} from '../../src/explore/state-key.ts';

function keyOf(fingerprint: Fingerprint): string {
  const key = new StateKey();
  key.set(fingerprint);
  return `${key.high.toString(16)}:${key.low.toString(16)}`;
}

describe('state key', () => {
  it('tells 200,000 neighbouring integers apart, also in the low lane alone', () => {
    const keys = new Set<string>();
    const low = new Set<number>();
    const key = new StateKey();
    for (let i = 0; i < 200_000; i++) {
      key.set(i);
      keys.add(`${key.high}:${key.low}`);
      low.add(key.low);
    }
    expect(keys.size).toBe(200_000);
    // 200,000 draws of 2^32 meet about five times.
    expect(low.size).toBeGreaterThan(199_950);
  });

  it('tells 200,000 texts apart that differ in little, as states do', () => {
    const keys = new Set<string>();
    const key = new StateKey();
    for (let i = 0; i < 200_000; i++) {
      key.set(
        `{"xr":{"generation":${i % 100}},"queue":[${Math.floor(i / 100) % 50}],"leader":"${Math.floor(i / 5000)}"}`,
      );
      keys.add(`${key.high}:${key.low}`);
    }
    expect(keys.size).toBe(200_000);
  });

  it('tells texts apart that are the same characters in another order or number', () => {
    const texts = ['', 'a', 'aa', 'ab', 'ba', 'aab', 'aba', 'baa', 'a\u0000', '\u0000a', '\u0100', '\u0001'];
    expect(new Set(texts.map(keyOf)).size).toBe(texts.length);
  });

  it('takes a number and the equal bigint for the same', () => {
    for (const value of [0, 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(keyOf(value)).toBe(keyOf(BigInt(value)));
    }
  });

  it('reads bigints beyond 64 bits to the end', () => {
    const wide = [1n, 1n << 63n, 1n << 64n, 1n << 127n, (1n << 64n) + 1n, (1n << 128n) + (1n << 64n)];
    expect(new Set(wide.map(keyOf)).size).toBe(wide.length);
  });

  it('is the same in every build: paths and shards of an older run still fit', () => {
    expect([keyOf(0), keyOf(1), keyOf(''), keyOf('converged'), keyOf(1n << 70n)]).toMatchInlineSnapshot(`
      [
        "4aac71b3:40df8cca",
        "849d85e5:5f8f156b",
        "e7055499:18019186",
        "e9af5d87:5bd61023",
        "bdba0e41:7eeaa186",
      ]
    `);
  });

  it('refuses numbers it would have to round', () => {
    expect(() => keyOf(0.5)).toThrow('cannot use fingerprint 0.5: expected a safe integer');
    expect(() => keyOf(2 ** 53)).toThrow('expected a safe integer');
  });
});
