import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {Scenario} from '../../../src/harness/scenario/scenario.ts';
import {compositionOf, type Resource} from '../../../src/harness/worlds/composition.ts';
import {apply, patch, selectorOf, step, xrObject} from '../../../src/harness/worlds/moves.ts';
import {app, kindsFor, type XrKind, xrKinds} from '../../../src/harness/worlds/platform.ts';
import {isManaged, withField, changing as wrapping} from '../../harmful-functions/answer.ts';
import {each} from '../../harmful-functions/row.ts';
import {
  asked,
  by,
  composed,
  deleted,
  honest,
  inner,
  lost,
  passes,
  resource,
  rewriting,
  shop,
  site,
  story,
  storyOn,
  worse,
} from './small-stories.ts';

// What an input asks for, and a function that passes everything through does not do.

const two = [resource('a'), resource('b')];
const drop = (input: JsonObject) => story(composed(two, input), asked, composed([resource('a')], input));
const remove = (key: string) =>
  by('delete', {
    kind: 'delete',
    target: {kind: 'Bucket', apiVersion: 'cloud.example.org/v1', resource: key},
    ignoreNotFound: true,
  });
const resized = (size: string) => step('user', size, patch(selectorOf(shop), {spec: {size}}));
const inOrder = {order: [{sequence: [{resources: ['a']}, {resources: ['b']}]}]};

test.each([
  [
    'protect',
    story(composed(two, {protect: {resources: [{match: {resources: ['a']}}]}}), asked, remove('a')),
    'lost a',
  ],
  ['usages', story(composed(two, {usages: [{of: 'a', by: 'b'}]}), asked, remove('a')), 'lost a'],
  ['usages as the XR goes', story(composed(two, {usages: [{of: 'b', by: 'a'}]}), asked, deleted), 'lost b'],
  [
    'protect of the XR',
    story(composed(two, {protect: {resources: [{match: {resources: ['a']}}]}}), asked, deleted),
    'lost App.example.org /shop',
  ],
  ['order of deletion', story(composed(two, inOrder), asked, composed([], inOrder)), 'lost a'],
  ['order of creation', story(composed(two, inOrder), asked), 'leaked b'],
  [
    'waitFor: Desired',
    story(composed(two, {order: [{of: {resources: ['first']}, by: {resources: ['b']}, waitFor: 'Desired'}]}), asked),
    'leaked b',
  ],
  ['Retain', drop({removal: {policies: [{match: {resources: ['b']}, policy: 'Retain'}]}}), 'lost b'],
  ['Confirm', drop({removal: {policies: [{match: {resources: ['b']}, policy: 'Confirm'}]}}), 'lost b'],
  ['Orphan', drop({removal: {policies: [{match: {resources: ['b']}, policy: 'Orphan'}]}}), 'lost b'],
  ['a budget', drop({removal: {budget: {resources: 0}}}), 'lost b'],
  ['a budget of percents', drop({removal: {budget: {percent: 40}}}), 'lost b'],
  [
    'handover',
    story(
      composed(two, {handover: [{from: {resources: ['b']}, to: {resource: 'c'}}]}),
      asked,
      composed([resource('a'), resource('c')], {handover: [{from: {resources: ['b']}, to: {resource: 'c'}}]}),
    ),
    'lost b',
  ],
])('a function that does not heed %s is worse, and function-tether heeds it', (_, scenario, found) => {
  expect(worse(passes, scenario)).toContain(found);
  expect(worse(honest, scenario)).toEqual([]);
});

test('Crossplane writes nothing that no step desires, not even in one reconcile', () => {
  const editing = (field: string) => {
    let calls = 0;
    return wrapping(honest, ({answer}) => {
      calls++;
      if (calls === 4) each(answer, isManaged, (one) => withField(one, ['spec', 'forProvider', field], 'elsewhere'));
    });
  };
  const edited = story(composed(two), asked, resized('large'), resized('small'));
  for (const field of ['region', 'size']) {
    expect(worse(editing(field), edited)).toContain('overwritten a');
    expect(worse(editing(field), edited)).not.toContain('stuck a');
  }
  expect(worse(honest, edited)).toEqual([]);
});

