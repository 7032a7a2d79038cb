import {expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import type {InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import type {Scenario, Step} from '../../../src/harness/scenario/scenario.ts';
import {lastRest} from '../../../src/harness/twin/judge.ts';
import {permissions, permittedBy} from '../../../src/harness/twin/permissions.ts';
import {compositionOf, type Resource} from '../../../src/harness/worlds/composition.ts';
import {apply, patch, selectorOf, step, xrObject} from '../../../src/harness/worlds/moves.ts';
import {app, composedKinds, xrd} from '../../../src/harness/worlds/platform.ts';
import type {ResourceChange} from '../../../src/wire/response-encode.ts';
import {askedInstead, isManaged, isTrue, withField, changing as wrapping} from '../../harmful-functions/answer.ts';
import {each} from '../../harmful-functions/row.ts';
import {
  asked,
  by,
  changing,
  composed,
  deleted,
  honest,
  inner,
  lost,
  patched,
  resource,
  shop,
  shortText,
  site,
  story,
  storyOn,
  twinned,
  worse,
} from './small-stories.ts';

// A row of the table permits what function-tether does as asked, and does not permit the same where its fact is missing.

const two = [resource('a'), resource('b')];
const drop = (input: JsonObject): Scenario => story(composed(two, input), asked, composed([resource('a')], input));
const policy = (name: string): JsonObject => ({removal: {policies: [{match: {resources: ['b']}, policy: name}]}});

/** Its author gave the object a name. */
const named = (name: string) => resource(name, 'Bucket', {metadata: {name: 'apps-example-bucket'}});
const only = (name: string, xr = 'WithResources'): JsonObject => ({
  protect: {resources: [{match: {resources: [name]}}], xr},
});
const paused = {'crossplane.io/paused': 'true'};

const bucketOf = (key: string) => ({apiVersion: 'cloud.example.org/v1', kind: 'Bucket', resource: key});
const orphansBuckets = {
  removal: {policies: [{match: {kinds: [{apiVersion: 'cloud.example.org/v1', kind: 'Bucket'}]}, policy: 'Orphan'}]},
};
const composedLater = (input: JsonObject) =>
  step('user', 'compose', apply(compositionOf({xr: app, resources: [resource('a')], input, after: 'composes'})));

const orphaning = by('orphan', {
  kind: 'delete',
  target: selectorOf(shop),
  propagationPolicy: 'Orphan',
  ignoreNotFound: true,
});

/** Its author gave the external resource a name. */
const leading = (name: string, region: string) =>
  resource(name, 'Bucket', {
    metadata: {annotations: {'crossplane.io/external-name': 'theirs'}},
    spec: {forProvider: {region}},
  });

const moves = {
  handover: [
    {from: {resources: ['a']}, to: {apiVersion: 'cloud.example.org/v1', kind: 'Database'}},
    {from: {resources: ['old']}, to: {resource: 'a'}},
  ],
};

const renames = {from: {resources: ['a']}, to: {resource: 'c'}};

const ofKind = {
  order: [
    {of: {kinds: [{apiVersion: 'cloud.example.org/v1', kind: 'Bucket'}]}, by: {resources: ['b']}, waitFor: 'Desired'},
  ],
};
/** One Composition of two XRs: `other` gives its b to `shop` as a. */
const between = {
  give: [{to: {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'}, resources: [{name: 'b', there: 'a'}]}],
  take: [{from: {apiVersion: 'example.org/v1', kind: 'App', name: 'other'}, resources: [{name: 'a', there: 'b'}]}],
};
const other = step('user', 'ask', apply(xrObject({...shop, name: 'other'})));

const always = {protect: {resources: [], xr: 'Always'}};
const sites = (input: JsonObject) =>
  step('user', 'compose', apply(compositionOf({xr: site, resources: [resource('b')], input})));

const appClaims = {...(xrd(app)['spec'] as JsonObject), claimNames: {kind: 'AppClaim', plural: 'appclaims'}};
const offered = step('user', 'offer claims', apply({...xrd(app), spec: appClaims}));
const claim: KubeObject = {
  apiVersion: 'example.org/v1',
  kind: 'AppClaim',
  metadata: {name: 'shop', namespace: 'blue'},
  spec: {resourceRef: {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'}},
};
const claimed = step('user', 'claim', apply(claim));
const claimGoes = by('delete', {
  kind: 'delete',
  target: {apiVersion: 'example.org/v1', kind: 'AppClaim', name: 'shop', namespace: 'blue'},
  ignoreNotFound: true,
});

const onlyIn = (key: string) => ({resources: [key]});
const givenC = [{to: {apiVersion: 'example.org/v1', kind: 'App', name: 'other'}, resources: [{name: 'c', there: 'd'}]}];

const exchanged = (side: 'to' | 'from', there = 'b') => [
  {[side]: {apiVersion: 'example.org/v1', kind: 'App', name: 'other'}, resources: [{name: 'a', there}]},
];

/** The App gives its b to the Site as a: the rule of the side that names the other kind. */
const exchangedOf = ({apiVersion, kind}: typeof app) => {
  const there = {apiVersion, kind, name: 'shop'};
  return kind === 'App'
    ? [{from: there, resources: [{name: 'a', there: 'b'}]}]
    : [{to: there, resources: [{name: 'b', there: 'a'}]}];
};

/** What is worse with function-tether and permitted, by which part. */
function permitted(scenario: Scenario): readonly string[] {
  const {worse: all, violations} = twinned(honest, scenario);
  expect(violations).toEqual([]);
  return all.map(
    ({verdict: one, rest}) =>
      `${one.grade} ${one.made.key ?? one.made.place}: ${permittedBy(one, rest.ending)?.part ?? 'none'}`,
  );
}

const bucket = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket'};
const emptied = step('editor', 'empty', patch({...bucket, resource: 'a'}, {status: {atProvider: null}}, true));

/** A template of the input that reads a field of `a`, or of another object. */
function reading(field: string, region: string, of = 'resources.a'): JsonObject {
  const metadata = {annotations: {reads: `\${${of}.${field}}`}};
  return {resources: [{name: 'made', base: {...bucket, metadata, spec: {forProvider: {region}}}}]};
}

const leaving = {
  resources: [{name: 'made', base: {...bucket, spec: {deletionPolicy: 'Orphan', forProvider: {region: 'here'}}}}],
};

test('the table has at most twenty rows, each with its fact', () => {
  expect(permissions.length).toBeLessThanOrEqual(20);
  for (const {fact} of permissions) expect(fact.length).toBeGreaterThan(10);
});

test.each([
  ['Retain', drop(policy('Retain')), 'leaked b: removal.policies'],
  ['Retain of everything', drop({removal: {policies: [{policy: 'Retain'}]}}), 'leaked b: removal.policies'],
  ['Confirm', drop(policy('Confirm')), 'leaked b: removal.policies'],
  ['Orphan', drop(policy('Orphan')), 'leaked b: removal.policies'],
  [
    'Orphan at the time of the drop',
    story(
      composed(two, policy('Orphan')),
      asked,
      composed([resource('a')], policy('Orphan')),
      composed([resource('a')]),
    ),
    'leaked b: removal.policies',
  ],
  [
    'Orphan of what a later step composes',
    story(composedLater(orphansBuckets), asked, composed([resource('a')], orphansBuckets)),
    'leaked late: removal.policies',
  ],
  [
    'Orphan of a plain object',
    story(
      composed([resource('a'), resource('b', 'Note')], policy('Orphan')),
      asked,
      composed([resource('a')], policy('Orphan')),
    ),
    'leaked b: removal.policies',
  ],
  ['a budget', drop({removal: {budget: {resources: 0}}}), 'leaked b: removal.budget'],
  ['protect', drop({protect: {resources: [{match: {resources: ['b']}}]}}), 'leaked b: protect'],
  [
    'protect of the XR',
    story(composed(two, {protect: {resources: [{match: {}}], xr: 'Always'}}), asked, deleted),
    'leaked App.example.org /shop: protect',
  ],
  [
    'protect of an XR within one that is asked for again',
    story(sites(always), composed([resource('a'), inner]), asked, deleted, asked),
    'doubled b: protect',
  ],
  [
    'protect of the XR of a claim',
    story(composed(two, always), asked, offered, claimed, claimGoes),
    'stuck AppClaim.example.org blue/shop: protect',
  ],
  [
    'Orphan of what comes back',
    story(
      composed(two, policy('Orphan')),
      asked,
      composed([resource('a')], policy('Orphan')),
      composed(two, policy('Orphan')),
    ),
    'doubled b: removal.policies',
  ],
  [
    'a template whose own policies leave what is outside, and that comes back',
    story(composed(two, leaving), asked, composed(two), composed(two, leaving)),
    'doubled made: removal.policies',
  ],
  ['usages', drop({usages: [{of: 'b', by: 'a'}]}), 'leaked b: order, usages'],
  [
    'an order that is dropped with both, of which one is protected',
    story(
      composed(two, {...only('a', 'Never'), usages: [{of: 'b', by: 'a'}]}),
      asked,
      composed([], only('a', 'Never')),
    ),
    'leaked b: order, usages',
  ],
  [
    'an order that was there as the deletion was denied',
    story(composed(two, {usages: [{of: 'b', by: 'a'}]}), asked, composed(two), {
      ...by('delete', {kind: 'delete', target: bucketOf('b'), ignoreNotFound: true}),
      early: 1,
    }),
    'stuck b: order, usages',
  ],
  [
    'an order of creation',
    story(
      composed([resource('a', 'Bucket', {spec: {forProvider: {}, managementPolicies: ['Observe']}}), resource('b')], {
        order: [{sequence: [{resources: ['a']}, {resources: ['b']}]}],
      }),
      asked,
    ),
    'stuck b: order',
  ],
  [
    'an order that waits for a kind that is edited away',
    story(
      composed(two, ofKind),
      asked,
      composed([], ofKind),
      composed([resource('a', 'Database'), resource('b', 'Note')], ofKind),
    ),
    'stuck b: order',
  ],
  ['give and take of what was never there', story(composed(two, between), other, asked), 'stuck a: take'],
  [
    'a change of kind',
    story(composed(two), asked, composed([resource('a'), resource('b', 'Database')])),
    'stuck b: default',
  ],
  [
    'handover to a kind that cannot have it',
    story(composed([resource('a')], moves), asked, composed([resource('a', 'Database')], moves)),
    'stuck App.example.org /shop: handover',
  ],
  [
    'handover to such a kind, of what has policies of its own',
    story(
      composed([resource('a')], moves),
      asked,
      composed([resource('a', 'Database', {spec: {managementPolicies: ['Observe', 'Create', 'Update']}})], moves),
    ),
    'stuck a: handover',
  ],
  [
    'handover to such a kind, whose rule goes in the middle',
    story(
      composed([resource('a')], moves),
      asked,
      composed([resource('a', 'Database')], moves),
      composed([resource('a', 'Database')]),
    ),
    'stuck App.example.org /shop: handover',
  ],
  [
    'give, and its XR goes before another takes it',
    story(composed(two), asked, other, composed(two, {give: exchanged('to', 'c')}), deleted),
    'leaked a: give',
  ],
  [
    'give of an object that the other XR names, too, and the deletion of its XR is denied',
    story(
      step('user', 'take', apply(compositionOf({xr: site, resources: [named('a')], input: {take: exchangedOf(app)}}))),
      composed([named('b')]),
      asked,
      step('user', 'ask', apply(xrObject({...shop, kind: site}))),
      composed([named('b')], {give: exchangedOf(site)}),
      deleted,
    ),
    'stuck App.example.org /shop: give',
  ],
  [
    'give, and its rule goes with the resource before another XR takes it',
    story(composed(two), asked, composed(two, {give: exchanged('to')}), composed([resource('b')])),
    'leaked a: give',
  ],
  [
    'give of one resource twice',
    story(composed([resource('a')]), asked, composed(two, {give: [...exchanged('to'), ...exchanged('to')]})),
    'stuck b: default',
  ],
  [
    'a template that reads what never comes',
    story(composed([resource('a', 'Note')], reading('status.id', 'here')), asked),
    'stuck made: resources',
  ],
  [
    'a template whose XR was deleted without what it composes, and made anew',
    story(composed(two, reading('metadata.name', 'here', 'xr')), asked, orphaning, asked),
    'doubled made: resources',
  ],
  [
    'a rename out of a protection',
    story(composed([named('a')], only('a')), asked, composed([named('c')], {...only('a'), handover: [renames]})),
    'stuck c: handover',
  ],
  [
    'what is dropped beside a move to a kind that cannot have the external resource',
    story(composed(two), asked, composed([resource('a', 'Database')], moves)),
    'leaked b: handover',
  ],
  [
    'a new name and a new kind, by a rule that gives the name',
    story(
      composed([resource('a')]),
      asked,
      composed([resource('c', 'Bucket', {apiVersion: 'cloud.m.example.org/v1', metadata: {namespace: 'blue'}})], {
        handover: [renames],
      }),
    ),
    'stuck c: default',
  ],
  [
    'what is dropped beside what was given, and which a disaster took from the other XR',
    story(
      step(
        'user',
        'take',
        apply(compositionOf({xr: site, resources: [resource('a')], input: {take: exchangedOf(app)}})),
      ),
      step('user', 'ask', apply(xrObject({...shop, kind: site}))),
      composed([resource('b'), resource('n', 'Note')]),
      asked,
      composed([resource('b'), resource('n', 'Note')], {give: exchangedOf(site)}),
      lost[0],
      by('lose', {kind: 'wipe', kinds: ['Bucket']}),
      composed([resource('b')], {give: exchangedOf(site)}),
    ),
    'leaked n: give',
  ],
  [
    'a budget that keeps the Usage of an XR',
    story(composed(two, always), asked, composed([], {removal: {budget: {resources: 0}}}), deleted),
    'stuck App.example.org /shop: removal.budget',
  ],
  [
    'take of what its XR lost sight of',
    storyOn(
      '1.20',
      step(
        'user',
        'take',
        apply(compositionOf({xr: site, resources: [resource('a')], input: {take: exchangedOf(app)}})),
      ),
      step('user', 'ask', apply(xrObject({...shop, kind: site}))),
      composed([resource('b')]),
      asked,
      composed([resource('b')], {give: exchangedOf(site)}),
      step('editor', 'empty', patch(selectorOf({...shop, kind: site}), {spec: {resourceRefs: []}})),
    ),
    'stuck Site.example.org /shop: take',
  ],
  [
    'a template that reads an absent field of the XR',
    story(composed(two, reading('status.later', 'here', 'xr')), asked),
    'stuck made: resources',
  ],
  [
    'a new resource name with the external name of the old one and another region',
    story(composed([leading('a', 'here')]), asked, composed([leading('c', 'there')], {give: givenC})),
    'leaked a: default',
  ],
  [
    'an order of a move to a kind that cannot have the external resource',
    story(
      composed([resource('a')]),
      asked,
      composed([resource('a', 'Database')], moves),
      composed([resource('a', 'Database'), resource('b')], {...moves, order: [{sequence: [onlyIn('a'), onlyIn('b')]}]}),
    ),
    'stuck b: order',
  ],
  [
    'an XR that a reconcile makes anew after a disaster',
    story(
      composed(two),
      asked,
      lost[0],
      composed([leading('a', 'there'), resource('b')]),
      {...lost[1], early: 25},
      lost[2],
    ),
    'doubled b: default',
  ],
  [
    'a template that reads what went',
    story(
      composed(two, reading('status.atProvider.id', 'here')),
      asked,
      by('stop', {kind: 'process', change: 'stop', process: 'provider'}),
      emptied,
      composed(two, reading('status.atProvider.id', 'there')),
    ),
    'stuck made: resources',
  ],
] as const)('%s permits what the input asks for', (_, scenario, row) => {
  expect(permitted(scenario)).toContain(row);
});

const bare = ({apiVersion, kind, metadata: {name}, spec}: KubeObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: {name},
  spec: spec ?? {},
});

const neverDeletes: InProcessFunction = changing(({observed, desired}) => {
  const kept = [...observed.resources].filter(([key]) => !desired.resources.has(key));
  return new Map(kept.map(([key, one]) => [key, {kind: 'put', object: bare(one.json() as KubeObject), ready: 'true'}]));
});

test.each([
  ['Retain for another', drop({removal: {policies: [{match: {resources: ['a']}, policy: 'Retain'}]}})],
  ['a budget that is not over', drop({removal: {budget: {resources: 3}}})],
  ['protection of another', drop({protect: {resources: [{match: {resources: ['a']}}]}})],
  ['a Usage of another', drop({usages: [{of: 'a', by: 'b'}]})],
  ['handover, and nothing moves', drop(moves)],
  [
    'handover, and the old object may still delete',
    story(composed(two, moves), asked, composed([resource('a', 'Database')], moves)),
  ],
  ['an empty input', drop({})],
])('%s permits no function to keep what is dropped', (_, scenario) => {
  expect(worse(neverDeletes, scenario)).toContain('leaked b');
});

/** The App gives its b, which publishes, to the Site as a. */
function exchangedWith(spec: JsonObject): Scenario {
  const writing = (name: string) => ({writeConnectionSecretToRef: {name, namespace: 'default'}});
  const to = {apiVersion: site.apiVersion, kind: site.kind, name: 'shop'};
  const from = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};
  const giving = {give: [{to, resources: [{name: 'b', there: 'a'}]}]};
  const input = {take: [{from, resources: [{name: 'a', there: 'b'}]}]};
  const taking = compositionOf({xr: site, resources: [resource('a', 'Bucket', {spec})], input});
  const told = story(
    composed([resource('b', 'Bucket', {spec: writing('of-b')})]),
    asked,
    step('user', 'take', apply(taking)),
    composed([], giving),
    step('user', 'ask', apply(xrObject({kind: site, namespace: undefined, name: 'shop'}))),
  );
  return {...told, provider: {...told.provider, externals: {Bucket: {publishes: {endpoint: '{id}.example.org'}}}}};
}

test('a value in the Secret of the old object permits an exchange to wait for a Secret of the new one, and no more', () => {
  expect(permitted(exchangedWith({}))).toContain('stuck a: take');
  const another = {writeConnectionSecretToRef: {name: 'of-a', namespace: 'default'}};
  expect(worse(honest, exchangedWith(another))).toEqual([]);
  const takesNothing = wrapping(honest, ({answer}) => void answer.resources.delete('a'));
  expect(worse(takesNothing, exchangedWith(another))).toContain('stuck a');
});

test.each([
  ['a usage names', {usages: [{of: 'b', by: 'nobody'}]}],
  [
    'a template reads',
    {
      resources: [
        {
          name: 'made',
          base: {...bucket, metadata: {annotations: {reads: '${resources.nobody.metadata.name}'}}, spec: {}},
        },
      ],
    },
  ],
])('%s what is not there, which excuses no refusal', (_, input) => {
  const told = story(composed(two), asked, composed([resource('a')], input));
  expect(worse(honest, told)).toEqual([]);
  const refusing = wrapping(honest, ({desired, answer}) => {
    if (!desired.has('b')) answer.results.push({severity: 'fatal', message: 'nobody is not there'});
  });
  expect(worse(refusing, told)).toContain('leaked b');
});

test('what an XR took and drops is no loss of the XR that gave it, and goes on to desire it under its name in the cloud', () => {
  const to = {apiVersion: site.apiVersion, kind: site.kind, name: 'shop'};
  const from = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};
  const named = resource('b', 'Bucket', {metadata: {annotations: {'crossplane.io/external-name': 'given'}}});
  const take = {take: [{from, resources: [{name: 'a', there: 'b'}]}]};
  const taking = (resources: readonly Resource[]) =>
    step('user', 'take', apply(compositionOf({xr: site, resources, input: take})));
  const told = story(
    composed([named]),
    asked,
    taking([resource('a')]),
    composed([named], {give: [{to, resources: [{name: 'b', there: 'a'}]}]}),
    step('user', 'ask', apply(xrObject({kind: site, namespace: undefined, name: 'shop'}))),
    taking([]),
  );
  expect(worse(honest, told)).toEqual([]);
});

test('a rule of take makes nothing anew that its own XR dropped', () => {
  const told = exchangedWith({writeConnectionSecretToRef: {name: 'of-a', namespace: 'default'}});
  const from = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};
  const input = {take: [{from, resources: [{name: 'a', there: 'b'}]}]};
  const without = step('user', 'drop', apply(compositionOf({xr: site, resources: [], input})));
  const [, , taking] = told.steps as [unknown, unknown, ReturnType<typeof step>];
  const again = {...told, steps: [...told.steps, without, taking]};
  expect(permitted(again)).toContain('stuck a: take');
  expect(worse(honest, again)).toEqual([]);
  const ofKind = step('user', 'take', apply(compositionOf({xr: site, resources: [resource('a', 'Database')], input})));
  expect(permitted({...story(), steps: told.steps.with(2, ofKind)})).toContain('stuck a: take');
  const restored = {...told, steps: [...told.steps, lost[0], without, lost[1], lost[2]]};
  expect(worse(honest, restored)).toEqual([]);
});

test('a deletion that Crossplane repeats for the person who deleted the XR loses nothing, also if the XR is asked for again', () => {
  const input = {order: [{of: {resources: ['a']}, by: {resources: ['b']}, replayDeletion: true}]};
  const gone = step('user', 'delete', {
    kind: 'delete',
    target: {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'},
    ignoreNotFound: true,
    propagationPolicy: 'Foreground',
  });
  const told = story(composed([resource('a', 'ConfigMap'), resource('b')], input), asked, gone, asked);
  expect(worse(honest, told)).toEqual([]);
});

test('a denied deletion of an XR permits no function to delete what the XR composes', () => {
  let isDropped = false;
  const dropsOnce = wrapping(honest, ({xr, answer}) => {
    if (isDropped || xr.spec?.['size'] !== 'large') return;
    isDropped = answer.resources.delete('a');
  });
  const {name, kind} = shop;
  const target = {apiVersion: kind.apiVersion, kind: kind.kind, name};
  const enlarged = by('enlarge', {kind: 'patch', type: 'merge', status: false, target, body: {spec: {size: 'large'}}});
  const told = story(composed([resource('a', 'ConfigMap'), resource('b')], always), asked, deleted, enlarged);
  expect(worse(dropsOnce, told)).toContain('lost a');
});

test('a field that a claim overwrites in both runs is no harm of the one whose XR is not made anew', () => {
  const small = by('edit the XR', patch(selectorOf(shop), {spec: {size: 'small'}}));
  const large = step('user', 'claim', apply({...claim, spec: {...claim.spec, size: 'large'}}));
  const {with: run, violations} = twinned(
    honest,
    story(composed([resource('c')]), asked, small, offered, large, composed([resource('c')], always), deleted),
  );
  expect(lastRest(run).verdicts.map(shortText)).toContain('overwritten App.example.org /shop');
  expect(violations.map(shortText)).toEqual([]);
});

test('a claim that goes wants its XR gone, although that is protected', () => {
  const left = resource('a', 'Bucket', {spec: {deletionPolicy: 'Orphan', forProvider: {region: 'here'}}});
  const steps = [composed([left]), asked, deleted, offered, claimed, composed([left], always), claimGoes];
  expect(worse(honest, story(...steps))).toEqual([]);
});

test('a denied deletion permits no function to go on denying it', () => {
  const clinging = wrapping(honest, ({observed, answer}) => {
    for (const [name, one] of observed)
      if (one.kind === 'ClusterUsage' && !answer.resources.has(name))
        answer.resources.set(name, {object: bare(one), ready: 'true'});
  });
  const freed = story(composed(two, always), asked, composed(two), deleted);
  expect(worse(clinging, freed)).toContain('leaked App.example.org /shop');
  expect(worse(honest, freed)).toEqual([]);
});

test.each([
  ['b', policy('Orphan')],
  ['made', leaving],
])('Orphan permits no second external resource of %s, which was not dropped', (resourceName, input) => {
  const renaming = wrapping(honest, ({observed, answer}) => {
    const isThere = observed.has(resourceName);
    each(answer, isManaged, (one, name) =>
      isThere && name === resourceName
        ? withField(one, ['metadata', 'annotations', 'crossplane.io/external-name'], 'second')
        : one,
    );
  });
  expect(worse(renaming, story(composed(two, input), asked))).toContain(`doubled ${resourceName}`);
});

test('protect permits no second external resource of what a protected XR within one composes', () => {
  const doubling = wrapping(honest, ({xr, answer}) =>
    each(answer, isManaged, (one) =>
      isTrue(xr, 'Ready') ? withField(one, ['metadata', 'annotations', 'crossplane.io/external-name'], 'second') : one,
    ),
  );
  expect(worse(doubling, story(sites(always), composed([resource('a'), inner]), asked))).toContain('doubled b');
});

test('an Orphan that did not stand at the drop permits no external resource that stays', () => {
  const orphaning = wrapping(honest, ({observed, answer}) => {
    const isThere = observed.has('b');
    each(answer, isManaged, (one) => (isThere ? withField(one, ['spec', 'deletionPolicy'], 'Orphan') : one));
  });
  const narrowed = story(composed(two, policy('Orphan')), asked, composed(two), composed([resource('a')]));
  expect(worse(orphaning, narrowed)).toContain('leaked b');
  expect(worse(honest, narrowed)).toEqual([]);
});

test('an XR that is not Synced permits no function to keep what is dropped', () => {
  const refused = resource('a', 'Bucket', {spec: {forProvider: {region: 7}}});
  const scenario = story(composed(two), asked, composed([refused]));
  expect(worse(neverDeletes, scenario)).toContain('leaked b');
  expect(worse(honest, scenario)).toEqual([]);
});

test.each([
  ['an actor gave a finalizer', patched('b', {metadata: {finalizers: ['example.org/hand']}}), honest, 'default'],
  ['an actor paused', patched('b', {metadata: {annotations: paused}}), honest, 'default'],
  [
    'the function gave a finalizer',
    patched('b', {metadata: {labels: {mine: 'yes'}}}),
    wrapping(honest, ({answer}) =>
      each(answer, isManaged, (one) => withField(one, ['metadata', 'finalizers'], ['example.org/hand'])),
    ),
    undefined,
  ],
  [
    'the function paused',
    patched('b', {metadata: {labels: {mine: 'yes'}}}),
    wrapping(honest, ({xr, answer}) => {
      if (isTrue(xr, 'Ready')) each(answer, isManaged, (one) => withField(one, ['metadata', 'annotations'], paused));
    }),
    undefined,
  ],
])('what %s may stay as it is deleted: %#', (_, patch, run, part) => {
  const played = twinned(run, story(composed(two), asked, patch, composed([resource('a')])));
  const {verdicts, ending} = lastRest(played.with);
  const going = verdicts.filter(({how}) => how === 'going');
  expect(going.map((one) => permittedBy(one, ending)?.part)).toEqual([part]);
});

test('give permits no other policies of what is not given', () => {
  const observing = wrapping(honest, ({answer}) => each(answer, isManaged, letGo));
  const whole = resource('b', 'Bucket', {spec: {forProvider: {}, managementPolicies: ['*']}});
  const scenario = story(composed([resource('a'), whole], {give: exchanged('to')}), asked);
  expect(worse(observing, scenario)).toContain('stuck b');
});

test('give permits no external resource that stays for an XR that is not there, or under a dry run', () => {
  const orphaning = wrapping(honest, ({observed, answer}) => {
    const isThere = observed.has('a');
    each(answer, isManaged, (one) => (isThere ? withField(one, ['spec', 'deletionPolicy'], 'Orphan') : one));
  });
  const given = (give: JsonObject[]) => [composed(two), asked, composed(two, {give})];
  const absent = story(...given(exchanged('to')), deleted);
  expect(worse(orphaning, absent)).toContain('leaked a');
  expect(worse(honest, absent)).toEqual([]);
  const dry = story(other, ...given(exchanged('to').map((rule) => ({...rule, dryRun: true}))), deleted);
  expect(worse(orphaning, dry)).toContain('leaked a');
  expect(worse(honest, dry)).toEqual([]);
});

const readySoon: InProcessFunction = changing(
  ({desired}) =>
    new Map(
      [...desired.resources].map(([key, one]) => [key, {kind: 'put', object: one.json() as KubeObject, ready: 'true'}]),
    ),
);

test('a rule that only says what it would do permits no move that it did not begin', () => {
  const says = {handover: moves.handover.map((rule) => ({...rule, dryRun: true}))};
  const heedless = askedInstead(honest, (input) => ('handover' in input ? {...input, ...moves} : input));
  const scenario = story(
    composed([resource('a')], says),
    asked,
    composed([resource('a', 'Database')], says),
    composed([resource('a', 'Database')]),
  );
  expect(worse(heedless, scenario)).toContain('stuck App.example.org /shop');
  expect(worse(honest, scenario)).toEqual([]);
});

test('handover permits no XR to be Ready while nothing else leads to the external resource', () => {
  const observing = resource('a', 'Database', {spec: {forProvider: {}, managementPolicies: ['Observe']}});
  expect(worse(readySoon, story(composed([observing], moves), asked))).toContain('stuck App.example.org /shop');
});

test('a rule of handover that went permits no function to begin a move', () => {
  const observing = wrapping(honest, ({answer}) => each(answer, isManaged, letGo));
  const gone = story(composed([resource('a')], moves), asked, composed([resource('a')]));
  expect(worse(observing, gone)).toContain('stuck a');
});

/** It keeps what is dropped, and leaves out what is new. */
const neverMoves = changing(({observed, desired}) => {
  const news = [...desired.resources.keys()].filter((key) => !observed.resources.has(key));
  const olds = [...observed.resources].filter(([key]) => !desired.resources.has(key));
  const isBegun = observed.resources.size > 0;
  return new Map<string, ResourceChange>([
    ...(isBegun ? news : []).map((key) => [key, {kind: 'drop'}] as const),
    ...olds.map(([key, one]) => [key, {kind: 'put', object: bare(one.json() as KubeObject), ready: 'true'}] as const),
  ]);
});

test.each([
  ['a protection that selects both', {protect: {resources: [{match: {}}]}, handover: [renames]}],
  ['no protection', {handover: [renames]}],
  ['a protection that selects both, and one object of both', {protect: {resources: [{match: {}}]}, named: true}],
])('handover with %s permits no function to never move', (_, {named: isNamed, ...input}: JsonObject) => {
  const one = isNamed === true ? named : resource;
  const moved = story(composed([one('a')], input), asked, composed([one('c')], input));
  expect(worse(neverMoves, moved)).toContain('stuck c');
  expect(worse(honest, moved)).toEqual([]);
});

test('who renames what leads to one external resource loses it without a function, and keeps it with one that never moves', () => {
  for (const region of ['here', 'there']) {
    const renamed = story(composed([leading('a', 'here')]), asked, composed([leading('c', region)]));
    const {with: run, without, violations} = twinned(neverMoves, renamed);
    const places = (one: typeof run) => lastRest(one).verdicts.map(shortText);
    expect([...new Set(places(without))]).toEqual(['lost a', 'lost c']);
    expect(places(run)).toEqual(expect.arrayContaining(['leaked a', 'stuck c']));
    expect(violations).toEqual([]);
    expect(worse(honest, renamed)).toEqual([]);
  }
});

const letGo = (object: KubeObject): KubeObject =>
  withField(object, ['spec', 'managementPolicies'], ['Observe', 'Create']);

test('protection of an XR that is to go permits it to be unready, and of one that is to stay does not', () => {
  const stop = step('user', 'stop the provider', {kind: 'process', change: 'stop', process: 'provider'});
  const unready = (...denied: readonly Step[]) =>
    story(composed([resource('a')], always), asked, ...denied, stop, composed(two, always));
  const leavesOut = wrapping(honest, ({answer}) => {
    answer.resources.delete('b');
  });
  expect(worse(honest, unready(deleted))).toEqual([]);
  expect(worse(leavesOut, unready())).toEqual(['stuck b']);
});

test('a protection that has ended permits what its last denial left there, and no later denial', () => {
  const lifted = composed(two, {});
  const keeps = askedInstead(honest, () => always);
  expect(worse(honest, story(composed(two, always), asked, deleted, lifted))).toEqual([]);
  expect(worse(keeps, story(composed(two, always), asked, deleted, lifted, deleted))).toContain(
    'leaked App.example.org /shop',
  );
});

test('protection of an XR permits what a later step composes in it to stay', () => {
  const late = compositionOf({xr: app, resources: two, input: only('a'), after: 'composes'});
  expect(worse(honest, story(step('user', 'compose', apply(late)), asked, deleted))).toEqual([]);
});

test('a move to another kind that can be done is not left undone', () => {
  const moved = resource('a');
  const kind = composedKinds('main').find(({apiVersion}) => apiVersion.startsWith('cloud.m.')) ?? moved.kind;
  const {apiVersion} = kind;
  const old = {...moved, kind, object: {...moved.object, apiVersion, metadata: {namespace: 'blue'}}};
  const input = {handover: [{from: {resources: ['a']}, to: {apiVersion: moved.kind.apiVersion}}]};
  const moves = story(composed([old]), asked, composed([moved], input));
  expect(worse(honest, moves)).toEqual([]);
  expect(
    worse(
      askedInstead(honest, ({handover: _, ...others}) => others),
      moves,
    ),
  ).toContain('stuck a');
});
