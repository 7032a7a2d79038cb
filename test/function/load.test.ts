// Many callers at once, requests of every size, certificates renewed and the server drained in the middle.
// LOAD_CALLS (default 600) is how many calls are made: `LOAD_CALLS=100000 npx vitest run test/function/load.test.ts`.

import {status} from '@grpc/grpc-js';
import {expect, test} from 'vitest';
import {startServer} from '../../src/function/server.ts';
import {benchRequest} from '../bench/request.ts';
import {Caller, certsDir, putCertificates, tlsCredentials} from './calling.ts';

const calls = Number(process.env['LOAD_CALLS'] ?? 600);
const callers = 8;
const requests = [1, 3, 10, 40, 100].map((n) => Buffer.from(benchRequest(n)));

test('no call fails but those that the drain refuses, and nothing stays open', async () => {
  const before = openSockets();
  const dir = certsDir();
  const server = await startServer({address: '127.0.0.1:0', tlsServerCertsDir: dir, drainDeadlineMs: 60_000});
  const made = {count: 0, answered: 0};
  const refused: unknown[] = [];
  let closed: Promise<string> | undefined;

  const call = async (caller: Caller) => {
    const index = made.count++;
    // Three renewals on the way, and the end of the server after three quarters of the calls.
    if (index % Math.floor(calls / 4) === 1 && closed === undefined) {
      putCertificates(dir, index % 2 === 0 ? 'renewed-server' : 'server');
      server.reloadCertificates();
    }
    if (index === Math.floor(calls * 0.75)) closed = server.close();
    const draining = closed !== undefined;
    try {
      const {desired, results} = await caller.run(requests[index % requests.length]);
      expect(results).toEqual([]);
      expect(desired.resources.size).toBe([1, 3, 10, 40, 100][index % requests.length]);
      made.answered++;
    } catch (error) {
      refused.push((error as {code?: number}).code);
      expect([draining || closed !== undefined, (error as {code?: number}).code]).toEqual([true, status.UNAVAILABLE]);
    }
  };
  const loop = async () => {
    while (made.count < calls) {
      // A connection for a while, then a new one, which sees the certificate of the day.
      using caller = new Caller(`localhost:${server.port}`, tlsCredentials('client'));
      for (let turn = 0; turn < 20 && made.count < calls; turn++) await call(caller);
    }
  };
  await Promise.all(Array.from({length: callers}, loop));

  expect(await closed).toBe('drained');
  expect(made.answered).toBeGreaterThanOrEqual(Math.floor(calls * 0.75) - callers);
  expect(made.answered + refused.length).toBe(made.count);
  expect(refused.length).toBeGreaterThan(0);
  await expect.poll(openSockets, {timeout: 10_000}).toBe(before);
}, 3_600_000);

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|TLS/.test(name)).length;
}