test('a field of another kind under the resource name is no promise for the object that moves', () => {
  const to = (kind: string) => ({
    handover: [{from: {resources: ['a']}, to: {apiVersion: 'cloud.example.org/v1', kind}}],
  });
  const spec = {forProvider: {region: 'here', replicas: 1}};
  const modern = {apiVersion: 'cloud.m.example.org/v1', kind: 'Bucket', metadata: {namespace: 'blue'}, spec};
  // The provider gives the second one the replicas of the first, and no step desires them for it.
  const scenario = story(
    composed([{...resource('a'), object: modern}], to('Bucket')),
    asked,
    composed([resource('a', 'Bucket', {spec: {forProvider: {region: 'here'}}})], to('Bucket')),
    composed([resource('a', 'Database')], to('Database')),
  );
  expect(worse(honest, scenario)).toEqual([]);
});

test('a budget counts no confirmed removal', () => {
  const budget = {removal: {budget: {percent: 50}}};
  const body = {metadata: {annotations: {'tether.fn.crossplane.io/confirm-removal': 'a'}}};
  const confirm = by('confirm', {kind: 'patch', type: 'merge', status: false, target: selectorOf(shop), body});
  const both = [resource('a', 'Note'), resource('b')];
  expect(worse(honest, story(composed(both, budget), asked, composed([], budget), confirm))).toEqual([]);
  const three = [...both, resource('c')];
  expect(worse(passes, story(composed(three, budget), asked, confirm, composed([], budget)))).toContain('lost b');
});

test.each([
  ['my bucket', 'other, my bucket'],
  ['a,b', '["a,b"]'],
])('a removal is confirmed by the name of the resource, be it %s', (name, value) => {
  const removal = {removal: {policies: [{match: {resources: [name]}, policy: 'Confirm'}]}};
  const body = {metadata: {annotations: {'tether.fn.crossplane.io/confirm-removal': value}}};
  const confirm = by('confirm', {kind: 'patch', type: 'merge', status: false, target: selectorOf(shop), body});
  const [both, one] = [[{...resource('a'), name}, resource('z')], [resource('z')]];
  expect(worse(honest, story(composed(both, removal), asked, composed(one, removal), confirm))).toEqual([]);
});

test('a budget counts what an XR lost sight of in the middle of its reconcile', () => {
  const budget = {removal: {budget: {percent: 40}}};
  const all = ['a', 'b', 'c'].map((key) => resource(key));
  const body = {spec: {crossplane: {resourceRefs: []}, resourceRefs: []}};
  const emptied = step('editor', 'empty', patch(selectorOf(shop), body));
  const found = [11, 12, 13, 14, 15, 16, 17].flatMap((early) =>
    worse(honest, story(composed(all, budget), asked, composed(all.slice(0, 2), budget), {...emptied, early})),
  );
  expect(found).toEqual([]);
});

test('an order counts what lives under a resource name, of whatever kind', () => {
  const kept = story(
    composed([resource('a')], inOrder),
    asked,
    composed([resource('a', 'Database'), resource('b')], inOrder),
  );
  expect(worse(honest, kept)).toEqual([]);
});

test('an order promises nothing for an object that its XR lost sight of', () => {
  const keys = ['a', 'b', 'c', 'd'];
  const all = [...keys, 'user'].map((key) => resource(key));
  const input = {crossplane: '1.20', usages: keys.map((key) => ({of: key, by: 'user'}))};
  const body = {spec: {resourceRefs: []}};
  const emptied = by('empty the references', {
    kind: 'patch',
    type: 'merge',
    status: false,
    target: selectorOf(shop),
    body,
  });
  // Of two with one resource name the first by its random name is deleted.
  const found = keys.flatMap((key) =>
    worse(honest, storyOn('1.20', composed(all), asked, emptied, composed(all, input), remove(key))),
  );
  expect(found).toEqual([]);
});

test('protection promises nothing for the moment in which a resource is made', () => {
  const input = {protect: {resources: [{match: {resources: ['a']}}]}};
  const early = [1, 5, 10, 15, 20, 25].map((early) => ({...remove('a'), early}));
  expect(early.flatMap((one) => worse(honest, story(composed(two, input), asked, one)))).toEqual([]);
});

test('an order of creation promises nothing for what a later step composes', () => {
  const input = {order: [{sequence: [{resources: ['a']}, {labels: [{key: 'role', value: 'late'}]}]}]};
  const late = step('user', 'compose', apply(compositionOf({xr: app, resources: two, input, after: 'composes'})));
  expect(worse(honest, story(late, asked))).toEqual([]);
});

test('a removal policy promises nothing for the ConfigMap of remembered names, which no step desires', () => {
  const confirms = {removal: {policies: [{policy: 'Confirm'}]}};
  const remembers = {...confirms, externalNames: {remember: {in: 'ConfigMap', namespace: 'blue'}}};
  expect(worse(honest, story(composed(two, remembers), asked, composed(two, confirms)))).toEqual([]);
});

