// The server's certificate, key and the CA of its clients, as Crossplane mounts them into a function's pod. They are
// read again on an interval: a Secret is renewed in place while the pod lives, and open connections keep theirs.

import {X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createSecureContext} from 'node:tls';
import {parseCertificates} from './client-check.ts';
import type {Logger} from './log.ts';

interface Certificates {
  readonly kind: 'certificates';
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly caCertificate: Buffer;
}

/** Why a directory cannot be served from, as one sentence. */
export interface InvalidCertificates {
  readonly kind: 'invalid-certificates';
  readonly sentence: string;
}

export interface CertificateStore {
  /** The server's certificate and key, and the CA of its clients, as last read. */
  context(): {readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer};
  /** Calls the listener whenever they changed. */
  onReload(listener: () => void): void;
  /** Reads the files again. True if they changed and are used from now on. Broken files are logged and not used. */
  reload(): boolean;
  close(): void;
}

/** The store over `dir`, or why it cannot be. `refreshMs` is how often the files are read again. */
export function openCertificates(
  dir: string,
  refreshMs: number,
  logger: Logger,
): {readonly kind: 'open'; readonly store: CertificateStore} | InvalidCertificates {
  const first = readCertificates(dir);
  if (first.kind === 'invalid-certificates') return first;
  let current: Certificates = first;
  const listeners: (() => void)[] = [];
  const reload = () => {
    const next = readCertificates(dir);
    if (next.kind === 'invalid-certificates') {
      logger.log('warning', next.sentence, {using: 'the certificates read before'});
      return false;
    }
    if (sameCertificates(current, next)) return false;
    current = next;
    for (const listener of listeners) listener();
    logger.log('info', 'certificates reloaded', {dir, validTo: new X509Certificate(next.certificate).validTo});
    return true;
  };
  const timer = setInterval(reload, refreshMs).unref();

  const store: CertificateStore = {
    context: () => ({cert: current.certificate, key: current.privateKey, ca: current.caCertificate}),
    onReload: (listener) => void listeners.push(listener),
    reload,
    close: () => clearInterval(timer),
  };
  return {kind: 'open', store};
}

function readCertificates(dir: string): Certificates | InvalidCertificates {
  const read = new Map<string, Buffer>();
  for (const file of ['tls.crt', 'tls.key', 'ca.crt']) {
    try {
      read.set(file, readFileSync(join(dir, file)));
    } catch (error) {
      return invalid(`cannot read certificate file ${JSON.stringify(join(dir, file))}: ${codeOf(error)}`);
    }
  }
  const bytes = (file: string) => read.get(file) ?? Buffer.alloc(0);
  const certificates: Certificates = {
    kind: 'certificates',
    certificate: bytes('tls.crt'),
    privateKey: bytes('tls.key'),
    caCertificate: bytes('ca.crt'),
  };
  const problem = problemOf(certificates);
  return problem === undefined
    ? certificates
    : invalid(`cannot use certificates in ${JSON.stringify(dir)}: ${problem}`);
}

function problemOf({certificate, privateKey, caCertificate}: Certificates): string | undefined {
  for (const [file, bytes] of [
    ['tls.crt', certificate],
    ['ca.crt', caCertificate],
  ] as const) {
    try {
      new X509Certificate(bytes);
      parseCertificates(bytes);
    } catch {
      return `expected a PEM certificate in ${file}, got something else`;
    }
  }
  try {
    createSecureContext({cert: certificate, key: privateKey, ca: caCertificate});
    return undefined;
  } catch {
    // OpenSSL's own message is unreadable, and could quote the key file.
    return 'expected the private key of tls.crt in tls.key, got something else';
  }
}

function sameCertificates(left: Certificates, right: Certificates): boolean {
  return (
    left.certificate.equals(right.certificate) &&
    left.privateKey.equals(right.privateKey) &&
    left.caCertificate.equals(right.caCertificate)
  );
}

function codeOf(error: unknown): string {
  const {code} = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES') return 'permission denied';
  return code ?? String(error);
}

function invalid(sentence: string): InvalidCertificates {
  return {kind: 'invalid-certificates', sentence};
}
