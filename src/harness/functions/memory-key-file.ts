import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {harnessMemoryKey} from './memory-key.ts';

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
