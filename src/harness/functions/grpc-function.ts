// A function at a gRPC address, as bytes: the world encodes requests and decodes responses itself, so what goes over the
// wire is exactly what Crossplane would send.

import {Client, credentials, Metadata, type ServiceError, status} from '@grpc/grpc-js';
import type {FunctionService} from '../../cluster/kernel/call.ts';

export interface RemoteFunction {
  call(call: GrpcCall): Promise<GrpcReply>;
  close(): void;
}

interface GrpcCall {
  readonly service: FunctionService;
  readonly request: Uint8Array;
  readonly timeoutMs: number;
}

type GrpcReply =
  | {readonly ok: true; readonly response: Uint8Array}
  /** `isLate`: there was no answer in time. */
  | {readonly ok: false; readonly message: string; readonly code: status | undefined; readonly isLate: boolean};

/** Connects without TLS, as the Development runtime does. Throws an Error if no server answers at the address in time. */
export async function connectFunction(address: string, timeoutMs: number): Promise<RemoteFunction> {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    // A refused first attempt, while a function is still starting, is not worth a second of waiting.
    'grpc.initial_reconnect_backoff_ms': 50,
    'grpc.min_reconnect_backoff_ms': 50,
    'grpc.max_reconnect_backoff_ms': 200,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      client.waitForReady(Date.now() + timeoutMs, (error) => (error === undefined ? resolve() : reject(error)));
    });
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    call: (call) => runFunction(client, call),
    close: () => client.close(),
  };
}

/** From v1.17 on Crossplane asks an older function once more, by the older name of the same service. */
async function runFunction(client: Client, call: GrpcCall): Promise<GrpcReply> {
  const reply = await unary(client, call);
  const isOlder = !reply.ok && reply.code === status.UNIMPLEMENTED && call.service === 'apiextensions.fn.proto.v1';
  return isOlder ? unary(client, {...call, service: 'apiextensions.fn.proto.v1beta1'}) : reply;
}

function unary(client: Client, {service, request, timeoutMs}: GrpcCall): Promise<GrpcReply> {
  const path = `/${service}.FunctionRunnerService/RunFunction`;
  const deadline = Date.now() + timeoutMs;
  const bytes = (buffer: Buffer): Buffer => buffer;
  return new Promise((resolve) => {
    const done = (error: ServiceError | null, response?: Buffer): void => {
      if (error === null) return resolve({ok: true, response: response ?? new Uint8Array(0)});
      // A function may answer that one of its own calls was too late: that is an answer.
      const isLate = error.code === status.DEADLINE_EXCEEDED && Date.now() >= deadline;
      resolve({ok: false, message: error.message, code: error.code, isLate});
    };
    try {
      client.makeUnaryRequest(path, bytes, bytes, Buffer.from(request), new Metadata(), {deadline}, done);
    } catch (error) {
      // A client that is closed throws instead of answering.
      const message = error instanceof Error ? error.message : String(error);
      resolve({ok: false, message, code: undefined, isLate: false});
    }
  });
}
