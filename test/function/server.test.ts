import {once} from 'node:events';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect as connectHttp2} from 'node:http2';
import {connect, createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as later} from 'node:timers/promises';
import {connect as connectTls} from 'node:tls';
import {afterEach, describe, expect, test} from 'vitest';
import {jsonLogger} from '../../src/function/log.ts';
import {type RunningServer, type ServerOptions, StartError, startServer} from '../../src/function/server.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {
  aSlowReader,
  Caller,
  certPath,
  certsDir,
  halfACall,
  putCertificates,
  requestBytes,
  tlsCredentials,
  v1,
  v1beta1,
} from './calling.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function serve(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({address: '127.0.0.1:0', drainDeadlineMs: 300, ...options});
  running.push(server);
  return server;
}

describe('the function answers', () => {
  test.each([v1, v1beta1])('on %s', async (method) => {
    using caller = new Caller((await serve({ttlSeconds: 90})).address);
    expect(await caller.run(requestBytes(), method)).toMatchObject({tag: 'tag-1', ttlSeconds: 90, results: []});
  });

  test.each([':0', '0.0.0.0:0', '[::1]:0', 'localhost:0'])('on %s', async (address) => {
    using caller = new Caller((await serve({address})).address);
    expect((await caller.run()).tag).toBe('tag-1');
  });

  test('bytes that are no request with a FATAL result, and goes on serving', async () => {
    using caller = new Caller((await serve()).address);
    const {results} = decodeResponse(await caller.call(v1, Buffer.from([0x1a, 0x7f])));
    expect(results).toEqual([
      {severity: 'fatal', message: expect.stringMatching(/^cannot read RunFunctionRequest: a length of 127 runs past/)},
    ]);
    expect((await caller.run()).results).toEqual([]);
  });

  test('a request of 5 MB only where that is allowed', async () => {
    const request = requestBytes({context: {text: 'x'.repeat(5 * 1024 * 1024)}});
    using small = new Caller((await serve()).address);
    await expect(small.run(request)).rejects.toThrow(/RESOURCE_EXHAUSTED/);
    using large = new Caller((await serve({maxRecvMessageBytes: 8 * 1024 * 1024})).address);
    expect((await large.run(request)).tag).toBe('tag-1');
  });

  test('many callers at once', async () => {
    const server = await serve();
    using caller = new Caller(server.address);
    const tags = Array.from({length: 50}, (_, index) => `tag-${index}`);
    const answers = await Promise.all(tags.map((tag) => caller.run(requestBytes({tag}))));
    expect(answers.map(({tag}) => tag)).toEqual(tags);
  });
});

describe('a client must present a certificate of the CA', () => {
  test('one that does is answered', async () => {
    using caller = new Caller(
      (await serve({tlsServerCertsDir: certsDir()})).address.replace('127.0.0.1', 'localhost'),
      tlsCredentials('client'),
    );
    expect((await caller.run()).tag).toBe('tag-1');
  });

  test.each(['stranger', undefined] as const)('one with the certificate of %s is not', async (identity) => {
    const {port} = await serve({tlsServerCertsDir: certsDir()});
    using caller = new Caller(`localhost:${port}`, tlsCredentials(identity));
    await expect(caller.run()).rejects.toThrow(/UNAVAILABLE|DEADLINE/);
  });

  test('Crossplane is answered, whose CA has the name of all that it signs', async () => {
    const {port} = await serve({tlsServerCertsDir: certsDir('server', 'crossplane-ca')});
    using caller = new Caller(`localhost:${port}`, tlsCredentials('crossplane-client'));
    expect((await caller.run()).tag).toBe('tag-1');
  });

  test.each([
    ['with that name that signed itself', 'crossplane-mimic'],
    ["with a server's certificate of that CA", 'crossplane-server'],
    ['of another CA', 'client'],
    ['without a certificate', undefined],
  ])('one %s is not, and why is logged once', async (_, identity) => {
    const lines: string[] = [];
    const logger = jsonLogger((line) => lines.push(line), false);
    const {port} = await serve({tlsServerCertsDir: certsDir('server', 'crossplane-ca'), logger});
    for (let call = 0; call < 2; call++) {
      using caller = new Caller(`localhost:${port}`, tlsCredentials(identity));
      await expect(caller.run()).rejects.toThrow(/UNAVAILABLE/);
    }
    expect(lines.filter((line) => line.includes('a client was refused'))).toHaveLength(1);
  });

  test('one without TLS is not', async () => {
    const {port} = await serve({tlsServerCertsDir: certsDir()});
    using caller = new Caller(`127.0.0.1:${port}`);
    await expect(caller.run()).rejects.toThrow(/UNAVAILABLE|DEADLINE/);
  });

  test('one that offers at most TLS 1.1 is not', async () => {
    const {port} = await serve({tlsServerCertsDir: certsDir()});
    const outcome = await new Promise((resolve) => {
      const socket = connectTls({
        port,
        ca: readFileSync(certPath('test-ca.crt')),
        cert: readFileSync(certPath('client.crt')),
        key: readFileSync(certPath('client.key')),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'ALL:@SECLEVEL=0',
      });
      socket.on('secureConnect', () => resolve(`connected with ${socket.getProtocol()}`));
      socket.on('error', () => resolve('refused'));
    });
    expect(outcome).toBe('refused');
  });
});

