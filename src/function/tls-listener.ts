// Listens with TLS and hands on the connections of clients that the CA vouches for. The gRPC server could listen itself,
// but then OpenSSL alone would say who is a client, and it refuses Crossplane (client-check.ts).

import {constants} from 'node:crypto';
import {createServer, type TLSSocket} from 'node:tls';
import type {CertificateStore} from './certificates.ts';
import {refusalOf} from './client-check.ts';
import type {Logger} from './log.ts';

export interface Listening {
  readonly port: number;
  /** No new connections from now on; those there are stay. */
  stop(): void;
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
  });
  let isStopped = false;
  server.on('secureConnection', (connection) => {
    // A connection that breaks is no reason to end.
    connection.on('error', () => undefined);
    const refusal = refusalOf(connection, certificates.context().ca, Date.now());
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
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({host, port}, () => {
      server.off('error', reject);
      resolve({port: (server.address() as {readonly port: number}).port, stop});
    });
  });
}
