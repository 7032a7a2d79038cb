import {describe, expect, test} from 'vitest';
import {parseServeArgs, splitAddress} from '../../src/function/serve-args.ts';

describe('the flags of Go functions are understood', () => {
  test('with their defaults', () => {
    expect(parseServeArgs(['--insecure'], {})).toEqual({
      kind: 'serve',
      address: ':9443',
      tlsServerCertsDir: undefined,
      maxRecvMessageBytes: 4 * 1024 * 1024,
      ttlSeconds: undefined,
      memoryKeyFile: undefined,
      metricsAddress: undefined,
      workers: undefined,
      debug: false,
    });
  });

  test('all of them', () => {
    const argv = ['--address', '0.0.0.0:9443', '--network=tcp', '--tls-server-certs-dir', '/tls', '-d'];
    const more = ['--max-recv-message-size', '16', '--ttl', '1m30s', '--metrics-address', ':8080', '--workers', '3'];
    expect(parseServeArgs([...argv, ...more], {})).toEqual({
      kind: 'serve',
      address: '0.0.0.0:9443',
      tlsServerCertsDir: '/tls',
      maxRecvMessageBytes: 16 * 1024 * 1024,
      ttlSeconds: 90,
      metricsAddress: ':8080',
      workers: 3,
      debug: true,
    });
  });

  test.each([
    [[], {TLS_SERVER_CERTS_DIR: '/env'}, '/env'],
    [['--tls-server-certs-dir=/flag'], {TLS_SERVER_CERTS_DIR: '/env'}, '/flag'],
    [['--tls-certs-dir=/flag'], {TLS_SERVER_CERTS_DIR: '/env'}, '/flag'],
    [['--tls-certs-dir', '/flag', '--tls-server-certs-dir', '/flag'], {}, '/flag'],
    [['--insecure'], {TLS_SERVER_CERTS_DIR: '/env'}, undefined],
    [['--insecure', '--tls-certs-dir', '/flag'], {}, undefined],
    [['--insecure=true'], {TLS_SERVER_CERTS_DIR: '/env'}, undefined],
    [['--insecure=false'], {TLS_SERVER_CERTS_DIR: '/env'}, '/env'],
    [['--insecure', '--insecure=false'], {TLS_SERVER_CERTS_DIR: '/env'}, '/env'],
    [['--insecure=false', '--insecure'], {TLS_SERVER_CERTS_DIR: '/env'}, undefined],
  ])('%j with environment %j serves from %s', (argv, env, tlsServerCertsDir) => {
    expect(parseServeArgs(argv, env)).toMatchObject({kind: 'serve', tlsServerCertsDir});
  });

  test.each([
    ['-d', true],
    ['--debug=YES', true],
    ['--debug=0', false],
  ])('%s', (flag, debug) => {
    expect(parseServeArgs(['--insecure', flag], {})).toMatchObject({kind: 'serve', debug});
  });

  test('--help wins over everything', () => {
    expect(parseServeArgs(['--network', 'udp', '--help'], {})).toMatchObject({kind: 'help'});
  });
});

describe('a wrong command line is one sentence', () => {
  test.each([
    [['--insecure', '--adress', ':1'], "cannot read flags: unknown option '--adress'; see tether serve --help"],
    [['--insecure', 'now'], "cannot read flags: unexpected argument 'now'; see tether serve --help"],
    [['--insecure', '--ttl'], "cannot read flags: option '--ttl <value>' argument missing; see tether serve --help"],
    [['--insecure=maybe'], "cannot read flags: option '--insecure' does not take an argument; see tether serve --help"],
    [
      ['--tls-certs-dir', '/go', '--tls-server-certs-dir', '/ts'],
      'cannot use --tls-certs-dir: expected the directory of --tls-server-certs-dir, "/ts", got "/go"',
    ],
    [['--insecure', '--workers', '0'], 'cannot use --workers: expected a number of threads from 1 to 64, got "0"'],
    [['--insecure', '--workers', '1.5'], 'cannot use --workers: expected a number of threads from 1 to 64, got "1.5"'],
    [['--insecure', '--workers='], 'cannot use --workers: expected a number of threads from 1 to 64, got ""'],
    [['--insecure', '--network', 'udp'], 'cannot use --network: expected "tcp", got "udp"'],
    [['--insecure', '--address', '9443'], 'cannot use --address: expected host:port such as :9443, got "9443"'],
    [['--insecure', '--address', ':99999'], 'cannot use --address: expected host:port such as :9443, got ":99999"'],
    [
      ['--insecure', '--metrics-address', 'x'],
      'cannot use --metrics-address: expected host:port such as :9443, got "x"',
    ],
    [
      ['--insecure', '--max-recv-message-size', '4MB'],
      'cannot use --max-recv-message-size: expected megabytes from 1 to 2047, got "4MB"',
    ],
    [
      ['--insecure', '--max-recv-message-size', '0'],
      'cannot use --max-recv-message-size: expected megabytes from 1 to 2047, got "0"',
    ],
    [
      ['--insecure', '--ttl', '500ms'],
      'cannot use --ttl: expected a duration of whole seconds such as 60s or 5m, got "500ms"',
    ],
    [['--insecure', '--ttl', ''], 'cannot use --ttl: expected a duration of whole seconds such as 60s or 5m, got ""'],
  ])('%j', (argv, sentence) => {
    expect(parseServeArgs(argv, {})).toEqual({kind: 'invalid-args', sentence});
  });

  test.each([
    [[], {}],
    [[], {TLS_SERVER_CERTS_DIR: ''}],
    [['--tls-server-certs-dir', ''], {TLS_SERVER_CERTS_DIR: '/env'}],
    [['--tls-certs-dir', ''], {TLS_SERVER_CERTS_DIR: '/env'}],
    [['--insecure=false'], {}],
  ])('no credentials are never taken for insecure: %j %j', (argv, env) => {
    expect(parseServeArgs(argv, env)).toEqual({
      kind: 'invalid-args',
      sentence:
        'cannot serve without credentials: expected --tls-server-certs-dir (or --tls-certs-dir), TLS_SERVER_CERTS_DIR or --insecure, got none',
    });
  });
});

test.each([
  [':9443', {host: '', port: 9443}],
  ['0.0.0.0:9443', {host: '0.0.0.0', port: 9443}],
  ['[::1]:9443', {host: '::1', port: 9443}],
  ['localhost:0', {host: 'localhost', port: 0}],
  ['::1:9443', undefined],
  ['localhost', undefined],
])('the address %s', (address, parts) => {
  expect(splitAddress(address)).toEqual(parts);
});
