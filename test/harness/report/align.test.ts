import fc from 'fast-check';
import {expect, test} from 'vitest';
import {align} from '../../../src/harness/report/align.ts';

const same = (one: string, other: string): boolean => one === other;
const texts = (left: string, right: string): string =>
  align([...left], [...right], same)
    .map((row) => (row.kind === 'both' ? row.left : row.kind === 'left' ? `-${row.left}` : `+${row.right}`))
    .join('');

test.each([
  ['abc', 'abc', 'abc'],
  ['ac', 'abc', 'a+bc'],
  ['abc', 'ac', 'a-bc'],
  ['ab', 'xy', '-a-b+x+y'],
  ['', 'a', '+a'],
])('%s beside %s', (left, right, aligned) => {
  expect(texts(left, right)).toBe(aligned);
});

test('loses nothing, and finds as much in common as the other way round', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), {maxLength: 12});
  fc.assert(
    fc.property(words, words, (left, right) => {
      const rows = align(left, right, same);
      expect(rows.flatMap((row) => (row.kind === 'right' ? [] : [row.left]))).toEqual(left);
      expect(rows.flatMap((row) => (row.kind === 'left' ? [] : [row.right]))).toEqual(right);
      const both = (list: readonly {kind: string}[]): number => list.filter(({kind}) => kind === 'both').length;
      expect(both(rows)).toBe(both(align(right, left, same)));
    }),
    {seed: 3},
  );
});
