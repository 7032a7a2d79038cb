import {createHash, createHmac} from 'node:crypto';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {hmacSha256, sha256} from '../../src/hash/sha256.ts';

test('the hash is that of Node, for texts of every length around a block', () => {
  for (let length = 0; length <= 200; length++) {
    const text = 'x'.repeat(length);
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    expect(hmacSha256(text, text)).toBe(createHmac('sha256', text).update(text).digest('hex'));
  }
});

test('a text is its UTF-8', () => {
  const nodes = (text: string) => createHash('sha256').update(text).digest('hex');
  fc.assert(fc.property(fc.string({unit: 'binary', maxLength: 300}), (text) => sha256(text) === nodes(text)));
});
