import {describe, expect, it} from 'vitest';
import {Memory} from '../../src/explore/memory.ts';
import {NodeTable} from '../../src/explore/node-table.ts';
import {StateKey} from '../../src/explore/state-key.ts';

const all = (): boolean => true;

function fill(table: NodeTable, count: number): number {
  const key = new StateKey();
  for (let i = 0; i < count; i++) {
    key.set(i);
    if (table.find(key, all) >= 0) throw new Error(`state ${i} was there before it came`);
    if (table.add(key, i % 7, i - 1, i % 3, i) < 0) return i;
  }
  return count;
}

describe('node table', () => {
  it('finds every node again after growing', () => {
    const table = new NodeTable(new Memory(Number.POSITIVE_INFINITY));
    fill(table, 50_000);
    const key = new StateKey();
    for (let i = 0; i < 50_000; i++) {
      key.set(i);
      const node = table.find(key, all);
      expect(node).toBe(i);
      expect(table.spent[node]).toBe(i % 7);
    }
    key.set(50_000);
    expect(table.find(key, all)).toBe(-1);
  });

  it('tells nodes of one state apart by what is asked of them', () => {
    const table = new NodeTable(new Memory(Number.POSITIVE_INFINITY));
    const key = new StateKey();
    key.set('same state');
    const spent = (amount: number) => (node: number) => table.spent[node] === amount;
    for (const amount of [0, 1, 2]) {
      expect(table.find(key, spent(amount))).toBe(-1);
      table.add(key, amount, -1, 0, 0);
    }
    expect([0, 1, 2, 3].map((amount) => table.find(key, spent(amount)))).toEqual([0, 1, 2, -1]);
  });

  it('gives the actions from the initial state', () => {
    const table = new NodeTable(new Memory(Number.POSITIVE_INFINITY));
    fill(table, 6);
    expect(table.path(5)).toEqual([1, 2, 0, 1, 2]);
    expect(table.path(0)).toEqual([]);
  });

  it('stops within the memory bound, and uses most of it', () => {
    const memory = new Memory(300_000);
    const table = new NodeTable(memory);
    const stored = fill(table, 100_000);
    expect(memory.usedBytes).toBeLessThanOrEqual(300_000);
    expect(stored).toBeGreaterThan(300_000 / 45);
    expect(table.length).toBe(stored);
    const key = new StateKey();
    key.set(stored - 1);
    expect(table.find(key, all)).toBe(stored - 1);
  });
});
