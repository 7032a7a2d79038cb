import {describe, expect, it} from 'vitest';
import {Budgets} from '../../src/explore/budget.ts';

describe('budgets', () => {
  const budgets = new Budgets({crash: 2, stale: 1});

  it('count every kind by itself and end at its limit', () => {
    const one = budgets.spend(0, 'crash');
    const two = budgets.spend(one, 'crash');
    const three = budgets.spend(two, 'stale');
    expect([budgets.spend(two, 'crash'), budgets.spend(three, 'stale')]).toEqual([-1, -1]);
    expect([0, one, two, three].map((code) => budgets.total(code))).toEqual([0, 1, 2, 3]);
    expect(budgets.spend(budgets.spend(0, 'stale'), 'crash')).toBe(budgets.spend(one, 'stale'));
  });

  it('have nothing for a kind that is not listed', () => {
    expect(budgets.spend(0, 'webhook-down')).toBe(-1);
  });

  it('cover what has spent at least as much of every kind', () => {
    const crash = budgets.spend(0, 'crash');
    const stale = budgets.spend(0, 'stale');
    const both = budgets.spend(crash, 'stale');
    expect([budgets.covers(0, both), budgets.covers(crash, both), budgets.covers(stale, both)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([budgets.covers(crash, stale), budgets.covers(stale, crash), budgets.covers(both, crash)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('refuse amounts that are no whole numbers and combinations that do not fit', () => {
    expect(() => new Budgets({crash: -1})).toThrow(
      'cannot use budget "crash": expected a whole number of at least 0, got -1',
    );
    expect(() => new Budgets({crash: 1.5})).toThrow('expected a whole number');
    expect(() => new Budgets({a: 999, b: 999})).toThrow('1000000 combinations, at most 65536 fit');
  });
});
