// Go writes the entries of a protobuf map in random order. Nothing that this function says may depend on it: a message or
// a spec that flips is an update in every reconcile, until the circuit breaker opens.

import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {runFunction} from '../../src/function/run.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {encodeRequest, type RequestBody} from '../../src/wire/request-encode.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {request} from './arbitrary-request.ts';
import {shuffledRequest} from './shuffled-bytes.ts';

/** The response as text, with keys of maps sorted: what passes through keeps the order in which it came. */
function answered(bytes: Uint8Array): string {
  const sorted = (value: unknown): unknown => {
    if (value instanceof Map) return sorted(Object.fromEntries(value));
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const members = value as {readonly [key: string]: unknown};
    return Object.fromEntries(
      Object.keys(members)
        .sort()
        .map((key) => [`.${key}`, sorted(members[key])]),
    );
  };
  return JSON.stringify(sorted(decodeResponse(runFunction(bytes))));
}

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 200);
const random = fc
  .infiniteStream(fc.nat(1 << 20))
  .map((stream) => (below: number) => (stream.next().value ?? 0) % below);

function holds(bodies: fc.Arbitrary<RequestBody>, numRuns: number) {
  fc.assert(
    fc.property(bodies, random, (body, next) => {
      const bytes = encodeRequest(body);
      expect(answered(shuffledRequest(bytes, next))).toBe(answered(bytes));
    }),
    {numRuns},
  );
}

describe('whatever the order of maps in a request', () => {
  it('any request is answered the same', () => holds(request, numRuns));

  const labels = {zone: 'a', app: 'b', tier: 'c', owner: 'd'};
  const thing = (name: string): JsonObject => ({
    apiVersion: 'example.org/v1',
    kind: 'Thing',
    metadata: {name, labels, uid: `uid-of-${name}`},
    spec: labels,
  });
  const body = (input: JsonObject): RequestBody => ({
    tag: 't',
    observed: {
      composite: {object: {...thing('prod'), kind: 'XApp'}},
      resources: new Map(['d', 'b', 'c', 'a'].map((name) => [name, {object: thing(name)}])),
    },
    desired: {resources: new Map(['b', 'e', 'a'].map((name) => [name, {object: thing(name)}]))},
    context: labels,
    requiredResources: new Map(['z', 'y'].map((name) => [name, [thing(name)]])),
    input,
  });
  const base = (spec: JsonObject): JsonObject => ({apiVersion: 'example.org/v1', kind: 'Thing', spec});
  const template = (spec: JsonObject): JsonObject => ({resources: [{name: 'made', base: base(spec)}]});

  it.each<readonly [string, JsonObject]>([
    ['a list of the keys of an observed map', template({keys: '${xr.metadata.labels.map(key, key)}'})],
    ['a text of them', template({keys: 'k=${xr.spec.map(key, key).join(",")}'})],
    ['a list of resource names', template({keys: '${resources.map(name, name)}'})],
    ['a list of what is observed', template({keys: '${observed.resources.map(name, name)}'})],
    ['a list of the context', template({keys: '${context.map(key, key)}'})],
    ['a list of requirements', template({keys: '${required.map(name, name)}'})],
    ['a map made of a map', template({made: '${{"of": resources["a"].spec}}'})],
    ['one of two values that are not there', template({one: '${xr.status.one}', two: '${xr.status.two}'})],
    ['one of two mistakes', template({one: '${1 + "a"}', two: '${"a" + 1}'})],
    ['a condition', {order: [{of: {}, by: {}, when: 'xr.spec.map(key, key)[0] == "app"', createOnly: true}]}],
    ['a protection of all', {protect: {resources: [{}], required: [{}]}}],
    ['a budget', {removal: {budget: {resources: 0}}}],
    ['lookups', {restore: {lookup: true}}],
  ])('%s is the same', (_what, input) => holds(fc.constant(body(input)), 60));

  it('one object under two resource names is the same', () => {
    const owner = {apiVersion: 'example.org/v1', kind: 'XApp', name: 'prod', uid: 'uid-of-prod', controller: true};
    const metadata = {name: 'x', namespace: 'ns', ownerReferences: [owner]};
    const one = (status: JsonObject): JsonObject => ({apiVersion: 'example.org/v1', kind: 'Thing', metadata, status});
    const xr = {...thing('prod'), kind: 'XApp', metadata: {name: 'prod', namespace: 'ns', uid: 'uid-of-prod'}};
    const observed = {db: one({}), other: one({seen: true})};
    const resources = (of: {readonly [name: string]: JsonObject}) =>
      new Map(Object.entries(of).map(([name, object]) => [name, {object}]));
    holds(
      fc.constant({
        ...body({}),
        observed: {composite: {object: xr}, resources: resources(observed)},
        desired: {resources: resources({db: one({}), 'a.b': one({})})},
      }),
      60,
    );
  });
});
