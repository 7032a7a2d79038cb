// The flags of `tether serve`: those of Go functions (crossplane/function-template-go 5ea25e7 `main.go`) and, where the SDKs
// for TypeScript and Python spell one otherwise, theirs, too, so that a DeploymentRuntimeConfig written for one works for
// the other.

import {type CommandLine, helpText, on, readOptions, text, textOr} from '../command-line/option-table.ts';

export interface ServeOptions {
  readonly kind: 'serve';
  /** Host and port; an empty host is every address. */
  readonly address: string;
  /** The directory with tls.crt, tls.key and ca.crt; undefined = no TLS, asked for with --insecure. */
  readonly tlsServerCertsDir: string | undefined;
  readonly maxRecvMessageBytes: number;
  /** Undefined if no flag sets it. */
  readonly ttlSeconds: number | undefined;
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

/** A command line that cannot be used, with one sentence. */
export interface InvalidArgs {
  readonly kind: 'invalid-args';
  readonly sentence: string;
}

export const serveLine = {
  name: 'serve',
  takes: '',
  does: 'serves the composition function to Crossplane.',
  options: {
    address: textOr('ADDRESS', 'host:port to listen on, with an empty host for every address', ':9443'),
    network: textOr('NETWORK', 'network to listen on: tcp', 'tcp'),
    'tls-server-certs-dir': text(
      'DIR',
      'directory with tls.crt, tls.key and ca.crt; clients must present a certificate signed by ca.crt (default $TLS_SERVER_CERTS_DIR)',
    ),
    'tls-certs-dir': text('DIR', 'the same, as functions in Go spell it'),
    insecure: on('serve without TLS; wins over the certificates'),
    'max-recv-message-size': textOr('MB', 'largest request in megabytes', '4'),
    'metrics-address': textOr('ADDRESS', 'host:port for Prometheus metrics, "" for none', ''),
    ttl: text(
      'DURATION',
      'how long Crossplane may reuse a response, such as 60s or 5m (default: 60s while something is made, waits or is refused, else until something changes)',
    ),
    'memory-key-file': text(
      'FILE',
      'keys that seal remembered external names, one a line, of 32 characters or more each; the first seals, all are believed; read once, at the start (default none: see docs/background/security.md)',
    ),
    workers: text(
      'N',
      'threads that serve at most, 1 to 64; more than one start when calls come too fast for one (default: the cores that may be used, up to 4, as far as memory reaches)',
    ),
    debug: on('log every request', {short: 'd'}),
  },
  example: 'tether serve --insecure --address localhost:9443',
  exitCodes: '0 stopped when asked to, 1 it cannot listen, read its certificates or go on, 2 bad flags.',
} satisfies CommandLine;

/** Reads the flags after `tether serve`. `env` is consulted for TLS_SERVER_CERTS_DIR only. */
export function parseServeArgs(
  argv: readonly string[],
  env: {readonly [name: string]: string | undefined},
): ServeOptions | ServeHelp | InvalidArgs {
  const given = readOptions(serveLine, argv);
  if (given.kind === 'help') return {kind: 'help', text: `${helpText(serveLine)}\n`};
  if (given.kind === 'invalid') {
    return {kind: 'invalid-args', sentence: `cannot read flags: ${given.sentence}; see tether serve --help`};
  }
  const read = given.values;
  if (read.network !== 'tcp') return invalid('--network', '"tcp"', read.network);
  const maxRecvMessageBytes = megabytes(read['max-recv-message-size']);
  if (maxRecvMessageBytes === undefined) {
    return invalid('--max-recv-message-size', 'megabytes from 1 to 2047', read['max-recv-message-size']);
  }
  const ttlSeconds = read.ttl === undefined ? undefined : wholeSeconds(read.ttl);
  if (read.ttl !== undefined && ttlSeconds === undefined) {
    return invalid('--ttl', 'a duration of whole seconds such as 60s or 5m', read.ttl);
  }
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

function megabytes(text: string): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value < 2048 ? value * 1024 * 1024 : undefined;
}

// Go's duration syntax, as far as whole seconds go: "1h30m", "60s". Crossplane's shortest requeue is a second.
function wholeSeconds(text: string): number | undefined {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (match === null || text === '') return undefined;
  const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  const total = hours * 3600 + minutes * 60 + seconds;
  return Number.isSafeInteger(total) ? total : undefined;
}

function invalid(flag: string, expected: string, got: string): InvalidArgs {
  return {kind: 'invalid-args', sentence: `cannot use ${flag}: expected ${expected}, got ${JSON.stringify(got)}`};
}
