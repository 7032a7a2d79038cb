import {expect, test} from 'vitest';
import {progressLine} from '../../../src/harness/explore/progress.ts';

const progress = {uniqueStates: 3000, transitions: 4000, depth: 12, frontier: 7};

test('a terminal is told states, states a second, depth and what waits, and then nothing is left of it', () => {
  const written: string[] = [];
  let now = 500;
  const line = progressLine(
    (text) => written.push(text),
    'main',
    () => now,
  );
  now += 2000;
  line.show(progress);
  line.end();
  expect(written).toEqual(['\rmain: 3000 states, 1500 a second, depth 12, 7 waiting\x1b[K', '\r\x1b[K']);
});

test('a search that was over at once leaves the terminal alone', () => {
  const written: string[] = [];
  progressLine(
    (text) => written.push(text),
    'main',
    () => 0,
  ).end();
  expect(written).toEqual([]);
});
