// Writing protobuf from the end to the start. A length prefix is then known when it is written, so nested messages
// need neither a first pass for sizes nor buffers of their own, and untouched bytes of the request are copied once,
// straight to their place in the response.

import type {CallMemory} from './call-memory.ts';
import {encodeText} from './text.ts';

// Up to here copying byte by byte is faster than making a view to copy from.
const shortLength = 32;
const scratch = new DataView(new ArrayBuffer(8));

export class Sink {
  private bytes: Uint8Array;
  private at: number;
  private readonly callMemory: CallMemory | undefined;

  /**
   * `sizeHint`: how many bytes are expected; the sink grows beyond it when needed. With `callMemory` it writes there, and
   * what it wrote is there until the next one does.
   */
  constructor(sizeHint: number, callMemory?: CallMemory) {
    const length = Math.max(sizeHint, 256);
    this.callMemory = callMemory;
    this.bytes = callMemory === undefined ? new Uint8Array(length) : callMemory.bytesFor(length);
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

  /** A copy of all that was written since `size` was `sizeBefore`. */
  copySince(sizeBefore: number): Uint8Array {
    return this.bytes.slice(this.at, this.bytes.length - sizeBefore);
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
    const {bytes: target, at} = this;
    for (let index = 0; index < length; index++) target[at + index] = bytes[start + index] as number;
  }

  /** A string field; proto3 leaves out the empty string unless `always`. */
  text(field: number, text: string, always = false): void {
    if (text === '' && !always) return;
    this.textContent(text);
    this.varint((field << 3) | 2);
  }

  /** An enum, bool or unsigned field; proto3 leaves out zero unless `always`. */
  uint(field: number, value: number, always = false): void {
    if (value === 0 && !always) return;
    this.varint(value);
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
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) {
        const bytes = encodeText(text);
        this.raw(bytes, 0, bytes.length);
        this.varint(bytes.length);
        return;
      }
      target[start + index] = code;
    }
    this.at = start;
    this.varint(length);
  }

  private reserve(length: number): void {
    if (this.at >= length) return;
    const used = this.size;
    const grown = new Uint8Array((used + length) * 2);
    grown.set(this.bytes.subarray(this.at), grown.length - used);
    this.bytes = grown;
    this.callMemory?.keepBytes(grown);
    this.at = grown.length - used;
  }
}
