import {loadSync} from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {describedAnew} from '../../proto/generate.ts';
import {descriptors} from '../../src/function/descriptors.ts';
import {type RunningServer, startServer} from '../../src/function/server.ts';
import {Caller} from './calling.ts';

const {FileDescriptorProto} = descriptor;

const file = new URL('../../proto/reflection.proto', import.meta.url).pathname;
const {ServerReflectionInfo: codec} = loadSync(file, {keepCase: true})[
  'grpc.reflection.v1.ServerReflection'
] as unknown as {
  ServerReflectionInfo: {
    requestSerialize(value: object): Buffer;
    responseDeserialize(bytes: Buffer): {
      original_request?: object;
      file_descriptor_response?: {file_descriptor_proto: Buffer[]};
      list_services_response?: {service: {name: string}[]};
      error_response?: {error_code: number; error_message: string};
    };
  };
};

// The descriptor extension adds this without saying so in its types.
const Described = protobuf.Root as unknown as {fromDescriptor(set: object): protobuf.Root};

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({address: '127.0.0.1:0', drainDeadlineMs: 10_000});
});
afterAll(async () => {
  expect(await server.close()).toBe('drained');
});

async function ask(version: 'v1' | 'v1alpha', ...requests: object[]) {
  using caller = new Caller(server.address);
  const method = `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const answers = await caller.exchange(
    method,
    requests.map((request) => codec.requestSerialize(request)),
  );
  return answers.map((answer) => codec.responseDeserialize(answer));
}

describe.each(['v1', 'v1alpha'] as const)('reflection %s', (version) => {
  test('lists every service', async () => {
    const [answer] = await ask(version, {list_services: ''});
    expect(answer?.list_services_response?.service.map(({name}) => name)).toEqual([
      'apiextensions.fn.proto.v1.FunctionRunnerService',
      'apiextensions.fn.proto.v1beta1.FunctionRunnerService',
      'grpc.health.v1.Health',
      'grpc.reflection.v1.ServerReflection',
      'grpc.reflection.v1alpha.ServerReflection',
    ]);
  });

  test('describes each of them completely', async () => {
    const [services] = await ask(version, {list_services: '*'});
    for (const {name} of services?.list_services_response?.service ?? []) {
      const [answer] = await ask(version, {file_containing_symbol: name});
      const files = answer?.file_descriptor_response?.file_descriptor_proto ?? [];
      const set = {file: files.map((bytes) => FileDescriptorProto.decode(bytes))};
      // Throws on a type that no file of the set has.
      const root = Described.fromDescriptor(set).resolveAll();
      expect(root.lookupService(name).methodsArray.length).toBeGreaterThan(0);
    }
  });

  test('answers a stream of questions in order, each with its question', async () => {
    const questions = [
      {file_by_filename: 'google/protobuf/struct.proto'},
      {file_containing_symbol: 'apiextensions.fn.proto.v1.FunctionRunnerService.RunFunction'},
      {file_containing_symbol: 'grpc.reflection.v1alpha.ErrorResponse.error_code'},
      {file_containing_symbol: 'apiextensions.fn.proto.v1beta1.Severity'},
      {file_containing_symbol: 'no.such.Thing'},
      {file_by_filename: 'no/such/file.proto'},
      {all_extension_numbers_of_type: 'x'},
    ];
    const answers = await ask(version, ...questions);
    expect(answers.map(({original_request}) => original_request)).toEqual(questions);
    expect(answers.map(({file_descriptor_response}) => file_descriptor_response?.file_descriptor_proto.length)).toEqual(
      [1, 3, 1, 3, undefined, undefined, undefined],
    );
    expect(answers.slice(4).map(({error_response}) => error_response)).toEqual([
      {error_code: 5, error_message: '"no.such.Thing" is not described here'},
      {error_code: 5, error_message: '"no/such/file.proto" is not described here'},
      {error_code: 12, error_message: 'only files, symbols and services are described'},
    ]);
  });
});

test('a stream that a client keeps open does not hold up the drain', async () => {
  const draining = await startServer({address: '127.0.0.1:0', drainDeadlineMs: 10_000});
  using caller = new Caller(draining.address);
  const method = 'grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
  const answers = caller.exchange(method, [codec.requestSerialize({list_services: ''})], true);
  await caller.run();
  expect(await draining.close()).toBe('drained');
  expect(await answers).toHaveLength(1);
});

test('the descriptors are those of the .proto files', () => {
  expect(descriptors).toEqual(describedAnew());
});
