import {expect, test} from 'vitest';
import {soFarText} from '../../src/cli/never-worse.ts';

test('a long search says how far it is, and which stories are worse by then', () => {
  const judged = {name: 'function-tether', source: {kind: 'builtin', name: 'function-tether'}} as const;
  const range = {
    judged,
    crossplane: 'main',
    seed: 7n,
    about: 'everything',
    stories: 1000,
    worker: 0,
    workers: 1,
  } as const;
  expect(soFarText(range, {stories: 80, worse: []})).toBe('Crossplane main, seed 7: 80 of 1000 stories, none worse');
  expect(soFarText(range, {stories: 88, worse: [81, 85]})).toBe(
    'Crossplane main, seed 7: 88 of 1000 stories, 2 worse (81, 85)',
  );
});
