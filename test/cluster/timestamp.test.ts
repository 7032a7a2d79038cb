import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseTimestamp, timestamp} from '../../src/cluster/timestamp.ts';

const instant = fc.integer({min: -30_000_000_000_000, max: 250_000_000_000_000});

test('a time is written as RFC 3339 in whole seconds, whatever the century', () => {
  fc.assert(
    fc.property(instant, (ms) => {
      const second = Math.floor(ms / 1000) * 1000;
      expect(timestamp(ms)).toBe(new Date(second).toISOString().replace('.000Z', 'Z'));
    }),
  );
});

test('a time that was written is read again, up to the second', () => {
  fc.assert(
    fc.property(instant, (ms) => {
      expect(parseTimestamp(timestamp(ms))).toBe(Math.floor(ms / 1000) * 1000);
    }),
  );
});

test('a fraction of a second is read, and what is no time is not', () => {
  expect(parseTimestamp('2026-02-28T23:59:59.5Z')).toBe(Date.parse('2026-02-28T23:59:59.5Z'));
  expect(parseTimestamp('yesterday')).toBeUndefined();
});
