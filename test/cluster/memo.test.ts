import {describe, expect, test} from 'vitest';
import {memo} from '../../src/cluster/memo.ts';

describe('memo', () => {
  test('keeps what is noted of a value, and only for its own memo', () => {
    const sizes = memo<object, number>();
    const names = memo<object, string>();
    const value = {spec: {v: 'A'}};
    sizes.set(value, 1);
    names.set(value, 'first');
    names.set(value, 'second');
    expect(sizes.get(value)).toBe(1);
    expect(names.get(value)).toBe('second');
    expect(memo<object, number>().get(value)).toBeUndefined();
  });

  test('leaves the value as it looked, and copies of it unknown', () => {
    const notes = memo<object, string>();
    const value = {kind: 'XR', spec: {size: 's'}};
    notes.set(value, 'seen');
    expect(Object.keys(value)).toEqual(['kind', 'spec']);
    expect(value).toEqual({kind: 'XR', spec: {size: 's'}});
    expect(notes.get({...value})).toBeUndefined();
    expect(notes.get(structuredClone(value))).toBeUndefined();
  });

  test('takes maps, lists and frozen values', () => {
    const notes = memo<object, string>();
    for (const value of [new Map([['a', 1]]), [1, 2], Object.freeze({a: 1}), new Uint8Array(2)]) {
      notes.set(value, 'seen');
      expect(notes.get(value)).toBe('seen');
    }
  });
});
