import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {sliceBytes} from '../../src/wire/cursor.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {decodeRequest, type StateMessage} from '../../src/wire/request-decode.ts';
import {encodeRequest, type StructMemory} from '../../src/wire/request-encode.ts';
import {decodeStruct} from '../../src/wire/struct-cells.ts';
import type {FieldPath} from '../../src/wire/struct-view.ts';
import {request} from './arbitrary.ts';
import {loaderDecode, loaderEncode, type PlainRequest, type PlainState, sdkDecode} from './other-codecs.ts';

describe('a request', () => {
  test('reads the same as in the TypeScript SDK and proto-loader, whichever of us wrote it', () => {
    fc.assert(
      fc.property(request, (body) => {
        for (const bytes of [loaderEncode(body), encodeRequest(body)]) {
          const ours = plain(bytes);
          expect(ours).toEqual(sdkDecode(bytes));
          expect(ours).toEqual(loaderDecode(bytes));
        }
      }),
      {numRuns: 300},
    );
  });

  test('reads one field exactly as the whole object holds it', () => {
    fc.assert(
      fc.property(request, (body) => {
        const resources = decodeRequest(encodeRequest(body)).observed.resources;
        for (const [name, {object}] of body.observed.resources) {
          for (const [path, value] of everyPath(object)) {
            expect(resources.get(name)?.field(path)).toEqual(value);
            expect(resources.get(name)?.field([...path, 'nothing here'])).toBeUndefined();
          }
        }
      }),
      {numRuns: 200},
    );
  });

  test('keeps the order in which the resources came', () => {
    const resources = new Map(['c', 'a', 'b'].map((name) => [name, {object: {}}]));
    const bytes = loaderEncode({tag: '', observed: {resources: new Map()}, desired: {resources}});
    expect([...decodeRequest(bytes).desired.resources.keys()]).toEqual(['c', 'a', 'b']);
  });

  test('tells an unanswered requirement from one that found nothing', () => {
    const requiredResources = new Map([['lost', []]]);
    const bytes = encodeRequest({tag: '', observed: none, desired: none, requiredResources});
    expect(decodeRequest(bytes).requiredResources.get('lost')).toEqual([]);
    expect(decodeRequest(bytes).requiredResources.get('other')).toBeUndefined();
  });

  test('gives the same bytes where the encoder remembers the objects from another request', () => {
    fc.assert(
      fc.property(request, (body) => {
        const memory: StructMemory = new WeakMap();
        encodeRequest({tag: 'another', observed: none, desired: body.observed}, memory);
        expect(encodeRequest(body, memory)).toEqual(encodeRequest(body));
        for (const {object} of body.observed.resources.values()) expect(memory.get(object)).toBeDefined();
      }),
      {numRuns: 100},
    );
  });

  test('gives equal bytes for equal bodies, however their maps were built', () => {
    fc.assert(
      fc.property(request, (body) => {
        const resources = new Map([...body.observed.resources].reverse());
        expect(encodeRequest({...body, observed: {...body.observed, resources}})).toEqual(encodeRequest(body));
      }),
      {numRuns: 100},
    );
  });
});

const none = {resources: new Map()};

function plain(bytes: Uint8Array): PlainRequest {
  const message = decodeRequest(bytes);
  return {
    tag: message.tag,
    capabilities: message.capabilities,
    observed: plainState(message.observed),
    desired: plainState(message.desired),
    input: message.input && decodeStruct(message.input),
    context:
      message.context &&
      decodeStruct({bytes: sliceBytes(message.context), start: 0, end: message.context.end - message.context.start}),
    required: Object.fromEntries(
      [...message.requiredResources].map(([name, items]) => [name, items.map((item) => item.json())]),
    ),
  };
}

function plainState(state: StateMessage): PlainState {
  return {
    composite: state.composite?.json(),
    resources: Object.fromEntries([...state.resources].map(([name, resource]) => [name, resource.json()])),
    ready: Object.fromEntries([...state.resources].map(([name, resource]) => [name, resource.readyNumber])),
  };
}

function* everyPath(value: Json, path: FieldPath = []): Generator<readonly [FieldPath, Json]> {
  if (path.length > 0) yield [path, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* everyPath(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) yield* everyPath((value as JsonObject)[key] as Json, [...path, key]);
  }
}
