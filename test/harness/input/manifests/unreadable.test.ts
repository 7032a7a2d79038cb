import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';

let folder: string;
const closed = (): string => join(folder, 'closed');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-unreadable-'));
  chmodSync(folder, 0o755);
  mkdirSync(closed());
  for (const file of [join(folder, 'a.yaml'), join(closed(), 'b.yaml')]) writeFileSync(file, '');
});
afterEach(() => {
  chmodSync(closed(), 0o700);
  rmSync(folder, {recursive: true});
});

// Whoever may do everything reads everything: root asks as somebody else, which only a process of its own can.
const asker = `
import {manifestFiles} from ${JSON.stringify(new URL('../../../../src/harness/input/manifests/manifest-files.ts', import.meta.url).href)};
if (process.getuid() === 0) process.setuid(65534);
try {
  process.stdout.write(JSON.stringify(manifestFiles(process.argv[1], '')));
} catch (error) {
  process.stdout.write(error.constructor.name + ': ' + error.message);
}`;

test.each([
  ['whose names can be read and nothing else of it', 0o644, '', 'closed/b.yaml'],
  ['that cannot be read', 0o000, 'folder ', 'closed'],
])('a folder %s is no folder that is left out', (_, mode, what, place) => {
  chmodSync(closed(), mode);
  const {stdout, stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', asker, folder], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toBe(`InputError: cannot read ${what}"${join(folder, place)}": permission denied`);
});
