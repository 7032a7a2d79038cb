// One edit gives a resource another resource name and other content, and keeps its object: what it says arrives as without
// function-tether, and nothing is deleted for it, whatever the kind is.

import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {bucket, composition, type Resource, tell} from './small-move.ts';

const usage = 'protection.crossplane.io/v1beta1';
const of = {apiVersion: 'old.example.org/v1', kind: 'Bucket', resourceRef: {name: 'kept'}};
const beside = bucket('kept', 'old', {metadata: {name: 'kept'}});

/** The resource before and after the edit: the object's fields beside its name. */
const kinds: {readonly [kind: string]: readonly [JsonObject, JsonObject]} = {
  ConfigMap: [
    {apiVersion: 'v1', kind: 'ConfigMap', data: {version: '1'}},
    {apiVersion: 'v1', kind: 'ConfigMap', data: {version: '2'}},
  ],
  Secret: [
    {apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: {version: 'MQ=='}},
    {apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: {version: 'Mg=='}},
  ],
  ServiceAccount: [
    {apiVersion: 'v1', kind: 'ServiceAccount', automountServiceAccountToken: true},
    {apiVersion: 'v1', kind: 'ServiceAccount', automountServiceAccountToken: false},
  ],
  ClusterUsage: [
    {apiVersion: usage, kind: 'ClusterUsage', spec: {of, reason: 'one'}},
    {apiVersion: usage, kind: 'ClusterUsage', spec: {of, reason: 'two'}},
  ],
  'a managed resource': [
    {apiVersion: 'old.example.org/v1', kind: 'Bucket', spec: {forProvider: {region: 'here'}}},
    {apiVersion: 'old.example.org/v1', kind: 'Bucket', spec: {forProvider: {region: 'there'}}},
  ],
};
const namespaced = ['ConfigMap', 'Secret', 'ServiceAccount'];

describe.each(Object.entries(kinds))('%s', (kind, [before, after]) => {
  const placed = (name: string, object: JsonObject): Resource => {
    const metadata = {name: 'one', ...(namespaced.includes(kind) ? {namespace: 'blue'} : {})};
    return {name, ready: 'True', base: {...object, metadata}};
  };
  // Crossplane 1 composes what is cluster-scoped, and has no ClusterUsage.
  const versions = kind === 'a managed resource' ? ['main', '2.3', '1.20', '1.16'] : ['main', '2.3'];

  test.each(versions)('on Crossplane %s', (crossplane) => {
    const told = tell({
      crossplane,
      before: [placed('config', before), beside],
      after: [placed('app-config', after), beside],
      inputAfter: {},
    });
    const found = told.objects.find(({metadata, kind: made}) => metadata.name === 'one' && made === after['kind']);
    expect(found).toMatchObject(after);
    expect(found?.metadata['annotations']).toMatchObject({'crossplane.io/composition-resource-name': 'app-config'});
    const gone = told.history?.versions.filter(
      ({type, object}) => type === 'DELETED' && object.metadata.name === 'one',
    );
    expect(gone).toEqual([]);
    if (crossplane !== '1.16') expect(told.tethered).toBe('');
  });
});

// One edit gives every object the next resource name, or the one before, as a list does whose first item comes or goes.
describe('names that go one on', () => {
  const named = (...pairs: readonly (readonly [string, string, string?])[]) =>
    pairs.map(([name, object, region = 'here']) =>
      bucket(name, 'old', {metadata: {name: object}}, {forProvider: {region}}),
    );
  const versions = ['main', '2.3', '1.20', '1.16'];
  const living = (told: ReturnType<typeof tell>) =>
    Object.fromEntries(
      told.buckets.map(({metadata, spec}) => {
        const {region} = (spec as {readonly forProvider: {readonly region: string}}).forProvider;
        return [metadata.name, [metadata['annotations']?.['crossplane.io/composition-resource-name'], region]];
      }),
    );

  test.each(versions)('each object goes to the next name, and is deleted under none: Crossplane %s', (crossplane) => {
    const told = tell({
      crossplane,
      before: named(['a', 'one'], ['b', 'two'], ['c', 'three']),
      after: named(['b', 'one', 'x'], ['c', 'two', 'y'], ['d', 'three', 'z']),
      inputAfter: {},
    });
    expect(told.externals).toMatchObject({creates: 3, deletes: 0});
    expect(living(told)).toEqual({one: ['b', 'x'], two: ['c', 'y'], three: ['d', 'z']});
    if (crossplane !== '1.16') expect(told.tethered).toBe('');
  });

  test.each(versions)(
    'an object stays whose new name has another one, and that is told: Crossplane %s',
    (crossplane) => {
      const before = named(['0', 'one'], ['1', 'two']);
      const told = tell({crossplane, before, after: named(['0', 'two']), inputAfter: {}});
      expect(told.externals).toMatchObject({creates: 2, deletes: 0});
      expect(Object.keys(living(told)).sort()).toEqual(['one', 'two']);
      if (crossplane !== '1.16') expect(told.tethered).toContain('desire it under a resource name that has none');
      const edited = {apply: composition({}, named(['of-two', 'two']), {}), wait: '20m'};
      const end = tell({crossplane, before, after: named(['0', 'two']), inputAfter: {}, afterwards: [edited]});
      expect(end.externals).toMatchObject({creates: 2, deletes: 1});
      expect(living(end)).toEqual({two: ['of-two', 'here']});
    },
  );

  test('what nothing goes with leaves as without function-tether', () => {
    const config = (name: string, object: string): Resource => {
      return {
        name,
        ready: 'True',
        base: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: object, namespace: 'blue'}},
      };
    };
    const told = tell({before: [config('0', 'one'), config('1', 'two')], after: [config('0', 'two')], inputAfter: {}});
    expect(told.objects.filter(({kind}) => kind === 'ConfigMap').map(({metadata}) => metadata.name)).toEqual(['one']);
    expect(told.tethered).toBe('');
  });
});

// One edit gives a resource another kind under its name.
describe('another kind', () => {
  const config: JsonObject = {apiVersion: 'v1', kind: 'ConfigMap', data: {version: '1'}};
  const secret: JsonObject = {apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: {version: 'Mg=='}};
  const placed = (object: JsonObject): Resource => ({
    name: 'config',
    ready: 'True',
    base: {...object, metadata: {name: 'one', namespace: 'blue'}},
  });
  const edited = (crossplane: string, from: JsonObject, to: JsonObject, meanwhile: readonly JsonObject[] = []) =>
    tell({crossplane, before: [placed(from), beside], after: [placed(to), beside], inputAfter: {}, meanwhile});
  const kindsIn = (told: ReturnType<typeof edited>) =>
    told.objects.filter(({metadata}) => metadata.name === 'one').map(({kind}) => kind);

  test.each(['main', '2.3'])('arrives if nothing goes with the object, on Crossplane %s', (crossplane) => {
    const told = edited(crossplane, config, secret);
    expect(kindsIn(told)).toEqual(['Secret']);
    expect(told.tethered).toBe('');
    expect(told.orphans).toEqual([]);
  });

  test('is refused if another hand wrote data into it', () => {
    const body = {data: {token: 'made up'}};
    const told = edited('main', config, secret, [{patch: {kind: 'ConfigMap', name: 'one', type: 'merge', body}}]);
    expect(kindsIn(told)).toEqual(['ConfigMap']);
    expect(told.tethered).toContain('refusing to replace composed resource "config"');
  });

  test('is refused for a Secret, which may hold what was made up once', () => {
    expect(kindsIn(edited('main', secret, config))).toEqual(['Secret']);
  });
});
