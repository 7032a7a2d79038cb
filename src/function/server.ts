// The gRPC server: listens, serves both versions of the function service and health, and drains on close.

import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {Http2Session, Http2Stream} from 'node:http2';
import {Server, ServerCredentials} from '@grpc/grpc-js';
import {type Answerer, inlineAnswerer} from './answerer.ts';
import {type CertificateStore, openCertificates} from './certificates.ts';
import {Health, healthService, healthServiceName} from './health-service.ts';
import {type Listening, listen as listenOn} from './listener.ts';
import type {Logger} from './log.ts';
import {readMemoryKeys} from './memory-key.ts';
import {Metrics} from './metrics.ts';
import {type MetricsServer, startMetricsServer} from './metrics-server.ts';
import {OpenCalls} from './open-calls.ts';
import {Reflection, reflectionService, reflectionServiceNames} from './reflection-service.ts';
import type {RunOptions} from './run.ts';
import {runHandlers, runService, serviceName, servicePackages} from './run-service.ts';
import {type ServeOptions, splitAddress} from './serve-args.ts';

/** Flags, of which all but the address may be left out. Port 0 is any free one. */
export interface ServerOptions
  extends Pick<ServeOptions, 'address'>,
    Partial<Omit<ServeOptions, 'kind' | 'address' | 'workers' | 'debug'>> {
  /** How long a connection lives; calls in flight are answered. grpc-js varies it by a tenth. */
  readonly connectionAgeMs?: number;
  /** How long calls in flight may take once the server closes. */
  readonly drainDeadlineMs?: number;
  readonly certificateRefreshMs?: number;
  readonly logger?: Logger;
  /** Makes the answerer of the calls; by default this thread answers. */
  readonly answererOf?: (run: RunOptions) => Answerer;
}

export interface RunningServer {
  /** host:port that a client can dial. */
  readonly address: string;
  readonly port: number;
  /** The port of the Prometheus endpoint, if there is one. */
  readonly metricsPort: number | undefined;
  /** Reads the certificates again now. True if they changed. */
  reloadCertificates(): boolean;
  /** Takes no new calls and waits for those in flight. `forced` if the deadline ended calls. */
  close(): Promise<'drained' | 'forced'>;
  /** Ends everything at once, calls in flight included. */
  abort(): Promise<void>;
}

/** Why the server cannot start, as one sentence. */
export class StartError extends Error {}

/** How long a client may take to end its connection once its calls are answered. One of Crossplane's needs milliseconds. */
const lingerMs = 1000;

const silent: Logger = {log: () => undefined};

