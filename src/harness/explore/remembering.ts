// Remembered replies of functions, without their tags. A search asks the same over and over. The tag of a RunFunctionResponse
// repeats a hash of the request, with all its timestamps and versions. Crossplane reads nothing of it, so without it replies with
// the same content are equal, and states that differ in nothing else meet.

import {sameBytes} from '../../cluster/bytes.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {remembering} from '../../cluster/memo.ts';
import {Recent} from '../../cluster/recent.ts';
import {Cursor} from '../../wire/cursor.ts';
import type {InProcessFunction} from '../functions/builtin.ts';

interface Known {
  readonly request: Uint8Array;
  readonly reply: FunctionReply;
}

const rememberedBytesMax = 256 * 1_048_576;

/** Functions answer the same bytes with the same bytes, and a search asks the same over and over. */
export function rememberingReplies(run: InProcessFunction): InProcessFunction {
  const replies = new Recent<number, Known>(rememberedBytesMax, bytesOf);
  return (request, service) => {
    const key = keyOf(request);
    const known = replies.get(key);
    if (known !== undefined && sameBytes(known.request, request)) return known.reply;
    const answered = run(request, service);
    const reply = answered.ok ? {...answered, response: withoutTag(answered.response)} : answered;
    replies.set(key, {request, reply});
    return reply;
  };
}

function bytesOf({request, reply}: Known): number {
  return request.length + (reply.ok ? reply.response.length : 0);
}

// The simulated Crossplane sends one array for one content.
const keyOf = remembering(hashOf);

/** A hash of bytes, for tables. */
export function hashOf(bytes: Uint8Array): number {
  let hash = bytes.length;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

const fieldMeta = 1;
const fieldTag = 1;
const wireBytes = 2;

/** The response without `meta.tag`; other fields stay byte for byte. */
export function withoutTag(response: Uint8Array): Uint8Array {
  return without(response, (field, bytes) => (field === fieldMeta ? without(bytes, dropTag) : bytes));
}

function dropTag(field: number, bytes: Uint8Array): Uint8Array | undefined {
  return field === fieldTag ? undefined : bytes;
}

/** The message with each length-delimited field as `change` has it: other bytes, the same, or undefined for gone. */
function without(
  message: Uint8Array,
  change: (field: number, bytes: Uint8Array) => Uint8Array | undefined,
): Uint8Array {
  const cursor = new Cursor(message, 0, message.length);
  const parts: Uint8Array[] = [];
  while (!cursor.done) {
    const start = cursor.at;
    const tag = cursor.tag();
    if ((tag & 7) !== wireBytes) {
      cursor.skip(tag);
      parts.push(message.subarray(start, cursor.at));
      continue;
    }
    const length = cursor.uint();
    const before = message.subarray(cursor.at, cursor.at + length);
    cursor.at += length;
    const after = change(tag >>> 3, before);
    if (after === before) parts.push(message.subarray(start, cursor.at));
    else if (after !== undefined) parts.push(varint(tag), varint(after.length), after);
  }
  return joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Uint8Array.from([...bytes, rest]);
}
