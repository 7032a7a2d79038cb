import {gzipSync} from 'node:zlib';
import {digestOf, type Registry} from './registry.ts';
import {type Entry, tarOf} from './tar-of.ts';

/** That of this machine, in Go's words. */
export const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

/** An image of one layer, as a test makes it up. */
export interface Pretended {
  readonly entries: readonly Entry[];
  readonly entrypoint: readonly string[] | null;
  readonly env?: readonly string[];
  readonly architecture?: string;
}

/** Puts an image into the registry and answers how it is named. */
export function publish(
  registry: Registry,
  {entries, entrypoint, env, architecture: own = architecture}: Pretended,
): string {
  const put = (bytes: Buffer) => {
    registry.blobs.set(digestOf(bytes), bytes);
    return {digest: digestOf(bytes), size: bytes.length};
  };
  const json = (value: unknown) => put(Buffer.from(JSON.stringify(value)));
  const config = json({
    os: 'linux',
    architecture: own,
    config: {Entrypoint: entrypoint, Env: env ?? null, WorkingDir: '/'},
  });
  const layer = put(gzipSync(tarOf(entries)));
  const manifest = json({schemaVersion: 2, config, layers: [layer]});
  const index = json({schemaVersion: 2, manifests: [{...manifest, platform: {os: 'linux', architecture: own}}]});
  registry.tags.set('example/function:v1', index.digest);
  return `${registry.host}/example/function:v1`;
}
