import {Server, ServerCredentials} from '@grpc/grpc-js';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openFunctions} from '../../../src/harness/functions/function-pool.ts';
import {openWorld} from '../../../src/harness/library/harness.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import {runScenario} from '../../../src/harness/scenario/run-scenario.ts';

// A function that takes a call and never answers it.

const orphan = new URL('../scenario/orphan/', import.meta.url).pathname;
const server = new Server();
let address = '';
let calls = 0;

beforeAll(async () => {
  const bytes = (value: Buffer): Buffer => value;
  const path = '/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';
  const coding = {
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  const method = {path, requestStream: false, responseStream: false, ...coding};
  server.addService({RunFunction: method}, {RunFunction: () => void calls++});
  const port = await new Promise<number>((resolve, reject) => {
    const done = (error: Error | null, bound: number): void => (error === null ? resolve(bound) : reject(error));
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), done);
  });
  address = `127.0.0.1:${port}`;
});
afterAll(() => server.forceShutdown());

test('is told once, ends its story, and is not asked again', async () => {
  const scenario = readScenario(`${orphan}scenario.yaml`);
  const functions = {...scenario.functions, 'function-echo': {kind: 'address', address, timeoutMs: 200} as const};
  const pool = await openFunctions({functions, folder: orphan});
  calls = 0;
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  for (let run = 0; run < 2; run++) {
    const result = await runScenario({...scenario, functions}, {crossplane: 'main', variant, pool, keepGoing: true});
    expect(result.failures.map(({step, message}) => `${step}: ${message}`)).toEqual([
      'the app is ready: function "function-echo" did not answer within 0.2 s',
    ]);
    expect(result.notRun).toHaveLength(6);
  }
  expect(calls).toBe(1);
  await pool.close();
});

test('rejects the call of the test that drove it', async () => {
  await using world = await openWorld({
    functions: {'function-static': {builtin: 'function-static'}, 'function-echo': () => new Promise(() => undefined)},
    fixtures: [`${orphan}../fixtures/crds.yaml`, `${orphan}definition.yaml`, `${orphan}composition.yaml`],
    callTimeoutMs: 200,
  });
  const xr = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}, spec: {size: 'small'}};
  await world.apply(xr);
  await expect(world.settle()).rejects.toThrow('function "function-echo" did not answer within 0.2 s');
});
