// The flags of `tether serve`: those of Go functions (crossplane/function-template-go 5ea25e7 `main.go`) and, where the SDKs
// for TypeScript and Python spell one otherwise, theirs, too, so that a DeploymentRuntimeConfig written for one works for
// the other. As kong reads them (alecthomas/kong v1.16.0 `mapper.go`), a switch may be told =true or =false.

import {parseArgs} from 'node:util';

export interface ServeOptions {
  readonly kind: 'serve';
  /** Host and port; an empty host is every address. */
  readonly address: string;
  /** The directory with tls.crt, tls.key and ca.crt; undefined = no TLS, asked for with --insecure. */
  readonly tlsServerCertsDir: string | undefined;
  readonly maxRecvMessageBytes: number;
  readonly ttlSeconds: number;
  /** The file with the keys that seal remembered external names; undefined = nothing is sealed. */
  readonly memoryKeyFile: string | undefined;
  /** Host and port of the Prometheus endpoint; undefined = none. */
  readonly metricsAddress: string | undefined;
  /** How many threads may serve; undefined = what the machine has room for. */
  readonly workers: number | undefined;
  readonly debug: boolean;
}

export interface ServeHelp {
  readonly kind: 'help';
  readonly text: string;
}

/** What is wrong with the command line, as one sentence. */
export interface InvalidArgs {
  readonly kind: 'invalid-args';
  readonly sentence: string;
}

export const serveHelp = `Usage: tether serve [flags]

Serves the composition function to Crossplane.

  --address ADDRESS             host:port to listen on, ":9443" for every address (default ":9443")
  --network NETWORK             network to listen on: tcp (default "tcp")
  --tls-server-certs-dir DIR    directory with tls.crt, tls.key and ca.crt; clients must present a certificate
                                signed by ca.crt (default $TLS_SERVER_CERTS_DIR)
  --tls-certs-dir DIR           the same, as functions in Go spell it
  --insecure                    serve without TLS; wins over the certificates
  --max-recv-message-size MB    largest request in megabytes (default 4)
  --metrics-address ADDRESS     host:port for Prometheus metrics, "" for none (default "")
  --ttl DURATION                how long Crossplane may reuse a response, such as 60s or 5m (default 60s)
  --memory-key-file FILE        keys that seal remembered external names, one a line, of 32 characters or more each; the
                                first seals, all are believed; read once, at the start (default none: see
                                docs/security.md)
  --workers N                   threads that serve at most, 1 to 64; more than one start when calls come too fast for one
                                (default: the cores that may be used, up to 4, as far as memory reaches)
  --debug, -d                   log every request
  --help, -h                    show this text

Example: tether serve --insecure --address localhost:9443

Exit codes: 0 stopped when asked to, 1 it cannot listen, read its certificates or go on, 2 bad flags.
`;

const flags = {
  address: {type: 'string', default: ':9443'},
  network: {type: 'string', default: 'tcp'},
  'tls-server-certs-dir': {type: 'string'},
  'tls-certs-dir': {type: 'string'},
  insecure: {type: 'boolean', default: false},
  'max-recv-message-size': {type: 'string', default: '4'},
  'metrics-address': {type: 'string', default: ''},
  ttl: {type: 'string', default: '60s'},
  'memory-key-file': {type: 'string'},
  workers: {type: 'string'},
  debug: {type: 'boolean', short: 'd', default: false},
  help: {type: 'boolean', short: 'h', default: false},
} as const;

