// Whatever comes in, an answer goes out: FUZZ_RUNS (default 5000) requests that look like Crossplane's, and as many byte
// strings that look like requests. `npm run fuzz` is a long one, which also prints the slowest call and the heap.

import fc from 'fast-check';
import {afterAll, describe, expect, test} from 'vitest';
import {runWithReport} from '../../src/function/run.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {encodeRequest, type RequestBody, type ResourceBody} from '../../src/wire/request-encode.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {jsonObject} from '../wire/arbitrary.ts';
import {arbitraryInput} from './arbitrary-input.ts';
import {Gauge} from './gauge.ts';

const gauge = new Gauge();
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 5000);
const xrUid = 'uid-of-the-xr';
const names = ['db', 'app', 'net', 'a.b', '__proto', 'usage-1'];
const words = [...names, ...names, ...names, 'Thing', 'example.org/v1', 'Usage', 'status.atProvider.id', '.*', '(', ''];

const controllers: readonly (JsonObject | undefined)[] = [
  {apiVersion: 'example.org/v1', kind: 'XApp', name: 'prod', uid: xrUid, controller: true},
  {apiVersion: 'example.org/v1', kind: 'XApp', name: 'prod', uid: 'an-older-uid', controller: true},
  {apiVersion: 'v1', kind: 'Other', name: 'owner', uid: 'other', controller: false},
  undefined,
];
const labels = fc.subarray<[string, Json]>([
  ['crossplane.io/in-use', 'true'],
  ['crossplane.io/composite', 'prod'],
  ['tether.fn.crossplane.io/resource', 'db'],
  ['odd', 1],
]);
const annotations = fc.subarray<[string, Json]>([
  ['crossplane.io/composition-resource-name', 'db'],
  ['crossplane.io/external-name', 'id-1'],
  ['tether.fn.crossplane.io/phase', 'pending-adoption'],
  ['tether.fn.crossplane.io/phase', 'pending-deletion'],
  ['tether.fn.crossplane.io/of', 'db'],
  ['tether.fn.crossplane.io/by', 'app'],
]);
const metadata = fc
  .record({
    name: fc.constantFrom('prod-db', 'prod-app', 'x', ''),
    namespace: fc.constantFrom(undefined, 'ns'),
    labels,
    annotations,
    controller: fc.constantFrom(...controllers),
    deleting: fc.boolean(),
    managed: fc.boolean(),
  })
  .map(({name, namespace, labels, annotations, controller, deleting, managed}) => ({
    name,
    ...(namespace && {namespace}),
    labels: Object.fromEntries(labels),
    annotations: Object.fromEntries(annotations),
    ...(controller && {ownerReferences: [controller]}),
    ...(deleting && {deletionTimestamp: '2026-01-01T00:00:00Z'}),
    ...(managed && {
      managedFields: [
        {manager: 'apiextensions.crossplane.io/composed/x', operation: 'Apply', fieldsV1: {'f:spec': {}}},
      ],
    }),
  }));
const end = fc.record({
  apiVersion: fc.constant('example.org/v1'),
  kind: fc.constant('Thing'),
  resourceRef: fc.record({name: fc.constantFrom('prod-db', 'prod-app', 'x')}),
});
const kinds = fc.constantFrom(
  ['example.org/v1', 'Thing'],
  ['protection.crossplane.io/v1beta1', 'Usage'],
  ['protection.crossplane.io/v1beta1', 'ClusterUsage'],
  ['apiextensions.crossplane.io/v1beta1', 'Usage'],
);
const spec = fc.oneof(
  jsonObject,
  fc.record({of: end, by: end, reason: fc.constantFrom('why')}, {requiredKeys: []}),
  fc.record({
    deletionPolicy: fc.constantFrom('Orphan', 'Delete'),
    managementPolicies: fc.subarray(['*', 'Create', 'LateInitialize']),
  }),
);
const plausible = fc
  .record({kind: kinds, metadata, spec, status: jsonObject})
  .map(({kind: [apiVersion, kind], ...rest}) => ({apiVersion, kind, ...rest}) as JsonObject);
const object = fc.oneof({weight: 20, arbitrary: plausible}, {weight: 1, arbitrary: jsonObject});
const resources: fc.Arbitrary<Map<string, ResourceBody>> = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.record({object, ready: fc.constantFrom(0, 1, 2)})), {maxLength: 8})
  .map((entries) => new Map(entries));
const xr = fc
  .record({
    metadata,
    spec: jsonObject,
    status: fc.oneof(jsonObject, fc.constant<JsonObject>({externalNames: {db: 'id-1'}})),
  })
  .map(
    ({metadata, ...rest}): JsonObject => ({
      apiVersion: 'example.org/v1',
      kind: 'XApp',
      ...rest,
      metadata: {...metadata, name: 'prod', uid: xrUid},
    }),
  );
