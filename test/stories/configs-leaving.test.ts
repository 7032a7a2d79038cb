// An edit drops a nested XR, the ConfigMap beside it and a Bucket that leaves before the nested XR. The ConfigMap goes at once,
// while the nested XR is held and may read it; that is told once, with the remedy, which holds.

import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {composition, definition, staticStep} from '../platform.ts';
import {bucket, note, type Story, tell} from './small-move.ts';

const inner = {apiVersion: 'example.org/v1', kind: 'Inner'};
const fixtures = [
  definition(inner, undefined, {scope: 'Cluster'}),
  composition(inner, staticStep([bucket('inside', 'new')])),
] as unknown as readonly JsonObject[];

function dropped(...order: readonly string[]): Story {
  const resources = [
    note('config'),
    {name: 'inner', base: {...inner, metadata: {name: 'inner'}, spec: {}}},
    bucket('user', 'new'),
  ];
  const input = {order: [{sequence: order.map((name) => ({resources: [name]})), deleteOnly: true}]};
  return {fixtures, before: resources, after: [], inputBefore: input, inputAfter: input};
}

const inTheEnd = {failures: [], stuck: [], tethered: '', externals: {alive: 0, creates: 2, deletes: 2}};

/** Warnings about a config that leaves, and what is gone of the three, in order. */
function toldOf(story: Story) {
  const told = tell(story);
  expect(told).toMatchObject(inTheEnd);
  const warnings = told.timeline.flatMap(({change}) =>
    change.kind === 'event' && change.reason === 'ConfigLeavesFirst' ? [change.message] : [],
  );
  const gone = told.timeline.flatMap(({change}) =>
    change.kind === 'gone' && ['ConfigMap', 'Inner', 'Bucket'].includes(change.object.kind) ? [change.object.kind] : [],
  );
  return {warnings, gone};
}

test('a ConfigMap leaves before the nested XR that is held: one warning, with the remedy', () => {
  const {warnings, gone} = toldOf(dropped('inner', 'user'));
  expect(gone[0]).toBe('ConfigMap');
  expect(warnings).toEqual([
    expect.stringMatching(
      /^.*letting composed resource "config" go while "inner", which may read it, is held; .* `of` .* `by`$/,
    ),
  ]);
});

test('with the remedy it leaves last, and there is no warning', () => {
  const {warnings, gone} = toldOf(dropped('config', 'inner', 'user'));
  expect(warnings).toEqual([]);
  expect(gone.at(-1)).toBe('ConfigMap');
});