/** Reads the flags after `tether serve`. `env` is consulted for TLS_SERVER_CERTS_DIR only. */
export function parseServeArgs(
  argv: readonly string[],
  env: {readonly [name: string]: string | undefined},
): ServeOptions | ServeHelp | InvalidArgs {
  const flagsRead = readFlags(argv);
  if (flagsRead.kind === 'invalid-args') return flagsRead;
  const read = flagsRead.values;
  if (read.help) return {kind: 'help', text: serveHelp};
  if (read.network !== 'tcp') return invalid('--network', '"tcp"', read.network);
  const maxRecvMessageBytes = megabytes(read['max-recv-message-size']);
  if (maxRecvMessageBytes === undefined) {
    return invalid('--max-recv-message-size', 'megabytes from 1 to 2047', read['max-recv-message-size']);
  }
  const ttlSeconds = wholeSeconds(read.ttl);
  if (ttlSeconds === undefined) return invalid('--ttl', 'a duration of whole seconds such as 60s or 5m', read.ttl);
  const workers = read.workers === undefined ? undefined : Number(read.workers);
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1 && workers <= 64)) {
    return invalid('--workers', 'a number of threads from 1 to 64', read.workers ?? '');
  }
  for (const flag of ['address', 'metrics-address'] as const) {
    const value = read[flag];
    if (value === '' && flag === 'metrics-address') continue;
    if (splitAddress(value) === undefined) return invalid(`--${flag}`, 'host:port such as :9443', value);
  }
  const {'tls-certs-dir': goDir, 'tls-server-certs-dir': typescriptDir = goDir} = read;
  if (goDir !== undefined && goDir !== typescriptDir) {
    return invalid(
      '--tls-certs-dir',
      `the directory of --tls-server-certs-dir, ${JSON.stringify(typescriptDir)}`,
      goDir,
    );
  }
  const dir = typescriptDir ?? env['TLS_SERVER_CERTS_DIR'];
  if (!read.insecure && (dir === undefined || dir === '')) {
    const sentence =
      'cannot serve without credentials: expected --tls-server-certs-dir (or --tls-certs-dir), TLS_SERVER_CERTS_DIR or --insecure, got none';
    return {kind: 'invalid-args', sentence};
  }
  return {
    kind: 'serve',
    address: read.address,
    tlsServerCertsDir: read.insecure ? undefined : dir,
    maxRecvMessageBytes,
    ttlSeconds,
    memoryKeyFile: read['memory-key-file'],
    metricsAddress: read['metrics-address'] === '' ? undefined : read['metrics-address'],
    workers,
    debug: read.debug,
  };
}

/** Host and port of "host:port", ":port", "[v6]:port"; undefined where it is none of these. */
export function splitAddress(address: string): {readonly host: string; readonly port: number} | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(address);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) return undefined;
  return {host: match[1] ?? match[2] ?? '', port};
}

function readFlags(argv: readonly string[]) {
  try {
    const args = argv.map(withoutValue);
    const {values} = parseArgs({args, options: flags, strict: true, allowNegative: true, allowPositionals: false});
    return {kind: 'flags', values} as const;
  } catch (error) {
    // Node's sentences name the flag; what follows the first one is advice about dashes.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    const cause = sentence.replace(/^./, (first) => first.toLowerCase());
    return {kind: 'invalid-args', sentence: `cannot read flags: ${cause}; see tether serve --help`} as const;
  }
}

// A switch with a value as one without; of several the last counts. Any other argument as it is.
function withoutValue(arg: string): string {
  const match = /^--(insecure|debug)=(?:(?:true|1|yes)|(false|0|no))$/i.exec(arg);
  if (match === null) return arg;
  return match[2] === undefined ? `--${match[1]}` : `--no-${match[1]}`;
}

function megabytes(text: string): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value < 2048 ? value * 1024 * 1024 : undefined;
}

// Go's duration syntax, as far as whole seconds go: "1h30m", "60s". Crossplane's shortest requeue is a second.
function wholeSeconds(text: string): number | undefined {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (match === null) return undefined;
  const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  const total = hours * 3600 + minutes * 60 + seconds;
  return total >= 1 && Number.isSafeInteger(total) ? total : undefined;
}

function invalid(flag: string, expected: string, got: string): InvalidArgs {
  return {kind: 'invalid-args', sentence: `cannot use ${flag}: expected ${expected}, got ${JSON.stringify(got)}`};
}
