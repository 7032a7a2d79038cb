// Listens with TLS and hands on the connections of clients that the CA vouches for. The gRPC server could listen itself,
// but then OpenSSL alone would say who is a client, and it refuses Crossplane (client-check.ts).

import {constants} from 'node:crypto';
import type {Socket} from 'node:net';
import {createServer, type TLSSocket} from 'node:tls';
import type {CertificateStore} from './certificates.ts';
import {refusalOf} from './client-check.ts';
import type {Logger} from './log.ts';

export interface Listening {
  readonly port: number;
  /** No new connections from now on; those there are stay. */
  stop(): void;
}

/** A client of Crossplane's needs milliseconds. */
const handshakeMs = 10_000;

function clientOf({remoteAddress, remotePort}: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}

/** What cannot be read lets nobody in. */
function refusedBy(connection: TLSSocket, ca: Buffer): string | undefined {
  try {
    return refusalOf(connection, ca, Date.now());
  } catch {
    return 'its certificate, or one in ca.crt, cannot be read';
  }
}

/** Rejects with the system's error. */
export function listenWithTls(
  {host, port}: {readonly host: string; readonly port: number},
  certificates: CertificateStore,
  logger: Logger,
  accept: (connection: TLSSocket) => void,
): Promise<Listening> {
  const refusals = new Set<string>();
  // No session is resumed: a client is asked for its certificate each time, by the CA of now.
  const context = () => ({...certificates.context(), secureOptions: constants.SSL_OP_NO_TICKET});
  const server = createServer({
    ...context(),
    requestCert: true,
    // Who is refused is said below, before anything of a connection is read.
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    handshakeTimeout: handshakeMs,
  });
  let isStopped = false;
  // Who connects and says nothing would keep a process that is asked to end.
  const greeting = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket);
    greeting.set(client, socket);
    socket.once('close', () => greeting.delete(client));
  });
  server.on('secureConnection', (connection) => {
    greeting.delete(clientOf(connection));
    // A connection that breaks is no reason to end.
    connection.on('error', () => undefined);
    const refusal = refusedBy(connection, certificates.context().ca);
    if (refusal === undefined && !isStopped) return accept(connection);
    connection.destroy();
    if (refusal === undefined || refusals.has(refusal)) return;
    refusals.add(refusal);
    logger.log('warning', 'a client was refused; more of this reason are not logged', {reason: refusal});
  });
  certificates.onReload(() => server.setSecureContext(context()));
  const stop = () => {
    isStopped = true;
    server.close();
    for (const socket of greeting.values()) socket.destroy();
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({host, port}, () => {
      server.off('error', reject);
      resolve({port: (server.address() as {readonly port: number}).port, stop});
    });
  });
}
