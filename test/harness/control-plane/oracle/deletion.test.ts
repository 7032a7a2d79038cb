import {expect, test} from 'vitest';
import type {KubeObject} from '../../../../src/cluster/object.ts';
import {createsInDoubt, unfinishedDeletions} from '../../../../src/harness/control-plane/oracle/deletion.ts';

const pendingFirst = {'crossplane.io/external-create-pending': '2026-01-01T00:00:02Z'};
const doubt = 'cannot determine creation result - remove the crossplane.io/external-create-pending annotation';

function deletingBucket(annotations: {readonly [key: string]: string}, message?: string): KubeObject {
  const metadata = {name: 'b', uid: 'u', deletionTimestamp: '2026-01-01T00:00:03Z', annotations};
  const base = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', metadata};
  if (message === undefined) return base;
  return {...base, status: {conditions: [{type: 'Synced', status: 'False', reason: 'ReconcileError', message}]}};
}

test('a deletion under way at rest is unfinished, unless somebody paused the object', () => {
  expect(unfinishedDeletions([deletingBucket({})])).toHaveLength(1);
  expect(unfinishedDeletions([deletingBucket({'crossplane.io/paused': 'true'})])).toEqual([]);
});

test('a create in doubt is excused where the provider says so, and counted by itself', () => {
  const asking = deletingBucket(pendingFirst, doubt);
  expect(unfinishedDeletions([asking])).toEqual([]);
  expect(createsInDoubt([asking])).toEqual([asking]);
});

test('the marks of a create under way excuse nothing', () => {
  expect(unfinishedDeletions([deletingBucket(pendingFirst)])).toHaveLength(1);
  expect(unfinishedDeletions([deletingBucket(pendingFirst, 'cannot get ProviderConfig')])).toHaveLength(1);
});
