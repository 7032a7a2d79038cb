import {expect, it} from 'vitest';
import {bytesCopier} from '../../src/cluster/bytes.ts';

it('a copy stays as it was made, whatever becomes of its original and whatever is copied after it', () => {
  const copy = bytesCopier();
  const lengths = [...Array.from({length: 2000}, (_, index) => (index * 37) % 300), 70_000, 5];
  const copies = lengths.map((length, index) => {
    const original = new Uint8Array(length).fill(index % 251);
    const made = copy(original);
    original.fill(255);
    return made;
  });
  expect(copies.map(({length}) => length)).toEqual(lengths);
  expect(copies.every((made, index) => made.every((byte) => byte === index % 251))).toBe(true);
  // 300,000 bytes in buffers of 65,536, and the one large copy by itself.
  expect(new Set(copies.map(({buffer}) => buffer)).size).toBeLessThan(8);
});
