// Pushes an image to a registry (github.com/opencontainers/distribution-spec, spec.md#push): what it has is left as it is,
// layers go before what names them, and the tag comes last, so that nobody pulls half a package.

import {dockerCredentials} from '../src/harness/packages/docker-credentials.ts';
import {type ImageReference, parseImageReference} from '../src/harness/packages/image-reference.ts';
import {type RegistryClient, registryClient} from '../src/harness/packages/registry-client.ts';
import {type Blob, mediaTypes} from './oci-image.ts';
import type {Layout} from './oci-layout.ts';

/** Answers the digest of what the tag names now. Throws with a sentence where the registry does not take it. */
export async function push(layout: Layout, text: string): Promise<string> {
  const to = parseImageReference(text);
  if (to.digest !== undefined) throw new Error(`expected REGISTRY/NAME:TAG to push to, got ${text}`);
  const client = registryClient(to, dockerCredentials(to.registry), 'pull,push');
  for (const {layers, config} of layout.images) {
    for (const blob of [...layers, config]) await pushBlob(client, to, blob);
  }
  const [image, ...others] = layout.images;
  if (image === undefined || (layout.index === undefined && others.length > 0)) {
    throw new Error('expected one image, or several and their index');
  }
  if (layout.index === undefined) return pushManifest(client, to, image.manifest, mediaTypes.manifest, to.tag);
  for (const {manifest} of layout.images) {
    await pushManifest(client, to, manifest, mediaTypes.manifest, manifest.digest);
  }
  return pushManifest(client, to, layout.index, mediaTypes.index, to.tag);
}

async function pushBlob(client: RegistryClient, to: ImageReference, {digest, bytes}: Blob): Promise<void> {
  const blobs = `/v2/${to.repository}/blobs`;
  const there = await client.send({method: 'HEAD', path: `${blobs}/${digest}`});
  if (there.ok) return;
  const begun = await client.send({method: 'POST', path: `${blobs}/uploads/`, headers: {'content-length': '0'}});
  const location = begun.headers.get('location');
  if (begun.status !== 202 || location === null) throw await refused(begun, to, 'an upload');
  const url = new URL(location, begun.url);
  url.searchParams.set('digest', digest);
  const done = await client.send({
    method: 'PUT',
    path: url.href,
    headers: {'content-type': 'application/octet-stream'},
    body: bytes,
  });
  if (done.status !== 201) throw await refused(done, to, digest);
}

async function pushManifest(
  client: RegistryClient,
  to: ImageReference,
  {digest, bytes}: Blob,
  type: string,
  name: string,
): Promise<string> {
  const path = `/v2/${to.repository}/manifests/${name}`;
  const done = await client.send({method: 'PUT', path, headers: {'content-type': type}, body: bytes});
  if (done.status !== 201) throw await refused(done, to, name);
  return digest;
}

async function refused(answer: Response, {registry, repository}: ImageReference, what: string): Promise<Error> {
  const text = (await answer.text()).trim().slice(0, 200);
  return new Error(
    `cannot push ${what} to ${registry}/${repository}: it answered ${answer.status}${text && `: ${text}`}`,
  );
}
