import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {
  bucket,
  composition,
  type Group,
  message,
  note,
  type Resource,
  type Story,
  type Told,
  team,
  tell,
  to,
  xrIn,
} from './small-move.ts';

// A move that begins ends, or can be turned back, whatever Usage, protection or policy stands beside it, and
// whether it goes into a namespace or out of one. What would stop it for good is said before anything is touched.

const scopes: readonly (readonly [Group, Group])[] = [
  ['old', 'team-new'],
  ['team-old', 'new'],
];

for (const [from, group] of scopes)
  describe(`a Bucket of ${from} goes to ${group}`, () => {
    const pair = {usages: [{of: 'a', by: 'b'}]};
    const rule = to(group);
    const moving = (beside: readonly Resource[], input: JsonObject, more: Partial<Story> = {}): Story => ({
      before: [bucket('a', from), ...beside],
      after: [bucket('a', group), ...beside],
      inputBefore: input,
      inputAfter: {...rule, ...input},
      ...more,
    });
    const back = (beside: readonly Resource[], input: JsonObject, more: Partial<Story> = {}): Story => ({
      ...moving(beside, input, more),
      soon: true,
      afterwards: [{name: 'back', apply: composition({}, [bucket('a', from), ...beside], input), wait: '20m'}],
    });
    const other = bucket('b', 'old');
    const ends: {readonly [name: string]: Story} = {
      'while another uses it': moving([other], pair),
      'while something in a namespace uses it': moving([note('b')], pair),
      'while it uses another': moving([other], {usages: [{of: 'b', by: 'a'}]}),
      'in the edit that drops who uses it': moving([other], pair, {after: [bucket('a', group)], inputAfter: rule}),
      'in the edit that drops the pair': moving([other], pair, {inputAfter: rule}),
      'protected for a reason': moving([], {protect: {resources: [{match: {resources: ['a']}}]}}),
      'under a policy and a budget': moving([], {
        removal: {policies: [{match: {resources: ['a']}, policy: 'Confirm'}], budget: {resources: 1}},
      }),
    };
    for (const [name, story] of Object.entries(ends))
      test(`${name}, and the move ends`, () => expect(stateOf(tell(story))).toEqual([`a of ${group}`]));
    const returns: {readonly [name: string]: Story} = {
      'that another uses': back([other], pair),
      'that something in a namespace uses': back([note('b')], pair),
      'that uses another': back([other], {usages: [{of: 'b', by: 'a'}]}),
      'that is protected for a reason': back([], {protect: {resources: [{match: {resources: ['a']}}]}}),
    };
    for (const [name, story] of Object.entries(returns))
      test(`one ${name} is turned back`, () => expect(stateOf(tell(story))).toEqual([`a of ${from}`]));

    test('not while the pipeline goes on to protect the old kind', () => {
      const usage = usageOf(from);
      const told = tell(moving([other, usage], {}));
      expect(stateOf(told)).toEqual([`a of ${from}`]);
      expect(told.tethered).toContain(`Usage "uses" of the pipeline would go on to protect Bucket`);
    });

    test('not while a Usage from outside protects it', () => {
      const told = tell(moving([], {}, {meanwhile: [{name: 'protect', apply: usageOf(from).base, wait: '2m'}]}));
      expect(stateOf(told)).toEqual([`a of ${from}`]);
      expect(told.tethered).toContain('carries the label crossplane.io/in-use and no Usage of this XR explains it');
    });
  });

