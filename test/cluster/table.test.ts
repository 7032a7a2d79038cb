import {expect, test} from 'vitest';
import {draw} from '../../src/cluster/kernel/draft.ts';
import {drop, emptyTable, put, sorted, type Table, tableOf} from '../../src/cluster/table.ts';

const letters = ['d', 'a', 'f', 'b', 'e', 'c'];

test('a table answers as the Map that was changed in the same way, however many keys it has', () => {
  let table: Table<number> = emptyTable();
  const map = new Map<string, number>();
  const expectSame = () => {
    expect([...table]).toEqual([...map]);
    expect([table.size, ...table.keys(), ...table.values()]).toEqual([map.size, ...map.keys(), ...map.values()]);
    for (const letter of letters)
      expect([table.get(letter), table.has(letter)]).toEqual([map.get(letter), map.has(letter)]);
  };
  for (const [index, letter] of [...letters, ...letters].entries()) {
    table = put(table, letter, index);
    map.set(letter, index);
    expectSame();
  }
  for (const letter of ['a', 'x', 'c', 'd', 'e', 'b', 'f', 'f']) {
    table = drop(table, letter);
    map.delete(letter);
    expectSame();
  }
});

test('what a change leaves behind is as it was, and no change is no new table', () => {
  const before = tableOf(letters.map((letter) => [letter, 1] as const));
  put(before, 'a', 2);
  put(before, 'g', 2);
  drop(before, 'b');
  expect([...before]).toEqual(letters.map((letter) => [letter, 1]));
  expect(put(before, 'a', 1)).toBe(before);
  expect(drop(before, 'g')).toBe(before);
});

test('a key that is given twice keeps its place and takes the later value', () => {
  const entries = [
    ['b', 1],
    ['a', 2],
    ['b', 3],
  ] as const;
  expect([...tableOf(entries)]).toEqual([...new Map(entries)]);
});

test('sorted goes by key, with the values of this table and not of another with the same keys', () => {
  const table = tableOf(letters.map((letter) => [letter, letter] as const));
  expect(sorted(table).map(([key]) => key)).toEqual(letters.toSorted());
  expect(sorted(put(table, 'a', 'A')).slice(0, 2)).toEqual([
    ['a', 'A'],
    ['b', 'b'],
  ]);
});

test('two tables that grow out of one know each only their own keys', () => {
  const before = tableOf(letters.map((letter) => [letter, 1] as const));
  // Asked first, so that there is an index to share.
  expect(before.get('a')).toBe(1);
  const left = put(put(before, 'left', 2), 'far left', 3);
  const right = put(before, 'right', 4);
  const keys = ['left', 'far left', 'right'];
  expect([before, left, right].map((table) => keys.map((key) => table.get(key)))).toEqual([
    [undefined, undefined, undefined],
    [2, 3, undefined],
    [undefined, undefined, 4],
  ]);
  expect(put(before, 'far left', 5).get('far left')).toBe(5);
});

test('tables that lose keys and get them back answer as the Maps of their own histories', () => {
  let random = 7;
  const draw = (bound: number): number => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(random / 2 ** 16) % bound;
  };
  const lives: {table: Table<number>; map: Map<string, number>}[] = [{table: emptyTable(), map: new Map()}];
  for (let turn = 0; turn < 500; turn++) {
    const {table, map} = lives[draw(lives.length)] as (typeof lives)[number];
    const key = `k${draw(24)}`;
    const next = new Map(map);
    const isDropped = draw(5) < 2;
    if (isDropped) next.delete(key);
    else next.set(key, turn);
    const life = {table: isDropped ? drop(table, key) : put(table, key, turn), map: next};
    // Some histories end here, and others go on beside the one that they grew out of.
    lives[lives.length < 12 ? lives.length : draw(12)] = life;
    expect([...life.table]).toEqual([...life.map]);
    for (let number = 0; number < 24; number++) {
      for (const one of [life, lives[draw(lives.length)] as typeof life])
        expect(one.table.get(`k${number}`)).toBe(one.map.get(`k${number}`));
    }
  }
});

test('large tables that grow out of one another answer as Maps do', () => {
  let state = 7;
  const below = (bound: number): number => {
    const {random, value} = draw(state, bound);
    state = random;
    return value;
  };
  const keys = Array.from({length: 400}, (_, index) => `key-${index}`);
  let branches = [{table: emptyTable<number>(), map: new Map<string, number>()}];
  for (let turn = 0; turn < 4000; turn++) {
    const from = branches[below(branches.length)];
    if (from === undefined) throw new Error('there is always a branch');
    const key = keys[below(keys.length)] ?? '';
    const map = new Map(from.map);
    const isDrop = below(3) === 0;
    if (isDrop) map.delete(key);
    else map.set(key, turn);
    const table = isDrop ? drop(from.table, key) : put(from.table, key, turn);
    if (turn % 50 === 0) expect([...table]).toEqual([...map]);
    expect(table.get(key)).toBe(map.get(key));
    branches = [...branches, {table, map}].slice(-3);
  }
  for (const {table, map} of branches) for (const key of keys) expect(table.get(key)).toBe(map.get(key));
});
