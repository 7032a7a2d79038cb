import {Severity, Status, Target} from '@crossplane-org/function-sdk-typescript';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type Slice, sliceBytes} from '../../src/wire/cursor.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {decodeRequest} from '../../src/wire/request-decode.ts';
import {encodeRequest, type RequestBody} from '../../src/wire/request-encode.ts';
import type {Condition, Result} from '../../src/wire/resource-message.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {
  encodeRefusal,
  encodeResponse,
  type ResourceChange,
  type ResponseChanges,
} from '../../src/wire/response-encode.ts';
import {Sink} from '../../src/wire/sink.ts';
import {shuffledRequest} from '../function/shuffled-bytes.ts';
import {jsonObject, request} from './arbitrary.ts';
import {sdkDecodeResponse} from './other-codecs.ts';

const nothingChanges: ResponseChanges = {
  ttlSeconds: 60,
  resources: new Map(),
  results: [],
  conditions: [],
  requirements: new Map(),
  requirementFields: ['resources'],
};
const change: fc.Arbitrary<ResourceChange> = fc.oneof(
  fc.constant<ResourceChange>({kind: 'drop'}),
  jsonObject.map((overlay): ResourceChange => ({kind: 'amend', overlay})),
  jsonObject.map(
    (overlay): ResourceChange => ({kind: 'amend', overlay: {metadata: {labels: overlay}}, ready: 'false'}),
  ),
  jsonObject.map((object): ResourceChange => ({kind: 'put', object, ready: 'true'})),
);

test('a readiness of any number stays what it is: an enum of proto3 is open', () => {
  for (const number of [1, 2, 200, -1, -2_147_483_648]) {
    const sink = new Sink(16);
    sink.int32(3, number);
    const bytes = Buffer.from(sink.finish());
    expect(bytes[0]).toBe(3 << 3);
    expect(Number(BigInt.asIntN(64, varintIn(bytes.subarray(1))))).toBe(number);
  }
});

function varintIn(bytes: Buffer): bigint {
  return bytes.reduceRight((value, byte) => (value << 7n) | BigInt(byte & 0x7f), 0n);
}

