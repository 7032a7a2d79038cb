// Orders in moments in which the XR has less than it desires: the middle of a sequence cannot be made yet, or the XR was deleted and
// is asked for again while what the former one composed is still going.

import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {openTwins, runTwins} from '../../src/harness/twin/twin.ts';
import {registry} from './registry.ts';
import {bucket, message, note, type Resource, readStory, type Story, tell, xrIn} from './small-move.ts';
import {versionsInTurn} from './versions.ts';

const versions = ['main', '2.3', '1.20', '1.19', '1.16'];
const steps = ['a', 'b', 'c', 'd'];
const sequence = {sequence: steps.map((name) => ({resources: [name], optional: true}))};

function ordered(crossplane: string, more: Partial<Story> = {}, input: JsonObject = {}): Story {
  const all = steps.map((name) => bucket(name, 'old'));
  const said = {...(crossplane.startsWith('1.') ? {crossplane} : {}), order: [sequence], ...input};
  return {crossplane, before: all, after: all, inputBefore: said, inputAfter: said, ...more};
}

test.each(versionsInTurn(versions, 0))(
  'the ends keep their Usage until the middle is there: Crossplane %s',
  (version) => {
    const failing = {
      conditions: [{type: 'Ready', status: 'False', reason: 'X', lastTransitionTime: '2026-01-01T00:00:00Z'}],
    };
    const {objects, buckets} = tell(
      ordered(version, {
        before: ['a', 'd'].map((name) => bucket(name, 'old')),
        meanwhile: [
          {stop: 'provider'},
          {by: 'controller', patch: {kind: 'Bucket', resource: 'a', subresource: 'status', body: {status: failing}}},
        ],
      }),
    );
    const nameOf = (role: string) => buckets.find(({metadata}) => metadata.labels?.['role'] === role)?.metadata.name;
    expect(buckets).toHaveLength(2);
    expect(objects.filter(({kind}) => kind.endsWith('Usage'))).toMatchObject([
      {spec: {of: {resourceRef: {name: nameOf('a')}}, by: {resourceRef: {name: nameOf('d')}}}},
    ]);
  },
);

test.each(versionsInTurn(versions, 1))(
  'an XR that is asked for again gets what it desires: Crossplane %s',
  (version) => {
    const afterwards: JsonObject[] = [
      {delete: {kind: 'App', name: 'shop'}, wait: '1s'},
      {name: 'it is asked for again', apply: xrIn({...ordered(version)}), wait: '6h'},
    ];
    const {tethered, externals, stuck} = tell(ordered(version, {afterwards}, {restore: {lookup: true}}));
    expect({externals, stuck}).toMatchObject({externals: {alive: 4, creates: 8, deletes: 4}, stuck: []});
    if (version !== '1.16') expect(tethered).toBe('');
  },
);

test.each(versions.map(profileNamed))(
  'what was protected and used goes, whatever namespace its Usage was in: Crossplane %s',
  (crossplane) => {
    const story = readStory({
      ...ordered(crossplane),
      before: [bucket('a', 'team-old'), note('b', 'green')],
      after: [],
      inputBefore: {protect: {resources: [{}]}, usages: [{of: 'a', by: 'b'}]},
      inputAfter: {},
      soon: 'at-once',
      fixtures: [{apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'green'}}],
    });
    const twins = openTwins(story, {crossplane, twin: ['function-tether'], functions: registry});
    expect(runTwins(twins, story).violations).toEqual([]);
  },
);

test.each(versions)('an XR goes whose own Usage is against an order of the input: Crossplane %s', (version) => {
  const legacy = version.startsWith('1.');
  const api = legacy ? 'apiextensions.crossplane.io/v1alpha1' : 'protection.crossplane.io/v1beta1';
  const end = (name: string) => ({apiVersion: 'old.example.org/v1', kind: 'Bucket', resourceRef: {name}});
  const usage = {
    name: 'b-uses-a',
    ready: 'True',
    base: {
      apiVersion: api,
      kind: legacy ? 'Usage' : 'ClusterUsage',
      metadata: {name: 'b-uses-a'},
      spec: {of: end('a'), by: end('b'), replayDeletion: true},
    },
  };
  const all = [...['a', 'b', 'c'].map((name) => bucket(name, 'old', {metadata: {name}})), usage];
  const input = {usages: [{of: 'b', by: 'a'}], order: [{sequence: [{resources: ['b']}, {resources: ['c']}]}]};
  const told = ordered(version, {before: all, after: all}, input);
  const {tethered, objects} = tell(told);
  expect(objects.filter(({kind}) => kind.endsWith('Usage'))).toHaveLength(2);
  if (version !== '1.16') {
    expect(tethered).toMatch(/refusing to compose a Usage for input.usages\[0\].*neither could be deleted/);
  }
  const crossplane = profileNamed(version);
  const story = readStory({...told, afterwards: [{delete: {kind: 'App', name: 'shop'}, wait: '30m'}]});
  expect(
    runTwins(openTwins(story, {crossplane, twin: ['function-tether'], functions: registry}), story).violations,
  ).toEqual([]);
});

test.each(['1.20', 'main'].map(profileNamed))(
  'a definition stays whose XR is protected: Crossplane %s',
  (crossplane) => {
    const protect = {protect: {resources: [{match: {resources: ['a']}}]}};
    const definition = {kind: 'CompositeResourceDefinition', name: 'apps.example.org'};
    const afterwards = [{delete: definition, mayFail: true, wait: '30m'}];
    const story = readStory(ordered(crossplane, {afterwards}, protect));
    const twins = openTwins(story, {crossplane, twin: ['function-tether'], functions: registry});
    expect(runTwins(twins, story).violations).toEqual([]);
  },
);

test.each(['2.3', 'main'])('a Namespace stays while something in it is kept: Crossplane %s', (version) => {
  const home = {name: 'home', ready: 'True', base: {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'green'}}};
  const inside = bucket('a', 'team-old', {metadata: {namespace: 'green'}});
  for (const [kept, input] of [
    [0, {}],
    [1, {removal: {policies: [{match: {resources: ['a']}, policy: 'Retain'}]}}],
    [1, {protect: {resources: [{match: {resources: ['a'], optional: true}}]}}],
  ] as const) {
    const before = [home, inside, bucket('b', 'old')];
    const told: Story = {...ordered(version, {before, after: before.slice(2)}), inputBefore: input, inputAfter: input};
    const {buckets, objects} = tell(told);
    expect({buckets: buckets.length, homes: objects.filter(({metadata}) => metadata.name === 'green').length}).toEqual({
      buckets: 1 + kept,
      homes: kept,
    });
    const [crossplane, story] = [profileNamed(version), readStory(told)];
    const twins = openTwins(story, {crossplane, twin: ['function-tether'], functions: registry});
    expect(runTwins(twins, story).violations).toEqual([]);
  }
});

test.each([
  ['1.16', '1.20'],
  ['1.19', '1.16'],
  ['1.20', '2.3'],
  ['2.3', '1.20'],
  ['main', '1.16'],
])('on Crossplane %s an XR goes on while the input names %s', (version, crossplane) => {
  const all = steps.map((name) => bucket(name, 'old'));
  const {externals, xr} = tell(ordered(version, {after: [all[0] as Resource, ...all.slice(2)]}, {crossplane}));
  expect({externals, synced: message(xr, 'Synced')}).toMatchObject({externals: {alive: 3, deletes: 1}, synced: ''});
});
