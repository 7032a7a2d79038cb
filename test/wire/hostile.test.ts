import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {decodeRequest, type RequestMessage} from '../../src/wire/request-decode.ts';
import {encodeRequest} from '../../src/wire/request-encode.ts';
import {Sink} from '../../src/wire/sink.ts';
import {decodeStruct} from '../../src/wire/struct-cells.ts';
import {encodeStruct} from '../../src/wire/struct-encode.ts';
import {StructIndex} from '../../src/wire/struct-index.ts';
import {StructView} from '../../src/wire/struct-view.ts';
import {WireError} from '../../src/wire/text.ts';
import {jsonObject, request} from './arbitrary.ts';

const object = {kind: 'Thing', metadata: {name: 'x', labels: {a: 'b'}}, spec: {list: [1, null, 'ü', {deep: true}]}};
const sample = encodeRequest({
  tag: 'tag',
  capabilities: [1, 2],
  observed: {composite: {object}, resources: new Map([['db', {object}]])},
  desired: {resources: new Map([['db', {object, ready: 'true'}]])},
  input: object,
  context: object,
  requiredResources: new Map([['lost', [object]]]),
  requiredSchemas: new Map([['s', object]]),
});

describe('hostile bytes end in a WireError or are read, and nothing else', () => {
  test('the sample itself is fine', () => expect(readAll(sample)).toBe('read'));

  test('cut off at every byte', () => {
    const outcomes = Array.from({length: sample.length}, (_, length) => readAll(sample.subarray(0, length)));
    expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(sample.length * 0.9);
  });

  test('every byte replaced by some others', () => {
    for (let at = 0; at < sample.length; at++) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff, (sample[at] as number) ^ 1, (sample[at] as number) ^ 7]) {
        const broken = Uint8Array.from(sample);
        broken[at] = byte;
        readAll(broken);
      }
    }
  });

  test('random bytes, and random bytes inside of a request', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 400}), (bytes) => void readAll(bytes)),
      {numRuns: 2000},
    );
    fc.assert(
      fc.property(request, fc.nat(), fc.uint8Array({maxLength: 20}), (body, place, bytes) => {
        const whole = encodeRequest(body);
        const at = place % (whole.length + 1);
        readAll(Uint8Array.from([...whole.subarray(0, at), ...bytes, ...whole.subarray(at)]));
      }),
      {numRuns: 500},
    );
  });
});

test('a field read alone is what the whole object holds, however the bytes are damaged', () => {
  let read = 0;
  fc.assert(
    fc.property(jsonObject, fc.nat(), fc.nat({max: 255}), (object, place, byte) => {
      const bytes = structBytes(object);
      bytes[place % Math.max(bytes.length, 1)] = byte;
      let whole: JsonObject;
      try {
        whole = decodeStruct({bytes, start: 0, end: bytes.length});
      } catch {
        return;
      }
      read++;
      for (const key of Object.keys(whole)) {
        expect(new StructView(new StructIndex(bytes), 0, bytes.length).field([key])).toEqual(whole[key]);
        for (const [path, value] of inFirstItem(key, whole[key])) {
          expect(new StructView(new StructIndex(bytes), 0, bytes.length).field(path)).toEqual(value);
        }
      }
    }),
    {numRuns: 5000},
  );
  expect(read).toBeGreaterThan(500);
});

test.each<[string, number[], unknown]>([
  ['a field after the value', [0x0a, 9, 0x0a, 1, 97, 0x12, 2, 0x20, 1, 0x18, 0], true],
  ['the value before the key', [0x0a, 7, 0x12, 2, 0x20, 1, 0x0a, 1, 97], true],
  ['no value', [0x0a, 3, 0x0a, 1, 97], null],
  ['a length in more bytes than needed', [0x0a, 0x87, 0x80, 0, 0x0a, 1, 97, 0x12, 2, 0x20, 1], true],
])('an entry with %s is read all the same', (_, bytes, value) => {
  expect(new StructView(new StructIndex(Uint8Array.from(bytes)), 0, bytes.length).field(['a'])).toBe(value);
});

test.each<[string, number[], string]>([
  [
    'a value that runs past it',
    [0x0a, 6, 0x0a, 1, 97, 0x12, 9, 0x20, 1, 0, 0, 0, 0, 0, 0, 0],
    'a length of 9 runs past',
  ],
  ['two values', [0x0a, 11, 0x0a, 1, 97, 0x12, 2, 0x20, 1, 0x12, 2, 0x20, 0], 'map value: given twice'],
])('an entry with %s is refused', (_, bytes, sentence) => {
  expect(() => new StructView(new StructIndex(Uint8Array.from(bytes)), 0, bytes.length).field(['a'])).toThrow(sentence);
});

