import {Client, credentials, Metadata, type ServiceError, status} from '@grpc/grpc-js';

// A function at a gRPC address, as bytes: the world encodes requests and decodes responses itself, so what goes over the
// wire is exactly what Crossplane would send.

export interface RemoteFunction {
  /** `service` is the full name: apiextensions.fn.proto.v1.FunctionRunnerService. */
  call(request: Uint8Array, service: string, timeoutMs: number): Promise<GrpcReply>;
  close(): void;
}

type GrpcReply =
  | {readonly ok: true; readonly response: Uint8Array}
  /** `isLate`: there was no answer in time. */
  | {readonly ok: false; readonly message: string; readonly isLate: boolean};

/**
 * Connects without TLS, as the Development runtime does. Throws an Error where nobody answers at the address in time.
 */
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
    call: (request, service, timeoutMs) => unary(client, `/${service}/RunFunction`, request, timeoutMs),
    close: () => client.close(),
  };
}

function unary(client: Client, path: string, request: Uint8Array, timeoutMs: number): Promise<GrpcReply> {
  const deadline = Date.now() + timeoutMs;
  const bytes = (buffer: Buffer): Buffer => buffer;
  return new Promise((resolve) => {
    const done = (error: ServiceError | null, response?: Buffer): void => {
      if (error === null) return resolve({ok: true, response: response ?? new Uint8Array(0)});
      // A function may answer that it was too late for somebody else: that is an answer.
      const isLate = error.code === status.DEADLINE_EXCEEDED && Date.now() >= deadline;
      resolve({ok: false, message: error.message, isLate});
    };
    try {
      client.makeUnaryRequest(path, bytes, bytes, Buffer.from(request), new Metadata(), {deadline}, done);
    } catch (error) {
      // A client that is closed throws instead of answering.
      resolve({ok: false, message: error instanceof Error ? error.message : String(error), isLate: false});
    }
  });
}
