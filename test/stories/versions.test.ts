import {expect, test} from 'vitest';
import {versionsInTurn} from './versions.ts';

const versions = ['1.16', '1.19', '1.20', '2.3', 'main'];

test('stories are told on one version of each half in turn, or on every version', () => {
  const told = [0, 1, 2].map((story) => versionsInTurn(versions, story, false));
  expect(told).toEqual([
    ['2.3', '1.16'],
    ['main', '1.19'],
    ['2.3', '1.20'],
  ]);
  expect(versionsInTurn(['main'], 3, false)).toEqual(['main']);
  expect(versionsInTurn(versions, 0, true)).toEqual(versions);
});