describe('a Bucket goes to a kind that', () => {
  const going = (group: Group, more: Partial<Story> = {}): Story => ({
    before: [bucket('a', 'old')],
    after: [bucket('a', group)],
    inputAfter: to(group),
    ...more,
  });
  const back = {afterwards: [{name: 'back', apply: composition({}, [bucket('a', 'old')], {}), wait: '20m'}]};

  const writing = (of: Group, secret: string) =>
    bucket('a', of, {}, {writeConnectionSecretToRef: {name: secret, ...(of === 'team-new' ? {} : {namespace: team})}});
  for (const group of ['new', 'team-new'] as const) {
    test(`publishes the Secret of connection details of the old one, in ${group}, and the move begins once it has another`, () => {
      const told = (more: Partial<Story> = {}) =>
        tell(going(group, {before: [writing('old', 'conn')], after: [writing(group, 'conn')], ...more}));
      expect(stateOf(told())).toEqual(['a of old']);
      expect(told().tethered).toContain('a Secret has one owner; name another one for the new object');
      const another = composition({}, [writing(group, 'conn-2')], to(group));
      const afterwards = [{name: 'another Secret', apply: another, wait: '20m'}];
      expect(stateOf(told({afterwards}))).toEqual([`a of ${group}`]);
    });

    test(`cannot publish a password that came with the create, in ${group}: the old one stays until it is copied, or let go`, () => {
      const publishes = {publishes: {endpoint: 'at-{id}'}, publishesOnce: {password: 'of-{id}'}};
      const told = (...afterwards: readonly JsonObject[]) => {
        const moved = {before: [writing('old', 'conn')], after: [writing(group, 'conn-2')], publishes, afterwards};
        return tell(going(group, moved));
      };
      const keys = ({objects}: Told) =>
        objects.flatMap((one) =>
          one.kind === 'Secret' ? [[one.metadata.name, ...Object.keys((one['data'] ?? {}) as JsonObject).sort()]] : [],
        );
      const stopped = told();
      expect(keys(stopped)).toEqual([
        ['conn', 'endpoint', 'password'],
        ['conn-2', 'endpoint'],
      ]);
      expect(stopped.tethered).toContain('lacks a value that the Secret of');
      const policies = stopped.buckets.map(({spec}) => spec?.['managementPolicies']);
      // Two providers with all policies would undo each other's edits.
      expect(policies.sort()).toEqual([['*'], ['Observe']]);
      const secret = {apiVersion: 'v1', kind: 'Secret', name: 'conn-2', namespace: team};
      const copied = told({name: 'copy', patch: {...secret, body: {data: {password: 'b2Y='}}}, wait: '20m'});
      expect([stateOf(copied), keys(copied)]).toEqual([[`a of ${group}`], [['conn-2', 'endpoint', 'password']]]);
      const confirmed = xrIn({before: [], after: [], inputAfter: {}}, {'tether.fn.crossplane.io/confirm-removal': 'a'});
      expect(stateOf(told({name: 'let it go', apply: confirmed, wait: '20m'}))).toEqual([`a of ${group}`]);
    });
  }

  test('is not served, and the move does not begin', () => {
    const told = tell(going('unserved'));
    expect(stateOf(told)).toEqual(['a of old']);
    expect(told.tethered).toContain('Bucket of unserved.example.org/v1 is not served; install the provider');
    expect(stateOf(tell(going('unserved', back)))).toEqual(['a of old']);
  });

  test('has no managementPolicies, and the move does not begin', () => {
    const told = tell(going('plain'));
    expect(stateOf(told)).toEqual(['a of old']);
    expect(told.tethered).toContain('Bucket of plain.example.org/v1 has no managementPolicies');
  });

  test('has no managementPolicies, on a Crossplane that cannot be asked: it stops with nothing lost, and goes back', () => {
    const crossplane = '1.20';
    const told = tell(going('plain', {crossplane}));
    expect(message(told.xr, 'Synced')).toContain('.spec.managementPolicies: field not declared in schema');
    expect([told.externals.creates, told.externals.deletes]).toEqual([1, 0]);
    expect(stateOf(tell(going('plain', {crossplane, ...back})))).toEqual(['a of old']);
  });

  test('is cluster-scoped, for an XR in a namespace: it stops with nothing lost, and goes back', () => {
    const inTeam = {inTeam: true, before: [bucket('a', 'team-old')]};
    const told = tell({...going('new'), ...inTeam});
    expect(message(told.xr, 'Synced')).toContain('cannot apply cluster scoped composed resource');
    expect([told.externals.creates, told.externals.deletes]).toEqual([1, 0]);
    const afterwards = [{name: 'back', apply: composition(inTeam, inTeam.before, {}), wait: '20m'}];
    expect(stateOf(tell({...going('new'), ...inTeam, afterwards}))).toEqual(['a of team-old']);
  });

  test('no provider is there for: it only observes until one is, or goes back', () => {
    const stop = {meanwhile: [{name: 'no provider', stop: 'provider'}]};
    expect(tell(going('new', stop)).tethered).toContain('next, once it is Synced and the same, it gets its policies');
    const start = {name: 'a provider', start: 'provider', wait: '20m'};
    expect(stateOf(tell(going('new', {...stop, afterwards: [start]})))).toEqual(['a of new']);
    expect(stateOf(tell(going('new', {...stop, afterwards: [...back.afterwards, start]})))).toEqual(['a of old']);
  });
});

