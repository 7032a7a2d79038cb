// A gzipped tar is a Velero backup or an export of `up`; its paths decide.

import {createReadStream} from 'node:fs';
import {pipeline} from 'node:stream';
import {createGunzip} from 'node:zlib';
import {Parser, type ReadEntry} from 'tar';
import {isObject, type Json} from '../../../cluster/json.ts';
import {fileProblem} from '../file-problem.ts';
import {InputError, shownValue} from '../input-error.ts';
import type {Collector, Read} from './collect.ts';
import {documentsIn} from './document-text.ts';
import type {FoundKind} from './kinds.ts';
import type {Origin, ReadProgress} from './source.ts';

/** Throws InputError. */
export async function collectArchive(
  name: string,
  into: Collector,
  onProgress: (progress: ReadProgress) => void,
): Promise<Read> {
  const formats = new Map<Origin['kind'], number>();
  const kinds = new Map<string, FoundKind>();
  let crossplane: string | undefined;
  const classify = (path: string): readonly [Origin['kind'], ArchivePath] | undefined => {
    const velero = veleroPath(path);
    if (velero !== undefined) return ['velero-backup', velero];
    const up = upPath(path);
    return up === undefined ? undefined : ['up-export', up];
  };
  const wants = (path: string): boolean => {
    const [format, known] = classify(path) ?? [];
    if (format !== undefined) formats.set(format, (formats.get(format) ?? 0) + 1);
    if (known === undefined) into.skip('a file that is not of the format', path);
    if (known?.kind === 'left') into.skip(known.why, path);
    return known !== undefined && known.kind !== 'left';
  };
  const take = (path: string, content: Uint8Array): void => {
    const [format, known] = classify(path) ?? [];
    if (format === undefined || known === undefined || known.kind === 'left') return;
    const place = `${name}, ${path}`;
    if (path === 'metadata/version') return checkVelero(content, name);
    const [value = null] = documentsIn(content, place);
    const key = `${known.resource}.${known.group}`;
    const kind = kinds.get(key) ?? {plural: known.resource, group: known.group, categories: []};
    if (known.kind === 'object') {
      if (isObject(value) && typeof value['kind'] === 'string') kinds.set(key, {...kind, kind: value['kind']});
      into.take(value, place);
      if (into.count() % 500 === 0) onProgress({objects: into.count(), now: path});
    } else if (path === 'export.yaml') crossplane = crossplaneOf(value, name);
    else kinds.set(key, {...kind, categories: categoriesOf(value)});
  };
  const read = await readTar(name, wants, take);
  const [kind = undefined, other] = [...formats.keys()];
  if (kind === undefined || other !== undefined) {
    const got = kind === undefined ? 'neither' : 'files of both';
    throw new InputError(`cannot read archive "${name}": expected a Velero backup or an export of up, got ${got}`);
  }
  const origin = {kind, name, ...(crossplane === undefined ? {} : {crossplane})};
  return {origin, ...read, kinds: [...kinds.values()]};
}

function checkVelero(content: Uint8Array, name: string): void {
  const version = Buffer.from(content).toString('utf8').trim();
  if (/^1(\.|$)/.test(version)) return;
  throw new InputError(
    `cannot read archive "${name}": expected format 1 of Velero's backups, got ${shownValue(version)}`,
  );
}

/** The version of Crossplane in the export. */
function crossplaneOf(about: Json, name: string): string | undefined {
  const version = isObject(about) ? about['version'] : undefined;
  if (version !== 'v1alpha1') {
    throw new InputError(
      `cannot read archive "${name}": expected version v1alpha1 of up's exports, got ${shownValue(version)}`,
    );
  }
  const crossplane = isObject(about) ? about['crossplane'] : undefined;
  const said = isObject(crossplane) ? crossplane['version'] : undefined;
  return typeof said === 'string' ? said : undefined;
}

function categoriesOf(about: Json): readonly string[] {
  const categories = isObject(about) ? about['categories'] : undefined;
  return Array.isArray(categories) ? categories.map(String) : [];
}

/** The role of a path in an archive of its format. */
type ArchivePath =
  | {readonly kind: 'object'; readonly resource: string; readonly group: string}
  /** Known, and nothing to read. */
  | {readonly kind: 'left'; readonly why: string}
  /** Says more of the whole, or of the kinds of one folder. */
  | {readonly kind: 'about'; readonly resource: string; readonly group: string};

// The paths of `up`'s export of a control plane: export.yaml, and for each kind <resource.group>/metadata.yaml with its
// categories and <resource.group>/{cluster,namespaces/NS}/NAME.yaml. It holds no CustomResourceDefinitions.
// upbound/up afcad215 pkg/migration/exporter/persist.go, pkg/migration/meta/v1alpha1/types.go, pkg/migration/importer/reader.go.

const file = /^([a-z0-9][a-z0-9.-]*)\/(?:(metadata)|(?:cluster|namespaces\/[^/]+)\/[^/]+)\.yaml$/;

/** Undefined where no export has such a file. */
function upPath(path: string): ArchivePath | undefined {
  if (path === 'export.yaml') return {kind: 'about', resource: '', group: ''};
  const [whole, groupResource = '', about] = file.exec(path) ?? [];
  if (whole === undefined) return undefined;
  return ofKind(about === undefined ? 'object' : 'about', groupResource);
}

