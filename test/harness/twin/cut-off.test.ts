import {expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {isCutOff} from '../../../src/harness/twin/cut-off.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {HarmKind} from '../../../src/harness/twin/harm.ts';
import type {Made} from '../../../src/harness/twin/ledger.ts';
import {runOf} from './quiet-run.ts';

// Whom the death of a provider hits in the middle of a create is no matter of the function.

const cut = new Set<KubeObject>();

function found(place: string, ready: string, xr?: string): Found {
  const made: Made = {place, address: place, index: 0, ...(xr === undefined ? {} : {xr, resourceName: 'a'})};
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'Bucket',
    metadata: {name: 'a'},
    status: {conditions: [{type: 'Ready', status: ready}]},
  };
  return {made, object, controller: undefined};
}

function explains(kind: HarmKind, place: string, all: readonly Found[], going: readonly Found[] = []): boolean {
  const ledger = {isCutOff: (object: KubeObject) => cut.has(object)};
  const byPlace = (list: readonly Found[]) => new Map(list.map((one) => [one.made.place, [one]]));
  const ending = {living: byPlace(all), deleting: byPlace(going), run: runOf({ledger})} as unknown as Ending;
  return isCutOff({kind, place, text: ''}, ending);
}

const bucket = found('App shop > a', 'False', 'App shop');
const other = found('App shop > b', 'False', 'App shop');
const xr = found('App shop', 'False');
const outer = [found('Site shop', 'False'), found('Site shop > inner', 'False', 'Site shop')] as const;
const below = found('Site shop > inner > a', 'False', 'Site shop > inner');
cut.add(bucket.object).add(below.object);

test('an external resource that a provider was about to make when it died is missing for that', () => {
  expect(explains('destroyed', 'App shop > a', [xr, bucket])).toBe(true);
  expect(explains('recreated', 'App shop > a', [xr, bucket])).toBe(false);
  expect(explains('destroyed', 'App shop > b', [xr, bucket, other])).toBe(false);
});

test('an object whose create nobody knows the end of is not deleted either, and its external resource stays', () => {
  for (const kind of ['deleting', 'left-behind', 'doubled'] as const) {
    expect(explains(kind, 'App shop > a', [xr], [bucket])).toBe(true);
    expect(explains(kind, 'App shop > b', [xr], [bucket, other])).toBe(false);
    expect(explains(kind, 'App shop > a', [xr, bucket])).toBe(false);
  }
});

test('an XR is not ready for that only where nothing else of it is unready', () => {
  expect(explains('not-ready', 'App shop', [xr, bucket])).toBe(true);
  expect(explains('not-ready', 'App shop', [xr, bucket, other])).toBe(false);
  expect(explains('not-ready', 'App shop', [xr])).toBe(false);
  expect(explains('not-ready', 'Site shop', [...outer, below])).toBe(true);
  expect(explains('not-ready', 'App shop', [xr], [bucket])).toBe(true);
  expect(explains('not-ready', 'App shop', [xr, other], [bucket])).toBe(false);
});

test('an XR is not ready for what its provider has not looked at since an event was missed, and nothing else', () => {
  const of = (fault: string, message: string, status: object = {}) => {
    const conditions = [{type: 'Ready', status: 'False', message}];
    const object = {apiVersion: 'v1', kind: 'App', metadata: {name: 'shop'}, status: {conditions}};
    const made = {place: 'App shop > a', address: 'a', index: 0, xr: 'App shop', resourceName: 'a'};
    const unseen = {
      made,
      object: {apiVersion: 'v1', kind: 'Bucket', metadata: {name: 'a'}, status},
      controller: 'App shop',
    };
    const shop = {made: {place: 'App shop', address: 'App shop', index: 0}, object, controller: undefined};
    const living = new Map([
      ['App shop', [shop]],
      [made.place, [unseen]],
    ]);
    const ledger = {isCutOff: () => false};
    const ending = {living, deleting: new Map(), run: runOf({ledger, happened: [{fault}]})} as unknown as Ending;
    return isCutOff({kind: 'not-ready', place: 'App shop', text: ''}, ending);
  };
  expect(of('missed-event', 'Unready resources: a')).toBe(true);
  expect(of('missed-event', 'Unready resources: a and b')).toBe(false);
  expect(of('conflict', 'Unready resources: a')).toBe(false);
  expect(of('missed-event', 'Unready resources: a', {conditions: []})).toBe(false);
});