describe('desired state', () => {
  test('that nobody changes leaves byte for byte, unknown fields included', () => {
    fc.assert(
      fc.property(request, (body) => {
        const message = decodeRequest(withUnknownFields(encodeRequest(body)));
        const answer = decodeRequest(asRequest(encodeResponse(message, nothingChanges)));
        expect(sliceBytes(answer.desired.slice)).toEqual(sliceBytes(message.desired.slice));
      }),
      {numRuns: 100},
    );
  });

  test('gets what was read of the request, and is not changed, byte for byte as it came', () => {
    const names = Object.fromEntries(['b', 'a', 'c'].map((key) => [key, {text: key.repeat(20)}]));
    const sent = encodeRequest({
      tag: '',
      observed: {composite: {object: {status: {names}}}, resources: new Map()},
      desired: {resources: new Map()},
    });
    const message = decodeRequest(shuffledRequest(sent, (below) => below - 1 - (below % 2)));
    const read = message.observed.composite?.field(['status', 'names']) as JsonObject;
    const status = message.observed.composite?.object.structOf(message.observed.composite.object.find('status'));
    const slice = status?.structOf(status.find('names')) as Slice;
    const answerWith = (changed: JsonObject) =>
      encodeResponse(message, {...nothingChanges, compositeStatus: {names: changed}});
    expect(Buffer.from(answerWith(read)).includes(Buffer.from(sliceBytes(slice)))).toBe(true);
    expect(Buffer.from(answerWith({...read})).includes(Buffer.from(sliceBytes(slice)))).toBe(false);
    for (const changed of [read, {...read, b: {text: 'another'}}]) {
      const answer = decodeRequest(asRequest(answerWith(changed)));
      expect(answer.desired.composite?.field(['status', 'names'])).toEqual(changed);
    }
  });

  test('gets one object added to many resources, also where another one is added between them', () => {
    const names = Array.from({length: 300}, (_, index) => `resource-${index}`);
    const body: RequestBody = {
      tag: '',
      observed: {resources: new Map()},
      desired: {resources: new Map(names.map((name) => [name, {object: {metadata: {}}}]))},
    };
    // So long that the sink outgrows what it expected.
    const [one, other] = ['one', 'other'].map((word) => ({metadata: {annotations: {word: word.repeat(50)}}}));
    const overlayOf = (index: number) => (index % 3 === 0 ? other : one) as JsonObject;
    const resources = new Map(
      names.map((name, index): [string, ResourceChange] => [name, {kind: 'amend', overlay: overlayOf(index)}]),
    );
    const message = decodeRequest(encodeRequest(body));
    const answer = decodeRequest(asRequest(encodeResponse(message, {...nothingChanges, resources})));
    expect(names.map((name) => answer.desired.resources.get(name)?.json())).toEqual(
      names.map((_, at) => overlayOf(at)),
    );
  });

  test('leaves byte for byte beside changed resources, in the order it came, added ones last', () => {
    fc.assert(
      fc.property(request, fc.array(change, {maxLength: 4}), fc.context(), (body, changeList, context) => {
        const message = decodeRequest(encodeRequest(body));
        const names = [...body.desired.resources.keys(), 'added-b', 'added-a'];
        const resources = new Map(changeList.map((each, index) => [names[(index * 3) % names.length] as string, each]));
        context.log(JSON.stringify([...resources]));
        const answer = decodeRequest(asRequest(encodeResponse(message, {...nothingChanges, resources})));
        const added = [...resources].filter(([name, {kind}]) => kind === 'put' && !message.desired.resources.has(name));
        expect([...answer.desired.resources.keys()]).toEqual([
          ...[...message.desired.resources.keys()].filter((name) => resources.get(name)?.kind !== 'drop'),
          ...added.map(([name]) => name).sort(),
        ]);
        for (const [name, resource] of answer.desired.resources) {
          const from = message.desired.resources.get(name);
          const made = resources.get(name);
          if (made === undefined) expect(sliceBytes(resource)).toEqual(sliceBytes(from as typeof resource));
          else if (made.kind === 'put') expect([resource.json(), resource.ready]).toEqual([made.object, 'true']);
          else if (made.kind === 'amend') {
            expect(resource.json()).toEqual(laidOver(from?.json() as Json, made.overlay));
            expect(resource.ready).toBe(made.ready ?? from?.ready);
          }
        }
        expect(answer.desired.composite?.json()).toEqual(message.desired.composite?.json());
      }),
      {numRuns: 300},
    );
  });

  test('keeps connection details and fields of a later contract when labels are added', () => {
    const sink = new Sink(64);
    sink.text(9, 'from the future');
    sink.copy(2, new Uint8Array([10, 1, 107, 18, 1, 118]), 0, 6);
    const resource = sink.finish();
    const state = new Sink(64);
    state.copy(2, resource, 0, resource.length);
    state.text(1, 'db');
    state.message(2, 0);
    state.message(3, 0);
    const amend: ResourceChange = {kind: 'amend', overlay: {metadata: {labels: {a: 'b'}}}};
    const bytes = encodeResponse(decodeRequest(state.finish()), {
      ...nothingChanges,
      resources: new Map([['db', amend]]),
    });
    const answer = decodeRequest(asRequest(bytes)).desired.resources.get('db');
    expect(answer?.json()).toEqual({metadata: {labels: {a: 'b'}}});
    expect(answer?.others.map((other) => [...sliceBytes(other)])).toEqual([
      [18, 6, 10, 1, 107, 18, 1, 118],
      [74, 15, ...new TextEncoder().encode('from the future')],
    ]);
  });

  test('never brings back an earlier entry of a name given twice', () => {
    const once = encodeRequest({tag: '', observed: none, desired: {resources: new Map([['db', {object: {v: 1}}]])}});
    const again = encodeRequest({tag: '', observed: none, desired: {resources: new Map([['db', {object: {v: 2}}]])}});
    const state = [...sliceBytes(decodeRequest(once).desired.slice), ...sliceBytes(decodeRequest(again).desired.slice)];
    const sink = new Sink(64);
    sink.copy(3, Uint8Array.from(state), 0, state.length);
    const message = decodeRequest(sink.finish());
    expect(message.desired.resources.get('db')?.json()).toEqual({v: 2});
    const dropped = encodeResponse(message, {...nothingChanges, resources: new Map([['db', {kind: 'drop'}]])});
    expect(decodeResponse(dropped).desired.resources.size).toBe(0);
    const amend: ResourceChange = {kind: 'amend', overlay: {w: 3}};
    const amended = encodeResponse(message, {...nothingChanges, resources: new Map([['db', amend]])});
    const {fields} = decodeRequest(asRequest(amended)).desired;
    expect(fields.map(({resource}) => resource.json())).toEqual([{v: 2, w: 3}]);
  });
});

