// The files in a gzipped tar, one after the other, without writing any. The archive is not trusted: it may be cut off, name
// places outside of itself, be mostly links, or unpack to more than any disk holds.

import {createReadStream} from 'node:fs';
import {pipeline} from 'node:stream';
import {createGunzip} from 'node:zlib';
import {Parser, type ReadEntry} from 'tar';
import {fileProblem} from '../file-problem.ts';
import {InputError, shownValue} from '../input-error.ts';

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
