import {existsSync} from 'node:fs';
import {beforeAll, expect, test} from 'vitest';
import {killRun, wholeRunMs} from './kill-runs.ts';

// A few of what `npm run kills` does two hundred times.

const canLook = existsSync('/proc/self/environ');
let wholeMs = 0;
beforeAll(async () => {
  if (canLook) wholeMs = await wholeRunMs();
});

test.skipIf(!canLook).each([
  ['SIGINT', 0.5],
  ['SIGKILL', 0.7],
  ['SIGKILL', 0.85],
] as const)('a run that %s ends at %d leaves nothing', async (signal, moment) => {
  expect(await killRun(signal, moment * wholeMs)).toMatchObject({processes: [], files: []});
});
