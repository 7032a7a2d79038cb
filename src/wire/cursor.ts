// Reading protobuf framing (https://protobuf.dev/programming-guides/encoding/), bounds-checked at every step.
//
// A cursor walks one message: bytes[at, end). Every read checks `end` first, so hostile lengths end in a WireError and
// never in a read outside of the message. Known fields with a wrong wire type are refused rather than skipped as
// unknown: skipping one could lose desired resources without anybody noticing, a refusal changes nothing.

import {decodeText, WireError} from './text.ts';

export const wireVarint = 0;
export const wireFixed64 = 1;
export const wireBytes = 2;
const wireGroupStart = 3;
const wireGroupEnd = 4;
const wireFixed32 = 5;

const groupDepthMax = 100;

/** Part of a byte array. Views keep slices, so nothing is copied before it is sent on. */
export interface Slice {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export class Cursor implements Slice {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.at = start;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  /** The next tag: field number << 3 | wire type. */
  tag(): number {
    const tag = this.uint();
    if (tag < 8) throw new WireError(`field number 0 is not allowed (byte ${this.at - 1})`);
    return tag;
  }

  /** A varint that must fit 32 bits: a tag or a length. */
  uint(): number {
    const {bytes, end} = this;
    if (this.at < end) {
      const first = bytes[this.at] as number;
      if (first < 0x80) {
        this.at++;
        return first;
      }
    }
    const start = this.at;
    const value = this.varint();
    if (value > 0xffffffff) throw new WireError(`a tag or length does not fit 32 bits (byte ${start})`);
    return value;
  }

  /** Any varint as an unsigned number; above 2^53 only its size is right. Ten bytes at most. */
  varint(): number {
    const {bytes, end} = this;
    const start = this.at;
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      if (this.at >= end) throw new WireError(`a varint is cut off (byte ${start})`);
      const byte = bytes[this.at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new WireError(`a varint is longer than 10 bytes (byte ${start})`);
  }

  /** A varint as an enum or int32: its low 32 bits, signed. */
  int32(): number {
    const {bytes} = this;
    const start = this.at;
    this.varint();
    let value = 0;
    for (let at = start, shift = 0; at < this.at && shift < 32; at++, shift += 7) {
      value |= ((bytes[at] as number) & 0x7f) << shift;
    }
    return value;
  }

  /** A little-endian IEEE 754 double. */
  double(): number {
    const at = this.advance(8);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + at, 8).getFloat64(0, true);
  }

  /** Steps over a length-prefixed field and returns where its content starts; it ends at the new `at`. */
  content(): number {
    const length = this.uint();
    const start = this.at;
    if (length > this.end - start) {
      throw new WireError(`a length of ${length} runs past the end (byte ${start}, ${this.end - start} bytes left)`);
    }
    this.at = start + length;
    return start;
  }

  /** A length-prefixed field as a slice. */
  slice(): Slice {
    const start = this.content();
    return {bytes: this.bytes, start, end: this.at};
  }

  /** A length-prefixed string. */
  text(): string {
    const start = this.content();
    return decodeText(this.bytes, start, this.at);
  }

  /** Steps over a field of any wire type, groups included. */
  skip(tag: number): void {
    switch (tag & 7) {
      case wireVarint:
        this.varint();
        return;
      case wireFixed64:
        this.advance(8);
        return;
      case wireBytes:
        this.content();
        return;
      case wireGroupStart:
        this.skipGroup(tag >>> 3);
        return;
      case wireFixed32:
        this.advance(4);
        return;
      default:
        throw new WireError(`unexpected wire type ${tag & 7} of field ${tag >>> 3} (byte ${this.at})`);
    }
  }

  // Groups are obsolete, but an unknown field may be one. Iterative, so that nesting costs no stack.
  private skipGroup(field: number): void {
    const open = [field];
    while (open.length > 0) {
      const tag = this.tag();
      if ((tag & 7) === wireGroupStart) {
        if (open.length === groupDepthMax) throw new WireError(`groups are nested deeper than ${groupDepthMax}`);
        open.push(tag >>> 3);
      } else if ((tag & 7) === wireGroupEnd) {
        if (open.pop() !== tag >>> 3) throw new WireError(`a group ends that was not open (byte ${this.at})`);
      } else {
        this.skip(tag);
      }
    }
  }

  private advance(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw new WireError(`a fixed number is cut off (byte ${start})`);
    this.at = start + length;
    return start;
  }
}

/** Refuses a known field that comes with another wire type than the contract's. */
export function expectWire(tag: number, wire: number, name: string): void {
  if ((tag & 7) === wire) return;
  throw new WireError(`expected wire type ${wire}, got ${tag & 7}`, name);
}

/**
 * Refuses a message field given twice. Protobuf would merge the two; no encoder we know does it, merging costs copies
 * that a hostile message could square, and taking the last one alone would lose what the first one held.
 */
export function expectOnce(earlier: unknown, name: string): void {
  if (earlier !== undefined) throw new WireError('given twice', name);
}

/** A cursor at the start of `slice`. */
export function cursorOf(slice: Slice): Cursor {
  return new Cursor(slice.bytes, slice.start, slice.end);
}

export function wholeSlice(bytes: Uint8Array): Slice {
  return {bytes, start: 0, end: bytes.length};
}

/** The slice's bytes, sharing memory with the message. */
export function sliceBytes(slice: Slice): Uint8Array {
  return slice.bytes.subarray(slice.start, slice.end);
}
