// Writing protobuf from the end to the start. A length prefix is then known when it is written, so nested messages
// need neither a first pass for sizes nor buffers of their own, and untouched bytes of the request are copied once,
// straight to their place in the response.

import type {CallMemory} from './call-memory.ts';
import {wireBytes} from './cursor.ts';
import {valueString} from './struct-cells.ts';
import type {StructIndex} from './struct-index.ts';
import {encodeInto, encodeText} from './text.ts';

// Up to here a loop over words or characters is faster than making a view of the bytes.
const shortLength = 400;
const scratch = new DataView(new ArrayBuffer(8));
const nothing = new Uint8Array(0);

/** A value under its key, and where it was written. */
interface Written {
  readonly key: string;
  readonly value: object;
  readonly size: number;
  readonly length: number;
}

export class Sink {
  private bytes: Uint8Array;
  private at: number;
  private words: DataView;
  // The bytes to copy from, nearly always those of the one request.
  private source: Uint8Array = nothing;
  private sourceWords: DataView = wordsOf(nothing);
  private latest: Written | undefined;
  private readonly callMemory: CallMemory | undefined;
  private readonly read: StructIndex | undefined;

  /**
   * `sizeHint`: the expected number of bytes; the sink grows beyond it when needed. With `callMemory` it writes there, and its
   * bytes are there until the next sink writes. Values that were `read` from a message are copied from there.
   */
  constructor(sizeHint: number, callMemory?: CallMemory, read?: StructIndex) {
    const length = Math.max(sizeHint, 256);
    this.callMemory = callMemory;
    this.read = read;
    this.bytes = callMemory === undefined ? new Uint8Array(length) : callMemory.bytesFor(length);
    this.words = wordsOf(this.bytes);
    this.at = this.bytes.length;
  }

  /** How many bytes are written. Taken before a message's content, it is what `message` needs after it. */
  get size(): number {
    return this.bytes.length - this.at;
  }

  /** Everything written, sharing memory with the sink. */
  finish(): Uint8Array {
    return this.bytes.subarray(this.at);
  }

  /** All that was written since `size` was `sizeBefore`, sharing memory with the sink. */
  since(sizeBefore: number): Uint8Array {
    return this.bytes.subarray(this.at, this.bytes.length - sizeBefore);
  }

  /** Remembers all that was written since `size` was `sizeBefore` as what `value` is under `key`. */
  remember(key: string, value: object, sizeBefore: number): void {
    this.latest = {key, value, size: this.size, length: this.size - sizeBefore};
  }

  /** Writes once more what was remembered last, if it was this value under this key. */
  repeat(key: string, value: object): boolean {
    const {latest} = this;
    if (latest === undefined || latest.value !== value || latest.key !== key) return false;
    this.reserve(latest.length);
    const from = this.bytes.length - latest.size;
    this.at -= latest.length;
    this.bytes.copyWithin(this.at, from, from + latest.length);
    return true;
  }

  /** Writes the content of the Value of which `value` was read, if it was. */
  copyRead(value: object): boolean {
    const origin = this.read?.originOf(value);
    if (this.read === undefined || origin === undefined) return false;
    this.raw(this.read.bytes, origin.start, origin.end);
    return true;
  }

  /** Closes a length-prefixed field whose content is all that was written since `size` was `sizeBefore`. */
  message(field: number, sizeBefore: number): void {
    this.varint(this.size - sizeBefore);
    this.varint((field << 3) | 2);
  }

  /** A length-prefixed field that holds bytes[start, end). */
  copy(field: number, bytes: Uint8Array, start: number, end: number): void {
    this.raw(bytes, start, end);
    this.varint(end - start);
    this.varint((field << 3) | 2);
  }

  /** bytes[start, end) as they are: whole fields, tags included. */
  raw(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    this.at -= length;
    if (length > shortLength) {
      this.bytes.set(bytes.subarray(start, end), this.at);
      return;
    }
    if (bytes !== this.source) {
      this.source = bytes;
      this.sourceWords = wordsOf(bytes);
    }
    const {words, sourceWords, at} = this;
    let done = 0;
    for (; done + 4 <= length; done += 4) words.setInt32(at + done, sourceWords.getInt32(start + done));
    for (; done < length; done++) words.setInt8(at + done, sourceWords.getInt8(start + done));
  }

