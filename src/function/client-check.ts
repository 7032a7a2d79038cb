// Checks that the CA in ca.crt signed a client's certificate. OpenSSL checks every chain but one. Crossplane gives its CA and all
// certificates of that CA the same name and no key identifier (internal/initializer/tls.go at 2d040d2da; the same since v1.16), so
// OpenSSL 3 takes the client's certificate for a self-signed one. Go and OpenSSL 1 do not. For that refusal alone this file checks the
// signature, and the rest of OpenSSL's checks: dates, key usage, and that only the CA is a CA. Left out, because such a CA has none:
// chains, name constraints and revocation lists. The handshake itself proves that the client has the private key.

import {X509Certificate} from 'node:crypto';
import type {TLSSocket} from 'node:tls';

/** The parts of a connection that the check reads. */
export type Handshake = Pick<TLSSocket, 'authorized' | 'authorizationError' | 'getPeerX509Certificate'>;

/** Why a client is not let in; undefined if it is. `caCertificates` is PEM, one certificate or several. */
export function clientRefusal(handshake: Handshake, caCertificates: Buffer, nowMs: number): string | undefined {
  // First, because Node calls a resumed TLS 1.3 session without a certificate authorized.
  const certificate = handshake.getPeerX509Certificate();
  if (certificate === undefined) return 'it showed no certificate';
  if (handshake.authorized) return undefined;
  // A code, though its type is Error.
  const code = String(handshake.authorizationError);
  if (code !== 'DEPTH_ZERO_SELF_SIGNED_CERT') return code;
  const isOfCa = parseCertificates(caCertificates).some((ca) => hasSigned(ca, certificate, nowMs));
  return isOfCa ? undefined : 'its certificate is not one of the CA in ca.crt';
}

const clientAuthentication = '1.3.6.1.5.5.7.3.2';

function hasSigned(ca: X509Certificate, certificate: X509Certificate, nowMs: number): boolean {
  const isForClients = certificate.keyUsage?.includes(clientAuthentication) ?? true;
  return (
    ca.ca &&
    !certificate.ca &&
    isForClients &&
    isValidAt(ca, nowMs) &&
    isValidAt(certificate, nowMs) &&
    // Names, and that the CA's key may sign certificates.
    certificate.checkIssued(ca) &&
    certificate.verify(ca.publicKey)
  );
}

function isValidAt({validFrom, validTo}: X509Certificate, nowMs: number): boolean {
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
}

/** Throws where one of them is damaged. */
export function parseCertificates(pem: Buffer): readonly X509Certificate[] {
  const blocks = pem.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}
