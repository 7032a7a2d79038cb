// Images as one file that two families of tools read: it is an OCI image layout (github.com/opencontainers/image-spec,
// image-layout.md), for skopeo, oras and crane, and where it holds one image, it also has the manifest.json of `docker
// save`, which is what `crossplane xpkg push` and `docker load` look for. Both name the same blobs.

import {type Blob, type Image, mediaTypes, sized} from './oci-image.ts';
import {writeTar} from './tar.ts';

/** One image; or several, and the index that makes them one. */
export interface Layout {
  readonly images: readonly Image[];
  readonly index: Blob | undefined;
}

/** The same input has the same bytes. */
export function layoutTarball({images, index}: Layout): Buffer {
  const tops =
    index === undefined
      ? images.map(({manifest, platform}) => ({mediaType: mediaTypes.manifest, ...sized(manifest), platform}))
      : [{mediaType: mediaTypes.index, ...sized(index)}];
  const all = images.flatMap(({layers, config, manifest}) => [...layers, config, manifest]);
  const blobs = new Map([...all, ...(index === undefined ? [] : [index])].map(({digest, bytes}) => [digest, bytes]));
  return writeTar([
    {name: 'oci-layout', bytes: json({imageLayoutVersion: '1.0.0'})},
    {name: 'index.json', bytes: json({schemaVersion: 2, mediaType: mediaTypes.index, manifests: tops})},
    ...(index === undefined ? [{name: 'manifest.json', bytes: json(images.map(dockerManifest))}] : []),
    ...[...blobs].map(([digest, bytes]) => ({name: blobPath(digest), bytes})),
  ]);
}

function dockerManifest({config, layers}: Image) {
  return {Config: blobPath(config.digest), RepoTags: null, Layers: layers.map(({digest}) => blobPath(digest))};
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
