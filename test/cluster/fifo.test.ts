import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Fifo} from '../../src/cluster/fifo.ts';

test('a queue is what joined and has not left, whatever grew out of those before it', () => {
  const change = fc.record({of: fc.nat(), joins: fc.boolean()});
  fc.assert(
    fc.property(fc.array(change, {maxLength: 100}), (changes) => {
      const known: [Fifo<number>, readonly number[]][] = [[new Fifo([-2, -1]), [-2, -1]]];
      for (const [at, {of, joins}] of changes.entries()) {
        const [queue, items] = known[of % known.length] as (typeof known)[number];
        if (joins) known.push([queue.and(at), [...items, at]]);
        else if (items.length > 0) known.push([queue.withoutFirst(), items.slice(1)]);
      }
      for (const [queue, items] of known) {
        expect([...queue]).toEqual(items);
        expect([queue.length, queue.first, queue.last]).toEqual([items.length, items[0], items.at(-1)]);
      }
    }),
  );
});
