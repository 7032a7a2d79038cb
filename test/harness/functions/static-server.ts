import {Server, ServerCredentials} from '@grpc/grpc-js';
import {functionStatic} from '../../../src/harness/functions/function-static.ts';

// function-static behind gRPC, as a program: node static-server.ts PORT [VERSION OF THE SERVICE].

const [, , port, version = 'v1'] = process.argv;
if (!/^\d+$/.test(port ?? '')) throw new Error(`"${port}" is no port`);

const bytes = (value: Buffer): Buffer => value;
const server = new Server();
const method = {
  path: `/apiextensions.fn.proto.${version}.FunctionRunnerService/RunFunction`,
  requestStream: false,
  responseStream: false,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
} as const;
server.addService(
  {RunFunction: method},
  {
    RunFunction: (call: {request: Buffer}, answer: (error: Error | null, response?: Buffer) => void) => {
      const reply = functionStatic(call.request);
      if (!reply.ok) answer(new Error(reply.message));
      else answer(null, Buffer.from(reply.response));
    },
  },
);
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error) => {
  if (error !== null) throw error;
});
