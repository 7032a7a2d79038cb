// The key with which function-tether seals external names in the simulated world. It guards nothing: there the platform,
// its tenants and its attackers are one process. Both are told the same way, in process and as a program.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const harnessMemoryKey = 'a key that guards nothing but the simulated world';

let file: string | undefined;

/** A file with that key for `--memory-key-file`, gone when this process is. */
export function harnessMemoryKeyFile(): string {
  if (file === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'tether-key-'));
    file = join(folder, 'memory-key');
    writeFileSync(file, `${harnessMemoryKey}\n`, {mode: 0o600});
    process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  }
  return file;
}
