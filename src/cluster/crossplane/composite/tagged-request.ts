// The tag of a request: a hash of the rest of it, as a key for caches of responses.
// crossplane/crossplane 2d040d2da composite/composition_functions.go (Tag), which hashes with SHA-256; here 64 bits do.
//
// Requests are large, and encoding them is most of a simulated call. So the hashed bytes are the bytes that are sent: the encoder
// puts a placeholder of the tag first, and the tag overwrites it. The bytes are made when they are first read: a replayed reconcile
// has its reply already and never reads them.

import {CallMemory} from '../../../wire/call-memory.ts';
import {encodeRequest, type RequestBody, type StructMemory} from '../../../wire/request-encode.ts';
import {bytesCopier, sameBytes} from '../../bytes.ts';
import type {JsonObject} from '../../json.ts';
import {Recent} from '../../recent.ts';
import {withFields} from './credentials.ts';

const digits = 16;
const placeholder = '0'.repeat(digits);
/** Tag and length of meta, tag and length of the tag's text. */
const textAt = 4;

/** Stored objects never change, and most of what is observed is what was observed before. */
const encoded = new Recent<JsonObject, Uint8Array>(64 * 1_048_576, ({length}) => length);
const copy = bytesCopier();
const memory: StructMemory = {
  get: (object) => encoded.get(object),
  set: (object, bytes) => encoded.set(object, copy(bytes)),
};

/**
 * The memory in which requests are encoded, and the encoded requests. A search sends most requests more than once. Memory of its
 * own for each would cause a full collection of garbage every few hundred calls. So each request is encoded over the last one and
 * kept once, whichever XR sends it.
 */
const callMemory = new CallMemory();
const kept = new Recent<string, Uint8Array>(16 * 1_048_576, ({length}) => length);

export class TaggedRequest {
  /** All but the tag. */
  readonly body: Omit<RequestBody, 'tag'>;
  /** The fields that hold credentials, encoded. */
  readonly credentials: Uint8Array;
  /** The request whose tag this one has; undefined where it has its own. */
  readonly #first: TaggedRequest | undefined;
  #bytes: Uint8Array | undefined;

  constructor(body: Omit<RequestBody, 'tag'>, credentials: Uint8Array, first?: TaggedRequest) {
    this.body = body;
    this.credentials = credentials;
    this.#first = first;
  }

  /** The same request with another body: its tag stays. */
  withBody(body: Omit<RequestBody, 'tag'>): TaggedRequest {
    return new TaggedRequest(body, this.credentials, this.#first ?? this);
  }

  /** The request as it is sent. Throws WireError where a value has no place in a Struct. */
  get bytes(): Uint8Array {
    this.#bytes ??= this.#encoded();
    return this.#bytes;
  }

  get tag(): string {
    return String.fromCharCode(...this.bytes.subarray(textAt, textAt + digits));
  }

  #encoded(): Uint8Array {
    // The other's tag first: asking for it encodes, where this one is encoded next.
    const given = this.#first?.tag;
    const message = encodeRequest({...this.body, tag: given ?? placeholder}, memory, callMemory);
    const bytes = withFields(message, this.credentials);
    const hashed = hash(bytes);
    if (given === undefined) for (let at = 0; at < digits; at++) bytes[textAt + at] = hashed.charCodeAt(at);
    return keptOnce(hashed, bytes);
  }
}

function keptOnce(hashed: string, bytes: Uint8Array): Uint8Array {
  const known = kept.get(hashed);
  if (known !== undefined && sameBytes(known, bytes)) return known;
  const copied = copy(bytes);
  kept.set(hashed, copied);
  return copied;
}

// Two lanes of multiply and rotate, four bytes at a time, as MurmurHash3 has them. The length distinguishes tails of zeros.
function hash(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let left = 0x9e3779b9 ^ bytes.length;
  let right = 0x85ebca6b;
  for (let index = 0; index < bytes.length; index += 4) {
    const word = index < whole ? view.getInt32(index, true) : tail(bytes, index);
    left = Math.imul(left ^ Math.imul(word, 0xcc9e2d51), 0x1b873593);
    left = (left << 15) | (left >>> 17);
    right = (Math.imul(right ^ word, 0x85ebca6b) + left) | 0;
    right = (right << 13) | (right >>> 19);
  }
  left = mixed(left ^ (right >>> 15));
  return hex(left) + hex(mixed(right ^ left));
}

function tail(bytes: Uint8Array, from: number): number {
  return (bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8) | ((bytes[from + 2] ?? 0) << 16);
}

function mixed(word: number): number {
  let next = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  next = Math.imul(next ^ (next >>> 13), 0xc2b2ae35);
  return next ^ (next >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
