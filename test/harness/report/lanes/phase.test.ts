import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../../src/cluster/object.ts';
import type {History, Version} from '../../../../src/harness/control-plane/record/history.ts';
import type {Decision} from '../../../../src/harness/report/lanes/decisions.ts';
import {livesOf} from '../../../../src/harness/report/lanes/phase.ts';

const xr: KubeObject = {
  apiVersion: 'example.org/v1',
  kind: 'App',
  metadata: {name: 'shop', uid: 'xr'},
  spec: {resourceRefs: [{apiVersion: 'cloud.example.org/v1', kind: 'Bucket', name: 'b'}]},
};
const xrWithout: KubeObject = {...xr, spec: {resourceRefs: []}};
const owned = {
  ownerReferences: [{apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid: 'xr', controller: true}],
};

function bucket(metadata: object = {}, ready?: 'True' | 'False'): KubeObject {
  const annotations = {'crossplane.io/composition-resource-name': 'b'};
  const status = ready === undefined ? {} : {status: {conditions: [{type: 'Ready', status: ready, reason: 'x'}]}};
  return {
    apiVersion: 'cloud.example.org/v1',
    kind: 'Bucket',
    metadata: {name: 'b', uid: 'b', annotations, ...metadata},
    ...status,
  };
}

function version(atMs: number, object: KubeObject, type: Version['type'] = 'MODIFIED'): Version {
  return {step: 0, atMs, actor: 'crossplane', type, object};
}

function phases(
  versions: readonly Version[],
  decisions: readonly Decision[] = [],
  before: readonly KubeObject[] = [xr],
) {
  const history: History = {before, versions, calls: [], cloud: []};
  const life = livesOf(history, decisions, {step: 0, atMs: 100_000}).find(({object}) => object.kind === 'Bucket');
  return life?.spans.map(({phase, from, to}) => `${phase} ${from.atMs}-${to.atMs}`);
}

function decision(atMs: number, heldAtEnd: readonly string[]): Decision {
  const observed = new Map([['b', 'Bucket.cloud.example.org /b']]);
  const lists = {added: [], dropped: [], held: [], released: [], results: [], conditions: []};
  return {
    step: 0,
    atMs,
    target: 'f',
    run: 'composite/app shop',
    reconcileId: 1,
    reconcile: 1,
    observed,
    heldAtEnd,
    ...lists,
  };
}

describe('the life of a composed resource', () => {
  test('whose XR is deleted is no orphan while the owner GC is on its way, unless that never comes', () => {
    const versions = [version(0, bucket(owned, 'True'), 'ADDED'), version(5000, xr, 'DELETED')];
    expect(phases([...versions, version(35_000, bucket(owned), 'DELETED')])).toEqual([
      'ready 0-5000',
      'unowned 5000-35000',
    ]);
    expect(phases(versions)).toEqual(['ready 0-5000', 'orphaned 5000-100000']);
  });

  test('from its creation to its end', () => {
    const spans = phases([
      version(10, bucket(owned), 'ADDED'),
      version(20, bucket(owned, 'False')),
      version(30, bucket(owned, 'True')),
      version(40, bucket({...owned, deletionTimestamp: 'then'}, 'True')),
      version(50, bucket({...owned, deletionTimestamp: 'then'}, 'True'), 'DELETED'),
    ]);
    expect(spans).toEqual(['not-ready 10-30', 'ready 30-40', 'deleting 40-50']);
  });

  test('is an orphan from when its XR forgets it and nobody controls it', () => {
    expect(phases([version(10, bucket({}, 'True'), 'ADDED'), version(5000, xrWithout)])).toEqual([
      'unowned 10-5000',
      'orphaned 5000-100000',
    ]);
  });

  test('is no orphan between two owners', () => {
    const spans = phases(
      [version(10, bucket({}), 'ADDED'), version(20, xr, 'ADDED'), version(900, bucket(owned, 'True'))],
      [],
      [],
    );
    expect(spans).toEqual(['unowned 10-900', 'ready 900-100000']);
  });

  test('is not told as without owner in the moment in which everything is lost', () => {
    const spans = phases([
      version(10, bucket(owned, 'True'), 'ADDED'),
      version(1000, xr, 'DELETED'),
      version(1050, bucket(owned, 'True'), 'DELETED'),
    ]);
    expect(spans).toEqual(['ready 10-1050']);
  });

  test('is held while a function keeps it that no step before desires', () => {
    const spans = phases([version(10, bucket(owned, 'True'), 'ADDED')], [decision(100, ['b']), decision(300, [])]);
    expect(spans).toEqual(['ready 10-100', 'held 100-300', 'ready 300-100000']);
  });

  test('goes on where a restore brings it back under its name', () => {
    const spans = phases([
      version(10, bucket(owned, 'True'), 'ADDED'),
      version(20, bucket(owned, 'True'), 'DELETED'),
      version(5000, bucket({uid: 'other'}), 'ADDED'),
    ]);
    expect(spans).toEqual(['ready 10-20', 'unowned 5000-100000']);
  });
});
