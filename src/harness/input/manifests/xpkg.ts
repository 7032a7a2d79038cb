// A Crossplane package as a file: an OCI image in a tar, as `crossplane xpkg build` writes it and `docker save` does. One
// of its layers has `package.yaml`: a stream of everything the package installs.
// crossplane/crossplane 2d040d2da contributing/specifications/xpkg.md

import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {fileProblem} from '../file-problem.ts';
import {InputError} from '../input-error.ts';

/** The package's stream of YAML documents. Throws InputError where the file is no package. */
export function readPackage(file: string, shownAs = file): string {
  const bad = (problem: string): InputError => new InputError('', `cannot read package "${shownAs}": ${problem}`);
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
  return bytes.length >= blockBytes && bytes.toString('latin1', 257, 262) === 'ustar';
}

const blockBytes = 512;

interface TarFile {
  readonly name: string;
  readonly content: Buffer;
}

/** POSIX.1-2017 pax, "ustar Interchange Format". Long names are of no interest here: package.yaml is short. */
function filesIn(tar: Buffer): readonly TarFile[] {
  if (!isTar(tar)) throw new Error('no tar');
  const files: TarFile[] = [];
  for (let at = 0; at + blockBytes <= tar.length && tar[at] !== 0; ) {
    const text = (from: number, length: number): string =>
      tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size)) throw new Error('a size that is no number');
    const begin = at + blockBytes;
    if ('0\0'.includes(text(156, 1) || '0'))
      files.push({name: text(0, 100), content: tar.subarray(begin, begin + size)});
    at = begin + Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}
