import {createHash} from 'node:crypto';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sha256} from '../../src/hash/sha256.ts';

function nodes(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

test('the hash is that of Node, for texts and bytes of every length around a block', () => {
  for (let length = 0; length <= 200; length++) {
    expect(sha256('x'.repeat(length))).toBe(nodes('x'.repeat(length)));
    const bytes = Uint8Array.from({length}, (_, index) => (index * 151) & 255);
    expect(sha256(bytes)).toBe(nodes(bytes));
  }
});

test('a text is its UTF-8', () => {
  fc.assert(fc.property(fc.string({unit: 'binary', maxLength: 300}), (text) => sha256(text) === nodes(text)));
});
