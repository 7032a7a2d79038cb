// Listens, with TLS or without, and hands connections of permitted clients to the gRPC server. If the gRPC server listened itself,
// OpenSSL alone would check clients, and it refuses Crossplane (client-check.ts). It also waits for its clients when it ends
// connections (grpc-js 1.14 server.js closeSession), so a silent client would keep the process for ever.

import {constants} from 'node:crypto';
import {createServer, type Server, type Socket} from 'node:net';
import {createServer as createTlsServer, type TLSSocket} from 'node:tls';
import type {CertificateStore} from './certificates.ts';
import {clientRefusal} from './client-check.ts';
import type {Logger} from './log.ts';

export interface Listening {
  readonly port: number;
  /** No new connections from now on; those there are stay. */
  stop(): void;
  /** Calls once no connection is left, at once if there is none now. */
  whenNone(then: () => void): void;
  /** Ends every connection now, whatever its client does. */
  destroy(): void;
}

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  /** Of this server and of its clients; undefined = no TLS. */
  readonly certificates: CertificateStore | undefined;
  readonly logger: Logger;
  readonly accept: (connection: Socket) => void;
}

/** A client of Crossplane's needs milliseconds. */
const handshakeMs = 10_000;

/** The reason to refuse a client; a certificate that cannot be read is one. */
function refusedBy(connection: TLSSocket, ca: Buffer): string | undefined {
  try {
    return clientRefusal(connection, ca, Date.now());
  } catch {
    return 'its certificate, or one in ca.crt, cannot be read';
  }
}

/** Rejects with the system's error. */
export function listen(options: ListenerOptions): Promise<Listening> {
  const {host, port, certificates} = options;
  const server = certificates === undefined ? createServer({noDelay: true}) : tlsServer(certificates, options);
  if (certificates === undefined) server.on('connection', options.accept);
  const connections = new Set<Socket>();
  const waiting: (() => void)[] = [];
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size === 0) for (const then of waiting.splice(0)) then();
    });
  });
  const listening = {
    stop: () => void server.close(),
    whenNone: (then: () => void) => void (connections.size === 0 ? then() : waiting.push(then)),
    destroy: () => {
      for (const socket of connections) socket.destroy();
    },
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({host, port}, () => {
      server.off('error', reject);
      resolve({...listening, port: (server.address() as {readonly port: number}).port});
    });
  });
}

function tlsServer(
  certificates: CertificateStore,
  {accept, logger}: Pick<ListenerOptions, 'accept' | 'logger'>,
): Server {
  const refusals = new Set<string>();
  // No session is resumed: a client is asked for its certificate each time, by the CA of now.
  const context = () => ({...certificates.context(), secureOptions: constants.SSL_OP_NO_TICKET});
  const server = createTlsServer({
    ...context(),
    requestCert: true,
    // The check below refuses a client before anything of its connection is read.
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    handshakeTimeout: handshakeMs,
  });
  server.on('secureConnection', (connection) => {
    // A connection that breaks is no reason to end.
    connection.on('error', () => undefined);
    const refusal = refusedBy(connection, certificates.context().ca);
    if (refusal === undefined && server.listening) return accept(connection);
    connection.destroy();
    if (refusal === undefined || refusals.has(refusal)) return;
    refusals.add(refusal);
    logger.log('warning', 'a client was refused; more of this reason are not logged', {reason: refusal});
  });
  certificates.onReload(() => server.setSecureContext(context()));
  return server;
}