describe('one sentence says what is wrong and where', () => {
  test.each<[string, number[], string]>([
    ['a length past the end', [0x12, 0x05, 0x00], 'a length of 5 runs past the end (byte 2, 1 bytes left)'],
    ['a length of 4 GB', [0x12, 0xff, 0xff, 0xff, 0xff, 0x0f], 'a length of 4294967295 runs past the end'],
    ['a length beyond 32 bits', [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], 'a tag or length does not fit 32 bits'],
    ['an endless varint', [0x50, ...Array<number>(11).fill(0x80)], 'a varint is longer than 10 bytes'],
    ['a varint cut off', [0x50, 0x80], 'a varint is cut off (byte 1)'],
    ['field number 0', [0x02, 0x00], 'field number 0 is not allowed'],
    ['desired state as a number', [0x18, 0x01], 'desired: expected wire type 2, got 0'],
    ['a resource as a fixed number', [0x1a, 0x05, 0x15, 1, 2, 3, 4], 'desired.resources: expected wire type 2, got 5'],
    ['desired state twice', [0x1a, 0x00, 0x1a, 0x00], 'desired: given twice'],
    ['an end of a group that never began', [0x5c], 'unexpected wire type 4 of field 11'],
    ['a group that ends as another', [0x5b, 0x64], 'a group ends that was not open'],
    ['an unknown wire type', [0x5f], 'unexpected wire type 7 of field 11'],
    ['groups nested without end', Array<number>(5000).fill(0x5b), 'groups are nested deeper than 100'],
    [
      'a resource name in Latin-1',
      [0x1a, 0x05, 0x12, 0x03, 0x0a, 0x01, 0xe4],
      'desired.resources: a string holds invalid UTF-8',
    ],
  ])('%s', (_, bytes, sentence) => {
    expect(() => decodeRequest(Uint8Array.from(bytes))).toThrow(sentence);
    expect(readAll(Uint8Array.from(bytes))).toBe('refused');
  });

  test('a broken object is found when it is read, and named', () => {
    const bytes = Uint8Array.from(sample);
    const name = new TextEncoder().encode('Thing');
    const at = bytes.findIndex((_, index) => name.every((byte, offset) => bytes[index + offset] === byte));
    bytes[at] = 0xff;
    const composite = decodeRequest(bytes).observed.composite;
    expect(() => composite?.json()).toThrow(/^observed\.composite: a string holds invalid UTF-8/);
    expect(() => composite?.field(['kind'])).toThrow(/^observed\.composite: a string holds invalid UTF-8/);
    expect(composite?.field(['metadata', 'name'])).toBe('x');
  });
});

describe('unknown fields', () => {
  test('of every wire type are stepped over', () => {
    const unknown = [0x58, 0x05, 0x59, 1, 2, 3, 4, 5, 6, 7, 8, 0x5a, 1, 9, 0x5b, 0x08, 0x01, 0x5c, 0x5d, 1, 2, 3, 4];
    const message = decodeRequest(Uint8Array.from([...unknown, ...sample, ...unknown]));
    expect(message.desired.resources.get('db')?.json()).toEqual(object);
  });
});

test('a bomb of a million empty entries is read in linear time', () => {
  const fields = 1_000_000;
  const bytes = new Uint8Array(fields * 2);
  for (let at = 0; at < bytes.length; at += 2) bytes[at] = 0x0a;
  expect(Object.keys(decodeStruct({bytes, start: 0, end: bytes.length}))).toEqual(['']);
});

function structBytes(object: JsonObject): Uint8Array {
  const sink = new Sink(256);
  encodeStruct(sink, object);
  return sink.finish();
}

// Reads everything there is to read.
function readAll(bytes: Uint8Array): 'read' | 'refused' {
  try {
    const message: RequestMessage = decodeRequest(bytes);
    for (const state of [message.observed, message.desired]) {
      state.composite?.json();
      for (const resource of state.resources.values()) {
        resource.field(['metadata', 'name']);
        resource.json();
      }
    }
    if (message.input !== undefined) decodeStruct(message.input);
    if (message.context !== undefined) decodeStruct(message.context);
    for (const items of message.requiredResources.values()) for (const item of items) item.json();
    for (const schema of message.requiredSchemas.values()) if (schema !== undefined) decodeStruct(schema);
    return 'read';
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    expect(error.message).toMatch(/^\S.*\S$/);
    return 'refused';
  }
}

/** Paths that lead through number 0 of what is there, be it a list or not, and what they lead to. */
function inFirstItem(key: string, value: Json | undefined): [(string | number)[], Json | undefined][] {
  const first = Array.isArray(value) ? (value as Json[])[0] : undefined;
  const item = isObject(first) ? first : {};
  const others = isObject(value) ? Object.keys(value) : [];
  return ['nothing here', ...others, ...Object.keys(item)].map((inner) => [
    [key, 0, inner],
    Object.hasOwn(item, inner) ? item[inner] : undefined,
  ]);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
