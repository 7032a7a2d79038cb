import {expect, test} from 'vitest';
import {
  dependantsOf,
  emptyTracker,
  forget,
  kindsOf,
  type Reference,
  requirementsOf,
  track,
} from '../../../../src/cluster/crossplane/engine/tracker.ts';
import type {KubeObject} from '../../../../src/cluster/object.ts';

const nop = {apiVersion: 'nop.example.org/v1', kind: 'Nop'};
const object = (name: string, more: object = {}): KubeObject => ({...nop, metadata: {name, ...more}});
const tracking = (...composed: readonly Reference[]) => track(emptyTracker, 'shop', {composed, required: []});

test('an XR depends on what it composes, by name and namespace', () => {
  const tracker = tracking({...nop, name: 'a', namespace: 'x'});
  expect(dependantsOf(tracker, object('a', {namespace: 'x'}))).toEqual(['shop']);
  expect(dependantsOf(tracker, object('a', {namespace: 'y'}))).toEqual([]);
  expect(dependantsOf(tracker, object('a'))).toEqual([]);
});

test('what is composed in one version is not heard of in another, for a watch is of one', () => {
  const tracker = tracking({...nop, name: 'a'});
  expect(dependantsOf(tracker, {...object('a'), apiVersion: 'nop.example.org/v2'})).toEqual([]);
});

test('by label an absent namespace is every namespace', () => {
  const reference = {...nop, labels: {role: 'db'}};
  const tracker = track(emptyTracker, 'shop', {composed: [], required: [{step: 's', name: 'n', reference}]});
  expect(dependantsOf(tracker, object('a', {namespace: 'x', labels: {role: 'db'}}))).toEqual(['shop']);
  expect(dependantsOf(tracker, object('a', {labels: {role: 'web'}}))).toEqual([]);
  expect(requirementsOf(tracker, 'shop', 's')).toHaveLength(1);
  expect(requirementsOf(tracker, 'shop', 'other')).toEqual([]);
});

test('kinds are watched once, and no more when the last XR that needs them is forgotten', () => {
  const tracker = track(tracking({...nop, name: 'a'}), 'second', {composed: [{...nop, name: 'b'}], required: []});
  expect(kindsOf(tracker)).toEqual([nop]);
  expect(kindsOf(forget(tracker, 'shop'))).toEqual([nop]);
  expect(kindsOf(forget(forget(tracker, 'shop'), 'second'))).toEqual([]);
});
