import {expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {editing} from '../../../src/harness/rehearse/edited.ts';

// An edited file says what its author wants; what is not the author's stays.

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function xr(spec: JsonObject, annotations: {readonly [key: string]: string} = {}): KubeObject {
  return {apiVersion: 'e.org/v1', kind: 'App', metadata: {name: 'x', annotations}, spec};
}

function bodyOf(after: KubeObject, before: KubeObject) {
  const action = editing(after, before);
  return action.kind === 'patch' ? action.body : undefined;
}

test('what the author said before and says no longer goes, what Crossplane wrote stays', () => {
  const said = JSON.stringify(xr({size: 3, region: 'eu'}));
  const before = xr({size: 3, region: 'eu', resourceRefs: [{name: 'a'}]}, {[lastApplied]: said});
  expect(bodyOf(xr({size: 4}), before)).toEqual({spec: {size: 4, region: null}});
});

test('without that annotation the managed fields tell, but for those of controllers', () => {
  const fields = (manager: string, names: readonly string[]) => ({
    manager,
    operation: 'Apply' as const,
    apiVersion: 'e.org/v1',
    fieldsType: 'FieldsV1' as const,
    fieldsV1: {'f:spec': Object.fromEntries(names.map((name) => [`f:${name}`, {}]))},
  });
  const before = xr({size: 3, region: 'eu', resourceRefs: []});
  const managedFields = [fields('argocd', ['size', 'region']), fields('crossplane', ['resourceRefs'])];
  const owned = {...before, metadata: {...before.metadata, managedFields}};
  expect(bodyOf(xr({size: 3}), owned)).toEqual({spec: {region: null}});
});

test('a Composition is its file', () => {
  const composition = (spec: JsonObject): KubeObject => ({...xr(spec), kind: 'Composition'});
  const body = bodyOf(composition({mode: 'Pipeline'}), composition({mode: 'Pipeline', pipeline: []}));
  expect(body).toEqual({spec: {pipeline: null}});
});

test('an object that is not there is applied', () => {
  expect(editing(xr({}), undefined)).toEqual({kind: 'apply', objects: [xr({})]});
});

test('what a kind has instead of a spec is edited as well', () => {
  const config = (data: JsonObject, annotations = {}): KubeObject => ({
    ...xr({}, annotations),
    kind: 'ConfigMap',
    data,
  });
  const said = JSON.stringify(config({size: 's', zone: 'a'}));
  expect(bodyOf(config({size: 'm'}), config({size: 's', zone: 'a', more: 'x'}, {[lastApplied]: said}))).toEqual({
    data: {size: 'm', zone: null},
  });
});

test('an edit is one of the version and group that the file names', () => {
  const [file, before] = [
    {...xr({size: 4}), apiVersion: 'e.org/v1'},
    {...xr({size: 3}), apiVersion: 'e.org/v2'},
  ];
  expect(editing(file, before)).toMatchObject({kind: 'patch', target: {apiVersion: 'e.org/v1', kind: 'App'}});
});