test('an XR that is paused in the middle goes on afterwards', () => {
  const paused = (value: string | null) => ({
    patch: {kind: 'App', name: 'shop', body: {metadata: {annotations: {'crossplane.io/paused': value}}}},
    wait: '10m',
  });
  const story = {before: [bucket('a', 'old')], after: [bucket('a', 'new')], inputAfter: to('new'), soon: true};
  const told = tell({...story, afterwards: [paused('true')]});
  expect([told.externals.creates, told.externals.deletes, told.buckets.length]).toEqual([1, 0, 2]);
  expect(stateOf(tell({...story, afterwards: [paused('true'), paused(null)]}))).toEqual(['a of new']);
});

describe('what somebody does in the middle of a move', () => {
  const story: Story = {before: [bucket('a', 'old')], after: [bucket('a', 'new')], inputAfter: to('new')};
  const stop = {name: 'no provider', stop: 'provider', wait: '1m'};
  const start = {name: 'a provider', start: 'provider', wait: '20m'};
  const edit = (resources: readonly Resource[], input: JsonObject) => ({
    name: 'another edit',
    apply: composition({}, resources, input),
    wait: '10m',
  });

  test('the old object is deleted and the move turned back: it takes nothing along', () => {
    const old = {apiVersion: 'old.example.org/v1', kind: 'Bucket', resource: 'tether-handover-of-a'};
    const afterwards = [{name: 'by hand', delete: old, wait: '2m'}, edit([bucket('a', 'old')], {}), start];
    const told = tell({...story, meanwhile: [stop], afterwards});
    expect(stateOf(told)).toEqual(['a of new']);
    expect([told.externals.creates, told.externals.deletes]).toEqual([1, 0]);
    // The condition prints the rule that moves it back, and with that rule it goes back.
    expect(told.tethered).toContain('handover: [{from: {resources: ["a"]}, to: {apiVersion: "old.example.org/v1"');
    const back = tell({
      ...story,
      meanwhile: [stop],
      afterwards: [...afterwards, edit([bucket('a', 'old')], to('old'))],
    });
    expect(stateOf(back)).toEqual(['a of old']);
  });

  test('a move to another kind and name has ended, and the Composition is rolled back: nothing goes', () => {
    const both: Story = {
      before: [bucket('a', 'old')],
      after: [bucket('b', 'new')],
      inputAfter: {handover: [{from: {resources: ['a']}, to: {resource: 'b', apiVersion: 'new.example.org/v1'}}]},
    };
    const rolled = tell({...both, afterwards: [edit([bucket('a', 'old')], {})]});
    expect([rolled.externals.creates, rolled.externals.deletes, rolled.buckets.length]).toEqual([1, 0, 1]);
    const rule = {from: {resources: ['b']}, to: {resource: 'a', apiVersion: 'old.example.org/v1', kind: 'Bucket'}};
    expect(rolled.tethered).toContain('handover: [{from: {resources: ["b"]}, to: {resource: "a", apiVersion: "old.');
    const back = tell({...both, afterwards: [edit([bucket('a', 'old')], {handover: [rule]})]});
    expect([back.externals.creates, back.externals.deletes]).toEqual([1, 0]);
    expect(back.buckets.map(({apiVersion}) => apiVersion)).toEqual(['old.example.org/v1']);
  });

  test('a chain of two in one edit makes nothing, and moves once the last one goes first', () => {
    const names = (...roles: readonly (readonly [string, string])[]) =>
      roles.map(([name, role]) => ({...bucket(role, 'old'), name}));
    const rule = (from: string, resource: string) => ({from: {resources: [from]}, to: {resource}});
    const input = {handover: [rule('a', 'b'), rule('b', 'c')]};
    const chain: Story = {
      before: names(['a', 'one'], ['b', 'two']),
      after: names(['b', 'one'], ['c', 'two']),
      inputAfter: input,
    };
    const told = tell(chain);
    expect([told.externals.creates, told.externals.deletes]).toEqual([2, 0]);
    expect(told.tethered).toContain('let that one move first, and desire "a" instead of "b" until it has');
    const last = tell({
      ...chain,
      afterwards: [edit(names(['a', 'one'], ['c', 'two']), input), edit(names(['b', 'one'], ['c', 'two']), input)],
    });
    expect([last.externals.creates, last.externals.deletes, last.tethered]).toEqual([2, 0, '']);
    expect(last.buckets.map(({metadata}) => metadata.labels?.['role']).sort()).toEqual(['one', 'two']);
  });

  test('what moves is to have another name: it has its policies first, then its name', () => {
    const rename = {handover: [{from: {resources: ['a']}, to: {resource: 'b', apiVersion: 'new.example.org/v1'}}]};
    const renamed = edit([bucket('b', 'new')], rename);
    const told = tell({...story, meanwhile: [stop], afterwards: [renamed, start]});
    expect([told.externals.creates, told.externals.deletes, told.tethered]).toEqual([1, 0, '']);
    expect(told.buckets.map(({metadata}) => metadata.annotations?.['crossplane.io/composition-resource-name'])).toEqual(
      ['b'],
    );
  });
});

