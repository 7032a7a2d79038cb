// SHA-256 and HMAC for the pure folders, which know no node:crypto. The one piece of code that the policy and the simulated world
// share: results are fixed by the standards, and a test compares them with Node's own.

import {hmac} from '@noble/hashes/hmac.js';
import {sha256 as digestOf} from '@noble/hashes/sha2.js';
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js';

/** The hash of the text's UTF-8 bytes, in lower-case hexadecimal, 64 digits. */
export function sha256(text: string): string {
  return bytesToHex(digestOf(utf8ToBytes(text)));
}

/** HMAC-SHA256 (RFC 2104) of the text's UTF-8 bytes with the key's, in the same form. */
export function hmacSha256(key: string, text: string): string {
  return bytesToHex(hmac(digestOf, utf8ToBytes(key), utf8ToBytes(text)));
}