test('no session is resumed: each connection shows its certificate', async () => {
  const {port} = await serve({tlsServerCertsDir: certsDir()});
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const options = {
      host: 'localhost',
      port,
      maxVersion,
      ca: readFileSync(certPath('test-ca.crt')),
      cert: readFileSync(certPath('client.crt')),
      key: readFileSync(certPath('client.key')),
      ALPNProtocols: ['h2'],
    };
    const first = connectTls(options);
    const tickets: Buffer[] = [];
    first.on('session', (ticket: Buffer) => tickets.push(ticket));
    // The server speaks first in HTTP/2, and what TLS 1.3 would let resume comes before that.
    await once(first, 'data');
    const [ticket] = tickets;
    first.destroy();
    const second = connectTls({...options, ...(ticket && {session: ticket})});
    await once(second, 'data');
    expect(second.isSessionReused()).toBe(false);
    second.destroy();
  }
});

describe('certificates are renewed while calls go on', () => {
  test('open connections stay, new ones see the new certificate, broken files change nothing', async () => {
    const dir = certsDir();
    const lines: string[] = [];
    const logger = jsonLogger((line) => lines.push(line), false);
    const server = await serve({tlsServerCertsDir: dir, logger});
    using caller = new Caller(`localhost:${server.port}`, tlsCredentials('client'));
    await caller.run();
    expect(await servedBy(server.port)).toBe('server');

    writeFileSync(join(dir, 'tls.key'), 'not a key');
    expect(server.reloadCertificates()).toBe(false);
    expect(lines.join()).toContain('expected the private key of tls.crt in tls.key, got something else');
    expect(await servedBy(server.port)).toBe('server');

    putCertificates(dir, 'renewed-server');
    expect(server.reloadCertificates()).toBe(true);
    expect(server.reloadCertificates()).toBe(false);
    expect(await servedBy(server.port)).toBe('renewed-server');
    expect((await caller.run()).tag).toBe('tag-1');
    using stranger = new Caller(`localhost:${server.port}`, tlsCredentials('stranger'));
    await expect(stranger.run()).rejects.toThrow(/UNAVAILABLE|DEADLINE/);
  });

  test('without anybody asking', async () => {
    const dir = certsDir();
    const server = await serve({tlsServerCertsDir: dir, certificateRefreshMs: 5});
    putCertificates(dir, 'renewed-server');
    await expect.poll(() => servedBy(server.port), {timeout: 10_000}).toBe('renewed-server');
  });
});

