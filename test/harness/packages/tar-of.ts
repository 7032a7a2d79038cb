/** An entry of an archive that a test makes up: a file, unless said. */
export interface Entry {
  readonly name: string;
  readonly type?: 'folder' | 'link' | 'hard-link' | 'device';
  readonly content?: string | Buffer;
  readonly target?: string;
  readonly mode?: number;
}

const flags = {folder: '5', link: '2', 'hard-link': '1', device: '3', file: '0'} as const;

/** A tar archive of the entries, whatever they lead to: tools that write archives would refuse some. */
export function tarOf(entries: readonly Entry[]): Buffer {
  return Buffer.concat([...entries.map(written), Buffer.alloc(1024)]);
}

function written({name, type, content = '', target = '', mode = 0o644}: Entry): Buffer {
  const bytes = Buffer.from(content);
  const block = Buffer.alloc(512 + Math.ceil(bytes.length / 512) * 512);
  const field = (text: string, at: number): unknown => block.write(text, at, 'latin1');
  field(name, 0);
  field(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  field('0000000\0', 108);
  field('0000000\0', 116);
  field(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  field('00000000000\0', 136);
  field('        ', 148);
  field(flags[type ?? 'file'], 156);
  field(target, 157);
  field('ustar\x0000', 257);
  const sum = block.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  field(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  bytes.copy(block, 512);
  return block;
}
