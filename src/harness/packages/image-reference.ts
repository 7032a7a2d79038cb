// Names of images, as people write them: [REGISTRY/]REPOSITORY[:TAG][@DIGEST].

import {InputError, shownValue} from '../input/input-error.ts';

/** An image in a registry, by tag or digest. */
export interface ImageReference {
  /** A host and perhaps a port. */
  readonly registry: string;
  readonly repository: string;
  /** `latest` by default. With a digest it is only for people. */
  readonly tag: string;
  readonly digest: string | undefined;
}

const repositoryPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const registryPattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Docker's own registry is known by another name than the one it answers at. */
const dockerHub = 'index.docker.io';

/**
 * Reads `REGISTRY/NAME:TAG` or `REGISTRY/NAME@DIGEST` as Docker does: what has no registry is on Docker Hub. Throws
 * InputError.
 */
export function parseImageReference(text: string): ImageReference {
  const [named = '', digest, ...rest] = text.split('@');
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasRegistry = /[.:[]/.test(first) || first === 'localhost';
  const path = hasRegistry ? named.slice(slash + 1) : named;
  const colon = path.lastIndexOf(':');
  const tag = colon < 0 ? 'latest' : path.slice(colon + 1);
  const name = colon < 0 ? path : path.slice(0, colon);
  const registry = hasRegistry ? first : dockerHub;
  const repository = isDockerHub(registry) && !name.includes('/') ? `library/${name}` : name;
  const isGood =
    rest.length === 0 &&
    registryPattern.test(registry) &&
    repositoryPattern.test(repository) &&
    tagPattern.test(tag) &&
    (digest === undefined || digestPattern.test(digest));
  if (!isGood)
    throw new InputError(`expected an image REGISTRY/NAME:TAG or REGISTRY/NAME@sha256:..., got ${shownValue(text)}`);
  return {registry: isDockerHub(registry) ? dockerHub : registry, repository, tag, digest};
}

/** The reference as a person would write it: with the digest, if it is known. */
export function referenceText({registry, repository, tag}: ImageReference, digest?: string): string {
  const name = `${registry}/${repository}:${tag}`;
  return digest === undefined ? name : `${name}@${digest}`;
}

/** The address of its registry. A registry on this machine is asked without TLS. */
export function registryUrl({registry}: ImageReference): URL {
  const host = isDockerHub(registry) ? 'registry-1.docker.io' : registry;
  return new URL(`${isLoopback(registry) ? 'http' : 'https'}://${host}/`);
}

export function isLoopback(registry: string): boolean {
  return /^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(registry);
}

export function isDockerHub(registry: string): boolean {
  return ['docker.io', dockerHub, 'registry-1.docker.io'].includes(registry);
}
