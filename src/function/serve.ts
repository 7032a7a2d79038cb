// `tether serve`: from a command line to a running server, and from a signal to an exit code.

import {availableParallelism} from 'node:os';
import {extname} from 'node:path';
import {logVerbosity, setLogVerbosity} from '@grpc/grpc-js';
import {type Answerer, inlineAnswerer} from './answerer.ts';
import {jsonLogger, type Logger} from './log.ts';
import type {RunOptions} from './run.ts';
import {RunThreads} from './run-threads.ts';
import {parseServeArgs, type ServeOptions} from './serve-args.ts';
import {type RunningServer, StartError, startServer} from './server.ts';

const drainDeadlineMs = 10_000;
const ownThread = new URL(`./run-thread${extname(import.meta.url)}`, import.meta.url);

/**
 * Serves until SIGTERM or SIGINT. Resolves to the exit code: 0 after a drain, also one that had to be forced; 1 if the
 * server cannot start; 2 if the flags are wrong. Sentences about what is wrong go to stderr. `threadModule` is what a
 * thread of it starts with: a program in one file is its own.
 */
export async function serveCommand(
  argv: readonly string[],
  env: {readonly [name: string]: string | undefined},
  threadModule = ownThread,
): Promise<number> {
  const options = parseServeArgs(argv, env);
  switch (options.kind) {
    case 'help':
      process.stdout.write(options.text);
      return 0;
    case 'invalid-args':
      process.stderr.write(`${options.sentence}\n`);
      return 2;
    default:
      return await serve(options, threadModule);
  }
}

async function serve(options: ServeOptions, threadModule: URL): Promise<number> {
  const logger = jsonLogger((line) => process.stderr.write(line), options.debug);
  // The lines of grpc-js on stderr are no JSON, and we get the same failures as errors.
  setLogVerbosity(logVerbosity.NONE);
  const workers = options.workers ?? workersDefault();
  const answererOf = (run: RunOptions): Answerer =>
    workers === 1 ? inlineAnswerer(run) : new RunThreads({run, threadsMax: workers - 1, module: threadModule, logger});
  const [first, second] = signalsToEnd();
  const server = await start(options, answererOf, logger);
  if (server === undefined) return 1;
  logger.log('info', 'serving', {
    address: options.address,
    port: server.port,
    tls: options.tlsServerCertsDir !== undefined,
    metricsPort: server.metricsPort,
    workers,
  });
  logger.log('info', 'draining', {signal: await first, deadlineMs: drainDeadlineMs});
  // A second signal means now.
  const outcome = await Promise.race([server.close(), second.then(() => 'interrupted' as const)]);
  if (outcome === 'interrupted') await server.abort();
  logger.log(outcome === 'drained' ? 'info' : 'warning', 'stopped', {outcome});
  return 0;
}

async function start(
  options: ServeOptions,
  answererOf: (run: RunOptions) => Answerer,
  logger: Logger,
): Promise<RunningServer | undefined> {
  try {
    return await startServer({...options, drainDeadlineMs, logger, answererOf});
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/** The first signal to end, and the second. Both are caught from now on. */
function signalsToEnd(): readonly [Promise<NodeJS.Signals>, Promise<NodeJS.Signals>] {
  const [first, second] = [Promise.withResolvers<NodeJS.Signals>(), Promise.withResolvers<NodeJS.Signals>()];
  let caught = 0;
  const end = (signal: NodeJS.Signals) => (caught++ === 0 ? first : second).resolve(signal);
  for (const each of ['SIGTERM', 'SIGINT'] as const) process.on(each, end);
  return [first.promise, second.promise];
}

// The default of --workers: as many threads as cores, as far as they help and memory allows.

// One thread talks to Crossplane, and its share of a call is about the policy's: beyond a few there is nothing to do.
const usefulMax = 4;
// Memory under load with requests of several megabytes, for the first thread and for each further one. A thread has its own heap, and
// its own messages that wait to be collected.
const firstBytes = 192 * 1024 * 1024;
const furtherBytes = 128 * 1024 * 1024;

/**
 * The cores are those that the process may use: its CPU affinity and its cgroup's CPU limit (libuv 1.49 on,
 * `src/unix/linux.c`). The memory is the cgroup's limit, 0 where it has none.
 */
export function workersDefault(cores = availableParallelism(), memoryBytes = process.constrainedMemory()): number {
  const room = memoryBytes === 0 ? usefulMax : 1 + Math.floor((memoryBytes - firstBytes) / furtherBytes);
  return Math.max(1, Math.min(cores, usefulMax, room));
}
