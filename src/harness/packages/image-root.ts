// The roots of images on this disk, in $XDG_CACHE_HOME/function-tether (or ~/.cache): one folder for each digest of a manifest,
// made aside and moved into its place when it is whole, so a folder always has the content of its digest.

import {existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {InputError} from '../input/input-error.ts';
import {dockerCredentials} from './docker-credentials.ts';
import {type ImageReference, referenceText} from './image-reference.ts';
import {type Platform, pullBlob, pullDocument, type RemoteImage, resolveImage} from './pull-image.ts';
import {type RegistryClient, registryClient} from './registry-client.ts';
import {type Allowance, unpackLayer} from './unpack-layer.ts';

export interface ImageRoot {
  readonly digest: string;
  /** The folder that is / inside. */
  readonly root: string;
  readonly config: ImageConfig;
}

/** How a container of it would be run: what of an image's config matters here. */
interface ImageConfig {
  readonly os?: string;
  readonly architecture?: string;
  readonly config?: {
    readonly Entrypoint?: readonly string[] | null;
    readonly Env?: readonly string[] | null;
    readonly WorkingDir?: string;
  };
}

/** The limit of an unpacked image. */
const allowed: Readonly<Allowance> = {bytes: 2 * 2 ** 30, entries: 200_000};

function cacheFolder(): string {
  const {env} = process;
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] ?? homedir(), '.cache'), 'function-tether');
}

/** The digest of what the reference names now. Throws InputError with one sentence. */
export async function imageDigest(reference: ImageReference, platform: Platform): Promise<string> {
  const client = registryClient(reference, dockerCredentials(reference.registry), 'pull');
  return (await resolveImage(client, reference, platform)).digest;
}

/** The root of what the reference names now, pulled where it is not here yet. Throws InputError with one sentence. */
export async function imageRoot(
  reference: ImageReference,
  platform: Platform,
  cache = cacheFolder(),
): Promise<ImageRoot> {
  const client = registryClient(reference, dockerCredentials(reference.registry), 'pull');
  const image = await resolveImage(client, reference, platform);
  const folder = join(cache, 'images', image.digest.replace(':', '-'));
  if (!existsSync(folder)) await pullInto(folder, {client, reference, image});
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as ImageConfig;
  return {digest: image.digest, root: join(folder, 'root'), config};
}

interface Pull {
  readonly client: RegistryClient;
  readonly reference: ImageReference;
  readonly image: RemoteImage;
}

async function pullInto(folder: string, {client, reference, image}: Pull): Promise<void> {
  const images = join(folder, '..');
  mkdirSync(images, {recursive: true, mode: 0o700});
  const aside = mkdtempSync(join(images, '.partial-'));
  try {
    const root = join(aside, 'root');
    const blob = join(aside, 'layer');
    mkdirSync(root, {mode: 0o755});
    writeFileSync(join(aside, 'config.json'), JSON.stringify(await pullDocument(client, reference, image.config)));
    const allowance = {...allowed};
    for (const layer of image.layers) {
      await pullBlob(client, reference, layer, blob);
      try {
        await unpackLayer(blob, root, allowance);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        throw new InputError(`cannot unpack layer ${layer.digest} of ${referenceText(reference)}: ${error.message}`);
      }
      rmSync(blob);
    }
    moveInto(aside, folder);
  } finally {
    rmSync(aside, {recursive: true, force: true});
  }
}

/** Another process may have been faster: its folder is the same. */
function moveInto(aside: string, folder: string): void {
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
