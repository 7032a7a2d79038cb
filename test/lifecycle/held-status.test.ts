// While something comes back or moves, the XR keeps the status that its pipeline set before and leaves out or empties now.

import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../src/lifecycle/words/snapshot.ts';
import {desired, type Given, observed, planOf, view, xr} from './given.ts';

const status = {
  conditions: [{type: 'Ready', status: 'True'}],
  id: 'n-1',
  isUp: true,
  network: {cidr: '10.0.0.0/8', gateway: 'g-1'},
  zones: ['a', 'b'],
  note: 'of a person',
  externalNames: {db: 'db-1'},
};

const fields = {
  'f:conditions': {'k:{"type":"Ready"}': {'.': {}, 'f:status': {}, 'f:type': {}}},
  'f:id': {},
  'f:isUp': {},
  'f:network': {'f:gateway': {}},
  'f:zones': {},
  'f:externalNames': {'f:db': {}},
};

function xrWith(manager: string): ResourceView {
  const entry = {manager, operation: 'Apply', subresource: 'status', fieldsV1: {'f:status': fields}};
  return view({...xr.json(), metadata: {name: 'net', uid: xr.uid, managedFields: [entry]}, status});
}

function statusOf(wanted: JsonObject | undefined, more: Given, manager = 'apiextensions.crossplane.io/composite') {
  const desiredXr = wanted && view({...xr.json(), status: wanted});
  return planOf({xr: xrWith(manager), ...(desiredXr && {desiredXr}), desired: [desired('db')], ...more}).xrStatus;
}

const comesBack: Given = {observed: [observed('db', {controller: 'nobody'})]};
const isThere: Given = {observed: [observed('db', {status: {conditions: [{type: 'Ready', status: 'True'}]}})]};
const moves: Given = {
  observed: [observed('db')],
  desired: [desired('data')],
  input: {handover: [{from: {resources: ['db']}, to: {resource: 'data'}}]},
};
const all = {id: 'n-1', isUp: true, network: {gateway: 'g-1'}, zones: ['a', 'b']};

describe.each([
  ['comes back', comesBack],
  ['moves', moves],
])('while something %s', (_, given) => {
  test('every field that only the pipeline set stays, but no condition', () => {
    expect(statusOf(undefined, given)).toEqual(all);
    expect(statusOf({}, given)).toEqual(all);
  });

  test('a field that the pipeline sets is its own', () => {
    expect(statusOf({id: 'n-2', isUp: false, network: {gateway: 'g-2'}, zones: ['c']}, given)).toBeUndefined();
    expect(statusOf({...all, network: 'none'}, given)).toBeUndefined();
  });

  test('a field that the pipeline empties stays, beside what it sets', () => {
    expect(statusOf({id: '', isUp: null, network: {cidr: 'c', gateway: ''}, zones: []}, given)).toEqual(all);
  });

  test('of an XR without managedFields, or with those of others, nothing stays', () => {
    expect(statusOf({}, given, 'kubectl')).toBeUndefined();
    expect(statusOf({}, {...given, xr: view({...xr.json(), status})})).toBeUndefined();
  });

  test('names that are remembered are written as they are now', () => {
    const remember = {in: 'Status', field: 'zones'} as const;
    const {zones, ...others} = all;
    expect(statusOf({}, {...given, input: {...given.input, externalNames: {remember}}})).toEqual({
      ...others,
      externalNames: {db: 'db-1'},
    });
  });
});

test('otherwise nothing stays', () => {
  expect(statusOf({}, isThere)).toBeUndefined();
});
