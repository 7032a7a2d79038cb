import {expect, test} from 'vitest';
import {draw} from '../../../src/cluster/kernel/draft.ts';

function numbers(seed: number, bound: number, count: number): readonly number[] {
  const values: number[] = [];
  let random = seed;
  for (let index = 0; index < count; index++) {
    const drawn = draw(random, bound);
    values.push(drawn.value);
    random = drawn.random;
  }
  return values;
}

test('the same seed draws the same numbers, another seed others', () => {
  expect(numbers(7, 1_000, 20)).toEqual(numbers(7, 1_000, 20));
  expect(numbers(7, 1_000, 20)).not.toEqual(numbers(8, 1_000, 20));
});

test('draws stay below the bound and reach every value of a small one', () => {
  expect(new Set(numbers(1, 3, 100))).toEqual(new Set([0, 1, 2]));
});

test('neighbouring seeds do not draw alike: scenarios are numbered 1, 2, 3', () => {
  const firsts = Array.from({length: 64}, (_, seed) => draw(seed, 2).value);
  const ones = firsts.filter((value) => value === 1).length;
  expect(ones).toBeGreaterThan(16);
  expect(ones).toBeLessThan(48);
});
