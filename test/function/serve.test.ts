// `tether serve` as a process: exit codes, sentences, signals.

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {describe, expect, test} from 'vitest';
import {Caller, certsDir, halfACall, requestBytes, tlsCredentials} from './calling.ts';

const serveModule = new URL('../../src/function/serve.ts', import.meta.url).href;
const program = `
  const {serveCommand} = await import(${JSON.stringify(serveModule)});
  process.exitCode = await serveCommand(process.argv.slice(1), process.env);
`;

function run(argv: readonly string[], env: {readonly [name: string]: string} = {}): ChildProcess {
  const flags = ['--input-type=module', '--eval', program, '--', ...argv];
  return spawn(process.execPath, flags, {stdio: ['ignore', 'pipe', 'pipe'], env: {PATH: process.env['PATH'], ...env}});
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

describe('what cannot be served exits with one sentence and nothing else', () => {
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

describe('a signal', () => {
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

  test('a second one does not wait for calls in flight', async () => {
    const child = run(['--insecure', '--address', '127.0.0.1:0']);
    const {lines, port, ended} = await serving(child);
    await halfACall(port).send.started;
    child.kill('SIGTERM');
    await expect.poll(() => lines.length).toBe(2);
    child.kill('SIGTERM');
    const [code] = await ended;
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({message: 'stopped', outcome: 'interrupted'});
  });
});

test('TLS_SERVER_CERTS_DIR is served from', async () => {
  const child = run(['--address', '127.0.0.1:0'], {TLS_SERVER_CERTS_DIR: certsDir()});
  const {port, ended} = await serving(child);
  using caller = new Caller(`localhost:${port}`, tlsCredentials('client'));
  expect((await caller.run(requestBytes())).tag).toBe('tag-1');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
