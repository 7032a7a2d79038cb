// Calls spread over threads: the same answers as from one, no call lost with a thread but those it had, one drain.

import {setTimeout as sleep} from 'node:timers/promises';
import {status} from '@grpc/grpc-js';
import {afterEach, describe, expect, test} from 'vitest';
import {inlineAnswerer} from '../../src/function/answerer.ts';
import type {Logger} from '../../src/function/log.ts';
import {runFunction} from '../../src/function/run.ts';
import {RunThreads} from '../../src/function/run-threads.ts';
import {workersDefault} from '../../src/function/serve.ts';
import {type RunningServer, startServer} from '../../src/function/server.ts';
import {benchRequest, benchRequestWithPolicy} from '../bench/request.ts';
import {Caller, halfACall, requestBytes, v1} from './calling.ts';

const run = {};
const module = new URL('./fatal-thread.ts', import.meta.url);
// The smallest is part of Node's pool of buffers, the others have memory of their own.
const requests = [requestBytes(), ...[3, 40, 100].map((n) => Buffer.from(benchRequest(n)))];
requests.push(Buffer.from(benchRequestWithPolicy(30)));
const expected = requests.map((bytes) => Buffer.from(runFunction(bytes, run)).toString('base64'));

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serving(
  threadsMax: number,
  logger: Logger = {log: () => undefined},
  openCallsMin = 1,
): Promise<RunningServer> {
  const answererOf = () =>
    threadsMax === 0
      ? inlineAnswerer(run)
      : new RunThreads({run, threadsMax, module, logger, busyShare: 0, periodMs: 20, openCallsMin});
  const running = await startServer({address: '127.0.0.1:0', metricsAddress: '127.0.0.1:0', answererOf});
  server = running;
  await expect.poll(() => metric(running, 'tether_threads'), {timeout: 20_000}).toBe(1 + threadsMax);
  return running;
}

async function metricsOf({metricsPort}: RunningServer): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

async function metric(running: RunningServer, name: string): Promise<number> {
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(await metricsOf(running))?.[1]);
}

describe('the memory of a request', () => {
  const answerer = inlineAnswerer(run);

  /** The answer's bytes while they are good. */
  const answered = (request: Buffer): string => {
    let response = '';
    answerer.answer(request, 1, (answer) => {
      if (answer.kind === 'answered') response = Buffer.from(answer.response).toString('base64');
    });
    return response;
  };

  test('is given back once it is answered, where it has it for itself as grpc-js reads it', () => {
    const framed = Buffer.from(new ArrayBuffer(5 + (requests[2] as Buffer).length)).subarray(5);
    framed.set(requests[2] as Buffer);
    expect(answered(framed)).toBe(expected[2]);
    expect(framed.buffer.byteLength).toBe(0);
  });

  test('stays where others are in it', () => {
    const pooled = Buffer.from(requests[0] as Buffer);
    expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.length + 5);
    expect(answered(pooled)).toBe(expected[0]);
    expect(pooled.equals(requests[0] as Buffer)).toBe(true);
  });
});

describe.each([0, 1, 3])('with %i threads beside the one that talks', (threads) => {
  // Each answer is written where the one before it was, so one that is not yet sent must not lie there.
  test('every caller gets its own answer, byte for byte', async () => {
    const running = await serving(threads);
    const {port} = running;
    const callers = Array.from({length: 8}, () => new Caller(`127.0.0.1:${port}`));
    const answers = await Promise.all(
      callers.flatMap((caller, from) =>
        requests.map(async (_, index) => {
          const at = (index + from) % requests.length;
          return [at, (await caller.call(v1, requests[at] as Buffer)).toString('base64')] as const;
        }),
      ),
    );
    for (const caller of callers) caller[Symbol.dispose]();
    expect(answers.every(([at, answer]) => answer === expected[at])).toBe(true);
    expect(await metric(running, 'grpc_server_handled_total')).toBe(answers.length);
    expect(await metric(running, 'tether_runs_total')).toBe(answers.length);
  });
});

