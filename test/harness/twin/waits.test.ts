import {expect, test} from 'vitest';
import {at, type JsonObject} from '../../../src/cluster/json.ts';
import type {StepAction} from '../../../src/harness/control-plane/operator/action.ts';
import type {Expectation, Step} from '../../../src/harness/scenario/scenario.ts';
import {selectorOf, step} from '../../../src/harness/worlds/moves.ts';
import {changing as wrapping} from '../../harmful-functions/answer.ts';
import {asked, changing, composed, honest, passes, resource, shop, story, storyOn, worse} from './small-stories.ts';

// Twins whose steps come in the middle of an order, and twins whose Crossplane is upgraded.

const two = [resource('a'), resource('b')];
const inOrder = {order: [{sequence: [{resources: ['a']}, {resources: ['b']}]}]};
const body = {metadata: {labels: {hurry: 'yes'}}};
const hurried = step('user', 'hurry', {kind: 'patch', type: 'merge', target: selectorOf(shop), status: false, body});

/** It lets all go at once if its XR is in a hurry. */
const hurries = wrapping(honest, ({xr, desired, answer: {resources}}) => {
  if (xr.metadata.labels?.['hurry'] === undefined) return;
  for (const name of resources.keys()) if (!desired.has(name)) resources.delete(name);
});

const oneBucket: Expectation = {
  what: {kind: 'stuck', range: {min: 1, max: 1}},
  crossplane: [],
  place: '',
};

test.each<[string, Step['wait'], readonly string[]]>([
  ['after half a second an order is at its middle', {kind: 'time', ms: 500}, ['lost a']],
  ['with its first on its way out it is there, too', {kind: 'until', timeoutMs: 60_000, expect: oneBucket}, ['lost a']],
  ['after a minute it is at its end', {kind: 'time', ms: 60_000}, []],
  ['without a wait the step comes at rest', undefined, []],
])('%s', (_, wait, found) => {
  const scenario = story(composed(two, inOrder), asked, {...composed([], inOrder), ...(wait && {wait})}, hurried);
  expect(worse(hurries, scenario)).toEqual(found);
  expect(worse(honest, scenario)).toEqual([]);
});

test('a pipeline with two steps of the function is refused', () => {
  const once = composed(two, inOrder);
  const action = JSON.parse(JSON.stringify(once.action)) as {objects: [{spec: {pipeline: JsonObject[]}}]};
  const [{spec}] = action.objects;
  const tether = spec.pipeline.find(({functionRef}) => at(functionRef, ['name']) === 'function-tether') as JsonObject;
  spec.pipeline.push({...tether, step: 'again'});
  const twice = {...once, action: action as unknown as StepAction};
  expect(() => worse(honest, story(twice, asked))).toThrow('2 steps of its pipeline call the compared function');
});

/** It composes nothing for a Crossplane that lists its capabilities. */
const refusesNew = changing(({capabilities, desired}) =>
  capabilities.length === 0
    ? new Map()
    : new Map([...desired.resources.keys()].map((key) => [key, {kind: 'drop'} as const])),
);

test('what harms on the next Crossplane harms after an upgrade', () => {
  const upgrade = step('user', 'upgrade', {kind: 'upgrade', crossplane: '2.3'});
  expect(worse(refusesNew, storyOn('1.20', composed(two), asked))).toEqual([]);
  expect(worse(refusesNew, storyOn('1.20', composed(two), asked, upgrade))).toEqual([
    'lost a',
    'lost b',
    'stuck b',
    'stuck a',
  ]);
  expect(worse(passes, storyOn('1.20', composed(two), asked, upgrade))).toEqual([]);
  expect(worse(honest, storyOn('1.20', composed(two), asked, upgrade))).toEqual([]);
});