/** Starts serving. Rejects with a StartError. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const logger = options.logger ?? silent;
  const certificates = certificatesOf(options, logger);
  const runOptions = {ttlSeconds: options.ttlSeconds, ...memoryKeysOf(options)};
  const answerer = (options.answererOf ?? inlineAnswerer)(runOptions);
  const metrics = new Metrics(answerer);
  const services = servicePackages.map(serviceName);
  const health = new Health(services);
  const reflection = new Reflection([...services, healthServiceName, ...reflectionServiceNames]);
  const openCalls = new OpenCalls();
  const server = new Server({
    interceptors: [openCalls.interceptor],
    'grpc.max_receive_message_length': options.maxRecvMessageBytes ?? 4 * 1024 * 1024,
    'grpc.max_send_message_length': -1,
    // Clients resolve names anew only when a connection ends, so replicas that come later get calls only then.
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? 300_000,
    'grpc.max_connection_age_grace_ms': 60_000,
  });
  for (const servicePackage of servicePackages) {
    const handlers = runHandlers(servicePackage, answerer, openCalls, logger, metrics);
    server.addService(runService(servicePackage), handlers);
  }
  server.addService(healthService, health.handlers);
  for (const name of reflectionServiceNames) server.addService(reflectionService(name), reflection.handlers);
  let listening: Listening | undefined;
  let metricsServer: MetricsServer | undefined;
  const stop = async () => {
    certificates?.close();
    listening?.stop();
    server.forceShutdown();
    listening?.destroy();
    await Promise.all([answerer.close(), metricsServer?.close()]);
  };
  listening = await orStop(stop, listen(server, options.address, certificates, logger));
  const {port} = listening;
  const {metricsAddress} = options;
  if (metricsAddress !== undefined) metricsServer = await orStop(stop, listenForMetrics(metricsAddress, metrics));
  let closing: Promise<'drained' | 'forced'> | undefined;
  return {
    address: dialable(options.address, port),
    port,
    metricsPort: metricsServer?.port,
    reloadCertificates: () => certificates?.reload() ?? false,
    close() {
      closing ??= (async () => {
        health.drain();
        reflection.drain();
        listening.stop();
        const outcome = await drain(server, openCalls, listening, options.drainDeadlineMs ?? 10_000);
        await stop();
        return outcome;
      })();
      return closing;
    },
    abort: stop,
  };
}

function memoryKeysOf({memoryKeyFile}: ServerOptions): {readonly memoryKeys?: readonly string[]} {
  if (memoryKeyFile === undefined) return {};
  const read = readMemoryKeys(memoryKeyFile);
  if (read.kind === 'invalid-keys') throw new StartError(read.sentence);
  return {memoryKeys: read.keys};
}

function certificatesOf(options: ServerOptions, logger: Logger): CertificateStore | undefined {
  if (options.tlsServerCertsDir === undefined) return undefined;
  const opened = openCertificates(options.tlsServerCertsDir, options.certificateRefreshMs ?? 10_000, logger);
  if (opened.kind === 'invalid-certificates') throw new StartError(opened.sentence);
  return opened.store;
}

async function listen(
  server: Server,
  address: string,
  certificates: CertificateStore | undefined,
  logger: Logger,
): Promise<Listening> {
  const {host, port} = splitAddress(address) ?? {host: address, port: 0};
  // Every address: IPv6 with IPv4 in it where the machine has IPv6, as Go listens; IPv4 alone where it has not.
  const hosts = host === '' ? ['::', '0.0.0.0'] : [host];
  const {injectConnection: accept} = server.createConnectionInjector(ServerCredentials.createInsecure());
  let cause = '';
  for (const one of hosts) {
    try {
      return withWideWindows(await listenOn({host: one, port, certificates, logger, accept}));
    } catch (error) {
      cause = (error as Error).message;
    }
    if (!/EAFNOSUPPORT|EADDRNOTAVAIL/.test(cause)) break;
  }
  throw new StartError(`cannot listen on ${JSON.stringify(address)}: ${bindCause(cause)}`);
}

function withWideWindows(listening: Listening): Listening {
  const leaveThem = widenReceiveWindows();
  return {
    ...listening,
    stop: () => {
      leaveThem();
      listening.stop();
    },
  };
}

function bindCause(message: string): string {
  if (message.includes('EADDRINUSE')) return 'the address is in use';
  if (message.includes('EACCES')) return 'permission denied';
  if (message.includes('EADDRNOTAVAIL')) return 'this machine does not have the address';
  if (/ENOTFOUND|EAI_AGAIN|[Nn]ame resolution|No addresses/.test(message)) return 'the host name does not resolve';
  return message.replaceAll(/\s+/g, ' ');
}

async function listenForMetrics(address: string, metrics: Metrics) {
  try {
    return await startMetricsServer(address, metrics);
  } catch (error) {
    throw new StartError(`cannot listen for metrics on ${JSON.stringify(address)}: ${bindCause(String(error))}`);
  }
}

async function orStop<T>(stop: () => Promise<void>, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Waits for the calls under way, then for connections to end as their clients take part in it: those get the bytes of their
 * last answer. A client that does not is left behind.
 */
async function drain(
  server: Server,
  openCalls: OpenCalls,
  connections: Listening,
  deadlineMs: number,
): Promise<'drained' | 'forced'> {
  const end = performance.now() + deadlineMs;
  // Announces to every client that no new call is taken. Its callback is no sign of an end: grpc-js calls it while calls go on.
  server.tryShutdown(() => undefined);
  const areAnswered = await happens((then) => openCalls.whenNone(then), deadlineMs);
  if (areAnswered) {
    const restMs = Math.max(0, end - performance.now());
    await happens((then) => connections.whenNone(then), Math.min(lingerMs, restMs));
  }
  return areAnswered ? 'drained' : 'forced';
}

/** True if an event comes within a time. */
function happens(when: (then: () => void) => void, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, withinMs, false);
    when(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function dialable(address: string, port: number): string {
  const host = splitAddress(address)?.host ?? '';
  return host === '' || host === '0.0.0.0' || host === '::' ? `localhost:${port}` : addressOf(host, port);
}

function addressOf(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

// Widens the receive window of connections: the bytes that a caller may send before the server has confirmed them.
//
// HTTP/2 begins with 64 KiB (RFC 9113 6.9.2), Node keeps that, and only clients of grpc-js can change it (1.14 transport.js,
// 'grpc-node.flow_control_window'). A request of a hundred resources is ten times that: its caller would stop ten times, each time for
// a round trip. Node announces the first call of a connection, from 24.2 on, and the window is widened then. Before 24.2 it stays
// narrow.
//
// A call that waits to be read (open-calls.ts) holds that much memory. One that is read is in memory whole in any case.

const callBegins = 'http2.server.stream.created';
/** Of each call and of all calls of a connection together: what a network of 10 Gbit/s carries in 0.8 ms. Callers of grpc-go gain, too; more than that slows several of them down. */
const windowBytes = 1024 * 1024;

/** Of all servers of the process: Node announces the calls of each to all. */
const wide = new WeakSet<Http2Session>();

/** Widens every connection on which a call begins. Returns how to stop that. */
function widenReceiveWindows(): () => void {
  const widen = (message: unknown) => {
    const {session} = (message as {readonly stream: Http2Stream}).stream;
    if (session === undefined || session.destroyed || wide.has(session)) return;
    wide.add(session);
    session.settings({initialWindowSize: windowBytes});
    session.setLocalWindowSize(windowBytes);
  };
  subscribe(callBegins, widen);
  return () => unsubscribe(callBegins, widen);
}
