// The finds of `npm run differential`, replayed without the real thing.

import {expect, test} from 'vitest';
import {differenceText} from './difference.ts';
import {type Recorded, replayRecordings} from './recordings.ts';

/** Where ours still differs, and why. What is mended must leave this list. */
const open: {readonly [recording: string]: string} = {
  'native/service-back-from-an-external-name':
    'who owns the traffic policy of a Service that has a cluster IP again is another question there',
  'render/composite-without-resource': 'a composite without a resource is passed on as an empty one',
  'render/deleted-xr': 'a render takes the finalizer off an XR that is being deleted',
  'render/empty-resource-name': 'an empty resource name is annotated',
  'render/severity-unspecified': 'a result of no severity is refused',
  'server/items-that-a-default-makes-one':
    'two items that get the same key by a default of another version are one item to an apply there, which then changes',
};

const recorded: readonly Recorded[] = [
  ...replayRecordings('render'),
  ...replayRecordings('server'),
  ...replayRecordings('native'),
];

test.each(recorded.filter(({name}) => !(name in open)))('$name ends as it really did', ({difference}) => {
  expect(difference === undefined ? 'the same' : differenceText(difference)).toBe('the same');
});

test.each(recorded.filter(({name}) => name in open))('$name is still open', ({difference}) => {
  expect(difference).toBeDefined();
});

test('every open one is recorded', () => {
  expect(recorded.map(({name}) => name)).toEqual(expect.arrayContaining(Object.keys(open)));
});
