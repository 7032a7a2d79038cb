import {describe, expect, it} from 'vitest';
import {always, converges, eventually, type Property, sometimes} from '../../src/explore/property.ts';
import type {Cut, SearchResult} from '../../src/explore/result.ts';
import {passed} from '../../src/explore/result.ts';
import {search} from '../../src/explore/search.ts';
import {mergeShards} from '../../src/explore/shard.ts';
import {delivery} from './models/delivery.ts';
import type {Values} from './models/guarded.ts';
import {hungry, philosophers} from './models/philosophers.ts';
import {agreementProperties, TwoPhaseCommit} from './models/two-phase-commit.ts';

const orders = ['breadth', 'cheapest', 'depth'] as const;

describe('shards', () => {
  it.each([
    {count: 1, cut: atDepth(3)},
    {count: 2, cut: atDepth(1)},
    {count: 3, cut: atDepth(3)},
    {count: 16, cut: atDepth(4)},
    {count: 2, cut: atSpending(['loss'], 1)},
    {count: 3, cut: atSpending(['loss', 'person'], 2)},
    {count: 5, cut: atSpending(['person'], 1)},
  ])('$count of $cut together see what one search sees', ({count, cut}) => {
    const model = delivery({resends: true, workers: 2});
    const budgets = {loss: 2, person: 1};
    for (const order of orders) {
      for (const mergeForced of cut.kind === 'spending' ? [false, true] : [false]) {
        const whole = new Set<string>();
        search(model, [collect(whole)], {order, budgets});
        const union = new Set<string>();
        const parts = Array.from({length: count}, (_, index) => {
          const shard = {index, count, cut};
          return search(model, [collect(union)], {order, budgets, mergeForced, shard});
        });
        expect(union).toEqual(whole);
        expect(parts.every((part) => !passed(part))).toBe(true);
        expect(passed(mergeShards(parts))).toBe(true);
      }
    }
  });

  it('divide the work', () => {
    const model = new TwoPhaseCommit(5);
    const parts = Array.from({length: 4}, (_, index) => search(model, [], {shard: {index, count: 4, cut: atDepth(3)}}));
    for (const part of parts) expect(part.uniqueStates).toBeLessThan(8_832);
    expect(mergeShards(parts).uniqueStates).toBeGreaterThan(8_832);
  });

  it('split by what is spent count what lies before once', () => {
    const model = delivery({resends: true, workers: 2});
    const budgets = {loss: 1};
    const whole = search(model, [], {order: 'cheapest', budgets}).uniqueStates;
    const parts = [0, 1].map((index) =>
      search(model, [], {order: 'cheapest', budgets, shard: {index, count: 2, cut: atSpending(['loss'], 1)}}),
    );
    const before = search(model, [], {order: 'cheapest'}).uniqueStates;
    expect(parts.map((part) => part.shard?.sharedStates)).toEqual([before, before]);
    const {uniqueStates} = mergeShards(parts);
    expect(uniqueStates).toBeGreaterThanOrEqual(whole);
    expect(uniqueStates).toBeLessThan(whole + before);
  });

  it('hand back every discovery', () => {
    const model = new TwoPhaseCommit(4);
    const properties = [...agreementProperties(model), sometimes<number>('impossible', () => false)];
    const merged = mergeShards(shards(model, properties));
    expect(merged.properties.map((property) => property.verdict)).toEqual(['holds', 'holds', 'holds', 'fails']);
    const waits = converges('nobody waits', hungry);
    const [report] = mergeShards(shards(philosophers(4, false), [waits])).properties;
    expect(report).toMatchObject({verdict: 'fails', discovery: {pending: '4 wait for their second fork'}});
  });

  it('say nothing of an `eventually` that did not fail: a cycle may run through several', () => {
    const eats = eventually<Values>('somebody eats', (values) => values['hand0'] === 2 || values['hand1'] === 2);
    const model = philosophers(2, true);
    expect(search(model, [eats]).properties[0]?.verdict).toBe('holds');
    expect(mergeShards(shards(model, [eats])).properties[0]?.verdict).toBe('unknown');
  });

  it('are no pass if one is missing, twice there, or of another split', () => {
    const model = philosophers(3, true, 1);
    const parts = shards(model, [converges('nobody waits', hungry)]);
    expect(passed(mergeShards(parts))).toBe(true);
    const [first, second, third] = parts;
    if (first === undefined || second === undefined || third === undefined) expect.unreachable('three parts were made');
    const other = search(model, [converges('nobody waits', hungry)], {shard: {index: 2, count: 3, cut: atDepth(2)}});
    for (const wrong of [
      [first, second],
      [first, second, second],
      [first, second, other],
    ]) {
      expect(mergeShards(wrong).outcome).toEqual({kind: 'incomplete', reasons: ['shard']});
    }
    expect(() => mergeShards([])).toThrow('expected at least one result');
  });
});

function shards<S, A>(model: Parameters<typeof search<S, A>>[0], properties: readonly Property<S>[]): SearchResult[] {
  return [0, 1, 2].map((index) =>
    search(model, properties, {until: 'exhausted', shard: {index, count: 3, cut: atDepth(1)}}),
  );
}

function atDepth(depth: number): Cut {
  return {kind: 'depth', depth};
}

function atSpending(kinds: readonly string[], units: number): Cut {
  return {kind: 'spending', kinds, units};
}

function collect(states: Set<string>): Property<Values> {
  return always('collect', (values) => states.add(JSON.stringify(values)).size > 0);
}
