// The finds of `npm run differential`, replayed without the real thing.

import {expect, test} from 'vitest';
import {differenceText} from './difference.ts';
import {type Recorded, replayRecordings} from './recordings.ts';

/** Where ours still differs, and why. What is mended must leave this list. */
const open: {readonly [recording: string]: string} = {
  'server/rule-refuses-create': 'rules in the schemas of users are not evaluated',
  'server/rule-refuses-update': 'rules in the schemas of users are not evaluated',
};

const recorded: readonly Recorded[] = [...replayRecordings('render'), ...replayRecordings('server')];

test.each(recorded.filter(({name}) => !(name in open)))('$name ends as it really did', ({difference}) => {
  expect(difference === undefined ? 'the same' : differenceText(difference)).toBe('the same');
});

test.each(recorded.filter(({name}) => name in open))('$name is still open', ({difference}) => {
  expect(difference).toBeDefined();
});

test('every open one is recorded', () => {
  expect(recorded.map(({name}) => name)).toEqual(expect.arrayContaining(Object.keys(open)));
});
