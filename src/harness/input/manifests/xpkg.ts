// A Crossplane package as a file: an OCI image in a tar, as `crossplane xpkg build` writes it and `docker save` does. One
// of its layers has `package.yaml`: a stream of everything the package installs.
// crossplane/crossplane 2d040d2da contributing/specifications/xpkg.md

import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {Parser, type ReadEntry} from 'tar';
import {fileProblem} from '../file-problem.ts';
import {InputError} from '../input-error.ts';

/** The package's stream of YAML documents. Throws InputError where the file is no package. */
export function readPackage(file: string, shownAs = file): string {
  const bad = (problem: string): InputError => new InputError(`cannot read package "${shownAs}": ${problem}`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw bad(fileProblem(error));
  }
  try {
    for (const {content} of filesIn(unzipped(bytes))) {
      const found = isTar(unzipped(content)) ? streamIn(unzipped(content)) : undefined;
      if (found !== undefined) return found;
    }
    const found = streamIn(unzipped(bytes));
    if (found !== undefined) return found;
  } catch (error) {
    throw bad(`a package is a tar of an OCI image, got something else (${(error as Error).message})`);
  }
  throw bad('none of its layers has a package.yaml');
}

function streamIn(tar: Buffer): string | undefined {
  return filesIn(tar)
    .find(({name}) => name.replace(/^\.?\//, '') === 'package.yaml')
    ?.content.toString('utf8');
}

function unzipped(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

function isTar(bytes: Buffer): boolean {
  return bytes.toString('latin1', 257, 262) === 'ustar';
}

interface TarFile {
  readonly name: string;
  readonly content: Buffer;
}

function filesIn(tar: Buffer): readonly TarFile[] {
  if (!isTar(tar)) throw new Error('no tar');
  const files: TarFile[] = [];
  const parser = new Parser();
  parser.on('entry', (entry: ReadEntry) => {
    const parts: Buffer[] = [];
    entry.on('data', (part) => parts.push(part as Buffer));
    entry.on('end', () => files.push({name: entry.path, content: Buffer.concat(parts)}));
  });
  parser.end(tar);
  return files;
}
