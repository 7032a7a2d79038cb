// Writes and reads tar archives, as far as images need them. Written here and not taken from a package, because the bytes
// must be the same whenever and wherever an archive is written: no times, owners or modes of this machine go in.
// The format is that of POSIX ustar; the reader also knows what Docker writes: long names (pax `path`, GNU `L`) and links.

export interface TarFile {
  /** A name that ends in / is that of a folder, which has no bytes. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Who may read, write and execute; 0644 unless said, and 0755 for a folder. */
  readonly mode?: number;
}

const blockBytes = 512;
const nameBytesMax = 100;
const prefixBytesMax = 155;

/** The archive of the files, in their order. Throws for names that the format has no room for. */
export function writeTar(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap((file) => [header(file), file.bytes, padding(file.bytes.length)]);
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]);
}

/** The files of an archive by name; a link has the content of what it names. Throws with a sentence for what is no tar. */
export function readTar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const links: (readonly [string, string])[] = [];
  let longName: string | undefined;
  for (let at = 0; at + blockBytes <= archive.length && archive[at] !== 0; ) {
    const block = archive.subarray(at, at + blockBytes);
    if (checksum(block) !== octal(block, 148, 8)) throw new Error(`expected a tar archive, got other bytes at ${at}`);
    const size = octal(block, 124, 12);
    const bytes = archive.subarray(at + blockBytes, at + blockBytes + size);
    if (bytes.length < size) throw new Error(`expected ${size} bytes at ${at + blockBytes}, got ${bytes.length}`);
    const name = longName ?? [text(block, 345, 155), text(block, 0, 100)].filter((part) => part !== '').join('/');
    const type = String.fromCharCode(block[156] ?? 0);
    longName = longNameIn(type, bytes);
    if (type === '0' || type === '\0') files.set(clean(name), bytes);
    if (type === '1') links.push([clean(name), clean(text(block, 157, 100))]);
    if (type === '2') links.push([clean(name), resolve(clean(name), text(block, 157, 100))]);
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  for (const [name, target] of links) {
    const bytes = files.get(target);
    if (bytes !== undefined) files.set(name, bytes);
  }
  return files;
}

function header({name, bytes, mode}: TarFile): Buffer {
  const isFolder = name.endsWith('/');
  const [folder, rest] = parted(name);
  const block = Buffer.alloc(blockBytes);
  block.write(rest, 0);
  block.write(folder, 345);
  block.write(`${(mode ?? (isFolder ? 0o755 : 0o644)).toString(8).padStart(7, '0')}\0`, 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write(isFolder ? '5' : '0', 156);
  block.write('ustar\x0000', 257);
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A long name in two: the folders that fit into the field `prefix`, and the rest. */
function parted(name: string): readonly [folder: string, rest: string] {
  if (Buffer.byteLength(name) <= nameBytesMax) return ['', name];
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
    const [folder, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (rest !== '' && Buffer.byteLength(rest) <= nameBytesMax && Buffer.byteLength(folder) <= prefixBytesMax) {
      return [folder, rest];
    }
  }
  throw new Error(
    `cannot write file "${name}": expected at most ${nameBytesMax} bytes after a folder of ${prefixBytesMax}`,
  );
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}

/** The sum of the header's bytes, with spaces in the place of the sum itself. */
function checksum(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function octal(block: Buffer, at: number, length: number): number {
  return Number.parseInt(text(block, at, length).trim() || '0', 8);
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** The name that this entry gives the next one. */
function longNameIn(type: string, bytes: Buffer): string | undefined {
  if (type === 'L') return text(bytes, 0, bytes.length);
  // A pax record is its own length, a space, key=value and a line end.
  if (type === 'x') return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(bytes.toString('utf8'))?.[1];
  return undefined;
}

function clean(name: string): string {
  return name.replace(/^(?:\.?\/)+/, '');
}

/** Where a symbolic link beside `name` leads. */
function resolve(name: string, target: string): string {
  return new URL(target, `file:///${name}`).pathname.slice(1);
}
