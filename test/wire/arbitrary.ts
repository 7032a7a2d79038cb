// Arbitrary JSON and requests. Keys that other codecs lose (`__proto__`) have tests of their own.

import fc from 'fast-check';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import type {RequestBody, ResourceBody, StateBody} from '../../src/wire/request-encode.ts';

/** Numbers that a Struct carries without loss. */
const numbers = fc.oneof(fc.maxSafeInteger(), fc.double({noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15}));

const text = fc.string({unit: 'grapheme', maxLength: 40});
const keys = fc
  .oneof(fc.constantFrom('metadata', 'name', 'spec', 'status', 'constructor', 'toString', 'a.b/c', ''), text)
  .filter((key) => key !== '__proto__');

const {tree} = fc.letrec<{tree: Json; list: Json[]; object: JsonObject}>((tie) => ({
  tree: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    fc.constant(null),
    fc.boolean(),
    numbers,
    text,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('tree'), {maxLength: 4}),
  object: fc.dictionary(keys, tie('tree'), {maxKeys: 5}),
}));

/** Any JSON value. */
export const json: fc.Arbitrary<Json> = tree;

/** Any JSON object. */
export const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(keys, tree, {maxKeys: 6});

/** Something like a Kubernetes object, often enough with labels of its own. */
const kubernetesObject: fc.Arbitrary<JsonObject> = fc.oneof(
  jsonObject,
  fc
    .record({labels: fc.dictionary(keys, text, {maxKeys: 3}), name: text, rest: jsonObject})
    .map(({labels, name, rest}) => ({...rest, apiVersion: 'v1', kind: 'Thing', metadata: {name, labels}})),
);

const resource: fc.Arbitrary<ResourceBody> = fc.record({
  object: kubernetesObject,
  ready: fc.constantFrom('unspecified', 'true', 'false'),
});
const state: fc.Arbitrary<StateBody> = fc
  .record({
    composite: fc.option(kubernetesObject, {nil: undefined}),
    resources: fc.array(fc.tuple(keys, resource), {maxLength: 6}),
  })
  .map(({composite, resources}) => ({
    ...(composite && {composite: {object: composite}}),
    resources: new Map(resources),
  }));

/** Any request. */
export const request: fc.Arbitrary<RequestBody> = fc
  .record({
    tag: text,
    capabilities: fc.array(fc.constantFrom(1, 2, 3, 4, 5), {maxLength: 5}),
    observed: state,
    desired: state,
    input: fc.option(jsonObject, {nil: undefined}),
    context: fc.option(jsonObject, {nil: undefined}),
    required: fc.array(fc.tuple(keys, fc.array(kubernetesObject, {maxLength: 3})), {maxLength: 2}),
  })
  .map(({tag, capabilities, observed, desired, input, context, required}) => ({
    tag,
    capabilities,
    observed,
    desired,
    ...(input && {input}),
    ...(context && {context}),
    requiredResources: new Map(required),
  }));
