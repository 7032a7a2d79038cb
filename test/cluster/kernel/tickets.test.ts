import fc from 'fast-check';
import {expect, test} from 'vitest';
import {allFree, givenBack, taken} from '../../../src/cluster/kernel/tickets.ts';

test('each request takes the lowest number that none has, in whichever order they come and go', () => {
  // Half of the values take a number, the others give back one of those that are in use.
  fc.assert(
    fc.property(fc.array(fc.nat(1000), {maxLength: 400}), (values) => {
      let free = allFree;
      const used: number[] = [];
      for (const value of values) {
        if (value % 2 === 0 || used.length === 0) {
          const {number, left} = taken(free);
          expect(number).toBe(
            Array.from({length: used.length + 1}, (_, at) => at + 1).find((one) => !used.includes(one)),
          );
          free = left;
          used.push(number);
        } else {
          const [number = 0] = used.splice(value % used.length, 1);
          free = givenBack(free, number);
        }
      }
    }),
  );
});

test('numbers that were given back in any order go out again without a deep recursion', () => {
  for (const numbers of [ascending(50_000), ascending(50_000).reverse()]) {
    let free = {...allFree, from: 50_001};
    for (const number of numbers) free = givenBack(free, number);
    for (const expected of ascending(1000)) {
      const {number, left} = taken(free);
      expect(number).toBe(expected);
      free = left;
    }
  }
});

function ascending(count: number): number[] {
  return Array.from({length: count}, (_, index) => index + 1);
}
