// Two floors, each a program that answers with the bytes of the desired state and looks at nothing else. It starts like the
// image's program, and says its port the same way: `node floor.ts grpc-js|server`.
//
//   grpc-js   a server of grpc-js as it comes: what gRPC costs every function that is written with it
//   server    the function's own, with everything around a call

import {pathToFileURL} from 'node:url';
import {Server, ServerCredentials} from '@grpc/grpc-js';
import type {Answerer} from '../../src/function/answerer.ts';
import {runService} from '../../src/function/run-service.ts';
import {startServer} from '../../src/function/server.ts';
import {cursorOf, wholeSlice} from '../../src/wire/cursor.ts';

export const maxBytes = 64 * 1024 * 1024;

const summary = {
  tag: '',
  xr: {apiVersion: '', kind: '', namespace: '', name: ''},
  outcome: {kind: 'planned', condition: {status: 'True', reason: 'Tethered'}, transitions: [], decisions: []},
} as const;

const floor: Answerer = {
  answer: (request, _, done) => done({kind: 'answered', response: desiredOf(request), summary}),
  threads: () => ({running: 1, replaced: 0}),
  close: async () => undefined,
};

/** The request's desired state as a response's, in place: field 3 becomes field 2. */
export function desiredOf(request: Uint8Array): Uint8Array {
  const cursor = cursorOf(wholeSlice(request));
  while (!cursor.done) {
    const start = cursor.at;
    const tag = cursor.tag();
    cursor.skip(tag);
    if (tag >>> 3 !== 3) continue;
    request[start] = (2 << 3) | 2;
    return request.subarray(start, cursor.at);
  }
  return request.subarray(0, 0);
}

/** A server of grpc-js as it comes. Answers its port. */
export function startGrpcJs(): Promise<number> {
  const server = new Server({'grpc.max_receive_message_length': maxBytes});
  const run = ({request}: {request: Uint8Array}, callback: (error: null, response: Uint8Array) => void) =>
    callback(null, desiredOf(request));
  server.addService(runService('apiextensions.fn.proto.v1'), {RunFunction: run as never});
  return bind(server);
}

/** Listens on a port of its own, and answers it. */
export function bind(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

async function startOwn(): Promise<number> {
  const options = {address: '127.0.0.1:0', maxRecvMessageBytes: maxBytes, answererOf: () => floor};
  return (await startServer(options)).port;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = await (process.argv[2] === 'grpc-js' ? startGrpcJs() : startOwn());
  process.stderr.write(`${JSON.stringify({port})}\n`);
}
