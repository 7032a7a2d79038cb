// The servers that are compared, each in a process of its own: `node servers.ts NAME` prints its port and then answers
// every line on stdin with its resident memory in bytes and the CPU time it has used in microseconds.
//
//   floor   bytes in, the desired state's bytes out: what gRPC itself costs
//   tether  our codec and the policy with everything that an empty input switches on
//   sdk     the TypeScript SDK, which decodes and encodes everything, with a handler that changes nothing
//   loader  the same with proto-loader

import {createInterface} from 'node:readline';
import {Server, type ServiceDefinition} from '@grpc/grpc-js';
import {startServer} from '../../src/function/server.ts';
import {bind, maxBytes, startGrpcJs} from './floor.ts';

export const serverNames = ['floor', 'tether', 'sdk', 'loader'] as const;
export type ServerName = (typeof serverNames)[number];

type Unary = (call: {request: never}, callback: (error: null, response: unknown) => void) => void;

const starters: {readonly [name in ServerName]: () => Promise<number>} = {
  floor: startGrpcJs,
  tether: async () => (await startServer({address: '127.0.0.1:0', maxRecvMessageBytes: maxBytes})).port,
  sdk: async () => {
    const {FunctionRunner, getServer, to} = await import('@crossplane-org/function-sdk-typescript');
    const ignore = () => undefined;
    const logger = {debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => logger} as never;
    return bind(getServer(new FunctionRunner({RunFunction: async (request) => to(request)}, logger), logger));
  },
  loader: async () => {
    const {loadSync} = await import('@grpc/proto-loader');
    const file = new URL('../../proto/run_function.proto', import.meta.url).pathname;
    const service = loadSync(file, {keepCase: true})['apiextensions.fn.proto.v1.FunctionRunnerService'];
    const run: Unary = ({request}, callback) => {
      const {meta, desired, context} = request as {meta: {tag: string}; desired: object; context: object};
      callback(null, {meta: {tag: meta.tag, ttl: {seconds: 60}}, desired, context});
    };
    return listen(service as ServiceDefinition, run);
  },
};

function listen(service: ServiceDefinition, run: Unary): Promise<number> {
  const server = new Server({'grpc.max_receive_message_length': maxBytes});
  server.addService(service, {RunFunction: run as never});
  return bind(server);
}

const name = process.argv[2] as ServerName;
if (import.meta.main && serverNames.includes(name)) {
  console.log(await starters[name]());
  for await (const _ of createInterface({input: process.stdin})) {
    const {user, system} = process.cpuUsage();
    console.log(`${process.memoryUsage.rss()} ${user + system}`);
  }
  process.exit(0);
}