// The paths of a Velero backup, format 1.1: each object once as resources/<resource.group>/{cluster,namespaces/NS}/NAME.json
// in its preferred version, and again below a folder of each version that was saved. vmware-tanzu/velero d30d389b
// pkg/backup/item_backupper.go (getFileForArchive), pkg/archive/filesystem.go, pkg/backup/backup.go (BackupFormatVersion).

const item = /^resources\/([^/]+)\/(?:([^/]+)\/)?(?:cluster|namespaces\/[^/]+)\/[^/]+\.json$/;

/** Undefined where no backup of Velero has such a file. */
function veleroPath(path: string): ArchivePath | undefined {
  if (path === 'metadata/version') return {kind: 'about', resource: '', group: ''};
  const [whole, groupResource = '', version] = item.exec(path) ?? [];
  if (whole === undefined) return undefined;
  if (version !== undefined) return {kind: 'left', why: 'the same object in a folder of its version'};
  return ofKind('object', groupResource);
}

function ofKind(kind: 'object' | 'about', groupResource: string): ArchivePath {
  const [resource = '', ...group] = groupResource.split('.');
  return resource === 'events' ? {kind: 'left', why: 'an event'} : {kind, resource, group: group.join('.')};
}

// The files in a gzipped tar, one after the other, without writing any. The archive is not trusted: it may be cut off, name
// places outside of itself, be mostly links, or unpack to more than any disk holds.

interface TarLimits {
  readonly entries: number;
  /** Of one file in it, and of all. */
  readonly entryBytes: number;
  readonly bytes: number;
  /** Unpacked to packed, from `ratioFrom` bytes on: dumps of many like objects are small. */
  readonly ratio: number;
  readonly ratioFrom: number;
}

const mebibyte = 1024 * 1024;
const limits: TarLimits = {
  entries: 1_000_000,
  entryBytes: 64 * mebibyte,
  bytes: 4096 * mebibyte,
  ratio: 400,
  ratioFrom: 256 * mebibyte,
};

interface TarRead {
  readonly files: number;
  /** Unpacked. */
  readonly bytes: number;
}

type Take = (path: string, content: Uint8Array) => void;

/** Gives each file that `wants` to `take`. Throws InputError. */
export async function readTar(
  file: string,
  wants: (path: string) => boolean,
  take: Take,
  most: TarLimits = limits,
): Promise<TarRead> {
  const bad = (problem: string): InputError => new InputError(`cannot read archive "${file}": ${problem}`);
  const unpacked = createGunzip();
  pipeline(createReadStream(file), unpacked, () => {});
  const state = {files: 0, entries: 0, hasEnded: false};
  const parser = parserOf({wants, take, most, state, bad});
  let bytes = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > most.bytes) throw bad(`expected at most ${most.bytes / mebibyte} MiB unpacked, got more`);
      if (bytes > most.ratioFrom && bytes > most.ratio * unpacked.bytesWritten) {
        throw bad(`expected objects, got what unpacks to more than ${most.ratio} times its size`);
      }
      // The parser would keep bytes after the end, and copy them with every chunk.
      if (!state.hasEnded) parser.write(chunk);
    }
    parser.end();
  } catch (error) {
    throw error instanceof InputError ? error : bad(problemOf(error));
  }
  return {files: state.files, bytes};
}

interface Reading {
  readonly wants: (path: string) => boolean;
  readonly take: Take;
  readonly most: TarLimits;
  readonly state: {files: number; entries: number; hasEnded: boolean};
  readonly bad: (problem: string) => InputError;
}

function parserOf(reading: Reading): Parser {
  const parser = new Parser({strict: true});
  // An emitter without a listener throws, as write() and end() should.
  parser.on('error', (error: unknown) => {
    throw error;
  });
  parser.on('eof', () => {
    reading.state.hasEnded = true;
  });
  parser.on('entry', (entry: ReadEntry) => onEntry(entry, reading));
  return parser;
}

function onEntry(entry: ReadEntry, {wants, take, most, state, bad}: Reading): void {
  state.entries++;
  if (state.entries > most.entries) throw bad(`expected at most ${most.entries} entries, got more`);
  const path = entry.path.replace(/^(?:\.\/)+/, '');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.split(/[/\\]/).includes('..')) {
    throw bad(`expected paths inside of it, got ${shownValue(entry.path)}`);
  }
  const isFile = entry.type === 'File' || entry.type === 'OldFile';
  if (!isFile && entry.type !== 'Directory' && entry.type !== 'GNUDumpDir') {
    throw bad(`expected files and folders, got ${shownValue(entry.path)}, which is a ${entry.type}`);
  }
  if (entry.size > most.entryBytes) {
    throw bad(
      `expected files of at most ${most.entryBytes / mebibyte} MiB, got ${shownValue(entry.path)}, which is larger`,
    );
  }
  if (!isFile || !wants(path)) {
    entry.resume();
    return;
  }
  const parts: Buffer[] = [];
  entry.on('data', (part) => parts.push(part as Buffer));
  entry.on('end', () => {
    state.files++;
    take(path, Buffer.concat(parts));
  });
}

function problemOf(error: unknown): string {
  const {code, message} = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return 'it is cut off: its gzip stream has no end';
  if (code?.startsWith('Z_') === true) return 'it is damaged: its gzip stream is wrong';
  if (/truncated|unexpected eof/i.test(message)) return 'it is cut off: its tar has no end';
  if (code?.startsWith('TAR_') === true || /^(TAR_|checksum|invalid|unrecognized)/i.test(message)) {
    return 'expected a tar inside of the gzip, got something else or a damaged one';
  }
  if (code !== undefined) return fileProblem(error);
  throw error;
}
