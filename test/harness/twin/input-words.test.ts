import {expect, test} from 'vitest';
import type {Json, JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {contradicts, desires, isMove, policyIn, rulesOf, selects} from '../../../src/harness/twin/input-words.ts';

const bucket: KubeObject = {
  apiVersion: 'cloud.example.org/v1',
  kind: 'Bucket',
  metadata: {name: 'a', labels: {role: 'a'}},
};
const shape = {key: 'a', objects: [bucket]};

test.each([
  ['(?i)A', true],
  ['[[:alpha:]]', true],
  ['b|a', true],
  ['b', false],
  ['(', false],
])('a pattern is one of Go: %s', (pattern, isSelected) => {
  expect(selects({pattern}, shape)).toBe(isSelected);
});

const match = {
  resources: ['a'],
  pattern: 'a',
  kinds: [{apiVersion: 'v1', kind: 'Note'}],
  labels: [{key: 'role', value: 'a'}],
};
const other = {apiVersion: 'v1', kind: 'Site', namespace: 'n', name: '${xr.metadata.name}'};
const input: JsonObject = {
  order: [
    {sequence: [match, match], when: 'xr.spec.on'},
    {of: match, by: match},
  ],
  usages: [{of: 'a', by: 'b', reason: 'r'}],
  protect: {resources: [{match, reason: 'r'}], required: [{match}], xrMatch: match},
  removal: {policies: [{match, policy: 'Retain'}], budget: {percent: 50}},
  restore: {lookup: true, kinds: match.kinds},
  handover: [{from: match, to: {resource: 'b', apiVersion: 'v1', kind: 'Note'}}],
  give: [{to: other, resources: [{name: 'a', there: 'b'}]}],
  take: [{from: other, resources: [{name: 'c'}]}],
  resources: [
    {name: 'made', include: 'true', base: {apiVersion: 'v1', kind: 'Note', metadata: {name: 'a-${xr.kind}'}}},
  ],
  ttl: '60s',
};

/** The value with each of its parts in turn replaced by another. */
function* mistakenIn(value: Json, another: Json): Generator<Json> {
  yield another;
  if (value === null || typeof value !== 'object') return;
  for (const [key, part] of Object.entries(value))
    for (const one of mistakenIn(part as Json, another))
      yield Array.isArray(value) ? value.with(Number(key), one) : {...value, [key]: one};
}

test.each<[Json]>([[null], [1], ['('], [[]], [{}], [[null]], [true]])(
  'an input that is refused is read, too: %j',
  (another) => {
    const xr: KubeObject = {apiVersion: 'v1', kind: 'App', metadata: {name: 'shop'}};
    let count = 0;
    for (const [part, value] of Object.entries(input))
      for (const mistaken of mistakenIn(value as Json, another)) {
        const desire = {
          input: {...input, [part]: mistaken},
          xr,
          desired: {resources: new Map()},
          required: [],
        } as never;
        const read = () => {
          const rules = rulesOf(desire);
          for (const {from, to} of rules.moves)
            isMove({from, to}, {key: 'a', object: bucket}, {key: 'b', kind: 'Note.'});
          return [contradicts(rules, [shape]), policyIn(rules, shape), desires(desire, {key: 'made', kind: 'Note.'})];
        };
        expect(read, JSON.stringify({[part]: mistaken})).not.toThrow();
        count++;
      }
    expect(count).toBeGreaterThan(60);
  },
);