const request: fc.Arbitrary<RequestBody> = fc
  .record({
    xr: fc.oneof({weight: 30, arbitrary: xr}, {weight: 1, arbitrary: jsonObject}),
    observed: resources,
    desired: resources,
    input: fc.option(arbitraryInput(words), {nil: undefined, freq: 2}),
    context: fc.option(jsonObject, {nil: undefined}),
    capabilities: fc.subarray([1, 2, 3, 4, 5]),
    answers: fc.array(
      fc.tuple(fc.constantFrom('lost-Thing.example.org', 'by-of-usage-1'), fc.array(object, {maxLength: 2})),
      {maxLength: 2},
    ),
  })
  .map(({xr, observed, desired, input, context, capabilities, answers}) => ({
    tag: 't',
    capabilities,
    observed: {composite: {object: xr}, resources: observed},
    desired: {resources: desired},
    ...(input && {input}),
    ...(context && {context}),
    requiredResources: new Map(answers),
  }));

// Times are told and not asserted: they say as much about the machine as about the function.
if (process.env['FUZZ_RUNS'] !== undefined) afterAll(() => console.log(gauge.report()));

describe('any request', () => {
  const planned = {count: 0, held: 0, waited: 0, fatal: 0};

  test('is answered, and desired state loses nothing that no decision took out', () => {
    fc.assert(
      fc.property(request, (body) => {
        const bytes = encodeRequest(body);
        const {response, report} = gauge.measure(() => runWithReport(bytes));
        const answer = decodeResponse(response);
        expect(answer.tag).toBe('t');
        if (report.outcome.kind === 'refused') {
          planned.fatal++;
          expect(report.outcome).not.toHaveProperty('stack');
          expect(answer.results).toEqual([{severity: 'fatal', message: report.outcome.sentence}]);
          expectSentence(report.outcome.sentence);
          expect(new Set(answer.desired.resources.keys())).toEqual(new Set(body.desired.resources.keys()));
          return;
        }
        planned.count++;
        const {decisions, edits} = report.outcome.plan;
        for (const [name, {object, ready}] of body.desired.resources) {
          if (edits.get(name)?.kind === 'leave-out') {
            planned.waited++;
            expect(decisions.get(name)?.kind).toBe('wait');
            expect(answer.desired.resources.has(name)).toBe(false);
          } else if (edits.get(name)?.kind !== 'emit') {
            const passed = answer.desired.resources.get(name);
            expect(withoutMetadata(passed?.object)).toEqual(withoutMetadata(object));
            expect(passed?.ready).toBe(ready);
          }
        }
        for (const [name, {kind}] of decisions) {
          if (kind !== 'hold') continue;
          planned.held++;
          expect(answer.desired.resources.has(name)).toBe(true);
        }
        for (const {message} of answer.results) expectSentence(message);
        for (const {message} of answer.conditions) expectSentence(message ?? '');
      }),
      {numRuns},
    );
  }, 3_600_000);

  test('was not refused most of the time', () => {
    expect(planned.count).toBeGreaterThan(numRuns / 4);
    expect(planned.held).toBeGreaterThan(numRuns / 20);
    expect(planned.waited).toBeGreaterThan(0);
    expect(planned.fatal).toBeGreaterThan(0);
  });
});

test('any byte string is answered', () => {
  const damage = fc.array(
    fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('flip', 'cut', 'insert', 'repeat', 'length'),
      bytes: fc.uint8Array({minLength: 1, maxLength: 8}),
    }),
    {minLength: 1, maxLength: 4},
  );
  fc.assert(
    fc.property(request, damage, (body, strokes) => {
      const bytes = strokes.reduce(damaged, encodeRequest(body));
      const {response, report} = gauge.measure(() => runWithReport(bytes));
      // What nobody reads passes as it came, broken or not.
      if (report.outcome.kind === 'planned') return;
      const answer = decodeResponse(response);
      expect(report.outcome).not.toHaveProperty('stack');
      expect(answer.results).toEqual([{severity: 'fatal', message: report.outcome.sentence}]);
    }),
    {numRuns},
  );
}, 3_600_000);

function damaged(bytes: Uint8Array, stroke: {at: number; kind: string; bytes: Uint8Array}): Uint8Array {
  const at = stroke.at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (stroke.kind) {
    case 'cut':
      return before;
    case 'insert':
      return Uint8Array.from([...before, ...stroke.bytes, ...after]);
    case 'repeat':
      return Uint8Array.from([...bytes, ...before]);
    case 'length':
      return Uint8Array.from([...before, (after[0] ?? 0) + 1, ...after.subarray(1)]);
    default:
      return Uint8Array.from([...before, ...stroke.bytes, ...after.subarray(stroke.bytes.length)]);
  }
}

function withoutMetadata(object: JsonObject | undefined): JsonObject | undefined {
  if (object === undefined) return undefined;
  const {metadata: _, ...rest} = object;
  return rest;
}

function expectSentence(text: string): void {
  expect(text).toMatch(/^\S/);
  expect(text).not.toMatch(/undefined|\[object|NaN/);
}
