import {describe, expect, it} from 'vitest';
import type {Input} from '../../src/lifecycle/input/input.ts';
import {plan} from '../../src/lifecycle/plan/plan.ts';
import {desired, snapshot, view, xr} from './given.ts';

// An XR whose pipeline desires nothing by design: `enabled: false`. Whatever its input names is not there, for now. That an
// XR composes nothing just now is not that it has composed nothing yet.

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
  it('is told as a mistake to an XR that was never through', () => {
    const given = {xr: withConditions('Synced'), desired: [desired('vpc')]};
    expect(plan(snapshot(given), input).kind).toBe('invalid-input');
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
