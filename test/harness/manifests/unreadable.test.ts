import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {manifestFiles} from '../../../src/harness/manifests/manifest-files.ts';

let folder: string;
const closed = (): string => join(folder, 'closed');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-unreadable-'));
  mkdirSync(closed());
  for (const file of [join(folder, 'a.yaml'), join(closed(), 'b.yaml')]) writeFileSync(file, '');
});
afterEach(() => {
  chmodSync(closed(), 0o700);
  rmSync(folder, {recursive: true});
});

// Whoever may do everything reads everything.
test.skipIf(process.getuid?.() === 0).each([
  ['whose names can be read and nothing else of it', 0o600, 'closed/b.yaml'],
  ['that cannot be read', 0o000, 'closed'],
])('a folder %s is no folder that is left out', (_, mode, place) => {
  chmodSync(closed(), mode);
  const problem = /^cannot read (?:folder )?".*": permission denied$/;
  expect(() => manifestFiles(folder, '')).toThrow(expect.objectContaining({message: expect.stringMatching(problem)}));
  expect(() => manifestFiles(folder, '')).toThrow(join(folder, place));
});
