// An image with annotated layers as one file that two families of tools read: it is an OCI image layout
// (github.com/opencontainers/image-spec, image-layout.md), for skopeo, oras and crane, and it has the manifest.json of
// `docker save`, which is what `crossplane xpkg push` and `docker load` look for. Both name the same blobs.

import {createHash} from 'node:crypto';
import {gunzipSync, gzipSync} from 'node:zlib';
import {readTar, type TarFile, writeTar} from './tar.ts';

/** What the layers of a new image go on top of. */
export interface BaseImage {
  readonly config: ImageConfig;
  readonly layers: readonly Blob[];
}

interface ImageConfig {
  readonly architecture: string;
  readonly os: string;
  /** Of the architecture, such as v8. */
  readonly variant?: string;
  readonly config?: {readonly Labels?: Labels; readonly [key: string]: unknown};
  readonly rootfs: {readonly type: 'layers'; readonly diff_ids: readonly string[]};
  readonly history?: readonly {readonly [key: string]: unknown}[];
  readonly [key: string]: unknown;
}

export interface Labels {
  readonly [name: string]: string;
}

/** A layer in the form it is stored and pushed: compressed. */
export interface Blob {
  readonly digest: string;
  readonly bytes: Buffer;
  /** On the layer's descriptor in the manifest. */
  readonly annotations?: Labels;
}

export interface NewLayer {
  readonly file: TarFile;
  readonly annotations: Labels;
}

export interface ImageOptions {
  /** On the config, beside those of the base. */
  readonly labels: Labels;
  /** On the manifest. */
  readonly annotations: Labels;
}

const mediaTypes = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

/** An image without layers, for an architecture in Go's words. */
export function emptyImage(architecture: string): BaseImage {
  return {config: {architecture, os: 'linux', rootfs: {type: 'layers', diff_ids: []}}, layers: []};
}

/** The image in a tarball as `docker save` and buildx write it. Throws with a sentence where it holds none or several. */
export function readImage(tarball: Buffer): BaseImage {
  const files = readTar(tarball);
  const read = (name: string): Buffer => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new Error(`expected file "${name}" in the image tarball, got none`);
    return bytes;
  };
  const images = JSON.parse(read('manifest.json').toString('utf8')) as {Config: string; Layers: string[]}[];
  const [image, ...others] = images;
  if (image === undefined || others.length > 0) {
    throw new Error(`expected one image in the image tarball, got ${images.length}`);
  }
  const config = JSON.parse(read(image.Config).toString('utf8')) as ImageConfig;
  return {config, layers: image.Layers.map((name) => compressed(read(name), name))};
}

/** The new layer's blob, and the digest of what is in it. */
export function layerOf({file, annotations}: NewLayer): Blob & {readonly diffId: string} {
  const tar = writeTar([file]);
  return {...compress(tar), diffId: digestOf(tar), annotations};
}

/** The whole image with `layers` on top of `base`, as one tar archive. The same input has the same bytes. */
export function imageTarball(base: BaseImage, layers: readonly NewLayer[], options: ImageOptions): Buffer {
  const added = layers.map(layerOf);
  const config = json(configWith(base.config, added, options.labels));
  const all: readonly Blob[] = [...base.layers, ...added];
  const manifest = json({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: {mediaType: mediaTypes.config, digest: digestOf(config), size: config.length},
    layers: all.map(({digest, bytes, annotations}) => ({
      mediaType: mediaTypes.layer,
      digest,
      size: bytes.length,
      ...(annotations === undefined ? {} : {annotations}),
    })),
    annotations: options.annotations,
  });
  const {architecture, os, variant} = base.config;
  const platform = {architecture, os, ...(variant === undefined ? {} : {variant})};
  const described = {mediaType: mediaTypes.manifest, digest: digestOf(manifest), size: manifest.length};
  const index = {schemaVersion: 2, mediaType: mediaTypes.index, manifests: [{...described, platform}]};
  const docker = [
    {Config: blobPath(digestOf(config)), RepoTags: null, Layers: all.map(({digest}) => blobPath(digest))},
  ];
  const blobs = new Map([...all.map(({bytes}) => bytes), config, manifest].map((bytes) => [digestOf(bytes), bytes]));
  return writeTar([
    {name: 'oci-layout', bytes: json({imageLayoutVersion: '1.0.0'})},
    {name: 'index.json', bytes: json(index)},
    {name: 'manifest.json', bytes: json(docker)},
    ...[...blobs].map(([digest, bytes]) => ({name: blobPath(digest), bytes})),
  ]);
}

function configWith(base: ImageConfig, added: readonly {readonly diffId: string}[], labels: Labels): ImageConfig {
  const history = added.map(() => ({created_by: 'npm run xpkg'}));
  return {
    ...base,
    config: {...base.config, Labels: {...base.config?.Labels, ...labels}},
    rootfs: {...base.rootfs, diff_ids: [...base.rootfs.diff_ids, ...added.map(({diffId}) => diffId)]},
    history: [...(base.history ?? []), ...history],
  };
}

/** Layers are stored compressed: what pushes an image compresses the others anew, and their digest would be another. */
function compressed(bytes: Buffer, name: string): Blob {
  if (bytes.readUInt32BE(0) === 0x28b52ffd) {
    throw new Error(`cannot use layer "${name}": expected gzip or no compression, got zstd`);
  }
  return isGzip(bytes) ? {digest: digestOf(bytes), bytes} : compress(bytes);
}

function compress(tar: Buffer): Blob {
  const bytes = gzipSync(tar, {level: 9});
  // The header says which operating system compressed; 255 is "unknown".
  bytes[9] = 255;
  return {digest: digestOf(bytes), bytes};
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The content of a layer. */
export function filesOf(layer: Buffer): ReadonlyMap<string, Buffer> {
  return readTar(isGzip(layer) ? gunzipSync(layer) : layer);
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
