import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll} from 'vitest';

export interface Folder {
  readonly path: string;
  /** Objects are written as JSON documents. Answers the name. */
  write(name: string, ...content: readonly (string | object)[]): string;
  read(name: string): string;
}

/** An empty folder that goes with the tests of the file. */
export function emptyFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'tether-'));
  afterAll(() => rmSync(path, {recursive: true, force: true}));
  return {
    path,
    write: (name, ...content) => {
      mkdirSync(dirname(join(path, name)), {recursive: true});
      const texts = content.map((one) => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`));
      writeFileSync(join(path, name), texts.join('---\n'));
      return name;
    },
    read: (name) => readFileSync(join(path, name), 'utf8'),
  };
}