describe('the status of the desired composite', () => {
  const status = {names: {db: 'b'}, count: 2};
  test('gets fields beside those of the earlier steps, each replaced whole', () => {
    const composite = {
      object: {status: {names: {db: 'a', gone: 'x'}, other: [1]}, spec: {kept: true}},
      ready: 'false',
    } as const;
    const resources = new Map([['db', {object: {v: 1}}]]);
    const message = decodeRequest(encodeRequest(tagged('t', {desired: {composite, resources}})));
    const drop = new Map([['db', {kind: 'drop'} as const]]);
    const answer = decodeResponse(
      encodeResponse(message, {...nothingChanges, compositeStatus: status, resources: drop}),
    ).desired;
    expect(answer.composite).toEqual({
      object: {status: {names: {db: 'b'}, count: 2, other: [1]}, spec: {kept: true}},
      ready: 'false',
    });
    expect(answer.resources.size).toBe(0);
  });

  test.each([{resources: new Map()}, {resources: new Map([['db', {object: {v: 1}}]])}])(
    'is made where no earlier step wants one',
    (desired) => {
      const message = decodeRequest(encodeRequest(tagged('t', {desired})));
      const answer = decodeResponse(encodeResponse(message, {...nothingChanges, compositeStatus: status})).desired;
      expect(answer.composite?.object).toEqual({status});
      expect([...answer.resources.keys()]).toEqual([...desired.resources.keys()]);
    },
  );

  test('may be told to be unready, and nothing else of it changes', () => {
    const composite = {object: {status: {names: {}}}, ready: 'true'} as const;
    const message = decodeRequest(encodeRequest(tagged('t', {desired: {composite, resources: new Map()}})));
    const answer = decodeResponse(encodeResponse(message, {...nothingChanges, compositeReady: 'false'})).desired;
    expect(answer.composite).toEqual({...composite, ready: 'false'});
    const bare = decodeRequest(encodeRequest(tagged('t')));
    const made = decodeResponse(encodeResponse(bare, {...nothingChanges, compositeReady: 'false'})).desired;
    expect(made.composite).toEqual({object: {}, ready: 'false'});
  });

  test('is made beside a first resource that changes', () => {
    const resources = new Map(['a', 'b'].map((name) => [name, {object: {name}}]));
    const message = decodeRequest(encodeRequest(tagged('t', {desired: {resources}})));
    const changes = new Map([['a', {kind: 'amend', overlay: {x: 1}} as const]]);
    const bytes = encodeResponse(message, {...nothingChanges, compositeStatus: status, resources: changes});
    const answer = decodeResponse(bytes).desired;
    expect(answer.composite?.object).toEqual({status});
    expect([...answer.resources.values()].map(({object}) => object)).toEqual([{name: 'a', x: 1}, {name: 'b'}]);
  });
});

