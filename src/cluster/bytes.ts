/**
 * Makes copies of bytes, many in one buffer. A buffer for each takes longer to make and to collect than to fill, and the more buffers
 * a process has the longer.
 */
export function bytesCopier(): (bytes: Uint8Array) => Uint8Array {
  let buffer = new Uint8Array(0);
  let used = 0;
  return (bytes) => {
    const {length} = bytes;
    // A buffer stays as long as a copy in it does, so it is small, and large copies have their own.
    if (length > bufferBytes / 8) return bytes.slice();
    if (used + length > buffer.length) [buffer, used] = [new Uint8Array(bufferBytes), 0];
    buffer.set(bytes, used);
    used += length;
    return buffer.subarray(used - length, used);
  };
}

const bufferBytes = 65_536;

/** True if both hold the same bytes. A loop: they are large, and `every` calls a function for each byte. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

// Base64; pure folders know no Buffer of Node's.

/** Of bytes, or of the UTF-8 bytes of a text. */
export function toBase64(value: Uint8Array | string): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
