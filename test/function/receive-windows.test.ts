import {once} from 'node:events';
import {connect, createServer} from 'node:http2';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import {type RunningServer, startServer} from '../../src/function/server.ts';
import {certsDir, halfACall} from './calling.ts';

const startBytes = 65_535;
const megabyte = 1024 * 1024;

let server: RunningServer | undefined;
afterEach(() => server?.close());

async function windowsAfterACall(tlsServerCertsDir: string | undefined) {
  server = await startServer({address: '127.0.0.1:0', tlsServerCertsDir});
  const {send, status, windows} = halfACall(server.port, tlsServerCertsDir === undefined ? undefined : 'client');
  await send.started;
  send.rest();
  expect(await status).toBe(0);
  return windows();
}

test.each([
  ['with TLS', certsDir()],
  ['without', undefined],
])(
  'once its first call has begun, a caller may send 1 MB without word that any of it was read, %s',
  async (_, certs) => {
    const {ofCalls, ofAll} = await windowsAfterACall(certs);
    expect(ofCalls).toBe(megabyte);
    // There is no word yet of the little that was sent.
    expect(ofAll).toBeGreaterThan(megabyte - startBytes);
  },
);

test('a connection is widened once, however many servers the process has', async () => {
  const others = await Promise.all(Array.from({length: 12}, () => startServer({address: '127.0.0.1:0'})));
  expect((await windowsAfterACall(undefined)).ofCalls).toBe(megabyte);
  await Promise.all(others.map((other) => other.close()));
});

test('a server that has closed leaves the connections of others as they are', async () => {
  const closed = await startServer({address: '127.0.0.1:0'});
  await closed.close();
  const other = createServer((_, response) => response.end());
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const session = connect(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  const stream = session.request({':path': '/'}).resume();
  await once(stream, 'close');
  expect(session.remoteSettings.initialWindowSize).toBe(startBytes);
  session.close();
  other.close();
});
