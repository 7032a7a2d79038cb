// A person writes on a held object that its external resource stays, and then confirms the removal. Crossplane sees the object late:
// a hold made of what it saw before does not put the former policy back.

import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {bucket, tell} from './small-move.ts';

const beside = bucket('beside', 'old');

/** Deletes in the cloud once the held bucket is confirmed. `said`: its policies in the Composition; `written`: a person's. */
function deletesOf(crossplane: string, said: JsonObject, written: JsonObject): number {
  const input = {removal: {policies: [{match: {resources: ['a']}, policy: 'Confirm'}]}};
  const annotate = (annotations: JsonObject): JsonObject => ({
    patch: {kind: 'App', name: 'shop', body: {metadata: {annotations}}},
    wait: '5m',
  });
  return tell({
    crossplane,
    before: [bucket('a', 'old', {}, said), beside],
    after: [beside],
    inputAfter: input,
    soon: 'at-once',
    afterwards: [
      {name: 'it is held', wait: '2m'},
      {fault: {stale: 'crossplane', for: '20s', kinds: ['Bucket']}},
      {by: 'person', patch: {kind: 'Bucket', resource: 'a', body: {spec: written}}},
      annotate({reason: 'Crossplane looks again'}),
      annotate({'tether.fn.crossplane.io/confirm-removal': 'a'}),
    ],
  }).externals.deletes;
}

test.each(['main', '2.3', '1.20', '1.19'])('on Crossplane %s', (crossplane) => {
  expect(deletesOf(crossplane, {deletionPolicy: 'Delete'}, {deletionPolicy: 'Orphan'})).toBe(0);
  expect(deletesOf(crossplane, {managementPolicies: ['*']}, {managementPolicies: ['Observe']})).toBe(0);
  expect(deletesOf(crossplane, {deletionPolicy: 'Delete'}, {forProvider: {region: 'here'}})).toBe(1);
});
