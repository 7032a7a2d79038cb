import {expect, it} from 'vitest';
import type {Input} from '../../src/lifecycle/input/input.ts';
import {desired, emitted, type Given, marked, type ObservedOptions, observed, planOf, table, view} from './given.ts';

// Two steps of this function in one pipeline. test/function/two-steps.test.ts has their condition.

const confirm: Input = {removal: {policies: [{policy: 'Confirm'}]}};
const first: Given = {observed: [observed('db')], input: confirm};

/** What the second step is given of the first. */
const passed = (body = emitted(planOf(first), 'db')): Given => ({
  observed: [observed('db')],
  desired: [['db', {...view(body), ready: 'true'}]],
});

it('the second lets pass what the first holds, with its marks', () => {
  const second = planOf(passed());
  expect(table(passed())).toEqual({db: 'keep'});
  expect([...second.edits.keys()]).toEqual([]);
  expect(second.transitions).toEqual([]);
});

it('what another XR marked so is none of this', () => {
  const body = emitted(planOf(first), 'db');
  const metadata = {
    ...(body['metadata'] as object),
    labels: {...marked('db'), 'tether.fn.crossplane.io/composite': 'x'},
  };
  expect([...planOf(passed({...body, metadata})).edits.keys()]).toEqual(['db']);
});

it('what the first only passes is kept', () => {
  const body = {
    ...desired('db')[1].json(),
    metadata: {labels: marked('db'), annotations: {'tether.fn.crossplane.io/phase': 'adopted'}},
  };
  expect([...planOf(passed(body)).edits.keys()]).toEqual(['db']);
});

const retain: Input = {removal: {policies: [{policy: 'Retain'}]}};

it.each<[ObservedOptions, Input?]>([[{controller: 'nobody'}], [{controller: 'stale'}], [{}, retain]])(
  'what the first keeps or adopts is made by a template of the second (%o, %o)',
  (options, firstInput) => {
    const there = [observed('db', options)];
    const kept = emitted(planOf({observed: there, input: firstInput ?? {}}), 'db');
    const input = {resources: [{name: 'db', base: desired('db', {spec: {size: 'large'}})[1].json()}]};
    const second: Given = {observed: there, desired: [['db', {...view(kept), ready: 'true'}]], input};
    expect(emitted(planOf(second), 'db')).toMatchObject({spec: {size: 'large'}});
  },
);

it('what only a later step desires is never told as leaving: it has no mark of this step, and stays', () => {
  const later = observed('app');
  expect(table({observed: [later]})).toEqual({app: 'release'});
  expect(planOf({observed: [later]}).transitions).toEqual([]);
  const ours = observed('app', {annotations: {'tether.fn.crossplane.io/phase': 'adopted'}});
  expect(planOf({observed: [ours]}).transitions).toEqual([{kind: 'releasing', resourceName: 'app'}]);
});
