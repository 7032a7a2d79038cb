import {encodeRequest, type RequestBody, type StructMemory} from '../../../wire/request-encode.ts';
import {memo} from '../../memo.ts';
import {withFields} from './credentials.ts';

// The tag of a request: a hash of all the rest of it, so that caches of responses may go by it.
// crossplane/crossplane 2d040d2da composite/composition_functions.go (Tag), which hashes with SHA-256; here 64 bits do.
//
// Requests are large and encoding them is most of a simulated call, so the bytes that were hashed are the bytes that are
// sent: the tag is written over a placeholder of its length, which the encoder puts first.

const digits = 16;
const placeholder = '0'.repeat(digits);
/** Tag and length of meta, tag and length of the tag's text. */
const textAt = 4;

export interface TaggedRequest {
  readonly body: RequestBody;
  /** The fields that hold credentials, encoded. */
  readonly credentials: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * Stored objects never change, and most of what is observed is what was observed before. So the bytes of an object are
 * remembered as long as the object lives.
 */
const memory: StructMemory = memo();

/** The request with its tag, and its bytes. Throws WireError where a value has no place in a Struct. */
export function tagged(untagged: Omit<RequestBody, 'tag'>, credentials: Uint8Array): TaggedRequest {
  const bytes = withFields(encodeRequest({...untagged, tag: placeholder}, memory), credentials);
  const tag = hash(bytes);
  for (let index = 0; index < digits; index++) bytes[textAt + index] = tag.charCodeAt(index);
  return {body: {...untagged, tag}, credentials, bytes};
}

// Two lanes of multiply and rotate, as MurmurHash3's finish mixes them.
function hash(bytes: Uint8Array): string {
  let left = 0x9e3779b9;
  let right = 0x85ebca6b;
  for (const byte of bytes) {
    left = Math.imul(left ^ byte, 0xcc9e2d51);
    right = Math.imul(((right << 13) | (right >>> 19)) ^ byte, 0x1b873593);
  }
  left = mixed(left ^ (right >>> 15));
  return hex(left) + hex(mixed(right ^ left));
}

function mixed(word: number): number {
  let next = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  next = Math.imul(next ^ (next >>> 13), 0xc2b2ae35);
  return next ^ (next >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
