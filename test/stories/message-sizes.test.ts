import {describe, expect, it} from 'vitest';
import {line, measured, messageBytesMax, type Row, rows} from '../bench/sizes.ts';

/** Of each row the smallest. Those of Usages of others are larger than a message if somebody asks for all of them. */
const small = rows.map((row): readonly [string, Row, number] => [row.what, row, Math.min(...row.counts)]);

describe('messages that questions and orders make', () => {
  it.each(small)('have room, and the XR goes on: %s', (_, row, count) => {
    const result = measured(row, count);
    expect(Math.max(result.request, result.response), line(row, count, result)).toBeLessThan(messageBytesMax);
    expect(result.request).toBeGreaterThan(5000);
    expect([result.synced, result.tethered], result.said).toEqual(['True', 'True']);
  });
});
