// Why an object is stuck: what it says itself, what it waits for, and the last refusal, whole and once.

import {expect, test} from 'vitest';
import type {KubeObject} from '../../../../src/cluster/object.ts';
import {stuckText, watchForStuck} from '../../../../src/harness/control-plane/oracle/stuck.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const leaving = {deletionTimestamp: '2026-01-01T00:50:00Z'};

function object(kind: string, name: string, metadata: object = {}, more: object = {}): KubeObject {
  const apiVersion = {Namespace: 'v1', Usage: 'protection.crossplane.io/v1beta1'}[kind] ?? 'example.org/v1';
  return {apiVersion, kind, metadata: {name, uid: `uid-${name}`, ...metadata}, ...more};
}

function saidOf(...objects: readonly KubeObject[]): readonly string[] {
  return watchForStuck()
    .stuckAmong(objects, nowMs)
    .map((one) => stuckText(one, nowMs).replace(' is deleting for 10 min 0 s', ''));
}

const synced = (message: string) => ({
  status: {conditions: [{type: 'Synced', status: 'False', reason: 'ReconcileError', message}]},
});

test('its own condition is quoted to the end', () => {
  const message = `cannot connect: ${'x'.repeat(400)}: forbidden`;
  expect(saidOf(object('Role', 'r', {...leaving, finalizers: ['f']}, synced(message)))).toEqual([
    `Role/r: its condition Synced is False: ${message}`,
  ]);
});

test('a pause is the reason, and that of what waits for it', () => {
  const paused = {annotations: {'crossplane.io/paused': 'true'}, namespace: 'team', finalizers: ['f'], ...leaving};
  const said = saidOf(object('Namespace', 'team', leaving), object('Record', 'r', paused));
  expect(said).toEqual([
    'Namespace/team: waits for Record/r, and of that: it is paused by its annotation crossplane.io/paused, and its deletion with it. Take the annotation away',
    'Record/r: it is paused by its annotation crossplane.io/paused, and its deletion with it. Take the annotation away',
  ]);
});

test('an XR that is deleted in the foreground and the user of its own Usage wait for each other', () => {
  const xr = object('App', 'shop', {...leaving, finalizers: ['foregroundDeletion']});
  const owner = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid: 'uid-shop', blockOwnerDeletion: true};
  const end = (kind: string, name: string) => ({apiVersion: 'example.org/v1', kind, resourceRef: {name}});
  const usage = object(
    'Usage',
    'u',
    {...leaving, finalizers: ['usage.apiextensions.crossplane.io'], ownerReferences: [owner]},
    {spec: {of: end('Bucket', 'b'), by: end('App', 'shop')}},
  );
  const [first, second] = saidOf(xr, usage);
  expect(first).toMatch(/^App\/shop: a circle of waits: App\/shop waits for Usage\/u waits for App\/shop\. /);
  expect(second).toMatch(/^Usage\/u: a circle of waits: Usage\/u waits for App\/shop waits for Usage\/u\. /);
});

test('what is waited for and is not being deleted is said to be so', () => {
  const xr = object('App', 'shop', {...leaving, finalizers: ['foregroundDeletion']});
  const owner = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid: 'uid-shop', blockOwnerDeletion: true};
  const bucket = object('Bucket', 'b', {ownerReferences: [owner]});
  const of = {apiVersion: 'example.org/v1', kind: 'Bucket', resourceRef: {name: 'b'}};
  expect(saidOf(xr, bucket, object('Usage', 'u', {}, {spec: {of, reason: 'kept'}}))).toEqual([
    'App/shop: waits for Bucket/b, which waits for Usage/u, and of that: it is not being deleted',
  ]);
});

test('the last warning about an XR that was never reconciled is told, and nothing else', () => {
  const watch = watchForStuck();
  const about = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};
  const note = {type: 'Warning' as const, reason: 'InitializeCompositeResource', message: 'an empty namespace', about};
  watch.observe({atMs: 0, entry: {kind: 'note', actor: 'crossplane', run: '', note}});
  const definition = {
    ...object(
      'CompositeResourceDefinition',
      'apps.example.org',
      {},
      {spec: {group: 'example.org', names: {kind: 'App'}}},
    ),
    apiVersion: 'apiextensions.crossplane.io/v1',
  };
  const xr = object('App', 'shop', {creationTimestamp: '2026-01-01T00:50:00Z'});
  expect(watch.stuckAmong([definition, xr], nowMs).map((one) => stuckText(one, 0))).toEqual([
    'App/shop was never reconciled for 10 min 0 s: InitializeCompositeResource of crossplane: an empty namespace',
  ]);
});

test('a CustomResourceDefinition waits for its objects, and a managed resource for every other finalizer first', () => {
  const crd = object(
    'CustomResourceDefinition',
    'buckets.example.org',
    {...leaving, finalizers: ['cleanup']},
    {
      spec: {group: 'example.org', names: {kind: 'Bucket', plural: 'buckets'}},
    },
  );
  const finalizers = ['finalizer.managedresource.crossplane.io', 'argocd.argoproj.io/hook'];
  const said = saidOf(crd, object('Bucket', 'b', {...leaving, finalizers}));
  expect(said[1]).toMatch(/^Bucket\/b: waits for argocd\.argoproj\.io\/hook\. See /);
  expect(said[0]).toBe(
    `CustomResourceDefinition/buckets.example.org: waits for Bucket/b, and of that: ${said[1]?.slice('Bucket/b: '.length)}`,
  );
});

test('of two objects of one name each has its own refusal', () => {
  const watch = watchForStuck();
  const inOf = (namespace: string) => object('App', 'shop', {...leaving, namespace, finalizers: ['f']});
  const ref = {apiVersion: 'example.org/v1beta1', kind: 'App', name: 'shop', namespace: 'a'};
  const response = {ok: false, code: 403, message: 'kept by a policy'};
  watch.observe({
    atMs: 0,
    entry: {kind: 'api', actor: 'user', request: {verb: 'delete', ref}, response, events: []},
  } as never);
  const said = watch.stuckAmong([inOf('a'), inOf('b')], nowMs).map((one) => stuckText(one, nowMs));
  expect(said[0]).toContain('kept by a policy');
  expect(said[1]).not.toContain('kept by a policy');
});
