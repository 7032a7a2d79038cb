// A backup from before a move, or from the middle of it, comes back at any moment: after each API call and each answer of the
// cloud. What had moved is moved once more, and its external resource neither comes nor goes.

import {describe, expect, test} from 'vitest';
import {parseExploreArgs} from '../../src/cli/explore-options.ts';
import type {JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {always, converges, sometimes} from '../../src/explore/property.ts';
import {externalCounts} from '../../src/harness/control-plane/oracle/externals.ts';
import {objectsIn} from '../../src/harness/explore/evidence.ts';
import {explore, openExploration} from '../../src/harness/explore/explore.ts';
import type {ExploreState} from '../../src/harness/explore/explore-state.ts';
import {registry} from './registry.ts';
import {bucket, composition, type Resource, readStory, type Story, tell, to} from './small-move.ts';
import {isEveryVersion} from './versions.ts';

const moves: {readonly [name: string]: {readonly after: Resource; readonly inputAfter: Story['inputAfter']}} = {
  'to another resource name': {
    after: {...bucket('a', 'old'), name: 'b'},
    inputAfter: {handover: [{from: {resources: ['a']}, to: {resource: 'b'}}]},
  },
  'to another kind': {after: bucket('a', 'new'), inputAfter: to('new')},
  'to another kind and resource name': {
    after: {...bucket('a', 'new'), name: 'b'},
    inputAfter: {handover: [{from: {resources: ['a']}, to: {resource: 'b', apiVersion: 'new.example.org/v1'}}]},
  },
};

const broughtBack = [
  ['without managedFields', withoutManagers],
  ['created with managedFields', createdByTool],
] as const;

for (const tool of ['velero', 'etcd'])
  describe(`a restore by ${tool}`, () => {
    const backup = {name: 'saved', backup: {tool}};
    const disaster = [
      {name: 'stopped', stop: 'crossplane'},
      {name: 'lost', wipe: {}},
      {name: 'restored', restore: {}},
      {name: 'started', start: 'crossplane', wait: '20m'},
    ];
    const [stopped, ...rest] = disaster;
    for (const [name, {after, inputAfter}] of Object.entries(moves)) {
      // With the other tool each is told by `npm run stories:versions`.
      if (tool === 'etcd' && name !== 'to another kind and resource name' && !isEveryVersion) continue;
      const story = {before: [bucket('a', 'old')], after: [after], inputAfter};
      test(`of what was saved before a move ${name}, in the middle of it`, () =>
        search({...story, meanwhile: [backup], afterwards: disaster}));
      test(`of what was saved in the middle of a move ${name}`, () =>
        search({...story, afterwards: [stopped ?? {}, backup, ...rest]}));
      // As `kubectl create` of an export. Crossplane takes over what it applies, and all else has no owner for good.
      if (tool !== 'velero') continue;
      const [lost = {}, restored = {}, started = {}] = rest;
      for (const [how, brought] of broughtBack) {
        const owned = ['a', 'b', 'tether-handover-of-a'].map(brought);
        const afterwards = [stopped ?? {}, backup, lost, restored, ...owned, started];
        test(`of what was saved in the middle of a move ${name}, ${how}`, () => search({...story, afterwards}));
      }
    }
  });

describe.each(broughtBack)('a restore %s', (_, brought) => {
  const disaster = (resources: readonly string[]) => [
    {name: 'under way', wait: '80ms'},
    {name: 'stopped', stop: 'crossplane'},
    {name: 'saved', backup: {tool: 'velero'}},
    {name: 'lost', wipe: {}},
    {name: 'restored', restore: {}},
    ...resources.map(brought),
  ];
  const started = {name: 'started', start: 'crossplane', wait: '20m'};
  const all = {managementPolicies: ['*']};

  test.each([
    ['main', 'team-', {}, all],
    ['2.3', 'team-', {}, all],
    ['1.20', '', {}, {...all, deletionPolicy: 'Delete'}],
    ['1.20', '', {deletionPolicy: 'Orphan'}, {...all, deletionPolicy: 'Orphan'}],
  ] as const)(
    'gives a resource its policies back if the move is turned back, on %s',
    (crossplane, prefix, wanted, own) => {
      const inTeam = prefix !== '';
      const before = [bucket('a', `${prefix}old`, {}, wanted)];
      const back = composition({inTeam}, before, to(`${prefix}old`));
      const {buckets, tethered} = tell({
        inTeam,
        crossplane,
        before,
        after: [bucket('a', `${prefix}new`)],
        inputAfter: to(`${prefix}new`),
        soon: 'at-once',
        afterwards: [...disaster(['a', 'tether-handover-of-a']), {name: 'turned back', apply: back}, started],
      });
      expect(buckets.map(({apiVersion, spec}) => ({apiVersion, ...policiesIn(spec)}))).toEqual([
        {apiVersion: `${prefix}old.example.org/v1`, ...own},
      ]);
      expect(tethered).toBe('');
    },
  );

  test.each([
    ['main', 'team-old', all],
    ['2.3', 'team-old', all],
    ['1.20', 'old', {...all, deletionPolicy: 'Delete'}],
  ] as const)('gives a resource its policies back if a drop is undone, on %s', (crossplane, group, own) => {
    const inTeam = group !== 'old';
    const input = {removal: {policies: [{match: {resources: ['a']}, policy: 'Orphan'}]}};
    const before = [bucket('a', group)];
    const {buckets, tethered} = tell({
      inTeam,
      crossplane,
      before,
      after: [],
      inputBefore: input,
      inputAfter: input,
      soon: 'at-once',
      afterwards: [...disaster(['a']), {name: 'undone', apply: composition({inTeam}, before, input)}, started],
    });
    expect(buckets.map(({spec}) => policiesIn(spec))).toEqual([own]);
    expect(tethered).toBe('');
  });

  test.each(['main', '1.20'])('lets what is given no longer move to another kind, on %s', (crossplane) => {
    const other = {apiVersion: 'example.org/v1', kind: 'App', name: 'other'};
    const before = [bucket('a', 'old')];
    const giving = composition({}, before, {give: [{to: other, resources: [{name: 'a'}]}]});
    const {buckets, tethered} = tell({
      crossplane,
      before,
      after: [bucket('a', 'new')],
      inputAfter: to('new'),
      soon: 'at-once',
      meanwhile: [
        {name: 'given', apply: giving, wait: '5m'},
        ...disaster(['a']),
        {name: 'given no longer', apply: composition({}, before, {})},
        started,
      ],
      afterwards: [{name: 'the end', wait: '20m'}],
    });
    expect(buckets.map(({apiVersion, spec}) => ({apiVersion, ...policiesIn(spec)}))).toEqual([
      {apiVersion: 'new.example.org/v1', ...all},
    ]);
    expect(tethered).toBe('');
  });

  test.each(['main', '1.20'])('leaves a policy alone that a person set, on %s', (crossplane) => {
    const before = [bucket('a', 'old')];
    const spec = {deletionPolicy: 'Orphan'};
    const {buckets} = tell({
      crossplane,
      before,
      after: [bucket('a', 'new')],
      inputAfter: to('new'),
      soon: 'at-once',
      meanwhile: [{name: 'by hand', patch: {kind: 'Bucket', resource: 'a', type: 'merge', body: {spec}}}],
      afterwards: [
        ...disaster(['a', 'tether-handover-of-a']),
        {name: 'turned back', apply: composition({}, before, to('old'))},
        started,
      ],
    });
    expect(buckets.map((one) => policiesIn(one['spec']))).toEqual([{...all, ...spec}]);
  });
});

function policiesIn(spec: unknown): JsonObject {
  const {managementPolicies = null, deletionPolicy} = spec as JsonObject;
  return {managementPolicies, ...(deletionPolicy === undefined ? {} : {deletionPolicy})};
}

// As a create of an export with its managedFields: of Crossplane's fields it leaves those that are not created, as owner references.
// So Crossplane takes no field from the creator (crossplane 2d040d2da internal/ssa/managed_fields.go).
function createdByTool(resource: string): JsonObject {
  const first = '/metadata/managedFields/0';
  const body = [
    {op: 'copy', from: first, path: first},
    {op: 'replace', path: `${first}/manager`, value: 'kubectl-create'},
    {op: 'replace', path: `${first}/operation`, value: 'Update'},
    {op: 'replace', path: '/metadata/managedFields/1/fieldsV1', value: {'f:metadata': {'f:ownerReferences': {}}}},
  ];
  return {name: `${resource} is created`, patch: {kind: 'Bucket', resource, type: 'json', body}, mayFail: true};
}

function withoutManagers(resource: string): JsonObject {
  const body = [{op: 'replace', path: '/metadata/managedFields', value: [{}]}];
  return {name: `${resource} has no managers`, patch: {kind: 'Bucket', resource, type: 'json', body}, mayFail: true};
}

/** Every moment at which Crossplane may be stopped and the disaster begins. */
function search(story: Story): void {
  const args = parseExploreArgs(['story.yaml', '--moves', 'in-order', '--budget', 'early=1']);
  if (args === undefined) throw new Error('no help was asked for');
  const exploration = openExploration(readStory(story), 'main', args, registry);
  const {model} = exploration;
  const isStop = (move: number) => exploration.story.moves[move]?.step.name === 'stopped';
  const actions = model.actions.bind(model);
  model.actions = (state) => actions(state).filter((one) => one.kind !== 'move' || !one.early || isStop(one.move));
  const properties = [
    always('the cloud creates once and deletes nothing', ({world}: ExploreState) => {
      const {creates, deletes} = externalCounts(world);
      return creates <= 1 && deletes === 0;
    }),
    converges('one object has it in the end', ({made, world}: ExploreState) => {
      if (made.length < exploration.story.moves.length) return undefined;
      const buckets = objectsIn(world).filter(({kind}) => kind === 'Bucket');
      const policies = buckets.map((one) => (one['spec'] as JsonObject)['managementPolicies']);
      return JSON.stringify(policies) === '[["*"]]' ? undefined : JSON.stringify(buckets.map(({metadata}) => metadata));
    }),
    sometimes('it has moved', ({world}: ExploreState) => objectsIn(world).some((one) => isAs(story.after[0], one))),
  ];
  const {outcome, properties: reports} = explore({...exploration, properties}, args, () => undefined);
  expect(outcome.kind).toBe('complete');
  expect(reports.map(({name, verdict}) => `${name}: ${verdict}`)).toEqual(properties.map(({name}) => `${name}: holds`));
}

function isAs(resource: Resource | undefined, {apiVersion, kind, metadata}: KubeObject): boolean {
  const name = metadata.annotations?.['crossplane.io/composition-resource-name'];
  return kind === 'Bucket' && name === resource?.name && apiVersion === resource?.base['apiVersion'];
}