  /** A string field; proto3 leaves out the empty string unless `always`. */
  text(field: number, text: string, always = false): void {
    if (text === '' && !always) return;
    this.textContent(text);
    this.varint((field << 3) | 2);
  }

  /**
   * A map entry of a Struct whose Value is a string, where both are ASCII and short, as nearly all are: written at once,
   * because all lengths are known and take a byte. False where they are not; then nothing is written.
   */
  shortTextEntry(key: string, value: string): boolean {
    const keyLength = key.length;
    const valueLength = value.length;
    const length = keyLength + valueLength + 6;
    if (keyLength === 0 || length >= 0x80) return false;
    this.reserve(length + 2);
    const {bytes} = this;
    let at = this.at;
    for (let index = valueLength - 1; index >= 0; index--) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) return false;
      bytes[--at] = code;
    }
    bytes[--at] = valueLength;
    bytes[--at] = (valueString << 3) | wireBytes;
    bytes[--at] = valueLength + 2;
    bytes[--at] = (2 << 3) | wireBytes;
    for (let index = keyLength - 1; index >= 0; index--) {
      const code = key.charCodeAt(index);
      if (code >= 0x80) return false;
      bytes[--at] = code;
    }
    bytes[--at] = keyLength;
    bytes[--at] = (1 << 3) | wireBytes;
    bytes[--at] = length;
    bytes[--at] = (1 << 3) | wireBytes;
    this.at = at;
    return true;
  }

  /** An enum, bool or unsigned field; proto3 leaves out zero unless `always`. */
  uint(field: number, value: number, always = false): void {
    if (value === 0 && !always) return;
    this.varint(value);
    this.varint(field << 3);
  }

  /** An enum field, which any number may be, left out where it is 0: a negative one has the ten bytes of a 64-bit number. */
  int32(field: number, value: number): void {
    if (value >= 0) return this.uint(field, value);
    const bytes: number[] = [];
    for (let rest = BigInt.asUintN(64, BigInt(value)); rest > 0n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    this.reserve(bytes.length);
    this.at -= bytes.length;
    this.bytes.set(bytes, this.at);
    this.bytes[this.at + bytes.length - 1] = (bytes.at(-1) ?? 0) & 0x7f;
    this.varint(field << 3);
  }

  /** A double field, always written. */
  double(field: number, value: number): void {
    scratch.setFloat64(0, value, true);
    this.reserve(8);
    this.at -= 8;
    for (let index = 0; index < 8; index++) this.bytes[this.at + index] = scratch.getUint8(index);
    this.varint((field << 3) | 1);
  }

  /** An unsigned varint of up to 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      this.reserve(1);
      this.bytes[--this.at] = value;
      return;
    }
    let length = 2;
    for (let rest = value; rest >= 0x4000; rest /= 128) length++;
    this.reserve(length);
    this.at -= length;
    const {bytes, at} = this;
    let rest = value;
    for (let index = 0; index < length - 1; index++) {
      bytes[at + index] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    bytes[at + length - 1] = rest;
  }

  // A length and UTF-8 bytes. ASCII, nearly all there is, is written in place without a buffer of its own.
  private textContent(text: string): void {
    const length = text.length;
    this.reserve(length);
    const start = this.at - length;
    const {bytes: target} = this;
    if (length > shortLength) {
      // All of a text fits into as many bytes as it has characters only if it is ASCII.
      const isAscii = encodeInto(text, target.subarray(start, this.at)) === length;
      if (!isAscii) return this.encodedText(text);
      this.at = start;
      return this.varint(length);
    }
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return this.encodedText(text);
      target[start + index] = code;
    }
    this.at = start;
    this.varint(length);
  }

  private encodedText(text: string): void {
    const bytes = encodeText(text);
    this.raw(bytes, 0, bytes.length);
    this.varint(bytes.length);
  }

  private reserve(length: number): void {
    if (this.at >= length) return;
    const used = this.size;
    const grown = new Uint8Array((used + length) * 2);
    grown.set(this.bytes.subarray(this.at), grown.length - used);
    this.bytes = grown;
    this.words = wordsOf(grown);
    this.callMemory?.keepBytes(grown);
    this.at = grown.length - used;
  }
}

function wordsOf({buffer, byteOffset, length}: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
