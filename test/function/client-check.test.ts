import {X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {clientRefusal, type Handshake} from '../../src/function/client-check.ts';
import {certPath} from './calling.ts';

const ca = readFileSync(certPath('crossplane-ca.crt'));
const otherCa = readFileSync(certPath('test-ca.crt'));
const {validFrom, validTo} = new X509Certificate(readFileSync(certPath('crossplane-client.crt')));
const now = Date.parse(validFrom) + 1000;

/** What OpenSSL says of a client with that certificate. */
function handshake(identity: string | undefined, code = 'DEPTH_ZERO_SELF_SIGNED_CERT', authorized = false): Handshake {
  const certificate =
    identity === undefined ? undefined : new X509Certificate(readFileSync(certPath(`${identity}.crt`)));
  return {
    authorized,
    authorizationError: code as unknown as Error,
    getPeerX509Certificate: () => certificate,
  };
}

describe('a client that OpenSSL takes for one that signed itself', () => {
  test('is let in where the CA signed its certificate, be it one of several', () => {
    expect(clientRefusal(handshake('crossplane-client'), ca, now)).toBeUndefined();
    expect(clientRefusal(handshake('crossplane-client'), Buffer.concat([otherCa, ca]), now)).toBeUndefined();
  });

  test.each([
    ['it did sign itself', 'crossplane-mimic', ca, now],
    ['it is a server', 'crossplane-server', ca, now],
    ['it is the CA itself', 'crossplane-ca', ca, now],
    ['the CA is another', 'crossplane-client', otherCa, now],
    ['there is no CA', 'crossplane-client', Buffer.from('nothing'), now],
    ['it is not valid yet', 'crossplane-client', ca, Date.parse(validFrom) - 86_400_000],
    ['it is no longer valid', 'crossplane-brief', ca, now + 7 * 86_400_000],
    ['neither it nor the CA is', 'crossplane-client', ca, Date.parse(validTo) + 1000],
  ])('is refused where %s', (_, identity, cas, nowMs) => {
    expect(clientRefusal(handshake(identity), cas, nowMs)).toBe('its certificate is not one of the CA in ca.crt');
  });
});

test('every other refusal of OpenSSL stays, and so does what it lets in', () => {
  expect(clientRefusal(handshake('crossplane-client', 'CERT_HAS_EXPIRED'), ca, now)).toBe('CERT_HAS_EXPIRED');
  expect(clientRefusal(handshake(undefined), ca, now)).toBe('it showed no certificate');
  expect(clientRefusal(handshake(undefined, '', true), ca, now)).toBe('it showed no certificate');
  expect(clientRefusal(handshake('client', '', true), ca, now)).toBeUndefined();
});
