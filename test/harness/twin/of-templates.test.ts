import {expect, test} from 'vitest';
import {emptyServer} from '../../../src/cluster/api/server.ts';
import type {Ending} from '../../../src/harness/twin/ending.ts';
import type {HarmKind} from '../../../src/harness/twin/harm.ts';
import {isOfTemplates} from '../../../src/harness/twin/of-templates.ts';

// An App whose input makes a Bucket of a template, "made"; the earlier steps want a Note, "a". No kind is served any more.

const xr = 'App shop';
const base = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket'};

interface Given {
  readonly synced?: string;
  readonly ready?: string;
  /** Kinds that the earlier steps want, by resource name. */
  readonly kinds?: readonly (readonly [string, string])[];
}

function isOf(kind: HarmKind, {synced, ready, kinds = [['a', 'Note.example.org']]}: Given): boolean {
  const conditions = [
    {type: 'Synced', ...(synced === undefined ? {status: 'True'} : {status: 'False', message: synced})},
    {type: 'Ready', ...(ready === undefined ? {status: 'True'} : {status: 'False', message: ready})},
  ];
  const object = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}, status: {conditions}};
  const input = {resources: [{name: 'made', base}]};
  const ending = {
    living: new Map([[xr, [{made: {place: xr, address: xr, index: 0}, object, controller: undefined}]]]),
    asked: new Map([[xr, {input, desired: new Set(kinds.map(([name]) => name)), kinds: new Map(kinds)}]]),
    run: {world: {server: emptyServer()}},
  } as unknown as Ending;
  return isOfTemplates({kind, place: xr, text: ''}, xr, ending);
}

test('an XR is not ready for what its templates make, and nothing else', () => {
  expect(isOf('not-ready', {ready: 'Unready resources: made'})).toBe(true);
  expect(isOf('not-ready', {ready: 'Unready resources: a, made'})).toBe(false);
  expect(isOf('not-ready', {ready: 'waiting'})).toBe(false);
  expect(isOf('missing', {ready: 'Unready resources: made'})).toBe(false);
  // What an earlier step wants under the name of a template is that step's.
  expect(isOf('not-ready', {ready: 'Unready resources: made', kinds: [['made', 'Note.example.org']]})).toBe(false);
});

test('an XR is not Synced for a kind of its templates that is not served', () => {
  const applying = (name: string, cause: string) => `cannot apply composed resource "${name}": ${cause}`;
  expect(isOf('not-synced', {synced: applying('made', 'the server could not find the requested resource')})).toBe(true);
  expect(isOf('not-synced', {synced: applying('made', 'spec.size is invalid')})).toBe(false);
  expect(isOf('not-synced', {synced: applying('a', 'the server could not find the requested resource')})).toBe(false);
});

test('nor where what it lists cannot be read, unless an earlier step wants that kind, too', () => {
  const synced =
    'cannot get composed resource: Timeout: failed waiting for *unstructured.Unstructured Informer to sync';
  expect(isOf('not-synced', {synced})).toBe(true);
  const anew = 'cannot get composed resource: no matches for kind "Bucket" in version "cloud.m.example.org/v1"';
  expect(isOf('not-synced', {synced: anew})).toBe(true);
  expect(isOf('not-synced', {synced, kinds: [['b', 'Bucket.cloud.example.org']]})).toBe(false);
  expect(isOf('not-synced', {})).toBe(false);
});

test('an XR that lists what it cannot make under another name each time does not rest', () => {
  expect(isOf('restless', {})).toBe(true);
  expect(isOf('restless', {kinds: [['made', 'Note.example.org']]})).toBe(false);
});

test('an XR that a restore brought back says nothing before its first reconcile ends', () => {
  const object = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}};
  const is = (kinds: readonly (readonly [string, string])[]) => {
    const ending = {
      living: new Map([[xr, [{made: {place: xr, address: xr, index: 0}, object, controller: undefined}]]]),
      asked: new Map([[xr, {input: {resources: [{name: 'made', base}]}, desired: new Set(), kinds: new Map(kinds)}]]),
      run: {world: {server: emptyServer()}},
    } as unknown as Ending;
    return isOfTemplates({kind: 'not-synced', place: xr, text: ''}, xr, ending);
  };
  expect(is([['a', 'Note.example.org']])).toBe(true);
  expect(is([['b', 'Bucket.cloud.example.org']])).toBe(false);
});

test('what a template made goes as its provider lets it', () => {
  const is = (resourceName: string, finalizers: readonly string[]) => {
    const place = `${xr} > ${resourceName}`;
    const object = {...base, metadata: {name: 'b', finalizers}};
    const ending = {
      living: new Map(),
      deleting: new Map([[place, [{made: {place, address: place, index: 0}, object, controller: xr}]]]),
      asked: new Map([[xr, {input: {resources: [{name: 'made', base}]}, desired: new Set(['a']), kinds: new Map()}]]),
    } as unknown as Ending;
    return isOfTemplates({kind: 'deleting', place, xr, resourceName, text: ''}, xr, ending);
  };
  expect(is('made', ['finalizer.managedresource.crossplane.io'])).toBe(true);
  expect(is('made', ['example.org/hand'])).toBe(false);
  expect(is('a', ['finalizer.managedresource.crossplane.io'])).toBe(false);
});
