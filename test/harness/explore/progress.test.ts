import {expect, test} from 'vitest';
import {searchText} from '../../../src/harness/explore/explore.ts';

test('a search shows states, states a second, depth and what waits', () => {
  const progress = {uniqueStates: 3000, transitions: 4000, depth: 12, frontier: 7};
  expect(searchText('main', progress, 2000)).toBe('main: 3000 states, 1500 a second, depth 12, 7 waiting');
});
