// Pulls an image for one platform (github.com/opencontainers/distribution-spec, spec.md#pull): from a tag to a digest, from an
// index to the manifest for the platform, and from there its config and layers. Every answer is held against the digest it was
// asked for by, so a digest determines everything that will run.

import {createHash} from 'node:crypto';
import {closeSync, openSync, writeSync} from 'node:fs';
import {InputError, shownValue} from '../input/input-error.ts';
import {type ImageReference, referenceText} from './image-reference.ts';
import type {RegistryClient} from './registry-client.ts';

/** As images name it: Go's words. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
}

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: {readonly [name: string]: string};
}

export interface RemoteImage {
  /** Of its manifest: what it is for this platform. */
  readonly digest: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

const indexTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const imageTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const documentBytesMax = 4 * 2 ** 20;
/** Of all layers together, compressed. */
const layersBytesMax = 2 ** 30;

/** The digest of the reference now. Throws InputError with one sentence. */
export async function resolveImage(
  client: RegistryClient,
  reference: ImageReference,
  platform: Platform,
): Promise<RemoteImage> {
  const top = await manifestAt(client, reference, reference.digest);
  const {manifests} = top.document as {manifests?: readonly IndexEntry[]};
  if (!Array.isArray(manifests)) return imageIn(top, reference);
  const entry = (manifests as readonly IndexEntry[]).find(
    (one) => one.platform?.os === platform.os && one.platform.architecture === platform.architecture,
  );
  if (entry === undefined) {
    const known = (manifests as readonly IndexEntry[]).map(
      (one) => `${one.platform?.os}/${one.platform?.architecture}`,
    );
    throw problem(
      reference,
      `expected an image for ${platform.os}/${platform.architecture}, got ${[...new Set(known)].join(', ')}`,
    );
  }
  return imageIn(await manifestAt(client, reference, digestIn(reference, entry.digest)), reference);
}

interface IndexEntry {
  readonly digest?: unknown;
  readonly platform?: Platform;
}

interface Manifest {
  readonly digest: string;
  readonly document: object;
}

async function manifestAt(
  client: RegistryClient,
  reference: ImageReference,
  digest: string | undefined,
): Promise<Manifest> {
  const path = `/v2/${reference.repository}/manifests/${digest ?? reference.tag}`;
  const answer = await client.send({method: 'GET', path, headers: {accept: [...indexTypes, ...imageTypes].join(', ')}});
  const bytes = await bytesOf(answer, reference, documentBytesMax);
  const got = digestOf(bytes);
  if (digest !== undefined && got !== digest) throw problem(reference, `expected a manifest ${digest}, got ${got}`);
  return {digest: got, document: jsonIn(bytes, reference)};
}

function imageIn({digest, document}: Manifest, reference: ImageReference): RemoteImage {
  const {config, layers} = document as {config?: Descriptor; layers?: readonly Descriptor[]};
  if (config === undefined || !Array.isArray(layers)) {
    throw problem(reference, 'expected a manifest of an image, with config and layers');
  }
  for (const one of [config, ...(layers as readonly Descriptor[])]) {
    digestIn(reference, one?.digest);
    if (!Number.isSafeInteger(one.size) || one.size < 0)
      throw problem(reference, `expected a size of ${one.digest}, got ${shownValue(one.size)}`);
  }
  const size = (layers as readonly Descriptor[]).reduce((sum, one) => sum + one.size, 0);
  if (size > layersBytesMax)
    throw problem(reference, `its layers are ${size} bytes, which is more than an image may be`);
  return {digest, config, layers: layers as readonly Descriptor[]};
}

/** The document that a descriptor names. */
export async function pullDocument(
  client: RegistryClient,
  reference: ImageReference,
  {digest, size}: Descriptor,
): Promise<object> {
  const answer = await client.send({method: 'GET', path: `/v2/${reference.repository}/blobs/${digest}`});
  const bytes = await bytesOf(answer, reference, Math.min(size, documentBytesMax));
  const got = digestOf(bytes);
  if (got !== digest) throw problem(reference, `expected a blob ${digest}, got ${got}`);
  return jsonIn(bytes, reference);
}

/** Downloads what a descriptor names into a new file. The file is only good where this does not throw. */
export async function pullBlob(
  client: RegistryClient,
  reference: ImageReference,
  {digest, size}: Descriptor,
  file: string,
): Promise<void> {
  const answer = await client.send({method: 'GET', path: `/v2/${reference.repository}/blobs/${digest}`});
  if (!answer.ok || answer.body === null) throw await refused(answer, reference);
  const hash = createHash('sha256');
  const descriptor = openSync(file, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > size) throw problem(reference, `expected ${size} bytes of ${digest}, got more`);
      hash.update(chunk);
      writeSync(descriptor, chunk);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw problem(reference, `the download of ${digest} broke off`);
  } finally {
    closeSync(descriptor);
  }
  const got = `sha256:${hash.digest('hex')}`;
  if (got !== digest) throw problem(reference, `expected a blob ${digest}, got ${got}`);
}

async function bytesOf(answer: Response, reference: ImageReference, bytesMax: number): Promise<Buffer> {
  if (!answer.ok || answer.body === null) throw await refused(answer, reference);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > bytesMax) throw problem(reference, `expected a document of at most ${bytesMax} bytes, got more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function refused(answer: Response, reference: ImageReference): Promise<InputError> {
  await answer.body?.cancel();
  const why: {readonly [status: number]: string} = {
    401: 'the registry wants credentials: docker login',
    403: 'the registry does not allow it',
    404: 'the registry has no such image',
  };
  return problem(reference, why[answer.status] ?? `the registry answered ${answer.status}`);
}

function jsonIn(bytes: Buffer, reference: ImageReference): object {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw problem(reference, 'expected a JSON object from the registry, got something else');
}

function digestIn(reference: ImageReference, digest: unknown): string {
  if (typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw problem(reference, `expected a digest sha256:..., got ${shownValue(digest)}`);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function problem(reference: ImageReference, why: string): InputError {
  return new InputError(`cannot pull ${referenceText(reference, reference.digest)}: ${why}`);
}