test('who deletes what the pipeline drops, and keeps its user, breaks no promise', () => {
  const base = {...resource('made').object, metadata: {annotations: {reads: '${resources.a.metadata.name}'}}};
  const handover = [{from: {resources: ['b']}, to: {apiVersion: 'cloud.example.org/v1', kind: 'Database'}}];
  const input = {crossplane: '1.20.11', resources: [{name: 'made', base}], handover};
  const moved = composed([resource('a'), resource('b', 'Database')], input);
  const told = storyOn('1.20', composed(two, input), asked, moved, composed([], input), remove('a'));
  expect(worse(honest, told)).toEqual([]);
});

test('a nested XR that is made anew under another name finds nothing of the one before it', () => {
  const input = {restore: {lookup: true}};
  const sites = step('user', 'compose', apply(compositionOf({xr: site, resources: two, input})));
  for (const seed of [3, 4])
    expect(worse(honest, {...story(sites, composed([inner]), asked, ...lost), seed})).toEqual([]);
});

test('an XR that was made anew uses nothing of the one before it', () => {
  const pair = {usages: [{of: 'a', by: 'b'}]};
  const anew = story(composed(two, pair), asked, {...deleted, wait: {kind: 'time', ms: 200}}, asked);
  expect(worse(honest, anew)).toEqual([]);
  expect(worse(passes, anew)).toEqual(['lost a']);
});

test('an order promises nothing once usages contradict it', () => {
  const uses = {usages: [{of: 'a', by: 'b'}]};
  const three = [...two, resource('c')];
  const named = (name: string) => ({resources: [name]});
  const order = [
    {of: named('b'), by: named('a')},
    {of: named('c'), by: named('a')},
  ];
  const edited = composed(three, {...uses, order});
  for (const last of [deleted, remove('b'), remove('c')])
    expect(worse(honest, story(composed(three, uses), asked, edited, last))).toEqual([]);
  expect(worse(passes, story(composed(three, uses), asked, edited, remove('a')))).toContain('lost a');
});

test('who was denied the deletion of an XR deletes nothing as a disaster takes that', () => {
  const input = {protect: {resources: [{match: {resources: ['b']}}]}, usages: [{of: 'b', by: 'a'}]};
  const secrets = [resource('a', 'Secret'), resource('b', 'Secret')];
  const denied = story(composed(secrets, input), asked, deleted, ...lost);
  for (const seed of [1, 2, 3, 4]) expect(worse(honest, {...denied, seed})).toEqual([]);
});

test.each(['main', '2.3', '1.20'] as const)(
  'an XR that is made anew keeps the order of the objects before it, by rules of function-sequencer: Crossplane %s',
  (crossplane) => {
    const rules = {
      apiVersion: 'sequencer.fn.crossplane.io/v1beta1',
      kind: 'Input',
      enableDeletionSequencing: true,
      ...(crossplane === '1.20' && {usageVersion: 'v1'}),
      rules: [{sequence: ['a', 'b']}],
    };
    const anew = storyOn(crossplane, composed(two, rules), asked, deleted, {...asked, early: 60});
    expect(worse(honest, anew)).toEqual([]);
    expect(worse(passes, anew)).toContain('lost a');
  },
);

test('an XR that is made anew composes again what its former Usage waits for', () => {
  const input = {crossplane: '1.16.1', restore: {lookup: true, stableNames: true}, usages: [{of: 'a', by: 'b'}]};
  const anew = storyOn('1.16', composed(two, input), asked, deleted, {...asked, early: 25});
  expect(worse(honest, anew)).toEqual([]);
});

test('an object that a step only requires is protected until its XR goes with the Usages', () => {
  const {apiVersion, kind, body} = resource('a').kind;
  const target = {apiVersion, kind, name: 'base'};
  const made = by('make', apply({apiVersion, kind, metadata: {name: 'base'}, ...body}));
  const input = {protect: {required: [{match: {resources: ['base']}}], xr: 'Never'}};
  const requires = {requirementName: 'base', ...target};
  const composes = step('user', 'compose', apply(compositionOf({xr: app, resources: two, input, requires})));
  const goes = by('delete', {kind: 'delete', target, ignoreNotFound: true});
  const orphans = {...deleted, action: {...deleted.action, propagationPolicy: 'Orphan'} as typeof deleted.action};
  const before = [made, composes, asked];
  expect(worse(passes, story(...before, goes))).toContain('lost Bucket.cloud.example.org /base');
  for (const between of [[], [deleted], [orphans]])
    expect(worse(honest, story(...before, ...(between as (typeof asked)[]), goes))).toEqual([]);
  // What its last denial left there stays once its XR is gone.
  expect(worse(honest, story(...before, goes, composed(two), deleted))).toEqual([]);
});

