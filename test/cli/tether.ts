import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** How far a slow run is, after seconds of real time: no test depends on how fast the machine is. */
const progress = /^(?:.*: step \d+ of \d+ "|\d+ of \d+ files).*\n/gm;

/** Runs the real command in `folder`. `err` is without progress. */
export function tether(args: readonly string[], folder = '.'): Ran {
  const {status, stdout, stderr} = spawnSync(process.execPath, [main, ...args], {cwd: folder, encoding: 'utf8'});
  return {code: status, out: stdout, err: stderr.replaceAll(progress, '')};
}
