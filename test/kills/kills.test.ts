import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {killRun} from './kill-runs.ts';

// A few of what `npm run kills` does two hundred times.

test.skipIf(!existsSync('/proc/self/environ')).each([
  ['SIGINT', 0.15],
  ['SIGKILL', 0.3],
  ['SIGKILL', 0.5],
] as const)('a run that %s ends at %d leaves nothing', async (signal, moment) => {
  expect(await killRun(signal, moment)).toMatchObject({processes: [], files: []});
});
