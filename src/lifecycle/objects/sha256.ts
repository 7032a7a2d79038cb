// SHA-256 (FIPS 180-4), because names and field managers are hashes and the core may use neither packages nor node:.

const roundConstants = firstPrimes(64).map((prime) => fraction(Math.cbrt(prime)));
const initialState = firstPrimes(8).map((prime) => fraction(Math.sqrt(prime)));

// The names of an XR are asked for in every call: its field manager, its Usages, its stable names. The same input has
// the same digest, so remembering some changes no answer. All are forgotten at once where too many have gathered.
const digests = new Map<string, string>();
const digestsMax = 4096;
const rememberedLength = 1024;

/** The digest of a string's UTF-8 bytes, as 64 lower-case hex digits. */
export function sha256(input: string): string {
  const known = digests.get(input);
  if (known !== undefined) return known;
  const digest = sha256OfBytes(new TextEncoder().encode(input));
  if (input.length > rememberedLength) return digest;
  if (digests.size >= digestsMax) digests.clear();
  digests.set(input, digest);
  return digest;
}

/** The digest of bytes. Nothing of them is remembered. */
export function sha256OfBytes(bytes: Uint8Array): string {
  const message = padded(bytes);
  let state: readonly number[] = initialState;
  for (let block = 0; block < message.byteLength; block += 64) state = compress(state, message, block);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(state: readonly number[], message: DataView, block: number): number[] {
  const words = new Int32Array(64);
  for (let i = 0; i < 16; i++) words[i] = message.getInt32(block + 4 * i);
  for (let i = 16; i < 64; i++) {
    const early = word(words, i - 15);
    const late = word(words, i - 2);
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[i] = word(words, i - 16) + s0 + word(words, i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[i] ?? 0) + word(words, i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((value, i) => (value + (state[i] ?? 0)) | 0);
}

/** The message, a one bit, zeros, and its length in bits as 64 bits: a whole number of 64-byte blocks. */
function padded(bytes: Uint8Array): DataView {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const message = new Uint8Array(blocks * 64);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(message.length - 4, (bytes.length * 8) >>> 0);
  return view;
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

function fraction(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
