// SHA-256 (FIPS 180-4) for the pure folders, which know no node:crypto. The one piece of code that the policy and the simulated
// world share: its result is fixed by the standard, and a test compares it with Node's own.

const encoder = new TextEncoder();
const constants = fractions(64, (prime) => Math.cbrt(prime));
const initial = fractions(8, (prime) => Math.sqrt(prime));

/** The hash of the bytes, or of the text's UTF-8 bytes, in lower-case hexadecimal, 64 digits. */
export function sha256(content: string | Uint8Array): string {
  const state = new Int32Array(initial);
  const padded = pad(typeof content === 'string' ? encoder.encode(content) : content);
  const words = new Int32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) compress(state, padded, offset, words);
  let digits = '';
  for (const part of state) digits += (part >>> 0).toString(16).padStart(8, '0');
  return digits;
}

// Words are signed throughout: sums of unsigned ones leave what the engine computes with as integers.
function compress(state: Int32Array, bytes: Uint8Array, offset: number, w: Int32Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 64);
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(i * 4);
  for (let i = 16; i < 64; i++) {
    const early = word(w, i - 15);
    const late = word(w, i - 2);
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[i] = (word(w, i - 16) + s0 + word(w, i - 7) + s1) | 0;
  }
  let a = word(state, 0);
  let b = word(state, 1);
  let c = word(state, 2);
  let d = word(state, 3);
  let e = word(state, 4);
  let f = word(state, 5);
  let g = word(state, 6);
  let h = word(state, 7);
  for (let i = 0; i < 64; i++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + sum1 + chosen + word(constants, i) + word(w, i)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = word(state, i) + (mixed[i] as number);
}

// A set bit, zeros, and the length in bits as 64-bit number, to a multiple of 64 bytes.
function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  return padded;
}

// The first 32 bits of the fractional parts of `root` over the first primes.
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const out = new Int32Array(count);
  for (let found = 0, candidate = 2; found < count; candidate++) {
    if (!isPrime(candidate)) continue;
    out[found++] = Math.floor((root(candidate) % 1) * 2 ** 32);
  }
  return out;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) return false;
  return true;
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}
