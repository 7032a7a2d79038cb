// A caller of the function over gRPC, as Crossplane is one, for tests of the edge.

import {cpSync, mkdtempSync, readFileSync} from 'node:fs';
import {connect as connectHttp2, constants} from 'node:http2';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type ChannelCredentials, Client, credentials, type ServiceError} from '@grpc/grpc-js';
import {encodeRequest, type RequestBody} from '../../src/wire/request-encode.ts';
import {decodeResponse, type ResponseBody} from '../../src/wire/response-decode.ts';

export const v1 = 'apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';
export const v1beta1 = 'apiextensions.fn.proto.v1beta1.FunctionRunnerService/RunFunction';

/** The XR of every request here. */
export const xr = {
  apiVersion: 'platform.example.org/v1',
  kind: 'XNetwork',
  metadata: {name: 'prod', uid: 'uid-of-the-xr'},
} as const;

/** The bytes of a request about that XR. */
export function requestBytes(body: Partial<RequestBody> = {}): Buffer {
  const observed = {composite: {object: xr}, resources: new Map()};
  return Buffer.from(encodeRequest({tag: 'tag-1', observed, desired: {resources: new Map()}, ...body}));
}

/** A connection, ended by `using`. */
export class Caller {
  private readonly client: Client;
  private readonly deadlineMs: number;

  constructor(address: string, channel: ChannelCredentials = credentials.createInsecure(), deadlineMs = 10_000) {
    this.deadlineMs = deadlineMs;
    this.client = new Client(address, channel, {'grpc.max_receive_message_length': -1});
  }

  /** Calls a unary method with bytes. Rejects with gRPC's error. */
  call(method: string, request: Buffer): Promise<Buffer> {
    const same = (bytes: Buffer) => bytes;
    return new Promise((resolve, reject) => {
      const deadline = Date.now() + this.deadlineMs;
      this.client.makeUnaryRequest(
        `/${method}`,
        same,
        same,
        request,
        {deadline},
        (error: ServiceError | null, response) => {
          if (error === null && response !== undefined) resolve(response);
          else reject(error);
        },
      );
    });
  }

  /** Runs the function. */
  async run(request: Buffer = requestBytes(), method = v1): Promise<ResponseBody> {
    return decodeResponse(await this.call(method, request));
  }

  /** The messages of a server stream, and its end. */
  stream(method: string, request: Buffer): AsyncIterable<Buffer> {
    const same = (bytes: Buffer) => bytes;
    return this.client.makeServerStreamRequest(`/${method}`, same, same, request);
  }

  /** What a bidirectional stream answers to one message each. It is kept open until the server ends it, if `keepOpen`. */
  async exchange(method: string, requests: readonly Buffer[], keepOpen = false): Promise<Buffer[]> {
    const same = (bytes: Buffer) => bytes;
    const stream = this.client.makeBidiStreamRequest(`/${method}`, same, same);
    for (const request of requests) stream.write(request);
    if (!keepOpen) stream.end();
    const answers: Buffer[] = [];
    for await (const answer of stream) answers.push(answer as Buffer);
    return answers;
  }

  [Symbol.dispose](): void {
    this.client.close();
  }
}

/** A directory as Crossplane mounts it. `identity` and `ca` are of test/function/certs. */
export function certsDir(identity = 'server', ca = 'test-ca'): string {
  const dir = mkdtempSync(join(tmpdir(), 'tether-certs-'));
  putCertificates(dir, identity, ca);
  return dir;
}

export function putCertificates(dir: string, identity: string, ca = 'test-ca'): void {
  cpSync(certPath(`${identity}.crt`), join(dir, 'tls.crt'));
  cpSync(certPath(`${identity}.key`), join(dir, 'tls.key'));
  cpSync(certPath(`${ca}.crt`), join(dir, 'ca.crt'));
}

/** A client's credentials: with the certificate of `identity`, or with none. */
export function tlsCredentials(identity: string | undefined): ChannelCredentials {
  const ca = readFileSync(certPath('test-ca.crt'));
  if (identity === undefined) return credentials.createSsl(ca);
  return credentials.createSsl(
    ca,
    readFileSync(certPath(`${identity}.key`)),
    readFileSync(certPath(`${identity}.crt`)),
  );
}

export function certPath(file: string): string {
  return new URL(`./certs/${file}`, import.meta.url).pathname;
}

/** What a client of Node's shows as `identity`, and whom it believes. */
export function clientOf(identity: string) {
  return {
    ca: readFileSync(certPath('test-ca.crt')),
    key: readFileSync(certPath(`${identity}.key`)),
    cert: readFileSync(certPath(`${identity}.crt`)),
    checkServerIdentity: () => undefined,
    ALPNProtocols: ['h2'],
  };
}

function connectWithTls(port: number, identity: string) {
  return connectHttp2(`https://127.0.0.1:${port}`, clientOf(identity));
}

/** A RunFunction call whose message is only half sent: a call in flight. With TLS where a client's identity is named. */
export function halfACall(port: number, identity?: string) {
  const session = identity === undefined ? connectHttp2(`http://127.0.0.1:${port}`) : connectWithTls(port, identity);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${v1}`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const message = requestBytes();
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  const started = new Promise<void>((resolve) => {
    stream.write(frame.subarray(0, 8), () => session.ping(() => resolve()));
  });
  const status = new Promise<number>((resolve) =>
    stream.on('trailers', (trailers) => resolve(Number(trailers['grpc-status']))),
  );
  for (const each of [session, stream]) each.on('error', () => undefined);
  stream.resume().on('close', () => session.close());
  const abandon = () => stream.close(constants.NGHTTP2_CANCEL);
  /** How many bytes the server lets each call send, and the connection, before it says that it read any. */
  const windows = () => ({
    ofCalls: session.remoteSettings.initialWindowSize ?? 0,
    ofAll: session.state.remoteWindowSize ?? 0,
  });
  return {send: {started, rest: () => stream.end(frame.subarray(8)), abandon}, status, windows};
}

/** A RunFunction call whose answer waits for `answer` to be read. */
export function aSlowReader(port: number, message: Buffer, identity?: string) {
  const session = identity === undefined ? connectHttp2(`http://127.0.0.1:${port}`) : connectWithTls(port, identity);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${v1}`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  stream.write(frame);
  stream.end(message);
  for (const each of [session, stream]) each.on('error', () => undefined);
  stream.on('close', () => session.close());
  const answered = new Promise((resolve) => stream.on('response', resolve));
  const answer = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  return {answered, answer};
}
