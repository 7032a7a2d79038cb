import {expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {wakes} from '../../../src/cluster/provider/managed-provider.ts';
import {bucket, secondsAgo} from './things.ts';

const before = bucket({annotations: {'external-create-pending': secondsAgo(5), 'external-name': 'ext-1'}});

function wakesFor(after: KubeObject): boolean {
  return wakes({type: 'MODIFIED', object: after, revision: 2}, before);
}

const withMeta = (change: JsonObject): KubeObject => ({
  ...before,
  metadata: {...before.metadata, ...change} as KubeObject['metadata'],
});
const annotated = (annotations: {readonly [key: string]: string}) => withMeta({annotations});

test('removing external-create-pending, as the refusal asks for, wakes nothing by itself', () => {
  expect(wakesFor(annotated({'crossplane.io/external-name': 'ext-1'}))).toBe(false);
});

test('status, finalizers and external-create-failed wake nothing', () => {
  expect(wakesFor({...before, status: {atProvider: {id: 'ext-1'}}})).toBe(false);
  expect(wakesFor(withMeta({finalizers: [], resourceVersion: '2'}))).toBe(false);
  const failed = {...before.metadata.annotations, 'crossplane.io/external-create-failed': secondsAgo(1)};
  expect(wakesFor(annotated(failed))).toBe(false);
});

test('a spec or deletion (by generation), a label, external-create-succeeded and any other annotation wake', () => {
  expect(wakesFor(withMeta({generation: 2}))).toBe(true);
  expect(wakesFor(withMeta({labels: {team: 'a'}}))).toBe(true);
  const succeeded = {...before.metadata.annotations, 'crossplane.io/external-create-succeeded': secondsAgo(1)};
  expect(wakesFor(annotated(succeeded))).toBe(true);
  expect(wakesFor(annotated({...before.metadata.annotations, poke: 'me'}))).toBe(true);
});

test('what appears or goes wakes', () => {
  expect(wakes({type: 'ADDED', object: before, revision: 1}, undefined)).toBe(true);
  expect(wakes({type: 'DELETED', object: before, revision: 3}, before)).toBe(true);
});
