import {createHmac} from 'node:crypto';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {entriesIn} from '../../../src/lifecycle/external-names/memory.ts';
import {noSeals, sealsOf} from '../../../src/lifecycle/external-names/seal.ts';
import {xr} from '../given.ts';

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

test('what is no seal is valid for nothing, and costs no hash', () => {
  const seals = sealsOf(['one']);
  for (const none of ['', 'x', seals.seal(words).toUpperCase(), `${seals.seal(words)}0`]) {
    expect(seals.isValid(words, none)).toBe(false);
  }
});

test('a long message is sealed as any other', () => {
  const long = ['name', 'x'.repeat(5000)];
  const seals = sealsOf(['one']);
  expect(seals.isValid(long, seals.seal(long))).toBe(true);
});

test('entries that nobody asks about are not looked at: whoever may write them may write any number', () => {
  let looked = 0;
  const seals = {...sealsOf(['one']), isValid: () => ++looked > 0};
  const json = Object.fromEntries(Array.from({length: 100}, (_, index) => [`r${index}`, {name: 'vpc-1'}]));
  const recalled = entriesIn(json, xr, seals, false);
  expect([recalled.size, looked]).toEqual([100, 0]);
  expect([recalled.get('r7')?.isProven(), looked]).toEqual([true, 1]);
});
