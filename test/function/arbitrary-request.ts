// Arbitrary requests that look like Crossplane's.

import fc from 'fast-check';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import type {RequestBody, ResourceBody} from '../../src/wire/request-encode.ts';
import {jsonObject} from '../wire/arbitrary.ts';
import {arbitraryInput} from './arbitrary-input.ts';

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
  .array(
    fc.tuple(fc.constantFrom(...names), fc.record({object, ready: fc.constantFrom('unspecified', 'true', 'false')})),
    {maxLength: 8},
  )
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
export const request: fc.Arbitrary<RequestBody> = fc
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
