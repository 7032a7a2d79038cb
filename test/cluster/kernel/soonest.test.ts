import fc from 'fast-check';
import {expect, test} from 'vitest';
import {anyTime, soonestBy} from '../../../src/cluster/kernel/soonest.ts';
import {drop, put, type Table, tableOf} from '../../../src/cluster/table.ts';

const change = fc.record({key: fc.nat(400), time: fc.option(fc.nat(1000))});

test('the soonest is that of the table as it is, whichever of those that follow from one another was asked about before', () => {
  const soonest = soonestBy((time: number) => time);
  const first = (table: Table<number>): number => {
    const {times, indexes} = soonest(table, anyTime);
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

test('a time that is over becomes the next one, whether the setting went on, went back or changed the times', () => {
  interface Setting {
    readonly nowMs: number;
    readonly periodMs: number;
  }
  const nextMs = (sinceMs: number, {nowMs, periodMs}: Setting): number =>
    sinceMs + periodMs * Math.max(1, Math.ceil((nowMs - sinceMs) / periodMs));
  const soonest = soonestBy(
    nextMs,
    (before: Setting, {nowMs, periodMs}) => nowMs >= before.nowMs && periodMs === before.periodMs,
  );
  const setting = fc.record({nowMs: fc.nat(500), periodMs: fc.constantFrom(7, 100)});
  const table = tableOf(Array.from({length: 200}, (_, key) => [String(key), (key * 37) % 90] as const));
  fc.assert(
    fc.property(fc.array(fc.tuple(setting, fc.nat(250)), {minLength: 1, maxLength: 50}), (asked) => {
      let current = table;
      for (const [now, key] of asked) {
        current = put(current, String(key), now.nowMs % 90);
        expect(Math.min(...soonest(current, now).times)).toBe(
          Math.min(...current.values().map((since) => nextMs(since, now))),
        );
      }
    }),
  );
});

test('a value that goes, or a piece that becomes part of another one, leaves those after it known', () => {
  let asked = 0;
  const soonest = soonestBy((time: number) => {
    asked++;
    return time;
  });
  let table = tableOf(Array.from({length: 6400}, (_, key) => [String(key), key] as const));
  soonest(table, anyTime);
  asked = 0;
  for (let key = 0; key < 640; key++) {
    table = put(drop(table, String(key)), String(key), 6400 + key);
    soonest(table, anyTime);
  }
  // Each change asks about the new value, and where two pieces became one about the values of one of them.
  expect(asked).toBeLessThanOrEqual(640 * 2);
});
