// The hashes that names are made of, remembered.

import {sha256} from '../../hash/sha256.ts';

// The names of an XR are asked for in every call: its field manager, its Usages, its stable names. The same text has the
// same digest, so remembering some changes no answer. All are forgotten at once where too many have gathered.
const digests = new Map<string, string>();
const digestsMax = 4096;
const rememberedLength = 1024;

/** The SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. */
export function digestOf(text: string): string {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const digest = sha256(text);
  if (text.length > rememberedLength) return digest;
  if (digests.size >= digestsMax) digests.clear();
  digests.set(text, digest);
  return digest;
}
