import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isBlank} from '../../src/lifecycle/words/json.ts';
import {wholeSlice} from '../../src/wire/cursor.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {Sink} from '../../src/wire/sink.ts';
import {decodeStruct, nestingMax} from '../../src/wire/struct-cells.ts';
import {encodeStruct} from '../../src/wire/struct-encode.ts';
import {StructIndex} from '../../src/wire/struct-index.ts';
import {StructView} from '../../src/wire/struct-view.ts';
import {jsonObject} from './arbitrary.ts';

describe('JSON in a Struct', () => {
  test('comes back as it went in', () => {
    fc.assert(
      fc.property(jsonObject, (object) => {
        expect(decode(encode(object))).toEqual(object);
      }),
    );
  });

  test('has one form, whatever the order of its keys', () => {
    expect(encode({b: 1, a: {d: [1, 2], c: null}})).toEqual(encode({a: {c: null, d: [1, 2]}, b: 1}));
  });

  test.each([
    ['an emoji outside the basic plane', '🦀 crab'],
    ['an empty string', ''],
    ['a NUL', 'a\0b'],
    ['a byte order mark', '\uFEFFtext'],
    ['a long text', 'ä'.repeat(5000)],
    ['a long ASCII text', 'a'.repeat(5000)],
    ['a long text that ends beyond ASCII', `${'a'.repeat(5000)}ä`],
  ])('keeps %s', (_, text) => {
    expect(decode(encode({text, [text]: 1}))).toEqual({text, [text]: 1});
  });

  test.each([0, -0, 0.1, -1.5, 2 ** 53 - 1, -(2 ** 53 - 1), 1e-300])('keeps the number %d', (number) => {
    expect(Object.is(decode(encode({number}))['number'], number)).toBe(true);
  });

  test('keeps __proto__ as a key like any other, and finds nothing inherited', () => {
    const object = JSON.parse('{"labels":{"__proto__":{"polluted":true},"constructor":"c"}}') as JsonObject;
    const view = viewOf(encode(object));
    const labels = decode(encode(object))['labels'] as JsonObject;
    expect(Object.keys(labels).sort()).toEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(Object.entries(labels))).toContain('["__proto__",{"polluted":true}]');
    expect(labels['toString']).toBeUndefined();
    expect(view.field(['labels', '__proto__', 'polluted'])).toBe(true);
    expect(view.field(['labels', 'toString'])).toBeUndefined();
    expect((Object.prototype as {polluted?: boolean}).polluted).toBeUndefined();
  });

  test('is blank where the policy core finds its value blank', () => {
    fc.assert(
      fc.property(jsonObject, (object) => {
        const view = viewOf(encode({below: object}));
        for (const [key, value] of Object.entries(object)) {
          expect(view.isBlank(['below', key])).toBe(isBlank(value));
          view.field(['below', key]);
          expect(view.isBlank(['below', key])).toBe(isBlank(value));
          expect(viewOf(encode({above: {below: object}})).isBlank(['above', 'below', key])).toBe(isBlank(value));
        }
        expect(view.isBlank(['absent', 'key'])).toBe(true);
        expect(viewOf(encode({below: 'text'})).isBlank(['below', 'key'])).toBe(true);
      }),
    );
  });

  test.each([
    [{a: 1}, {a: null}, true],
    [{a: null}, {a: 1}, false],
  ])('is blank by the last of a key given twice: %j and %j', (first, second, isSo) => {
    const field = (tag: number, content: readonly number[]) => [tag, content.length, ...content];
    const value = field(0x2a, [...encode(first), ...encode(second)]);
    const entry = [...field(0x0a, [...Buffer.from('below')]), ...field(0x12, value)];
    const view = viewOf(Uint8Array.from(field(0x0a, entry)));
    expect(view.isBlank(['below', 'a'])).toBe(isSo);
    view.field(['below', 'a']);
    expect(view.isBlank(['below', 'a'])).toBe(isSo);
  });

  test.each([
    [null, true],
    [false, true],
    ['', true],
    [[], true],
    [{}, true],
    [true, false],
    [0, false],
    ['a', false],
    [[null], false],
    [{a: null}, false],
  ])('%j is blank: %s', (value: Json, isSo) => {
    expect([viewOf(encode({value})).isBlank(['value']), isBlank(value)]).toEqual([isSo, isSo]);
  });

  test.each([500, 5000, nestingMax - 1])('may be nested %d deep, as objects and as lists', (depth) => {
    for (const wrap of [(inner: Json): Json => ({in: inner}), (inner: Json): Json => [inner]]) {
      const bytes = encode({root: nested(depth, wrap)});
      expect(depthOf(decode(bytes)['root'] as Json)).toBe(depth);
    }
  });

  test('nested deeper than any Kubernetes object is refused in one sentence', () => {
    const tooDeep = {root: nested(nestingMax, (inner) => [inner])};
    expect(() => encode(tooDeep)).toThrow('nested deeper than 10000');
    const fits = encode({root: nested(nestingMax - 1, (inner) => [inner])});
    const bytes = new Sink(64);
    const sizeBefore = bytes.size;
    bytes.raw(fits, 0, fits.length);
    bytes.message(5, sizeBefore);
    bytes.message(2, sizeBefore);
    bytes.message(1, sizeBefore);
    expect(() => decode(bytes.finish())).toThrow('nested deeper than 10000');
  });
});

