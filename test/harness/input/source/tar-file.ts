// Archives as their tools write them, and as nobody should.

import {gzipSync} from 'node:zlib';
import {Header, type HeaderData} from 'tar';

export interface TarFile {
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly type?: HeaderData['type'];
  readonly linkpath?: string;
  /** What the header says, where that is not true. */
  readonly size?: number;
}

export function tarOf(files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap(({path, content = '', type = 'File', linkpath, size}) => {
    const bytes = Buffer.from(content);
    const header = new Header({
      path,
      type,
      mode: 0o644,
      size: size ?? bytes.length,
      mtime: new Date(0),
      ...(linkpath === undefined ? {} : {linkpath}),
    });
    const block = Buffer.alloc(512);
    header.encode(block, 0);
    return [block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export function archiveOf(files: readonly TarFile[]): Buffer {
  return gzipSync(tarOf(files));
}

/** A Velero backup, format 1.1, of JSON objects under their paths below `resources`. */
export function veleroBackup(items: {readonly [path: string]: object}): Buffer {
  const files = Object.entries(items).map(([path, object]) => ({
    path: `resources/${path}.json`,
    content: JSON.stringify(object),
  }));
  return archiveOf([{path: 'metadata/version', content: '1.1.0\n'}, ...files]);
}
