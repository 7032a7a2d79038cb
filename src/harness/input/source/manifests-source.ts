// A file, a folder or a glob of manifests: what `kubectl get -o yaml` or `-o json` printed, as one List or as many
// documents, a GitOps repository, an unpacked backup. A file that is named itself must be readable from its first byte to
// its last; in a folder lies much besides, which is counted.

import {readFileSync} from 'node:fs';
import type {Json} from '../../../cluster/json.ts';
import {fileProblem} from '../file-problem.ts';
import {InputError} from '../input-error.ts';
import {manifestFiles, skippedText} from '../manifests/manifest-files.ts';
import {helmProblem} from '../yaml.ts';
import type {Collector} from './collect.ts';
import {documentsIn} from './document-text.ts';
import type {ReadProgress} from './source.ts';

export interface FilesRead {
  readonly files: number;
  readonly bytes: number;
}

/** Throws InputError. */
export function collectManifests(
  name: string,
  into: Collector,
  onProgress: (progress: ReadProgress) => void,
): FilesRead {
  const {files, skipped, isOne} = manifestFiles(name, '');
  for (const one of skipped) into.skip('no manifest', skippedText(one));
  let bytes = 0;
  for (const file of files) {
    onProgress({objects: into.count(), now: file});
    bytes += collectFile(file, isOne, into);
  }
  return {files: files.length, bytes};
}

/** Manifests from standard input, whether a pipe, a socket or a file is there. Throws InputError. */
export function collectInput(into: Collector): FilesRead {
  const name = 'standard input';
  const bytes = bytesOf(name, 0);
  collectBytes(bytes, name, true, into);
  return {files: 1, bytes: bytes.length};
}

function collectFile(file: string, isOne: boolean, into: Collector): number {
  const bytes = bytesOf(file);
  if (file.endsWith('.xpkg')) {
    into.skip('a package', file);
    return bytes.length;
  }
  collectBytes(bytes, file, isOne, into);
  return bytes.length;
}

function collectBytes(bytes: Uint8Array, file: string, isOne: boolean, into: Collector): void {
  for (const [index, value] of readable(bytes, file, isOne, into).entries()) {
    into.take(value, index === 0 ? file : `${file}, document ${index + 1}`);
  }
}

function readable(bytes: Uint8Array, file: string, isOne: boolean, into: Collector): readonly Json[] {
  try {
    return documentsIn(bytes, file, (place) =>
      into.misunderstand('a key that stands twice: the last one counts', place),
    );
  } catch (error) {
    if (isOne || !(error instanceof InputError)) throw error;
    const why = error.message.endsWith(helmProblem) ? 'a Helm template: render it first' : 'no YAML and no JSON';
    into.misunderstand(why, error.place === '' ? file : error.place);
    return [];
  }
}

function bytesOf(file: string, from: string | number = file): Uint8Array {
  try {
    return readFileSync(from);
  } catch (error) {
    throw new InputError(`cannot read "${file}": ${fileProblem(error)}`);
  }
}
