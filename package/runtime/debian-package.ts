// Reads a Debian package (deb(5)): an ar archive with the members debian-binary, control.tar.* and data.tar.*. Their
// compression may be xz, gzip, zstd or none.

import {gunzipSync, zstdDecompressSync} from 'node:zlib';
import xz from 'xz-decompress';
import {readTar} from '../tar.ts';

export interface DebianPackage {
  /** The text of the file `control`. */
  readonly control: string;
  /** What it installs, by path without a leading slash. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Throws with a sentence for what is none. */
export async function readDebianPackage(bytes: Buffer): Promise<DebianPackage> {
  const members = arMembers(bytes);
  const tar = async (prefix: string): Promise<ReadonlyMap<string, Buffer>> => {
    for (const [name, member] of members) {
      if (name.startsWith(`${prefix}.tar`)) return readTar(await decompressed(name, member));
    }
    throw new Error(`expected ${prefix}.tar in the Debian package, got ${[...members.keys()].join(', ')}`);
  };
  const control = (await tar('control')).get('control');
  if (control === undefined) throw new Error('expected a file "control" in the Debian package, got none');
  return {control: control.toString('utf8'), files: await tar('data')};
}

const magic = '!<arch>\n';
const headerBytes = 60;

function arMembers(bytes: Buffer): ReadonlyMap<string, Buffer> {
  if (bytes.toString('latin1', 0, magic.length) !== magic) {
    throw new Error('expected a Debian package, got other bytes at 0');
  }
  const members = new Map<string, Buffer>();
  for (let at = magic.length; at + headerBytes <= bytes.length; ) {
    const name = bytes
      .toString('latin1', at, at + 16)
      .trim()
      .replace(/\/$/, '');
    const size = Number.parseInt(bytes.toString('latin1', at + 48, at + 58), 10);
    const start = at + headerBytes;
    if (!(start + size <= bytes.length)) throw new Error(`expected ${size} bytes at ${start} of the Debian package`);
    members.set(name, bytes.subarray(start, start + size));
    // Members begin at even places.
    at = start + size + (size % 2);
  }
  return members;
}

async function decompressed(name: string, bytes: Buffer): Promise<Buffer> {
  if (name.endsWith('.tar')) return bytes;
  if (name.endsWith('.gz')) return gunzipSync(bytes);
  if (name.endsWith('.zst')) return zstdDecompressSync(bytes);
  if (!name.endsWith('.xz')) throw new Error(`cannot read ${name}: expected .xz, .gz, .zst or no compression`);
  const plain = new xz.XzReadableStream(new Blob([new Uint8Array(bytes)]).stream());
  return Buffer.from(await new Response(plain).arrayBuffer());
}