describe('a thread that ends', () => {
  test('is replaced and counted, and takes only the calls along that it had', async () => {
    const logged: unknown[] = [];
    const running = await serving(2, {log: (level, message, fields) => logged.push([level, message, fields])});
    using caller = new Caller(`127.0.0.1:${running.port}`);
    await expect(caller.call(v1, requestBytes({tag: 'end-this-thread'}))).rejects.toMatchObject({
      code: status.UNAVAILABLE,
      details: 'the thread that had this call ended',
    });
    for (const [at, request] of requests.entries()) {
      expect((await caller.call(v1, request)).toString('base64')).toBe(expected[at]);
    }
    await expect.poll(() => metric(running, 'tether_threads'), {timeout: 20_000}).toBe(3);
    expect(await metric(running, 'tether_threads_replaced_total')).toBe(1);
    expect(await metricsOf(running)).toContain('grpc_server_handled_total{grpc_code="UNAVAILABLE"');
    expect(logged).toContainEqual([
      'error',
      'a thread that answers calls ended',
      {cause: 'it exited with 7', refusedCalls: 1},
    ]);
  });

  test('many times over leaves the others to answer', async () => {
    const running = await serving(2);
    using caller = new Caller(`127.0.0.1:${running.port}`);
    const calls = Array.from({length: 30}, async (_, index) => {
      if (index % 5 === 0) return await caller.call(v1, requestBytes({tag: 'end-this-thread'})).catch(() => undefined);
      try {
        return (await caller.call(v1, requests[2] as Buffer)).toString('base64') === expected[2];
      } catch (error) {
        return (error as {code?: number}).code === status.UNAVAILABLE;
      }
    });
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === false)).toEqual([]);
    expect((await caller.call(v1, requests[1] as Buffer)).toString('base64')).toBe(expected[1]);
  });
});

test('a caller that waits for each answer has it from where its calls arrive, whatever became of earlier ones', async () => {
  const running = await serving(1, undefined, 2);
  using caller = new Caller(`127.0.0.1:${running.port}`);
  for (let turn = 0; turn < 3; turn++) {
    const {send} = halfACall(running.port);
    await send.started;
    send.abandon();
  }
  // The server hears of the last one a little later.
  await sleep(500);
  // In a thread, these words would end it.
  for (let turn = 0; turn < 5; turn++) await caller.call(v1, requestBytes({tag: 'end-this-thread'}));
  expect(await metric(running, 'tether_threads_replaced_total')).toBe(0);
});

test('a drain answers what threads have', async () => {
  const running = await serving(1);
  using caller = new Caller(`127.0.0.1:${running.port}`);
  const calls = Array.from({length: 12}, () => caller.call(v1, requests[3] as Buffer));
  await expect.poll(() => metric(running, 'grpc_server_handled_total'), {timeout: 20_000}).toBeGreaterThan(0);
  server = undefined;
  const closed = running.close();
  const outcomes = await Promise.allSettled(calls);
  expect(await closed).toBe('drained');
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') expect(outcome.value.toString('base64')).toBe(expected[3]);
    else expect(outcome.reason.code).toBe(status.UNAVAILABLE);
  }
  expect(outcomes.filter(({status: settled}) => settled === 'fulfilled').length).toBeGreaterThan(0);
});

test('no thread is started while there is little to do', async () => {
  const options = {run, threadsMax: 2, module, logger: {log: () => undefined}, busyShare: 1.1, periodMs: 5};
  server = await startServer({
    address: '127.0.0.1:0',
    metricsAddress: '127.0.0.1:0',
    answererOf: () => new RunThreads(options),
  });
  using caller = new Caller(`127.0.0.1:${server.port}`);
  for (let turn = 0; turn < 10; turn++) await caller.run();
  expect(await metric(server, 'tether_threads')).toBe(1);
});

test.each([
  [1, 0, 1],
  [2, 0, 2],
  [64, 0, 4],
  [64, 128 * 1024 * 1024, 1],
  [64, 256 * 1024 * 1024, 1],
  [64, 320 * 1024 * 1024, 2],
  [64, 512 * 1024 * 1024, 3],
])('%i cores and %i bytes of memory are room for %i threads', (cores, bytes, threads) => {
  expect(workersDefault(cores, bytes)).toBe(threads);
});
