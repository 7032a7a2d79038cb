import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../../src/cluster/json.ts';
import type {KubeObject} from '../../../../src/cluster/object.ts';
import {duplicatesAmong} from '../../../../src/harness/control-plane/oracle/duplicate.ts';
import {orphansAmong} from '../../../../src/harness/control-plane/oracle/orphan.ts';
import {touchedAmong} from '../../../../src/harness/control-plane/oracle/untouched.ts';

const owner = {apiVersion: 'x/v1', kind: 'App', name: 'shop', uid: 'xr', controller: true};
const xr = (resourceRefs: readonly JsonObject[], change: JsonObject = {}): KubeObject => ({
  apiVersion: 'x/v1',
  kind: 'App',
  metadata: {name: 'shop', uid: 'xr', ...change},
  spec: {crossplane: {resourceRefs}},
});
const composed = (change: JsonObject = {}): KubeObject => ({
  apiVersion: 'cloud/v1',
  kind: 'Bucket',
  metadata: {
    name: 'shop-b',
    uid: 'b',
    labels: {'crossplane.io/composite': 'shop'},
    annotations: {'crossplane.io/composition-resource-name': 'b', 'crossplane.io/external-name': 'ext-1'},
    ...change,
  },
  spec: {region: 'here'},
});
const refB = {apiVersion: 'cloud/v1', kind: 'Bucket', name: 'shop-b'};

describe('an orphan', () => {
  const cases: readonly (readonly [string, readonly KubeObject[], number])[] = [
    ['is listed by no XR and controlled by nobody', [xr([]), composed()], 1],
    ['is still one when what controlled it is gone', [composed({ownerReferences: [owner]})], 1],
    [
      'is still one when its owner does not control it',
      [xr([]), composed({ownerReferences: [{...owner, controller: false}]})],
      1,
    ],
    ['is not one while an XR lists it', [xr([refB]), composed()], 0],
    [
      'is not one while an XR of a namespace lists it that is in none',
      [xr([refB], {namespace: 'blue'}), composed()],
      0,
    ],
    ['is not one while a legacy XR lists it', [{...xr([]), spec: {resourceRefs: [refB]}}, composed()], 0],
    [
      'is not one while a namespaced XR lists it without saying the namespace',
      [xr([refB], {namespace: 'team'}), composed({namespace: 'team'})],
      0,
    ],
    [
      'is one when the XR lists its namesake elsewhere',
      [xr([refB], {namespace: 'team'}), composed({namespace: 'other'})],
      1,
    ],
    ['is not one while something that lives controls it', [xr([]), composed({ownerReferences: [owner]})], 0],
    ['is not one while it is being deleted', [xr([]), composed({deletionTimestamp: 'now'})], 0],
    ['is not one when no XR ever made it', [composed({annotations: {}})], 0],
  ];
  test.each(cases)('%s', (_name, objects, count) => {
    expect(orphansAmong(objects)).toHaveLength(count);
  });
});

describe('duplicates', () => {
  test('are two live objects for one resource of one XR', () => {
    const twice = [composed(), composed({name: 'shop-c', uid: 'c'})];
    expect(duplicatesAmong(twice)).toMatchObject([{xr: 'shop', resourceName: 'b', objects: twice}]);
  });

  test('are not what is being deleted, or another XR has', () => {
    expect(duplicatesAmong([composed(), composed({uid: 'c', deletionTimestamp: 'now'})])).toEqual([]);
    expect(duplicatesAmong([composed(), composed({uid: 'c', labels: {'crossplane.io/composite': 'other'}})])).toEqual(
      [],
    );
  });
});

describe('a composed resource is touched', () => {
  const before = [composed()];
  const sent = {apiVersion: 'cloud/v1', namespace: '', atMs: 1, actor: 'crossplane', kind: 'Bucket', name: 'shop-b'};
  const cases: readonly (readonly [string, readonly KubeObject[], readonly (typeof sent)[], string | undefined])[] = [
    ['when it is another object of the same name', [composed({uid: 'new'})], [], 'it is gone'],
    ['when somebody asked to delete it, though it lives', before, [sent], 'crossplane asked to delete it'],
    ['when it is being deleted', [composed({deletionTimestamp: 'now'})], [], 'it is being deleted'],
    [
      'when its external name changed',
      [composed({annotations: {'crossplane.io/external-name': 'ext-2'}})],
      [],
      'its external name was ext-1 and is ext-2',
    ],
    [
      'when its spec changed, with the field that did',
      [{...composed(), spec: {region: 'there'}}],
      [],
      'its spec.region was "here" and is "there"',
    ],
    [
      'when several fields of its spec changed',
      [{...composed(), spec: {size: 1, tags: ['a']}}],
      [],
      'its spec.region was "here" and is not set (and 2 more fields)',
    ],
    [
      'when a secret in its spec changed, without the secret',
      [{...composed(), spec: {region: 'here', password: 'hunter2'}}],
      [],
      'its spec.password was not set and is "(not shown)"',
    ],
    ['not by being adopted', [composed({ownerReferences: [owner], labels: {more: 'x'}})], [], undefined],
    ['not by a delete of another object', before, [{...sent, name: 'other'}], undefined],
    ['not by a delete of the same name in another group', before, [{...sent, apiVersion: 'other/v1'}], undefined],
  ];
  test.each(cases)('%s', (_name, after, deletes, how) => {
    const touched = touchedAmong(before, after, deletes, []);
    expect(touched.map((touch) => touch.how)).toEqual(how === undefined ? [] : [how]);
  });

  test('and not looked at where the story says so', () => {
    expect(touchedAmong(before, [], [], ['b'])).toEqual([]);
  });
});
