// Talks to a registry (github.com/opencontainers/distribution-spec, spec.md; distribution.github.io/distribution/spec/auth): a
// refusal for want of credentials gives the place of a token, and the request is made again with it.

import {InputError} from '../input/input-error.ts';
import type {Credentials} from './docker-credentials.ts';
import {type ImageReference, isLoopback, registryUrl} from './image-reference.ts';

interface RegistryRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Below the registry's address, or an address that the registry named. */
  readonly path: string;
  readonly headers?: {readonly [name: string]: string};
  readonly body?: Uint8Array;
}

export interface RegistryClient {
  /** Any answer but that of a failed connection, which is an InputError. */
  send(request: RegistryRequest): Promise<Response>;
}

/** The rights of a token. */
type Access = 'pull' | 'pull,push';

const timeoutMs = 300_000;

/** A client for one repository. */
export function registryClient(reference: ImageReference, credentials: Credentials, access: Access): RegistryClient {
  const base = registryUrl(reference);
  let authorization: string | undefined;
  const once = ({method, path, headers, body}: RegistryRequest): Promise<Response> => {
    const url = new URL(path, base);
    // A registry may name another host for uploads; credentials go to no other host.
    const ours = url.origin === base.origin && authorization !== undefined ? {authorization} : {};
    return asked(url, {
      method,
      headers: {...headers, ...ours},
      ...(body === undefined ? {} : {body: new Uint8Array(body)}),
    });
  };
  return {
    send: async (request) => {
      const first = await once(request);
      if (first.status !== 401 || authorization !== undefined) return first;
      const challenge = first.headers.get('www-authenticate') ?? '';
      authorization = await authorizationFor(challenge, {reference, credentials, access});
      if (authorization === undefined) return first;
      await first.body?.cancel();
      return once(request);
    },
  };
}

interface Asking {
  readonly reference: ImageReference;
  readonly credentials: Credentials;
  readonly access: Access;
}

/** The header that answers the challenge; undefined where we have nothing to answer. */
async function authorizationFor(challenge: string, asking: Asking): Promise<string | undefined> {
  const {credentials} = asking;
  if (/^basic\b/i.test(challenge)) return credentials.kind === 'password' ? basic(credentials) : undefined;
  if (!/^bearer\b/i.test(challenge)) return undefined;
  return `Bearer ${await tokenFor(parametersOf(challenge), asking)}`;
}

async function tokenFor(
  {realm, service, scope}: {readonly [name: string]: string},
  {reference, credentials, access}: Asking,
): Promise<string> {
  const refused = (why: string): InputError => new InputError(`cannot get a token for ${reference.registry}: ${why}`);
  if (realm === undefined || !URL.canParse(realm)) throw refused('it names no address to ask');
  const url = new URL(realm);
  if (url.protocol !== 'https:' && !isLoopback(url.host)) throw refused(`${url.host} is asked with TLS only`);
  const fields = new URLSearchParams({
    ...(service === undefined ? {} : {service}),
    scope: scope ?? `repository:${reference.repository}:${access}`,
  });
  if (credentials.kind !== 'refresh-token') for (const [name, value] of fields) url.searchParams.set(name, value);
  const answer = await asked(
    url,
    credentials.kind === 'refresh-token'
      ? {method: 'POST', body: grant(fields, credentials.token)}
      : {method: 'GET', headers: credentials.kind === 'password' ? {authorization: basic(credentials)} : {}},
  );
  if (!answer.ok) throw refused(`${url.host} answered ${answer.status}`);
  const {token, access_token: other} = (await answer.json().catch(() => ({}))) as {[name: string]: unknown};
  const given = token ?? other;
  if (typeof given !== 'string' || given === '') throw refused(`${url.host} answered none`);
  return given;
}

function grant(fields: URLSearchParams, token: string): URLSearchParams {
  return new URLSearchParams([
    ...fields,
    ['grant_type', 'refresh_token'],
    ['client_id', 'function-tether'],
    ['refresh_token', token],
  ]);
}

function basic({user, password}: Credentials & {kind: 'password'}): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function parametersOf(challenge: string): {readonly [name: string]: string} {
  const found = [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ]);
  return Object.fromEntries(found) as {readonly [name: string]: string};
}

async function asked(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, {...init, signal: AbortSignal.timeout(timeoutMs)});
  } catch (error) {
    const {cause, message} = error as Error;
    throw new InputError(`cannot reach ${url.host}: ${cause instanceof Error ? cause.message : message}`);
  }
}
