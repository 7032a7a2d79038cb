// Gets a pinned file: from the cache of this user, or by npm's own client or HTTP, and believes nothing but its digest.

import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Pin} from './pins.ts';

/** How a pinned file is got. */
export type Get = (pin: Pin) => Promise<Buffer>;

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'function-tether', 'downloads');

/** Downloads into `folder`, once. Throws with a sentence where it cannot be had or is not what is pinned. */
export async function download(pin: Pin, folder = cache): Promise<Buffer> {
  const file = join(folder, pin.digest.replace(':', '-'));
  if (existsSync(file)) {
    const kept = readFileSync(file);
    if (digestAs(pin.digest, kept) === pin.digest) return kept;
  }
  const bytes = pin.from.kind === 'npm' ? packed(pin.from.package) : await firstOf(pin, pin.from.urls);
  const got = digestAs(pin.digest, bytes);
  if (got !== pin.digest) {
    throw new Error(`cannot use ${pin.name} ${pin.version}: expected digest ${pin.digest}, got ${got}`);
  }
  mkdirSync(dirname(file), {recursive: true});
  // Nobody finds half of it, who looks meanwhile.
  const half = `${file}.${process.pid}`;
  writeFileSync(half, bytes);
  renameSync(half, file);
  return bytes;
}

function digestAs(wanted: string, bytes: Buffer): string {
  const [algorithm = ''] = wanted.split(':');
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
}

/** What npm downloads for a package, from the registry that it is set to. */
function packed(name: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tether-npm-'));
  try {
    const args = ['pack', name, '--pack-destination', folder, '--loglevel=error'];
    const {status, stderr, error} = spawnSync('npm', args, {encoding: 'utf8', cwd: folder});
    const [file] = readdirSync(folder);
    if (status === 0 && file !== undefined) return readFileSync(join(folder, file));
    const why = error?.message ?? stderr.trim().split('\n')[0] ?? '';
    throw new Error(`cannot download ${name}: npm pack ended with ${status}: ${why}`);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

async function firstOf({name, version}: Pin, urls: readonly string[]): Promise<Buffer> {
  const problems: string[] = [];
  for (const url of urls) {
    try {
      const response = await fetch(url);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      problems.push(`${url} answered ${response.status}`);
    } catch (error) {
      const {cause, message} = error as Error;
      problems.push(`${url}: ${cause instanceof Error ? cause.message : message}`);
    }
  }
  throw new Error(`cannot download ${name} ${version}: ${problems.join('; ')}`);
}
