import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../src/cluster/object.ts';
import {learnRenaming, normaliseObject} from './normalise.ts';

const composed = (name: string, resource: string, xr = 'app'): KubeObject => ({
  apiVersion: 'nop/v1',
  kind: 'NopResource',
  metadata: {
    name,
    uid: `raw-${name}`,
    labels: {'crossplane.io/composite': xr},
    annotations: {'crossplane.io/composition-resource-name': resource},
  },
});
const xr: KubeObject = {
  apiVersion: 'x/v1',
  kind: 'XApp',
  metadata: {name: 'app', uid: 'raw-app'},
  spec: {resourceRefs: [{name: 'app-0123456789ab'}, {name: 'app-x7k2p'}]},
};

describe('normaliseObject', () => {
  test('rewrites generated names wherever they are mentioned', () => {
    const renaming = learnRenaming([composed('app-0123456789ab', 'db'), composed('app-x7k2p', 'net'), xr]);
    expect(normaliseObject(xr, renaming).spec).toEqual({resourceRefs: [{name: 'app-<db>'}, {name: 'app-<net>'}]});
  });

  test('counts the second object of the same resource', () => {
    const again = composed('app-aaaaa', 'db');
    const renaming = learnRenaming([composed('app-bbbbb', 'db'), again, again]);
    expect(normaliseObject(again, renaming).metadata.name).toBe('app-<db#2>');
  });

  test('keeps names that people gave', () => {
    const given = composed('my-database', 'db');
    expect(normaliseObject(given, learnRenaming([given])).metadata.name).toBe('my-database');
  });

  test('remembers the name after the label that told it is stripped', () => {
    const object = composed('app-bbbbb', 'db');
    const stripped = {...object, metadata: {...object.metadata, labels: {}}};
    expect(normaliseObject(stripped, learnRenaming([object, stripped])).metadata.name).toBe('app-<db>');
  });

  test('names the XR of a claim and what it composed', () => {
    const claimed = {...xr, metadata: {name: 'cl-k4h6p', uid: 'raw-xr'}, spec: {claimRef: {name: 'cl'}}};
    const child = composed('cl-k4h6p-zzzzz', 'db', 'cl-k4h6p');
    const renaming = learnRenaming([claimed, child]);
    expect(normaliseObject(claimed, renaming).metadata.name).toBe('cl-<XR>');
    expect(normaliseObject(child, renaming).metadata).toMatchObject({
      name: 'cl-<XR>-<db>',
      labels: {'crossplane.io/composite': 'cl-<XR>'},
    });
  });

  test('names revisions after their composition and number', () => {
    const revision: KubeObject = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositionRevision',
      metadata: {
        name: 'app-1f2e3d4',
        uid: 'raw-revision',
        labels: {'crossplane.io/composition-name': 'app', 'crossplane.io/composition-hash': '1f2e3d4c5b6a'},
      },
      spec: {revision: 2},
    };
    const normal = normaliseObject(revision, learnRenaming([revision]));
    expect(normal.metadata).toMatchObject({
      name: 'app-<rev2>',
      labels: {'crossplane.io/composition-hash': 'hash-1'},
    });
  });

  test('drops what time wrote and says only that an object is deleting', () => {
    const object: KubeObject = {
      apiVersion: 'nop/v1',
      kind: 'NopResource',
      metadata: {
        name: 'a',
        uid: 'raw-a',
        resourceVersion: '12',
        creationTimestamp: '2026-01-01T00:00:00Z',
        deletionTimestamp: '2026-01-01T00:00:01Z',
      },
      status: {conditions: [{type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: 'then'}]},
    };
    const normal = normaliseObject(object, learnRenaming([object]));
    expect(normal.metadata).toEqual({name: 'a', uid: 'uid-1', deletionTimestamp: '<set>'});
    expect(normal.status).toEqual({conditions: [{type: 'Ready', status: 'True', reason: 'Available'}]});
  });
});