describe('a server that cannot start says why in one sentence', () => {
  test('the address is in use', async () => {
    const {port} = await serve();
    await expect(startServer({address: `127.0.0.1:${port}`})).rejects.toThrow(
      new StartError(`cannot listen on "127.0.0.1:${port}": the address is in use`),
    );
  });

  test('every address, in use', async () => {
    const taken = createServer().listen(0);
    await new Promise((resolve) => taken.once('listening', resolve));
    const {port} = taken.address() as {port: number};
    await expect(startServer({address: `:${port}`})).rejects.toThrow(
      `cannot listen on ":${port}": the address is in use`,
    );
    taken.close();
  });

  test('the address is not of this machine', async () => {
    await expect(startServer({address: '192.0.2.1:0'})).rejects.toThrow(
      'cannot listen on "192.0.2.1:0": this machine does not have the address',
    );
  });

  test('the host does not exist', async () => {
    await expect(startServer({address: 'no-such-host.invalid:0'})).rejects.toThrow(
      'cannot listen on "no-such-host.invalid:0": the host name does not resolve',
    );
  });

  test('the metrics address is in use, and then nothing is served', async () => {
    const {port} = await serve();
    await expect(startServer({address: '127.0.0.1:0', metricsAddress: `127.0.0.1:${port}`})).rejects.toThrow(
      `cannot listen for metrics on "127.0.0.1:${port}": the address is in use`,
    );
  });

  test.each(['tls.crt', 'tls.key', 'ca.crt'])('%s is missing', async (file) => {
    const tlsServerCertsDir = certsDir();
    rmSync(join(tlsServerCertsDir, file));
    await expect(startServer({address: '127.0.0.1:0', tlsServerCertsDir})).rejects.toThrow(
      new StartError(`cannot read certificate file "${join(tlsServerCertsDir, file)}": it does not exist`),
    );
  });

  test.each([
    ['tls.crt', 'expected a PEM certificate in tls.crt, got something else'],
    ['ca.crt', 'expected a PEM certificate in ca.crt, got something else'],
    ['tls.key', 'expected the private key of tls.crt in tls.key, got something else'],
  ])('%s is something else', async (file, cause) => {
    const tlsServerCertsDir = certsDir();
    writeFileSync(join(tlsServerCertsDir, file), 'something else');
    await expect(startServer({address: '127.0.0.1:0', tlsServerCertsDir})).rejects.toThrow(
      new StartError(`cannot use certificates in "${tlsServerCertsDir}": ${cause}`),
    );
  });

  test('the key belongs to another certificate', async () => {
    const tlsServerCertsDir = certsDir();
    writeFileSync(join(tlsServerCertsDir, 'tls.key'), readFileSync(certPath('client.key')));
    await expect(startServer({address: '127.0.0.1:0', tlsServerCertsDir})).rejects.toThrow(
      'expected the private key of tls.crt in tls.key, got something else',
    );
  });
});

test('a connection ends after a while, so that clients find other replicas, and what is in flight is answered', async () => {
  const server = await serve({connectionAgeMs: 50});
  const idle = connectHttp2(`http://127.0.0.1:${server.port}`);
  const {send, status} = halfACall(server.port);
  await send.started;
  await once(idle, 'goaway');
  await once(idle, 'close');
  send.rest();
  expect(await status).toBe(0);
});

describe('a server that closes', () => {
  test('is drained when nothing is in flight, and refuses new calls', async () => {
    const server = await serve();
    using caller = new Caller(server.address);
    await caller.run();
    expect(await server.close()).toBe('drained');
    await expect(caller.run()).rejects.toThrow(/UNAVAILABLE/);
  });

  describe.each([
    ['plain text', undefined],
    ['TLS', 'client'],
  ])('of %s', (_what, identity) => {
    const tls = () => (identity === undefined ? {} : {tlsServerCertsDir: certsDir()});

    test('waits for a call in flight and answers it', async () => {
      const server = await serve({drainDeadlineMs: 10_000, ...tls()});
      const {send, status} = halfACall(server.port, identity);
      await send.started;
      let isClosed = false;
      const closed = server.close().then((outcome) => {
        isClosed = true;
        return outcome;
      });
      await later(100);
      expect(isClosed).toBe(false);
      send.rest();
      expect(await status).toBe(0);
      expect(await closed).toBe('drained');
    });

    test('does not wait for ever', async () => {
      const server = await serve({drainDeadlineMs: 50, ...tls()});
      const {send} = halfACall(server.port, identity);
      await send.started;
      expect(await server.close()).toBe('forced');
    });

    test('sends the whole of an answer that its caller reads slowly', async () => {
      const server = await serve({drainDeadlineMs: 10_000, maxRecvMessageBytes: 8 * 1024 * 1024, ...tls()});
      const {answer, answered} = aSlowReader(
        server.port,
        requestBytes({context: {text: 'x'.repeat(5_000_000)}}),
        identity,
      );
      await answered;
      const closed = server.close();
      // Longer than a client that has no call may linger.
      await later(1500);
      expect((await answer()).length).toBeGreaterThan(5_000_000);
      expect(await closed).toBe('drained');
    });
  });

  test('lets go of who connects and says nothing', async () => {
    const server = await serve({tlsServerCertsDir: certsDir()});
    const silent = connect(server.port, '127.0.0.1');
    await once(silent, 'connect');
    const gone = once(silent, 'close');
    silent.on('error', () => undefined);
    await later(50);
    expect(await server.close()).toBe('drained');
    await gone;
  });
});