/** What there is of the resource that moves; nothing was made twice, and nothing of it deleted. */
function stateOf(told: Told): readonly string[] {
  const moved = told.buckets.filter(({metadata}) => metadata.labels?.['role'] === 'a');
  const [external] = new Set(moved.map(({metadata}) => metadata.annotations?.['crossplane.io/external-name']));
  expect(told.externals.list.filter(({id}) => id === external).length).toBe(1);
  expect(told.externals.list.length).toBe(told.buckets.length);
  expect(told.stuck).toEqual([]);
  return moved.map(({apiVersion, metadata}) => {
    const name = metadata.annotations?.['crossplane.io/composition-resource-name'];
    return `${name} of ${apiVersion.split('.')[0]}`;
  });
}

function usageOf(group: Group): Resource {
  const isInTeam = group.startsWith('team-');
  const of = {
    apiVersion: `${group}.example.org/v1`,
    kind: 'Bucket',
    resourceSelector: {matchLabels: {role: 'a'}},
  };
  const base = {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: isInTeam ? 'Usage' : 'ClusterUsage',
    metadata: {name: 'keeps-a', ...(isInTeam ? {namespace: 'blue'} : {})},
    spec: {of, reason: 'it is precious'},
  };
  return {name: 'uses', ready: 'True', base};
}

const renaming = {from: {resources: ['a']}, to: {resource: 'b'}};

describe.each(['main', '1.20'])(
  'what a template composes by a resource stays if that one is not renamed, on %s',
  (crossplane) => {
    test.each<[string, JsonObject]>([
      ['in a dry run', {handover: [{...renaming, dryRun: true}]}],
      ['by a slip in the old name', {handover: [{...renaming, from: {resources: ['old']}}]}],
      ['by a slip in the new name', {handover: [{...renaming, to: {resource: 'new'}}]}],
      ['out of its protection', {handover: [renaming], protect: {resources: [{match: {resources: ['a']}}]}}],
    ])('%s', (_how, inputAfter) => {
      const reader = (of: string) => ({...bucket('c', 'old'), needs: {resource: of, field: 'status.atProvider.id'}});
      const [before, after] = [['a'], ['b']].map(([name = '']) => [bucket(name, 'old'), reader(name)]);
      const input = crossplane === 'main' ? inputAfter : {crossplane, ...inputAfter};
      const {handover: _, ...inputBefore} = input as JsonObject;
      const told = tell({crossplane, before: before ?? [], after: after ?? [], inputBefore, inputAfter: input});
      expect(told.externals).toMatchObject({creates: 2, deletes: 0});
      expect(told.tethered).toContain('refusing to move composed resource "a" to "b"');
    });
  },
);
