import {describe, expect, it, test} from 'vitest';
import {wantedBody, withFilledMaps} from '../../../src/lifecycle/facts/applied-empty.ts';
import {holdBody} from '../../../src/lifecycle/facts/hold-body.ts';
import type {Json, JsonObject} from '../../../src/lifecycle/words/json.ts';
import {manager, view} from '../given.ts';

const note = 'tether.fn.crossplane.io/applied-empty';
const base = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket'};
const defaults = {deletionPolicy: 'Delete', managementPolicies: ['*']};

/** An observed Bucket, of which Crossplane's apply owns `owned` and others `others`. */
function bucket(fields: JsonObject, owned: JsonObject, others: JsonObject = {}, annotations: JsonObject = {}) {
  const managedFields = [
    {manager, operation: 'Apply', fieldsV1: owned},
    {manager: 'provider', operation: 'Update', fieldsV1: others},
  ];
  const metadata = {name: 'shop-a', resourceVersion: '7', managedFields, annotations};
  return view({...base, ...fields, metadata});
}

function noteOn(body: JsonObject): Json | undefined {
  return ((body['metadata'] as JsonObject)['annotations'] as JsonObject | undefined)?.[note];
}

describe('a hold notes a map that may have been applied empty', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject, string | undefined]>([
    ['with the defaults in it', {spec: defaults}, {'f:spec': {}}, {}, '[["spec"]]'],
    ['deeper', {spec: {forProvider: defaults}}, {'f:spec': {'f:forProvider': {}}}, {}, '[["spec","forProvider"]]'],
    [
      'two of them',
      {spec: {a: {x: 1}, b: {y: 1}}},
      {'f:spec': {'f:b': {}, 'f:a': {}}},
      {},
      '[["spec","a"],["spec","b"]]',
    ],
    ['but none that is empty still', {spec: {}}, {'f:spec': {}}, {}, undefined],
    [
      'nor one that others fill, which is held empty',
      {spec: defaults},
      {'f:spec': {}},
      {'f:spec': {'f:deletionPolicy': {}}},
      undefined,
    ],
    [
      'nor one in which Crossplane owns something',
      {spec: defaults},
      {'f:spec': {'f:deletionPolicy': {}}},
      {},
      undefined,
    ],
    ['nor a list', {spec: {zones: ['a']}}, {'f:spec': {'f:zones': {}}}, {}, undefined],
    ['nor one that Crossplane does not own', {spec: defaults}, {'f:metadata': {}}, {}, undefined],
  ])('%s', (_case, fields, owned, others, expected) => {
    expect(noteOn(holdBody(bucket(fields, owned, others), manager))).toBe(expected);
  });

  it('beside those of an earlier hold', () => {
    const earlier = bucket(
      {spec: defaults, data: {a: '1'}},
      {'f:data': {}, 'f:spec': {'f:deletionPolicy': {}}},
      {},
      {
        [note]: '[["spec"]]',
      },
    );
    expect(noteOn(holdBody(earlier, manager))).toBe('[["data"],["spec"]]');
  });
});

describe('what is desired empty after a hold', () => {
  const owned = {'f:spec': {'f:deletionPolicy': {}, 'f:managementPolicies': {}}};
  const held = bucket({spec: defaults}, owned, {}, {[note]: '[["spec"]]'});
  const wanted = (spec: JsonObject) => view({...base, metadata: {name: 'shop-a'}, spec});

  it('says what Crossplane owns there, keeps the note, and writes over nobody', () => {
    expect(wantedBody(wanted({}), held, manager)).toEqual({
      ...base,
      metadata: {name: 'shop-a', resourceVersion: '7', annotations: {[note]: '[["spec"]]'}},
      spec: defaults,
    });
  });

  it('leaves out what others own by now', () => {
    const scaled = bucket(
      {spec: {...defaults, replicas: 5}},
      {'f:spec': {'f:deletionPolicy': {}}},
      {'f:spec': {'f:replicas': {}}},
      {[note]: '[["spec"]]'},
    );
    expect(wantedBody(wanted({}), scaled, manager)['spec']).toEqual({deletionPolicy: 'Delete'});
  });

  it('passes as it is where it is desired with something in it, which ends the note', () => {
    expect(withFilledMaps(() => wanted({deletionPolicy: 'Orphan'}).json(), held, manager)).toBeUndefined();
  });

  it('passes as it is where Crossplane owns the map as a whole', () => {
    const whole = bucket({spec: defaults}, {'f:spec': {}}, {}, {[note]: '[["spec"]]'});
    expect(withFilledMaps(() => wanted({}).json(), whole, manager)).toBeUndefined();
  });

  it('passes as it is where no hold was, though that apply is refused: who emptied the map meant it', () => {
    expect(withFilledMaps(() => wanted({}).json(), bucket({spec: defaults}, owned), manager)).toBeUndefined();
  });

  it('passes as it is where a restore dropped managedFields', () => {
    const restored = view({...base, metadata: {name: 'shop-a', annotations: {[note]: '[["spec"]]'}}, spec: defaults});
    expect(withFilledMaps(() => wanted({}).json(), restored, manager)).toBeUndefined();
  });

  test.each([
    '',
    'spec',
    '{}',
    '[["spec"',
    '["spec"]',
    '[[]]',
    '[[1]]',
    '[["__proto__"]]',
    '[["spec","__proto__"]]',
    '7',
  ])('passes as it is where the note is %j', (text) => {
    expect(
      withFilledMaps(() => wanted({}).json(), bucket({spec: defaults}, owned, {}, {[note]: text}), manager),
    ).toBeUndefined();
  });
});
