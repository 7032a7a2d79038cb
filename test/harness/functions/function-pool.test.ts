import {createServer, type Server as NetServer} from 'node:net';
import {Server, ServerCredentials, status} from '@grpc/grpc-js';
import {afterEach, describe, expect, test} from 'vitest';
import {driveWith} from '../../../src/harness/functions/drive.ts';
import {freePort, isPortTaken, keptFunctions, openFunctions} from '../../../src/harness/functions/function-pool.ts';
import {startFunction} from '../../../src/harness/functions/function-process.ts';
import type {FunctionSource} from '../../../src/harness/functions/function-source.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';

const folder = new URL('.', import.meta.url).pathname;
const command = ['node', 'static-server.ts', '{port}'];
const started: FunctionSource = {kind: 'command', command, address: '127.0.0.1:{port}'};
const service = 'apiextensions.fn.proto.v1';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('functions in processes of their own', () => {
  test('are started at a free port each, and two of one kind do not meet', async () => {
    const pool = await openFunctions({functions: {one: started, other: started}, folder});
    closing.push(() => pool.close());
    for (const target of ['one', 'other']) {
      const reply = await pool.call({target, service, request: new Uint8Array(0), run: 'test'});
      expect(reply).toMatchObject({ok: true});
    }
  });

  test.each([
    ['from v1.17 on', 'v1', 'v1', true],
    ['from v1.17 on, one that is older', 'v1', 'v1beta1', true],
    ['by v1.16', 'v1beta1', 'v1beta1', true],
    ['by v1.16, one that is newer', 'v1beta1', 'v1', false],
  ] as const)('are asked %s', async (_, asked, served, answers) => {
    const source: FunctionSource = {...started, command: [...command, served]};
    const pool = await openFunctions({functions: {one: source}, folder});
    closing.push(() => pool.close());
    const request = new Uint8Array(0);
    const reply = await pool.call({target: 'one', service: `apiextensions.fn.proto.${asked}`, request, run: 'test'});
    expect(reply.ok).toBe(answers);
  });

  test('tell a whole story as the same function does in process', async () => {
    const file = new URL('../scenario/orphan/scenario.yaml', import.meta.url).pathname;
    const scenario = readScenario(file);
    const functions = {...scenario.functions, 'function-static': started};
    const pool = await openFunctions({functions, folder});
    closing.push(() => pool.close());
    const [variant] = scenario.variants;
    if (variant === undefined) throw new Error('the scenario has no variant');
    const options = {crossplane: 'main', variant} as const;
    const here = await driveWith(driveScenario(scenario, options), () =>
      Promise.reject(new Error('all are in process')),
    );
    const there = await driveWith(driveScenario({...scenario, functions}, options), (call) => pool.call(call));
    expect(there.failures).toEqual([]);
    expect(there.timeline).toEqual(here.timeline);
    expect(there.functionCalls).toBe(here.functionCalls);
  });

  test('end with the pool', async () => {
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const source: FunctionSource = {kind: 'command', command: ['node', 'static-server.ts', String(port)], address};
    const pool = await openFunctions({functions: {one: source}, folder});
    expect(await isPortTaken(address)).toBe(true);
    await pool.close();
    expect(await isPortTaken(address)).toBe(false);
  });

  test('are kept open for several pools, and started anew once one has failed', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const source: FunctionSource = {kind: 'command', command: ['node', 'static-server.ts', address.slice(10)], address};
    const kept = keptFunctions();
    closing.push(() => kept.close());
    let starts = 0;
    const waitsFor = (what: string | undefined) => void (what !== undefined && starts++);
    const answers = async (request: readonly number[]) => {
      const pool = await kept.open({functions: {one: source}, folder}, {waitsFor});
      const reply = await pool.call({target: 'one', service, request: Uint8Array.from(request), run: 'test'});
      await pool.close();
      return reply.ok;
    };
    expect(await answers([])).toBe(true);
    expect(await isPortTaken(address)).toBe(true);
    expect(await answers([])).toBe(true);
    expect(await answers([255])).toBe(false);
    expect(starts).toBe(1);
    expect(await answers([])).toBe(true);
    expect(starts).toBe(2);
    await kept.close();
    expect(await isPortTaken(address)).toBe(false);
  });

  test('that cannot be reached are tried once', async () => {
    const kept = keptFunctions();
    const nobody: FunctionSource = {kind: 'address', address: `127.0.0.1:${await freePort()}`};
    const [first, second] = [1, 2].map(() =>
      kept.open({functions: {one: nobody}, folder}).catch((error: Error) => error),
    );
    expect(await second).toBe(await first);
    expect(String(await first)).toContain('cannot reach function "one"');
  });

  test('end the story when they are gone, which would pass because nothing is composed any more', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const child = startFunction(['node', 'static-server.ts', address.slice(10)], folder);
    closing.push(() => child.stop());
    await expect.poll(() => isPortTaken(address), {timeout: 20_000}).toBe(true);
    const pool = await openFunctions({functions: {one: {kind: 'address', address}}, folder});
    closing.push(() => pool.close());
    const call = () => pool.call({target: 'one', service, request: new Uint8Array(0), run: 'test'});
    expect(await call()).toMatchObject({ok: true});
    await child.stop();
    const hung = `function "one" went away: no server answers at ${address} any more`;
    expect([await call(), await call()]).toMatchObject([
      {ok: false, hung},
      {ok: false, hung},
    ]);
  });

  test('go on after an answer that says UNAVAILABLE', async () => {
    const server = new Server();
    const handle = (_: unknown, done: (error: object) => void) => done({code: status.UNAVAILABLE, details: 'later'});
    const path = `/${service}.FunctionRunnerService/RunFunction`;
    const plain = (bytes: Buffer): Buffer => bytes;
    const method = {path, requestStream: false, responseStream: false} as const;
    const form = {
      requestSerialize: plain,
      requestDeserialize: plain,
      responseSerialize: plain,
      responseDeserialize: plain,
    };
    server.addService({RunFunction: {...method, ...form}}, {RunFunction: handle});
    const port = await new Promise<number>((resolve, reject) => {
      const bound = (error: Error | null, number: number) => (error === null ? resolve(number) : reject(error));
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), bound);
    });
    closing.push(() => server.forceShutdown());
    const pool = await openFunctions({functions: {one: {kind: 'address', address: `127.0.0.1:${port}`}}, folder});
    closing.push(() => pool.close());
    const reply = await pool.call({target: 'one', service, request: new Uint8Array(0), run: 'test'});
    expect(reply).toEqual({ok: false, message: '14 UNAVAILABLE: later'});
  });
});

