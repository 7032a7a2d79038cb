// Applies a layer of an image to a folder (github.com/opencontainers/image-spec, layer.md): files, folders and links, and
// whiteouts, which remove what layers below put there. The layer is not trusted: nothing is written outside of the folder, no
// device, owner or right beyond read, write and execute is taken over, and its size is limited.

import {
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {pipeline, type Readable} from 'node:stream';
import {createGunzip} from 'node:zlib';
import {Parser, type ReadEntry} from 'tar';
import {InputError} from '../input/input-error.ts';
import {partsOf, placeIn} from './rooted-path.ts';

/** The limit of all layers of an image together; while they are applied, the rest of it. */
export interface Allowance {
  bytes: number;
  entries: number;
}

/** Throws InputError with one sentence where the layer is not one that may be applied. */
export async function unpackLayer(file: string, root: string, allowance: Allowance): Promise<void> {
  const parser = parserInto({root: resolve(root), written: new Set()}, allowance);
  let [isFirst, hasEnded] = [true, false];
  parser.on('eof', () => {
    hasEnded = true;
  });
  try {
    for await (const chunk of plainBytes(file) as AsyncIterable<Buffer>) {
      // The reader would unpack it a second time, uncounted.
      if (isFirst && isPacked(chunk)) throw new InputError('expected a tar archive, plain or in gzip once');
      isFirst = false;
      allowance.bytes -= chunk.length;
      if (allowance.bytes < 0) throw new InputError('it unpacks to more than an image may be');
      // The parser would keep bytes after the end, and copy them with every chunk.
      if (!hasEnded) parser.write(chunk);
    }
    parser.end();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`expected a whole tar archive, plain or in gzip: ${(error as Error).message}`);
  }
}

interface Layer {
  readonly root: string;
  /** The files of this layer, with their folders: its own whiteouts do not remove them. */
  readonly written: Set<string>;
}

function plainBytes(file: string): Readable {
  const source = createReadStream(file);
  if (!isGzip(firstBytes(file))) return source;
  const plain = createGunzip();
  pipeline(source, plain, () => undefined);
  return plain;
}

function firstBytes(file: string): Buffer {
  const bytes = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes;
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isPacked(bytes: Buffer): boolean {
  return isGzip(bytes) || (bytes.length >= 4 && bytes.readUInt32BE(0) === 0x28b52ffd);
}

function parserInto(layer: Layer, allowance: Allowance): Parser {
  const parser = new Parser({strict: true, brotli: false});
  // The writer gets the error: an emitter that throws does so in write().
  parser.on('error', (error: unknown) => {
    throw error;
  });
  parser.on('entry', (entry: ReadEntry) => {
    allowance.entries -= 1;
    if (allowance.entries < 0) throw new InputError('it holds more files than an image may');
    apply(entry, layer);
  });
  return parser;
}

const whiteout = '.wh.';
const opaque = '.wh..wh..opq';

function apply(entry: ReadEntry, layer: Layer): void {
  const parts = partsOf(entry.path);
  const name = parts.at(-1);
  if (name === undefined) return void entry.resume();
  const folder = folderFor(parts.slice(0, -1), layer.root);
  const place = join(folder, name);
  if (name.startsWith(whiteout)) {
    entry.resume();
    return name === opaque ? clear(folder, layer.written) : takeAway(folder, name);
  }
  const mode = (entry.mode ?? 0) & 0o777;
  note(place, layer);
  switch (entry.type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return writeFile(place, mode, entry);
    case 'Directory':
      makeFolder(place, mode);
      break;
    case 'SymbolicLink':
      rmSync(place, {recursive: true, force: true});
      symlinkSync(entry.linkpath ?? '', place);
      break;
    case 'Link':
      linkTo(placeIn(layer.root, partsOf(entry.linkpath ?? '')), place);
      break;
    default:
    // Devices and pipes are nothing that a function needs.
  }
  entry.resume();
}

function note(place: string, {root, written}: Layer): void {
  for (let at = place; at !== root && !written.has(at); at = dirname(at)) written.add(at);
}

/** The folder for an entry, made where the layer does not name it. */
function folderFor(parts: readonly string[], root: string): string {
  const folder = placeIn(root, parts);
  const there = lstatSync(folder, {throwIfNoEntry: false});
  if (there !== undefined && !there.isDirectory()) throw new InputError('expected files in folders, got one in a file');
  mkdirSync(folder, {recursive: true, mode: 0o755});
  return folder;
}

/** The files of a layer below stay if a folder is named again. Its owner may always write in it. */
function makeFolder(place: string, mode: number): void {
  const there = lstatSync(place, {throwIfNoEntry: false});
  if (there !== undefined && !there.isDirectory()) rmSync(place, {force: true});
  mkdirSync(place, {recursive: true});
  chmodSync(place, mode | 0o700);
}

function linkTo(target: string, place: string): void {
  if (lstatSync(target, {throwIfNoEntry: false})?.isFile() !== true) {
    throw new InputError('expected every hard link to name a file of the image');
  }
  if (target === place) return;
  rmSync(place, {recursive: true, force: true});
  linkSync(target, place);
}

function writeFile(place: string, mode: number, entry: ReadEntry): void {
  rmSync(place, {recursive: true, force: true});
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
  const descriptor = openSync(place, flags, mode | 0o600);
  entry.on('data', (chunk: Buffer) => {
    writeSync(descriptor, chunk);
  });
  entry.on('end', () => closeSync(descriptor));
}

function takeAway(folder: string, name: string): void {
  const [removed] = partsOf(name.slice(whiteout.length));
  if (removed !== undefined) rmSync(join(folder, removed), {recursive: true, force: true});
}

/** Everything of layers below goes out of the folder. */
function clear(folder: string, written: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    const place = join(folder, name);
    if (!written.has(place)) rmSync(place, {recursive: true, force: true});
  }
}