describe('a response', () => {
  const results: Result[] = [
    {severity: 'fatal', message: 'a', reason: 'Why', target: 'composite-and-claim'},
    {severity: 'warning', message: ''},
    {severity: 'normal', message: 'ü', target: 'composite'},
  ];
  const conditions: Condition[] = [
    {type: 'Tethered', status: 'False', reason: 'Holding', message: 'm', target: 'composite'},
    {type: 'Other', status: 'Unknown', reason: 'R'},
    {type: 'Last', status: 'True', reason: 'R', message: ''},
  ];
  const bytes = encodeResponse(decodeRequest(encodeRequest(tagged('t1', {context: {k: [1]}}))), {
    ...nothingChanges,
    results,
    conditions,
    requirements: new Map([
      ['z', {apiVersion: 'v1', kind: 'Z', match: {kind: 'labels', labels: {b: '2', a: '1'}}}],
      ['a', {apiVersion: 'v1', kind: 'A', namespace: '', match: {kind: 'name', name: 'n'}}],
    ]),
    requirementFields: ['resources', 'extra_resources'],
  });

  test('is what the TypeScript SDK reads', () => {
    const message = sdkDecodeResponse(bytes);
    expect(message.meta).toEqual({tag: 't1', ttl: {seconds: 60, nanos: 0}});
    expect(message.context).toEqual({k: [1]});
    expect(message.results.map(({severity, message, reason, target}) => [severity, message, reason, target])).toEqual([
      [Severity.SEVERITY_FATAL, 'a', 'Why', Target.TARGET_COMPOSITE_AND_CLAIM],
      [Severity.SEVERITY_WARNING, '', undefined, undefined],
      [Severity.SEVERITY_NORMAL, 'ü', undefined, Target.TARGET_COMPOSITE],
    ]);
    expect(message.conditions.map(({type, status, message}) => [type, status, message])).toEqual([
      ['Tethered', Status.STATUS_CONDITION_FALSE, 'm'],
      ['Other', Status.STATUS_CONDITION_UNKNOWN, undefined],
      ['Last', Status.STATUS_CONDITION_TRUE, ''],
    ]);
    const {a, z} = message.requirements?.resources ?? {};
    expect([a?.apiVersion, a?.kind, a?.namespace, a?.matchName]).toEqual(['v1', 'A', undefined, 'n']);
    expect([z?.kind, z?.namespace, z?.matchLabels?.labels]).toEqual(['Z', undefined, {a: '1', b: '2'}]);
    expect(message.requirements?.extraResources).toEqual(message.requirements?.resources);
  });

  test('is what our own reader gives back', () => {
    const body = decodeResponse(bytes);
    expect(body).toMatchObject({tag: 't1', ttlSeconds: 60, context: {k: [1]}, results, conditions, output: undefined});
    expect(body.requirements).toEqual(body.extraRequirements);
    expect([...body.requirements.keys()]).toEqual(['a', 'z']);
  });

  test('may leave out the status of a condition, which is unknown then', () => {
    const sink = new Sink(64);
    sink.text(3, 'R');
    sink.text(1, 'Custom');
    sink.message(6, 0);
    expect(decodeResponse(sink.finish()).conditions).toEqual([{type: 'Custom', status: 'Unknown', reason: 'R'}]);
  });

  test('asks for nothing with no message, since Crossplane calls once more for an empty one', () => {
    expect(
      sdkDecodeResponse(encodeResponse(decodeRequest(encodeRequest(tagged('t'))), nothingChanges)).requirements,
    ).toBe(undefined);
  });

  test('that refuses carries desired state whole', () => {
    fc.assert(
      fc.property(request, (body) => {
        const message = decodeRequest(encodeRequest(body));
        const refusal = encodeRefusal('t', message.desired.slice, 60, results);
        expect(decodeResponse(refusal)).toMatchObject({tag: 't', results});
        expect(sliceBytes(decodeRequest(asRequest(refusal)).desired.slice)).toEqual(sliceBytes(message.desired.slice));
      }),
      {numRuns: 50},
    );
  });

  test('cannot carry what no Struct can hold, and says where', () => {
    const put: ResourceChange = {kind: 'put', object: {spec: {n: Number.NaN}}, ready: 'unspecified'};
    const message = decodeRequest(encodeRequest(tagged('t')));
    expect(() => encodeResponse(message, {...nothingChanges, resources: new Map([['db', put]])})).toThrow(
      'desired.resources["db"].spec.n: expected a JSON value, got NaN',
    );
  });
});

const none = {resources: new Map()};

function tagged(tag: string, rest: Partial<RequestBody> = {}): RequestBody {
  return {tag, observed: none, desired: none, ...rest};
}

// The desired state of a response, moved to where a request has it, so that its bytes can be compared.
function asRequest(response: Uint8Array): Uint8Array {
  const sink = new Sink(response.length);
  let at = 0;
  const fields: [number, number, number][] = [];
  while (at < response.length) {
    const tag = response[at++] as number;
    let length = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = response[at++] as number;
      length += (byte & 127) * shift;
      if (byte < 128) break;
    }
    fields.push([tag >>> 3, at, at + length]);
    at += length;
  }
  for (const [field, start, end] of fields) if (field === 2) sink.copy(3, response, start, end);
  return sink.finish();
}

// Every resource and the desired state itself get a field that today's contract does not have.
function withUnknownFields(bytes: Uint8Array): Uint8Array {
  const message = decodeRequest(bytes);
  const sink = new Sink(bytes.length * 2);
  sink.text(77, 'state');
  for (const {resource} of message.desired.fields.toReversed()) {
    const {key} = resource;
    if (key === undefined) continue;
    const sizeBefore = sink.size;
    sink.uint(99, 12345);
    sink.raw(resource.bytes, resource.start, resource.end);
    sink.message(2, sizeBefore);
    sink.text(1, key);
    sink.message(2, sizeBefore);
  }
  sink.message(3, 0);
  return sink.finish();
}

function laidOver(base: Json, overlay: JsonObject): Json {
  const result = new Map(Object.entries(base as JsonObject));
  for (const [key, value] of Object.entries(overlay)) {
    const from = result.get(key);
    const merges = isObject(from) && isObject(value);
    result.set(key, merges ? laidOver(from, value) : value);
  }
  return Object.fromEntries(result);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