describe('a function that cannot be had is one sentence', () => {
  test('its port is in use', async () => {
    const server = createServer();
    await new Promise<NetServer>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
    closing.push(() => server.close());
    const bound = server.address();
    const address = `127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
    const source: FunctionSource = {kind: 'command', command, address};
    await expect(openFunctions({functions: {one: source}, folder})).rejects.toThrow(
      `cannot start function "one": ${address} is in use by another program`,
    );
  });

  test('it does not start', async () => {
    const source: FunctionSource = {
      kind: 'command',
      command: ['node', 'static-server.ts', 'x'],
      address: '127.0.0.1:{port}',
    };
    await expect(openFunctions({functions: {one: source}, folder})).rejects.toThrow(
      /^cannot start function "one": its command ended with exit code 1: .*"x" is no port/,
    );
  });

  test('its program is not there', async () => {
    const source: FunctionSource = {kind: 'command', command: ['no-such-program'], address: '127.0.0.1:{port}'};
    await expect(openFunctions({functions: {one: source}, folder})).rejects.toThrow(
      'cannot start function "one": there is no program "no-such-program" on the PATH',
    );
  });

  test('nobody is at its address', async () => {
    const source: FunctionSource = {kind: 'address', address: `127.0.0.1:${await freePort()}`};
    await expect(openFunctions({functions: {one: source}, folder})).rejects.toThrow(
      `cannot reach function "one" at ${source.address}: no server answers there`,
    );
  });
});