describe('what no Struct can hold is refused with its path', () => {
  const circular: unknown[] = [];
  circular.push(circular);
  test.each<[string, unknown, string]>([
    ['NaN', {spec: {ratio: Number.NaN}}, 'spec.ratio: expected a JSON value, got NaN'],
    ['Infinity', {list: [1, Number.POSITIVE_INFINITY]}, 'list[1]: expected a JSON value, got Infinity'],
    ['-Infinity', {a: Number.NEGATIVE_INFINITY}, 'a: expected a JSON value, got -Infinity'],
    ['undefined in a list', {a: {'x/y': [undefined]}}, 'a["x/y"][0]: expected a JSON value, got undefined'],
    ['an integer above 2^53', {n: 2 ** 53}, 'n: expected a JSON value, got the unsafe integer 9007199254740992'],
    ['an integer below -2^53', {n: -(2 ** 53)}, 'n: expected a JSON value, got the unsafe integer -9007199254740992'],
    ['a bigint', {n: 1n}, 'n: expected a JSON value, got a bigint'],
    ['a Date', {when: new Date(0)}, 'when: expected a JSON value, got a Date'],
    ['a Map', {a: [{m: new Map()}]}, 'a[0].m: expected a JSON value, got a Map'],
    ['bytes', {b: new Uint8Array(1)}, 'b: expected a JSON value, got a Uint8Array'],
    ['a function', {f: () => 1}, 'f: expected a JSON value, got a function'],
    ['a symbol', {s: Symbol('s')}, 's: expected a JSON value, got a symbol'],
    ['half a surrogate pair', {s: ['\ud800']}, 's[0]: expected a JSON value, got a string with half a surrogate pair'],
    ['half a surrogate pair in a key', {'\ud800': 1}, 'a string holds half a surrogate pair and has no UTF-8 form'],
    [
      'half a surrogate pair in a long text',
      {s: `${'a'.repeat(5000)}\ud800`},
      's: expected a JSON value, got a string with half a surrogate pair',
    ],
    ['a circle', {circular}, 'nested deeper than 10000'],
  ])('%s', (_, object, sentence) => {
    expect(() => encode(object as JsonObject)).toThrow(sentence);
  });

  test('but a key whose value is undefined is left out, as JSON.stringify does', () => {
    expect(decode(encode({a: 1, b: undefined} as unknown as JsonObject))).toEqual({a: 1});
  });
});

function encode(object: JsonObject): Uint8Array {
  const sink = new Sink(64);
  encodeStruct(sink, object);
  return sink.finish();
}

function decode(bytes: Uint8Array): JsonObject {
  return decodeStruct(wholeSlice(bytes));
}

function nested(depth: number, wrap: (inner: Json) => Json): Json {
  let value: Json = 'bottom';
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

function depthOf(value: Json): number {
  let depth = 0;
  let current: Json | undefined = value;
  while (typeof current === 'object' && current !== null) {
    depth++;
    current = Array.isArray(current) ? current[0] : (current as JsonObject)['in'];
  }
  expect(current).toBe('bottom');
  return depth;
}

function viewOf(bytes: Uint8Array): StructView {
  return new StructView(new StructIndex(bytes), 0, bytes.length);
}
