// A registry in this process (github.com/opencontainers/distribution-spec, spec.md): keeps what is pushed and gives it
// back, to everybody or to who has a token for it. Nothing is checked that a client should check itself.

import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

export interface Registry {
  /** Host and port. */
  readonly host: string;
  /** By digest; and what a tag names, by `NAME:TAG`. A test may change what is there. */
  readonly blobs: Map<string, Buffer>;
  readonly tags: Map<string, string>;
  /** Every request, as `METHOD PATH`. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface RegistryOptions {
  /** Whoever comes must have a token, which is given for this `user:password`, or for nobody where it is empty. */
  readonly password?: string;
}

const secret = 'token-of-the-test';

export async function openRegistry({password}: RegistryOptions = {}): Promise<Registry> {
  const blobs = new Map<string, Buffer>();
  const tags = new Map<string, string>();
  const types = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://registry');
    const method = request.method ?? '';
    asked.push(`${method} ${url.pathname}`);
    const body = await bodyOf(request);
    if (url.pathname === '/token') return giveToken(request, response, password ?? '');
    if (password !== undefined && request.headers.authorization !== `Bearer ${secret}`) {
      const realm = `http://${request.headers.host}/token`;
      response.setHeader('www-authenticate', `Bearer realm="${realm}",service="test",scope="repository:a/b:pull"`);
      return end(response, 401);
    }
    const [, name = '', part = '', id = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/(.*)$/.exec(url.pathname) ?? [];
    if (method === 'POST' && part === 'blobs') {
      response.setHeader('location', `/v2/${name}/blobs/uploads/1?state=kept`);
      return end(response, 202);
    }
    if (method === 'PUT') {
      const digest = digestOf(body);
      if (part === 'blobs' && url.searchParams.get('digest') !== digest) return end(response, 400);
      blobs.set(digest, body);
      if (part === 'manifests') {
        tags.set(`${name}:${id}`, digest);
        types.set(digest, request.headers['content-type'] ?? '');
      }
      return end(response, 201);
    }
    const digest = id.startsWith('sha256:') ? id : (tags.get(`${name}:${id}`) ?? '');
    const kept = blobs.get(digest);
    if (kept === undefined) return end(response, 404);
    response.setHeader('content-type', types.get(digest) ?? 'application/octet-stream');
    return end(response, 200, method === 'HEAD' ? undefined : kept);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {host: `localhost:${port}`, blobs, tags, asked, close};
}

function giveToken(request: IncomingMessage, response: ServerResponse, password: string): void {
  const wanted = password === '' ? undefined : `Basic ${Buffer.from(password).toString('base64')}`;
  if (request.headers.authorization !== wanted) return end(response, 401);
  return end(response, 200, Buffer.from(JSON.stringify({token: secret})));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function end(response: ServerResponse, status: number, body?: Buffer): void {
  response.statusCode = status;
  response.end(body);
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
