import {describe, expect, it} from 'vitest';
import {Prng, splitmix64} from '../../src/explore/prng.ts';

describe('prng', () => {
  it("gives the outputs of the authors' C code for splitmix64", () => {
    expect(splitmix64(1234567n, 5)).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
      4593380528125082431n,
      16408922859458223821n,
    ]);
    expect(splitmix64(0n, 2)).toEqual([0xe220a8397b1dcdafn, 0x6e789e6aa1b965f4n]);
  });

  it("gives the outputs of the authors' C code for xoshiro128**", () => {
    const prng = new Prng(1, 2, 3, 4);
    expect(Array.from({length: 10}, () => prng.next())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it('takes its state from splitmix64, low word first', () => {
    // Two outputs of splitmix64 from the stream's start make the four words.
    const [begin = 0n] = splitmix64(42n, 1);
    const [first = 0n, second = 0n] = splitmix64(begin ^ 3n, 2);
    const words = [first & 0xffff_ffffn, first >> 32n, second & 0xffff_ffffn, second >> 32n].map(Number);
    const expected = new Prng(words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0);
    const prng = Prng.seeded(42n, 3);
    expect([prng.next(), prng.next()]).toEqual([expected.next(), expected.next()]);
  });

  it('gives every stream of a seed its own numbers', () => {
    const firsts = Array.from({length: 1000}, (_, stream) => Prng.seeded(7n, stream).next());
    expect(new Set(firsts).size).toBe(1000);
  });

  it('picks below a bound without preference', () => {
    const prng = Prng.seeded(1n);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 60_000; i++) {
      const value = prng.below(6);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
    expect(counts).toHaveLength(6);
  });

  it('picks below a bound that does not divide 2^32 without preference', () => {
    // Taking the remainder alone would give the lowest third twice as often as it should.
    const prng = Prng.seeded(1n);
    const bound = 3 * 2 ** 30;
    let low = 0;
    for (let i = 0; i < 30_000; i++) if (prng.below(bound) < 2 ** 30) low++;
    expect(Math.abs(low - 10_000)).toBeLessThan(400);
  });

  it('gives fractions from 0 to below 1', () => {
    const prng = Prng.seeded(2n);
    const fractions = Array.from({length: 10_000}, () => prng.fraction());
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1);
    const mean = fractions.reduce((sum, fraction) => sum + fraction, 0) / fractions.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
  });
});
