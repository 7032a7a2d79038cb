// `tether serve`: from a command line to a running server, and from a signal to an exit code.

import {logVerbosity, setLogVerbosity} from '@grpc/grpc-js';
import {jsonLogger, type Logger} from './log.ts';
import {parseServeArgs, type ServeOptions} from './serve-args.ts';
import {type RunningServer, StartError, startServer} from './server.ts';

const drainDeadlineMs = 10_000;

/**
 * Serves until SIGTERM or SIGINT. Resolves to the exit code: 0 after a drain, also one that had to be forced; 1 if the
 * server cannot start; 2 if the flags are wrong. Sentences about what is wrong go to stderr.
 */
export async function serveCommand(
  argv: readonly string[],
  env: {readonly [name: string]: string | undefined},
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
      return await serve(options);
  }
}

async function serve(options: ServeOptions): Promise<number> {
  const logger = jsonLogger((line) => process.stderr.write(line), options.debug);
  // Its lines on stderr are no JSON, and what they say comes back to us as errors.
  setLogVerbosity(logVerbosity.NONE);
  const server = await start(options, logger);
  if (server === undefined) return 1;
  logger.log('info', 'serving', {
    address: options.address,
    port: server.port,
    tls: options.tlsServerCertsDir !== undefined,
    metricsPort: server.metricsPort,
  });
  const signal = await nextSignal();
  logger.log('info', 'draining', {signal, deadlineMs: drainDeadlineMs});
  // A second signal means now.
  const outcome = await Promise.race([server.close(), nextSignal().then(() => 'interrupted' as const)]);
  if (outcome === 'interrupted') server.abort();
  logger.log(outcome === 'drained' ? 'info' : 'warning', 'stopped', {outcome});
  return 0;
}

async function start(options: ServeOptions, logger: Logger): Promise<RunningServer | undefined> {
  try {
    return await startServer({...options, drainDeadlineMs, logger});
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const stop = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, stop);
      resolve(signal);
    };
    for (const each of signals) process.on(each, stop);
  });
}
