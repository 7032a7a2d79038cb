// The tag of a RunFunctionResponse repeats a hash of the request, with all its timestamps and versions. Crossplane reads nothing
// of it, so without it replies with the same content are equal, and states that differ in nothing else meet.

import {Cursor} from '../../wire/cursor.ts';

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