test('an order of creation is about what is made, and not about what a rule moves', () => {
  const ofKind = (kind: string) => ({kinds: [{apiVersion: 'cloud.example.org/v1', kind}]});
  const ordered = {order: [{of: ofKind('Bucket'), by: ofKind('Database')}]};
  const moves = {handover: [{from: {resources: ['b']}, to: {kind: 'Database'}}]};
  const moved = [resource('a'), resource('b', 'Database'), resource('c')];
  const told = story(composed(two, ordered), asked, composed(moved, {...ordered, ...moves}));
  expect(worse(honest, told)).toEqual([]);
  expect(worse(passes, story(composed([resource('a'), resource('d', 'Database')], ordered), asked))).toContain(
    'leaked d',
  );
});

test('an order of creation promises nothing to a reconcile whose XR a disaster takes', () => {
  const notes = ['a', 'b', 'c'].map((key) => resource(key, 'Note'));
  const named = (key: string) => ({resources: [key]});
  const ordered = {order: [{sequence: [named('a'), named('c')]}]};
  const before = [
    composed(notes.slice(0, 2), ordered),
    asked,
    by('back up', {kind: 'backup', tool: 'gitops', kinds: []}),
  ];
  const added = composed(notes, ordered);
  for (const early of [27, 29])
    expect(worse(honest, story(...before, added, {...lost[1], early}, lost[2]))).toEqual([]);
  const later = composed([...notes, resource('d')], {order: [{sequence: [named('d'), named('c')]}]});
  expect(worse(passes, story(...before, lost[1], lost[2], later))).toContain('leaked c');
});

/** A Usage of the pipeline that repeats a denied deletion once it is gone. */
const guard: Resource = {
  ...inner,
  name: 'guard',
  object: {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'ClusterUsage',
    spec: {
      of: selected('a'),
      reason: 'guarded',
      replayDeletion: true,
    },
  },
};

function guardBy(role: string): Resource {
  const spec = {...(guard.object as {spec: JsonObject}).spec, by: selected(role)};
  return {...guard, object: {...guard.object, spec}};
}

/** Crossplane writes the names of what the selectors find. */
const oldPair: Resource = {
  ...inner,
  name: 'pair',
  object: {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'Usage',
    spec: {of: selected('a'), by: selected('b')},
  },
};
const old = {crossplane: '1.16.1'};

