// `tether serve` as a process: exit codes, sentences, signals. Each test has a server of its own, and most of its time passes while it
// starts or drains: they run at once.

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {createInterface} from 'node:readline';
import {connect as connectTls} from 'node:tls';
import {describe, expect, test} from 'vitest';
import {Caller, certsDir, clientOf, halfACall, requestBytes, tlsCredentials} from './calling.ts';

const serveModule = new URL('../../src/function/serve.ts', import.meta.url).href;
const program = `
  const {serveCommand} = await import(${JSON.stringify(serveModule)});
  process.exitCode = await serveCommand(process.argv.slice(1), process.env);
`;

function run(argv: readonly string[], env: {readonly [name: string]: string} = {}): ChildProcess {
  const flags = ['--input-type=module', '--eval', program, '--', ...argv];
  const {PATH, NODE_COMPILE_CACHE} = process.env;
  return spawn(process.execPath, flags, {stdio: ['ignore', 'pipe', 'pipe'], env: {PATH, NODE_COMPILE_CACHE, ...env}});
}

async function outcome(child: ChildProcess) {
  const output = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const) child[name]?.on('data', (chunk) => (output[name] += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return {code, ...output};
}

// The JSON lines of a running server, and the first of them, which says where it serves.
async function serving(child: ChildProcess) {
  const lines: {[key: string]: unknown}[] = [];
  const reader = createInterface({input: child.stderr as NodeJS.ReadableStream});
  reader.on('line', (line) => lines.push(JSON.parse(line)));
  await once(reader, 'line');
  return {
    lines,
    port: lines[0]?.['port'] as number,
    ended: once(child, 'close') as Promise<[number | null, string | null]>,
  };
}

describe.concurrent('what cannot be served exits with one sentence and nothing else', () => {
  test.each([
    [
      'an unknown flag',
      ['--insecure', '--grace'],
      2,
      "cannot read flags: unknown option '--grace'; see tether serve --help\n",
    ],
    ['no credentials', [], 2, /^cannot serve without credentials: [^\n]+\n$/],
    [
      'no certificates',
      ['--tls-server-certs-dir', '/no/such/dir'],
      1,
      'cannot read certificate file "/no/such/dir/tls.crt": it does not exist\n',
    ],
    [
      'no such address',
      ['--insecure', '--address', '192.0.2.1:9443'],
      1,
      'cannot listen on "192.0.2.1:9443": this machine does not have the address\n',
    ],
  ])('%s', async (_, argv, code, sentence) => {
    const ended = await outcome(run(argv));
    expect(ended).toEqual({
      code,
      stdout: '',
      stderr: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    });
  });

  test('but --help is no mistake', async () => {
    const ended = await outcome(run(['--help']));
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/^tether serve serves the composition function/);
  });
});

describe.concurrent('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s drains and exits with 0', async (signal) => {
    const child = run(['--insecure', '--address', '127.0.0.1:0', '--debug', '--ttl', '5m']);
    const {lines, port, ended} = await serving(child);
    using caller = new Caller(`127.0.0.1:${port}`);
    expect(await caller.run()).toMatchObject({tag: 'tag-1', ttlSeconds: 300});
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(lines.map(({level, message}) => [level, message])).toEqual([
      ['info', 'serving'],
      ['debug', 'ran'],
      ['info', 'draining'],
      ['info', 'stopped'],
    ]);
    expect(lines[1]).toMatchObject({tag: 'tag-1', xr: {kind: 'XNetwork', name: 'prod'}});
  });

  // Of tests side by side, only a test's own expect knows which one polls.
  test('a second one does not wait for calls in flight', async ({expect}) => {
    const child = run(['--insecure', '--address', '127.0.0.1:0']);
    const {lines, port, ended} = await serving(child);
    await halfACall(port).send.started;
    child.kill('SIGTERM');
    await expect.poll(() => lines.length, {timeout: 60_000}).toBe(2);
    child.kill('SIGTERM');
    const [code] = await ended;
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({message: 'stopped', outcome: 'interrupted'});
  });

  describe.each([
    ['plain text', ['--insecure'], undefined],
    ['TLS', ['--tls-server-certs-dir', certsDir()], 'client'],
  ])('of %s', (_what, flags, identity) => {
    const serveAt = ['--address', '127.0.0.1:0', '--metrics-address', '127.0.0.1:0'];

    test('ends the process, whatever clients say that have no call', async () => {
      const child = run([...flags, ...serveAt]);
      const {lines, port, ended} = await serving(child);
      using _silence = await silentConnections(port, lines[0]?.['metricsPort'] as number, identity);
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      expect(lines.at(-1)).toMatchObject({message: 'stopped', outcome: 'drained'});
    });
  });

  test('ends the process at the deadline, if a call never ends', async () => {
    const child = run(['--tls-server-certs-dir', certsDir(), '--address', '127.0.0.1:0']);
    const {lines, port, ended} = await serving(child);
    await halfACall(port, 'client').send.started;
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(lines.at(-1)).toMatchObject({message: 'stopped', outcome: 'forced'});
  });
});

/** Connections of every kind that begin and say no more: they read nothing either, so they do not see that they are ended. */
async function silentConnections(port: number, metricsPort: number, identity: string | undefined) {
  const begin = async (socket: Socket, event: string, says = '') => {
    socket.on('error', () => undefined);
    await once(socket, event);
    if (says !== '') await new Promise((resolve) => socket.write(says, resolve));
    return socket;
  };
  const open = () =>
    identity === undefined
      ? {socket: connect(port, '127.0.0.1'), event: 'connect'}
      : {socket: connectTls({port, ...clientOf(identity)}), event: 'secureConnect'};
  const sockets = await Promise.all([
    begin(connect(port, '127.0.0.1'), 'connect'),
    // The first bytes of a TLS handshake, which never goes on.
    begin(connect(port, '127.0.0.1'), 'connect', '\x16\x03\x01'),
    ...['', 'PRI * HTTP/2.0\r\n', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'\0'.repeat(3)}\x04${'\0'.repeat(5)}`].map(
      (says) => {
        const {socket, event} = open();
        return begin(socket, event, says);
      },
    ),
    begin(connect(metricsPort, '127.0.0.1'), 'connect', 'GET /metrics HTTP/1.1\r\nX: '),
  ]);
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('TLS_SERVER_CERTS_DIR is served from', async () => {
  const child = run(['--address', '127.0.0.1:0'], {TLS_SERVER_CERTS_DIR: certsDir()});
  const {port, ended} = await serving(child);
  using caller = new Caller(`localhost:${port}`, tlsCredentials('client'));
  expect((await caller.run(requestBytes())).tag).toBe('tag-1');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
