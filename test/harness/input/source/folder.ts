// A folder of its own for each test that reads sources.

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach} from 'vitest';

export interface SourceFolder {
  /** Writes the file and answers its path. */
  readonly write: (name: string, content: string | Uint8Array) => string;
  readonly path: () => string;
}

export function sourceFolder(): SourceFolder {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'source-'));
  });
  afterEach(() => rmSync(folder, {recursive: true, force: true}));
  return {
    path: () => folder,
    write: (name, content) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), {recursive: true});
      writeFileSync(path, content);
      return path;
    },
  };
}
