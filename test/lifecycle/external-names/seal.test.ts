import {createHmac} from 'node:crypto';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {noSeals, sealsOf} from '../../../src/lifecycle/external-names/seal.ts';

const words = ['name', 'vpc-1'];

test('a seal is HMAC-SHA256 of the words, whatever the key and the words are', () => {
  fc.assert(
    fc.property(
      fc.string({unit: 'binary', minLength: 1, maxLength: 150}),
      fc.array(fc.string({unit: 'binary'})),
      (key, any) => {
        expect(sealsOf([key]).seal(any)).toBe(createHmac('sha256', key).update(JSON.stringify(any)).digest('hex'));
      },
    ),
    {numRuns: 200},
  );
});

test('a key longer than a block is hashed first', () => {
  const key = 'k'.repeat(131);
  expect(sealsOf([key]).seal(words)).toBe(createHmac('sha256', key).update(JSON.stringify(words)).digest('hex'));
});

test('a seal is valid for its words alone, and only with its key', () => {
  const seals = sealsOf(['one']);
  expect(seals.isValid(words, seals.seal(words))).toBe(true);
  expect(seals.isValid(['name', 'vpc-2'], seals.seal(words))).toBe(false);
  expect(seals.isValid(['namevpc-1'], seals.seal(words))).toBe(false);
  expect(sealsOf(['two']).isValid(words, seals.seal(words))).toBe(false);
});

test('a new key seals, and the old one is still believed', () => {
  const old = sealsOf(['old']).seal(words);
  const rotated = sealsOf(['new', 'old']);
  expect(rotated.seal(words)).toBe(sealsOf(['new']).seal(words));
  expect(rotated.isValid(words, old)).toBe(true);
  expect(rotated.isValid(words, rotated.seal(words))).toBe(true);
});

test('without a key nothing is sealed and nothing is valid, no seal at all included', () => {
  expect(noSeals.hasKey).toBe(false);
  expect(noSeals.seal(words)).toBe('');
  expect(noSeals.isValid(words, '')).toBe(false);
  expect(sealsOf(['one']).isValid(words, '')).toBe(false);
});