test('a bundle in ca.crt of which one certificate is damaged is refused at the start', async () => {
  const dir = certsDir();
  const good = readFileSync(certPath('test-ca.crt'), 'latin1');
  writeFileSync(join(dir, 'ca.crt'), `${good}\n${good.replace(/[A-Za-z0-9+/=]{20}\n-----END/, '\n-----END')}`);
  await expect(serve({tlsServerCertsDir: dir})).rejects.toThrow('expected a PEM certificate in ca.crt');
});

describe('health', () => {
  const check = 'grpc.health.v1.Health/Check';
  const watch = 'grpc.health.v1.Health/Watch';

  test.each([
    '',
    'apiextensions.fn.proto.v1.FunctionRunnerService',
    'apiextensions.fn.proto.v1beta1.FunctionRunnerService',
  ])('of "%s" is SERVING', async (service) => {
    using caller = new Caller((await serve()).address);
    expect([...(await caller.call(check, asking(service)))]).toEqual([8, 1]);
  });

  test('of a service that is not here is NOT_FOUND', async () => {
    using caller = new Caller((await serve()).address);
    await expect(caller.call(check, asking('other'))).rejects.toThrow('NOT_FOUND: unknown service "other"');
    await expect(caller.call(check, Buffer.from([0x0a, 9]))).rejects.toThrow('INVALID_ARGUMENT');
  });

  test('is watched until the server drains, which does not hold it up', async () => {
    const server = await serve({drainDeadlineMs: 10_000});
    using caller = new Caller(server.address);
    const seen: number[][] = [];
    for await (const message of caller.stream(watch, asking(''))) {
      seen.push([...message]);
      if (seen.length === 1) void server.close();
    }
    expect(seen).toEqual([
      [8, 1],
      [8, 2],
    ]);
    expect(await server.close()).toBe('drained');
  });
});

test('metrics count calls, outcomes and decisions', async () => {
  const server = await serve({metricsAddress: '127.0.0.1:0'});
  using caller = new Caller(server.address);
  await caller.run(
    requestBytes({desired: {resources: new Map([['db', {object: {apiVersion: 'v1', kind: 'Thing'}}]])}}),
  );
  await caller.run(Buffer.from([0xff]));
  const scrape = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  const labels =
    'grpc_method="RunFunction",grpc_service="apiextensions.fn.proto.v1.FunctionRunnerService",grpc_type="unary"';
  expect(scrape).toContain(`grpc_server_handled_total{grpc_code="OK",${labels}} 2`);
  expect(scrape).toContain(`grpc_server_handling_seconds_count{${labels}} 2`);
  expect(scrape).toContain('tether_runs_total{outcome="fatal",reason=""} 1');
  expect(scrape).toContain('tether_decisions_total{decision="create",reason=""} 1');
  expect(scrape).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect((await fetch(`http://127.0.0.1:${server.metricsPort}/`)).status).toBe(404);
});

test('logs name the request and the XR and hold nothing secret', async () => {
  const lines: string[] = [];
  const server = await serve({logger: jsonLogger((line) => lines.push(line), true)});
  using caller = new Caller(server.address);
  const connectionDetails = new Map([['password', Buffer.from('s3cr3t-connection')]]);
  const resource = {object: {kind: 'Secret', data: {key: 's3cr3t-data'}}, connectionDetails};
  await caller.run(
    requestBytes({desired: {resources: new Map([['db', resource]])}, context: {token: 's3cr3t-context'}}),
  );
  await caller.run(requestBytes({input: {apiVersion: 'v1', kind: 'Other', token: 's3cr3t-input'}}));
  const entries = lines.map((line) => JSON.parse(line) as {level: string; message: string; tag: string; xr: object});
  const xr = {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', namespace: '', name: 'prod'};
  expect(entries.map(({level, tag}) => [level, tag])).toEqual([
    ['debug', 'tag-1'],
    ['warning', 'tag-1'],
  ]);
  expect(entries[0]).toMatchObject({message: 'ran', xr});
  expect(entries[1]?.message).toMatch(/^cannot use input\./);
  expect(lines.join()).not.toContain('s3cr3t');
});

function asking(service: string): Buffer {
  return Buffer.from([...(service === '' ? [] : [0x0a, service.length]), ...Buffer.from(service)]);
}

function servedBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      port,
      host: 'localhost',
      ca: readFileSync(certPath('test-ca.crt')),
      cert: readFileSync(certPath('client.crt')),
      key: readFileSync(certPath('client.key')),
      ALPNProtocols: ['h2'],
    });
    socket.on('error', reject);
    socket.on('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
  });
}
