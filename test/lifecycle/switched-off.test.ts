import {describe, expect, it} from 'vitest';
import type {Input} from '../../src/lifecycle/input/input.ts';
import {plan} from '../../src/lifecycle/plan/plan.ts';
import {desired, snapshot, view, xr} from './given.ts';

// The input names resources that are not there: the XR is new and an earlier step composes them later, by the status of another
// one, or the XR is switched off and its pipeline desires nothing. Neither may stop the XR.

const base = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'};
const inputs: readonly [string, Input][] = [
  ['usages', {usages: [{of: 'db', by: 'app'}]}],
  ['order.when', {order: [{sequence: [{resources: ['db']}, {resources: ['app']}], when: 'context.on'}]}],
  ['resources', {resources: [{name: 'dns', base: {...base, spec: {address: '${resources.db.status.address}'}}}]}],
  ['resources.include', {resources: [{name: 'dns', base, include: 'xr.spec.on'}]}],
];

function withConditions(...types: readonly string[]) {
  const conditions = types.map((type) => ({type, status: 'False'}));
  return view({...xr.json(), spec: {on: 'yes', other: 7}, status: {conditions}});
}

describe.each(inputs)('an input with %s', (_part, input) => {
  it('stops no new XR, as an earlier step may compose what it names later', () => {
    const given = {xr: withConditions('Synced'), desired: [desired('vpc')]};
    expect(plan(snapshot(given), input).kind).toBe('plan');
  });

  it.each(['Ready', 'Tethered'])(
    'stops no XR that is switched off, as its condition %s says that it went through',
    (type) => {
      expect(plan(snapshot({xr: withConditions('Synced', type)}), input).kind).toBe('plan');
    },
  );
});

it('a new XR that is switched off from the start is not stopped for the names in its usages', () => {
  expect(plan(snapshot({}), {usages: [{of: 'db', by: 'app'}]})).toMatchObject({
    kind: 'plan',
    unknownNames: [
      {path: 'usages[0].of', name: 'db'},
      {path: 'usages[0].by', name: 'app'},
    ],
  });
});
