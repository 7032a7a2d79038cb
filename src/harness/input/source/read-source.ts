// The one way in, whatever the format. Nothing is ever written.

import {closeSync, openSync, readFileSync, readSync, statSync} from 'node:fs';
import type {Json} from '../../../cluster/json.ts';
import {fileProblem} from '../file-problem.ts';
import {InputError} from '../input-error.ts';
import {listed} from '../listed.ts';
import {manifestFiles, skippedText} from '../manifests/manifest-files.ts';
import {helmProblem} from '../yaml.ts';
import {collectArchive} from './archive-source.ts';
import {asOf} from './as-of.ts';
import {collectCluster} from './cluster-source.ts';
import {type Collector, collector, type Read} from './collect.ts';
import {documentsIn} from './document-text.ts';
import {kindsOf} from './kinds.ts';
import type {ClusterAccess} from './kubectl.ts';
import type {ReadProgress, Source} from './source.ts';

export interface ReadOptions {
  readonly onProgress?: (progress: ReadProgress) => void;
  /** Which cluster, where the source is one. */
  readonly access?: ClusterAccess;
}

/** The name of the source that is a living cluster; a file of that name is `./cluster`. */
export const clusterName = 'cluster';

/** Throws InputError, one sentence, where the source cannot be read or has no object. */
export async function readSource(
  name: string,
  {onProgress = () => {}, access = {}}: ReadOptions = {},
): Promise<Source> {
  const into = collector();
  const {origin, kinds, files, bytes} = await collect(name, {into, onProgress, access});
  const {objects, skipped, notUnderstood} = into.collected();
  if (objects.length === 0) {
    const reasons = [...notUnderstood, ...skipped].map(({why, count, first}) => `${count} × ${why} (${first})`);
    const passed = reasons.length === 0 ? '' : `: passed over ${listed(reasons, 3, '; ')}`;
    throw new InputError(`cannot read "${name}": expected Kubernetes objects, got none${passed}`);
  }
  return {
    origin,
    objects,
    kinds: kindsOf(objects, kinds),
    asOfMs: origin.kind === 'cluster' ? Date.now() : asOf(objects),
    notes: {files, bytes, skipped, notUnderstood},
  };
}

interface Reading {
  readonly into: Collector;
  readonly onProgress: (progress: ReadProgress) => void;
  readonly access: ClusterAccess;
}

async function collect(name: string, {into, onProgress, access}: Reading): Promise<Read> {
  if (name === clusterName) return collectCluster(access, into, onProgress);
  if (name === '-') return {origin: {kind: 'manifests', name: 'standard input'}, ...collectInput(into)};
  checkEnds(name);
  if (isGzip(name)) return collectArchive(name, into, onProgress);
  return {origin: {kind: 'manifests', name}, ...collectManifests(name, into, onProgress)};
}

/** A pipe ends where its writer does, and a device never. Throws InputError. */
function checkEnds(name: string): void {
  const found = statSync(name, {throwIfNoEntry: false});
  if (found?.isCharacterDevice() !== true && found?.isBlockDevice() !== true && found?.isSocket() !== true) return;
  throw new InputError(`cannot read "${name}": expected a file or a folder, got a device or a socket`);
}

/** By its first bytes: names of backups end in anything. Throws InputError for a half-unpacked tar. */
function isGzip(name: string): boolean {
  if (statSync(name, {throwIfNoEntry: false})?.isFile() !== true) return false;
  const begin = Buffer.alloc(262);
  try {
    const file = openSync(name, 'r');
    readSync(file, begin, 0, begin.length, 0);
    closeSync(file);
  } catch (error) {
    throw new InputError(`cannot read "${name}": ${fileProblem(error)}`);
  }
  if (begin.toString('latin1', 257) === 'ustar') {
    throw new InputError(`cannot read archive "${name}": expected a tar in gzip, got a plain tar: gzip it`);
  }
  return begin[0] === 0x1f && begin[1] === 0x8b;
}

// A file, a folder or a glob of manifests: what `kubectl get -o yaml` or `-o json` printed, as one List or as many
// documents, a GitOps repository, an unpacked backup. A file that is named itself must be readable from its first byte to
// its last; in a folder lies much besides, which is counted.

interface FilesRead {
  readonly files: number;
  readonly bytes: number;
}

/** Throws InputError. */
function collectManifests(name: string, into: Collector, onProgress: (progress: ReadProgress) => void): FilesRead {
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
function collectInput(into: Collector): FilesRead {
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
