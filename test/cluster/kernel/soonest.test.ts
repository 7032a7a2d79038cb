import fc from 'fast-check';
import {expect, test} from 'vitest';
import {soonestBy} from '../../../src/cluster/kernel/soonest.ts';
import {drop, put, type Table, tableOf} from '../../../src/cluster/table.ts';

const change = fc.record({key: fc.nat(400), time: fc.option(fc.nat(1000))});

test('the soonest is that of the table as it is, whichever of those that follow from one another was asked about before', () => {
  const soonest = soonestBy((time: number) => time);
  const first = (table: Table<number>): number => {
    const {times, indexes} = soonest(table);
    expect(times.map((_, at) => table.pieces[at]?.[indexes[at] as number])).toEqual(times);
    return Math.min(...times);
  };
  fc.assert(
    fc.property(fc.array(change, {minLength: 1, maxLength: 200}), (changes) => {
      let table = tableOf(Array.from({length: 300}, (_, key) => [String(key), 1000 + key] as const));
      const origin = table;
      for (const {key, time} of changes) {
        table = time === null ? drop(table, String(key)) : put(table, String(key), time);
        expect(first(table)).toBe(Math.min(...table.values()));
      }
      expect(first(origin)).toBe(1000);
    }),
    {numRuns: 30},
  );
});
