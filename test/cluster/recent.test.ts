import {expect, it} from 'vitest';
import {Recent} from '../../src/cluster/recent.ts';

it('what is used of late is known, and what nobody asked for is not', () => {
  const recent = new Recent<string, string>(20, ({length}) => length);
  recent.set('asked for', 'aaaa');
  for (const key of ['b', 'c', 'd', 'e', 'f', 'g']) {
    recent.set(key, key.repeat(4));
    expect(recent.get('asked for'), key).toBe('aaaa');
  }
  expect(recent.get('b')).toBeUndefined();
  expect(recent.get('g')).toBe('gggg');
});

it('a value that fills all of it is known until the next one comes', () => {
  const recent = new Recent<string, string>(4, ({length}) => length);
  recent.set('large', 'a'.repeat(100));
  expect(recent.get('large')).toHaveLength(100);
  recent.set('next', 'b'.repeat(100));
  recent.set('last', 'c'.repeat(100));
  expect(recent.get('large')).toBeUndefined();
});