function selected(role: string): JsonObject {
  const resourceSelector = {matchControllerRef: true, matchLabels: {role}};
  return {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', resourceSelector};
}

test('a Usage that stays repeats what the step before desires', () => {
  const relaxing = rewriting((object) =>
    object.kind === 'ClusterUsage' ? {...object, spec: {...object.spec, replayDeletion: false}} : object,
  );
  expect(worse(relaxing, story(composed([resource('a'), guard]), asked))).toContain('overwritten guard');
});

describe('no function is to blame', () => {
  const only = (kind: string, input: JsonObject = {}, more: JsonObject = {}) =>
    composed([resource('a', kind, more), resource('b')], input);
  const to = {apiVersion: 'cloud.example.org/v1', kind: 'Database'};
  const moved = {handover: [{from: {resources: ['a']}, to}]};
  const dryRun = {crossplane: '1.16.1', handover: [{from: {resources: ['a']}, to, dryRun: true}]};
  const theirs = {metadata: {annotations: {'crossplane.io/external-name': 'theirs'}}};
  const emptied = step('editor', 'empty', patch(selectorOf(shop), {spec: {resourceRefs: []}}));
  const modern = {apiVersion: 'cloud.m.example.org/v1', metadata: {namespace: 'blue'}};
  const stable = {crossplane: '1.20.1', restore: {stableNames: true}};
  const uses = {usages: [{of: 'a', by: 'b'}]};
  const left = {
    spec: {
      forProvider: {region: 'here'},
      managementPolicies: ['Observe', 'Create', 'Update', 'LateInitialize'],
    },
  };
  const named = (key: string) => resource(key, 'Bucket', {metadata: {name: 'apps-a'}});
  const renames = {handover: [{from: {resources: ['a']}, to: {resource: 'b'}, dryRun: true}]};
  const lose = step('user', 'lose', {kind: 'wipe', kinds: ['App']});
  const paused = (value: string | null) =>
    step('user', 'pause', patch(selectorOf(shop), {metadata: {annotations: {'crossplane.io/paused': value}}}));
  const inBoth = (key: string, name: string) => {
    const metadata = {name, annotations: {'crossplane.io/external-name': 'theirs'}};
    return resource(key, 'Bucket', {metadata});
  };
  const first = {order: [{sequence: [{resources: ['a']}, {resources: ['c']}]}]};

  test.each<[string, readonly Scenario[]]>([
    [
      'if a reconcile makes anew what a disaster takes in the middle of it',
      [13, 24, 33].map((early) => story(only('Bucket'), asked, lost[0], only('Database'), {...lost[1], early})),
    ],
    [
      'if a stable name does not find what was made before',
      [storyOn('1.20', composed(two), asked, composed(two, stable), emptied)],
    ],
    [
      'if an XR is made anew under a dry run, beside the former object',
      [storyOn('1.16', only('Bucket'), asked, only('Database', dryRun, theirs), lose, {...asked, early: 1})],
    ],
    [
      'if an XR lost sight of what a dry run would move',
      [
        story(
          only('Bucket'),
          asked,
          paused('true'),
          emptied,
          composed([resource('a', 'Bucket', modern), resource('b')], {
            handover: [{from: {resources: ['a']}, to: {apiVersion: modern.apiVersion}, dryRun: true}],
          }),
          paused(null),
        ),
        story(composed([named('a')], renames), asked, composed([named('b')], renames), emptied),
      ],
    ],
    [
      'if an object that let go in a move does not wait for what uses it',
      [story(only('Bucket', uses, left), asked, only('Database', {...uses, ...moved}), deleted)],
    ],
    [
      'if a Usage that leaves is told to repeat no deletion',
      [
        story(composed([resource('a'), guard]), asked, composed([resource('a')])),
        storyOn('1.16', composed([...two, oldPair], old), asked, composed(two, old)),
      ],
    ],
    [
      'if the pipeline words its own Usage of what an order orders',
      [story(composed([...two, guardBy('b')], {order: [{of: {resources: ['a']}, by: {resources: ['b']}}]}), asked)],
    ],
    [
      'if an order does not wait for what the author names by its external resource',
      [story(composed([inBoth('b', 'old')], first), asked, composed([resource('a'), inBoth('c', 'new')], first))],
    ],
    [
      'if a paused XR releases nothing',
      [20, 40, 60].map((early) =>
        story(composed(two, uses), asked, composed([], uses), {...paused('true'), early}, paused(null)),
      ),
    ],
  ])('%s', (_, all) => {
    expect(all.flatMap((one) => worse(honest, one))).toEqual([]);
  });
});

test('an XR may be called Ready while the external resource of what is not there has a Ready object', () => {
  const named = (name: string, apiVersion: string): Resource => {
    const metadata = {namespace: 'blue', annotations: {'crossplane.io/external-name': 'of-the-author'}};
    return {...resource(name), object: {apiVersion, kind: 'Bucket', metadata, spec: {forProvider: {region: 'here'}}}};
  };
  const [before, after] = [named('a', 'cloud.example.org/v1'), named('b', 'cloud.m.example.org/v1')];
  expect(worse(honest, story(composed([before]), asked, composed([after]), composed([after, resource('c')])))).toEqual(
    [],
  );
});

test('a Usage of what a former XR of the name had may go', () => {
  const team = xrKinds('main').find(({scope}) => scope === 'Namespaced') as XrKind;
  const resources = kindsFor('main', team)
    .filter(({kind}) => ['Bucket', 'Secret'].includes(kind))
    .map((kind): Resource => {
      const {apiVersion, body} = kind;
      return {name: kind.kind, kind, object: {apiVersion, kind: kind.kind, metadata: {}, ...body}};
    });
  const input = {usages: [{of: 'Secret', by: 'Bucket'}]};
  const composes = step('user', 'compose', apply(compositionOf({xr: team, resources, input})));
  const asks = step('user', 'ask', apply(xrObject({kind: team, namespace: 'green', name: 'shop'})));
  const restore = step('user', 'restore', {kind: 'restore', options: {}});
  // The owner GC comes to the old Secret once the XR is back.
  const all = story(composes, asks, ...lost.slice(0, 2), {...restore, early: 10});
  expect(worse(honest, {...all, seed: 2})).toEqual([]);
});
