// Images as values: a config, a manifest and layers, each known by its digest (github.com/opencontainers/image-spec).
// What is made here from the same input has the same bytes: no times, and no word of the machine.

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
  readonly files: readonly TarFile[];
  readonly annotations?: Labels;
}

/** A layer and the digest of what is in it. */
export interface PackedLayer extends Blob {
  readonly diffId: string;
}

/** A finished image: what a registry keeps of it. */
export interface Image {
  readonly platform: {readonly architecture: string; readonly os: string; readonly variant?: string};
  readonly config: Blob;
  readonly layers: readonly Blob[];
  readonly manifest: Blob;
}

export const mediaTypes = {
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
export function packed({files, annotations}: NewLayer): PackedLayer {
  const tar = writeTar(files);
  return {...compress(tar), diffId: digestOf(tar), ...(annotations === undefined ? {} : {annotations})};
}

/** `base` with `layers` on top of it, and `labels` beside those it has. */
export function onTop({config, layers}: BaseImage, added: readonly PackedLayer[], labels: Labels): BaseImage {
  const history = added.map(() => ({created_by: 'npm run xpkg'}));
  return {
    config: {
      ...config,
      config: {...config.config, Labels: {...config.config?.Labels, ...labels}},
      rootfs: {...config.rootfs, diff_ids: [...config.rootfs.diff_ids, ...added.map(({diffId}) => diffId)]},
      history: [...(config.history ?? []), ...history],
    },
    layers: [...layers, ...added.map(({diffId: _, ...blob}) => blob)],
  };
}

/** The image as a registry keeps it; `annotations` stand on its manifest. */
export function finished({config: words, layers}: BaseImage, annotations: Labels): Image {
  const config = blobOf(words);
  const manifest = blobOf({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: {mediaType: mediaTypes.config, ...sized(config)},
    layers: layers.map((layer) => ({
      mediaType: mediaTypes.layer,
      ...sized(layer),
      ...(layer.annotations === undefined ? {} : {annotations: layer.annotations}),
    })),
    annotations,
  });
  const {architecture, os, variant} = words;
  return {platform: {architecture, os, ...(variant === undefined ? {} : {variant})}, config, layers, manifest};
}

/** The images of one thing for several platforms, as one. */
export function indexOf(images: readonly Image[], annotations: Labels): Blob {
  const manifests = images.map(({manifest, platform}) => ({
    mediaType: mediaTypes.manifest,
    ...sized(manifest),
    platform,
  }));
  return blobOf({schemaVersion: 2, mediaType: mediaTypes.index, manifests, annotations});
}

export function sized({digest, bytes}: Blob): {readonly digest: string; readonly size: number} {
  return {digest, size: bytes.length};
}

function blobOf(value: unknown): Blob {
  const bytes = Buffer.from(JSON.stringify(value));
  return {digest: digestOf(bytes), bytes};
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
