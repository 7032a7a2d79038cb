import {describe, expect, test} from 'vitest';
import type {CloudLedger} from '../../../src/cluster/cloud/ledger-state.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {conditionOf, groupKindOf, type KubeObject} from '../../../src/cluster/object.ts';
import {drop, put, type Table, tableOf} from '../../../src/cluster/table.ts';
import type {InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import type {Scenario, Step} from '../../../src/harness/scenario/scenario.ts';
import {grades} from '../../../src/harness/twin/grades.ts';
import {rulesOf} from '../../../src/harness/twin/input-words.ts';
import {Intent} from '../../../src/harness/twin/intent.ts';
import {lastRest} from '../../../src/harness/twin/judge.ts';
import {compositionOf, type Resource} from '../../../src/harness/worlds/composition.ts';
import {apply, patch, selectorOf, step, xrObject} from '../../../src/harness/worlds/moves.ts';
import {app, crds, kindsFor, type XrKind, xrKinds} from '../../../src/harness/worlds/platform.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';
import type {ResourceMessage} from '../../../src/wire/resource-message.ts';
import {encodeResponse} from '../../../src/wire/response-encode.ts';
import {withField, changing as wrapping} from '../../harmful-functions/answer.ts';
import {
  asked,
  by,
  changing,
  composed,
  deleted,
  honest,
  inner,
  lost,
  lostXrFirst,
  passes,
  patched,
  resource,
  rewriting,
  shop,
  shortText,
  site,
  story,
  storyOn,
  twinned,
  worse,
} from './small-stories.ts';

// A function for each grade that does it, in a story in which function-tether does not.

const two = [resource('a'), resource('b')];
const ready = story(composed(two), asked);
const dropped = story(composed(two), asked, composed([resource('a')]));
const edited = story(
  composed(two),
  asked,
  composed([resource('a', 'Bucket', {spec: {forProvider: {region: 'there'}}}), resource('b')]),
);

const template = {
  apiVersion: 'cloud.example.org/v1',
  kind: 'Bucket',
  metadata: {annotations: {reads: '${xr.metadata.name}'}},
  spec: {forProvider: {region: 'here'}},
};
const made = {resources: [{name: 'made', base: template}]};
const renames = {handover: [{from: {resources: ['a']}, to: {resource: 'b'}}]};
const moves = {
  crossplane: '1.20.1',
  restore: {lookup: true},
  handover: [{from: {resources: ['a']}, to: {apiVersion: 'cloud.example.org/v1', kind: 'Database'}}],
};
const backUp = by('back up', {kind: 'backup', tool: 'velero', kinds: []});
const note = (text: string) => resource('a', 'Note', {spec: {text}});
const protects = {protect: {resources: [{match: {}}], xr: 'Never'}};
const modern = resource('a', 'Bucket', {apiVersion: 'cloud.m.example.org/v1', metadata: {namespace: 'blue'}});
const theirs = (key: string) =>
  resource(key, 'Bucket', {metadata: {annotations: {'crossplane.io/external-name': 'theirs'}}});
const takes = {
  take: [{from: {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'}, resources: [{name: 'a', there: 'b'}]}],
};
const gives = {
  give: [{to: {apiVersion: site.apiVersion, kind: 'Site', name: 'shop'}, resources: [{name: 'b', there: 'a'}]}],
};
const etcd = by('back up', {kind: 'backup', tool: 'etcd', kinds: []});
const loseXrs = by('lose', {kind: 'wipe', kinds: ['App']});
const restoreAll = by('restore', {kind: 'restore', options: {}});
const confirms = {removal: {policies: [{policy: 'Confirm'}]}};
const [b, c] = [resource('b'), resource('c')];
const uses = {usages: [{of: 'b', by: 'c'}], crossplane: '1.20.11'};
const named = (key: string) => resource(key, 'Bucket', {metadata: {name: 'apps-a'}});
const says = {handover: [{from: {resources: ['a']}, to: {resource: 'b'}, dryRun: true}]};
const orphans = {removal: {policies: [{policy: 'Orphan', match: {resources: ['b']}}]}};
const remembers = {externalNames: {remember: {in: 'ConfigMap', namespace: 'green'}}};
const emptied = step('editor', 'empty', patch(selectorOf(shop), {spec: {resourceRefs: []}}));
const restarted = by('restart', {kind: 'process', change: 'restart', process: 'owner-gc'});
const installKind = step(
  'user',
  'install',
  apply(crds('main').find(({metadata}) => metadata.name === 'buckets.cloud.example.org') as KubeObject),
);
const [removeKind, removeNotes] = ['buckets.cloud.example.org', 'notes.example.org'].map((name) =>
  by('remove', {
    kind: 'delete',
    target: {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name},
    ignoreNotFound: true,
  }),
) as [Step, Step];

const dropsOnceObserved = changing(({observed, desired}) => {
  const keys = [...desired.resources.keys()].filter((key) => observed.resources.has(key));
  return new Map(keys.map((key) => [key, {kind: 'drop'}]));
});
const neverCreates = changing(({observed, desired}) => {
  const keys = [...desired.resources.keys()].filter((key) => !observed.resources.has(key));
  return new Map(keys.map((key) => [key, {kind: 'drop'}]));
});
const neverDeletes = changing(({observed, desired}) => {
  const kept = [...observed.resources].filter(([key]) => !desired.resources.has(key));
  return new Map(
    kept.map(([key, one]) => [key, {kind: 'put', object: bodyOf(one.json() as KubeObject), ready: 'true'}]),
  );
});

/** What Crossplane may apply of an object. */
function bodyOf({apiVersion, kind, metadata: {name, namespace, labels = {}}, spec = {}}: KubeObject): KubeObject {
  return {apiVersion, kind, metadata: {name, ...(namespace === undefined ? {} : {namespace}), labels}, spec};
}

const leadsElsewhere = rewriting(({metadata, ...rest}, key, {observed}) => {
  const isSecond = key === 'b' && observed.resources.has('b');
  const name = observed.resources.get('a')?.json() as KubeObject | undefined;
  const annotations = {
    'crossplane.io/external-name': name?.metadata.annotations?.['crossplane.io/external-name'] ?? 'none',
  };
  return {...rest, metadata: isSecond ? {...metadata, annotations} : metadata};
});
const adds = changing(({desired}) => {
  const [[, one] = []] = [...desired.resources];
  return one === undefined ? new Map() : new Map([['more', {kind: 'put', object: one.json(), ready: 'true'}]]);
});
const keepsOldSpec = rewriting((object, key, {observed}) => {
  const old = observed.resources.get(key)?.json() as KubeObject | undefined;
  return old?.spec === undefined ? object : {...object, spec: {forProvider: old.spec['forProvider'] ?? {}}};
});
const takesLabels = rewriting((object, key, {observed}) => {
  const old = observed.resources.get(key)?.json() as KubeObject | undefined;
  return {...object, metadata: {...object.metadata, labels: {...old?.metadata.labels, ...object.metadata.labels}}};
});
const neverRests = rewriting((object, key, {observed}) => {
  const old = observed.resources.get(key)?.json() as KubeObject | undefined;
  const turn = String(Number(old?.metadata.annotations?.['turn'] ?? 0) + 1);
  return {...object, metadata: {...object.metadata, annotations: {turn}}};
});
const discloses: InProcessFunction = (request) => {
  const message = decodeRequest(request);
  const note = String(message.observed.composite?.field(['spec', 'note']));
  const said = {ttlSeconds: 60, resources: new Map(), conditions: [], requirements: new Map()};
  const results = [{severity: 'warning' as const, message: `the note is ${note}`}];
  return {ok: true, response: encodeResponse(message, {...said, results, requirementFields: ['resources']})};
};
const addsField = rewriting((object) => withField(object, ['spec', 'forProvider', 'size'], 'huge'));

const fails: InProcessFunction = () => ({ok: false, message: 'no'});

const cases: readonly (readonly [name: string, run: InProcessFunction, scenario: Scenario, found: string])[] = [
  ['drops what is there', dropsOnceObserved, ready, 'lost a'],
  ['drops what a later step drops', dropsOnceObserved, story(composed(two), asked, composed([])), 'lost a'],
  ['has two objects lead to one external resource', leadsElsewhere, ready, 'shared b'],
  ['composes one more', adds, ready, 'leaked more'],
  ['never deletes', neverDeletes, dropped, 'leaked b'],
  ['never creates', neverCreates, ready, 'stuck a'],
  ['keeps an old spec', keepsOldSpec, edited, 'stuck a'],
  ['adds a field that no step desires', addsField, ready, 'stuck a'],
  ['fails', fails, ready, 'stuck App.example.org /shop'],
  [
    'takes fields over',
    takesLabels,
    story(composed(two), asked, patched('a', {metadata: {labels: {mine: 'yes'}}})),
    'overwritten a',
  ],
  ['tells what it read', discloses, ready, 'disclosed Pipeline step "tether": the note is canary-note'],
  ['never rests', neverRests, ready, 'restless '],
];

test.each(cases)('a function that %s is worse than none, and function-tether is not', (_, run, scenario, found) => {
  expect(worse(run, scenario)).toContain(found);
  expect(worse(honest, scenario)).toEqual([]);
});

test('a resource named after a canary gives nothing away', () => {
  const canary = story(composed([resource('canary')]), asked, ...lost, composed([]));
  expect(worse(honest, canary)).toEqual([]);
});

test('a function that changes nothing is never worse where the input asks for nothing', () => {
  for (const one of [
    ready,
    dropped,
    edited,
    story(composed(two), asked, ...lost),
    story(composed(two), asked, deleted),
  ])
    expect(worse(passes, one)).toEqual([]);
});

test('what a restore brought back is lost if it is dropped then, though it is desired before and after', () => {
  // As a step does that composes by what it observes: for one reconcile nothing is desired.
  const forgetsOnce = changing(({observed, desired}) => {
    const isRestored = [...observed.resources.values()].some((one) => {
      const {metadata} = one.json() as KubeObject;
      return metadata.labels?.['velero.io/restore-name'] !== undefined && metadata.ownerReferences !== undefined;
    });
    return new Map(isRestored ? [...desired.resources.keys()].map((key) => [key, {kind: 'drop'}]) : []);
  });
  expect(worse(forgetsOnce, story(composed(two), asked, ...lost))).toContain('lost a');
});

const regionOf = (one: ResourceMessage | undefined) => one?.field(['spec', 'forProvider', 'region']);
const makesAnewOnEdit = changing(({observed, desired}) => {
  const edited = [...desired.resources].filter(([key, one]) => {
    const old = regionOf(observed.resources.get(key));
    return old !== undefined && old !== regionOf(one);
  });
  return new Map(edited.map(([key]) => [key, {kind: 'drop'}]));
});
const inRegion = (region: string, more: JsonObject = {}) => ({spec: {forProvider: {region}}, ...more});

const given = (name: string, region: string) => {
  const metadata = {annotations: {'crossplane.io/external-name': 'given'}};
  return composed([resource(name, 'Bucket', inRegion(region, {metadata}))]);
};

test('what a person deleted, and asked for again under its name in the cloud, is lost if an edit makes it anew', () => {
  for (const begun of [[], [deleted, asked]])
    expect(worse(makesAnewOnEdit, story(given('a', 'here'), asked, ...begun, given('a', 'there')))).toContain('lost a');
});

test('a loss that the run without the function has once does not excuse a second one', () => {
  const renamed = story(given('a', 'here'), asked, given('b', 'here'), given('b', 'there'));
  const {without, violations} = twinned(makesAnewOnEdit, renamed);
  expect(lastRest(without).verdicts.map(shortText)).toContain('lost b');
  expect(violations.map(shortText)).toContain('lost b');
  expect(worse(honest, renamed)).toEqual([]);
});

test('a Usage whose user is protected is no leak behind its XR', () => {
  const apply20 = (xr: XrKind, resources: readonly Resource[], input: JsonObject) =>
    step('user', 'compose', apply(compositionOf({xr, resources, input: {crossplane: '1.20.11', ...input}})));
  const keepsItself = apply20(site, [resource('b')], {protect: {resources: [], xr: 'Always'}});
  const ordered = apply20(app, [resource('a'), inner], {usages: [{of: 'a', by: 'inner'}]});
  expect(worse(honest, storyOn('1.20', keepsItself, ordered, asked, deleted))).toEqual([]);
});

const held = {usages: [{of: 'b', by: 'a'}]};
const holding = [composed(two, held), asked, composed([resource('a')], held)] as const;
const labelled = (role: string) => story(...holding, patched('b', {metadata: {labels: {role}}}));

test.each([
  ['has since the steps desired it, and a person writes once more', 'b', []],
  ['had, and a person writes another value to', 'mine', ['overwritten b']],
])('of what is held, a label that Crossplane %s', (_, role, found) => {
  expect(worse(honest, labelled(role))).toEqual([]);
  const all = worse(neverDeletes, labelled(role));
  expect(all.filter((one) => one.startsWith('overwritten'))).toEqual(found);
});

describe('what people did is no harm', () => {
  test.each([
    ['who deletes the XR', story(composed(two), asked, deleted)],
    ['who drops a resource', dropped],
    [
      'who deletes a resource by hand',
      story(
        composed(two),
        asked,
        by('delete', {
          kind: 'delete',
          target: {kind: 'Bucket', apiVersion: 'cloud.example.org/v1', resource: 'a'},
          ignoreNotFound: true,
        }),
      ),
    ],
    [
      'who loses the XR alone, of which a template of the input is made',
      story(composed([], made), asked, backUp, loseXrs, lost[2]),
    ],
    ['who restores an etcd of before it was made', story(composed([], made), etcd, asked, restoreAll, asked)],
    [
      'who removes the kind of what got another resource name',
      story(composed([resource('a')], renames), asked, composed([resource('b')], renames), removeKind),
    ],
    [
      'who wants what moved under its old name, too',
      story(composed([resource('a')], renames), asked, composed([resource('a'), resource('b')], renames)),
    ],
    [
      'who deletes the XR and keeps its dependents',
      story(
        ...holding,
        by('delete', {kind: 'delete', target: selectorOf(shop), propagationPolicy: 'Orphan', ignoreNotFound: true}),
      ),
    ],
    [
      'who deletes the XR and keeps what gets another resource name while its provider is down',
      story(
        composed([named('a')], renames),
        asked,
        by('stop', {kind: 'process', change: 'stop', process: 'provider'}),
        composed([named('b')], renames),
        by('delete', {kind: 'delete', target: selectorOf(shop), propagationPolicy: 'Orphan', ignoreNotFound: true}),
        by('start', {kind: 'process', change: 'start', process: 'provider'}),
      ),
    ],
    [
      'who deletes a cluster-scoped object that one in a namespace uses: no Usage can protect it',
      story(
        composed([resource('a'), resource('b', 'ConfigMap')], {usages: [{of: 'a', by: 'b'}]}),
        asked,
        by('delete', {
          kind: 'delete',
          target: {kind: 'Bucket', apiVersion: 'cloud.example.org/v1', resource: 'a'},
          ignoreNotFound: true,
        }),
      ),
    ],
    [
      'who restores an etcd of before a resource name changed',
      story(composed([resource('a')], renames), asked, etcd, composed([resource('b')], renames), restoreAll),
    ],
    [
      'who restores what was moving to another kind, and asks for its XR again',
      storyOn(
        '1.20',
        composed([resource('a')], moves),
        asked,
        composed([resource('a', 'Database')], moves),
        ...lost,
        by('delete', {kind: 'delete', target: selectorOf(shop), propagationPolicy: 'Orphan', ignoreNotFound: true}),
        asked,
      ),
    ],
    [
      'who removes the kind of what a policy keeps, before Crossplane deletes it',
      {
        ...story(
          composed([...two, resource('d', 'Database')], confirms),
          asked,
          composed([resource('d', 'Database')], confirms),
          {...removeKind, early: 1},
          installKind,
          composed([], confirms),
        ),
        seed: 25,
      },
    ],
    [
      'who deletes an XR that Crossplane cannot write, and with it what is used before its user',
      {
        ...storyOn(
          '1.20',
          composed([b, c]),
          asked,
          removeNotes,
          composed([b, c, resource('n', 'Note')]),
          composed([b, c, resource('n', 'Note')], uses),
          deleted,
        ),
        seed: 7,
      },
    ],
    [
      'who empties the references of an XR, and deletes it later with what it lost sight of',
      storyOn('1.20', composed([b, c]), asked, emptied, composed([b, c], uses), deleted),
    ],
    [
      'who has an XR asked for often',
      story(composed(two, {ttl: '2s'}), asked, ...Array.from({length: 5}, () => restarted)),
    ],
    [
      'who gives an object another resource name, and has the input orphan that one',
      story(
        composed([named('a')]),
        asked,
        composed([named('b')], orphans),
        composed([named('b')], orphans),
        composed([], orphans),
      ),
    ],
    [
      'who removes the kind of an object that gets another resource name as it goes',
      story(composed([named('a')], says), asked, composed([named('b')], says), removeKind),
    ],
    [
      'who restores an XR before an XR within it: there are two of that, and each remembers its own names',
      story(
        step('user', 'compose', apply(compositionOf({xr: site, resources: two, input: remembers}))),
        composed([inner]),
        asked,
        ...lostXrFirst,
      ),
    ],
    ['who removes the kind of what a template makes', story(composed(two, made), asked, removeKind)],
    [
      'who was denied the deletion of what an edit cannot reach',
      story(
        composed([note('one')], protects),
        asked,
        composed([note('two')], protects),
        by('delete', {
          kind: 'delete',
          target: {kind: 'Note', apiVersion: 'example.org/v1', resource: 'a'},
          ignoreNotFound: true,
        }),
      ),
    ],
    [
      'who deletes the XR and keeps its dependents, asks for it again, and drops all while no provider runs',
      story(
        composed([resource('a')], {restore: {lookup: true}}),
        asked,
        by('delete', {kind: 'delete', target: selectorOf(shop), propagationPolicy: 'Orphan', ignoreNotFound: true}),
        asked,
        by('stop', {kind: 'process', change: 'stop', process: 'provider'}),
        composed([]),
      ),
    ],
    [
      'who makes many resources of an XR that is Synced with the function alone',
      story(
        composed([resource('a')]),
        asked,
        composed([modern, ...Array.from({length: 250}, (_, at) => resource(`n${at}`, 'Note'))], {
          handover: [{from: {resources: ['a']}, to: {apiVersion: 'cloud.m.example.org/v1'}}],
        }),
      ),
    ],
    [
      'who names one external resource twice, and gives it away once',
      story(
        step('user', 'compose', apply(compositionOf({xr: site, resources: [resource('a')], input: takes}))),
        step('user', 'ask', apply(xrObject({...shop, kind: site}))),
        composed([theirs('b')]),
        asked,
        composed([theirs('b')], gives),
        composed([theirs('b'), theirs('c')], gives),
      ),
    ],
    ['who drops it and wants it again', story(composed(two), asked, composed([resource('a')]), composed(two))],
  ])('%s', (_, scenario) => {
    expect(worse(honest, scenario)).toEqual([]);
  });
});

test('the gravest grade comes first, and the XR of the stories is the one that is asked for', () => {
  expect(grades.slice(0, 3)).toEqual(['lost', 'shared', 'doubled']);
  expect(shop.name).toBe('shop');
});

test.each([{}, {ttl: '60s'}, {ttl: '0s'}])('an XR is asked for no oftener than usual if its input is %j', (input) => {
  expect(rulesOf({input}).ttlMs).toBe(60_000);
});

test('what the tool restores after a reconcile looked for it is made anew by no fault of a function', () => {
  const looksUp = {restore: {lookup: true}, crossplane: '1.20.1'};
  const restored = storyOn('1.20', composed([...two, resource('c')], looksUp), asked, ...lostXrFirst);
  for (const seed of [3, 6]) expect(worse(honest, {...restored, seed})).toEqual([]);
});

test('who deletes what is to be protected, of an XR that Crossplane cannot write, breaks no promise', () => {
  const wrong = resource('a', 'Bucket', {spec: {forProvider: {region: 'here', colour: 'red'}}});
  const protect = {protect: {resources: [{match: {resources: ['b']}}]}};
  const target = {kind: 'Bucket', apiVersion: 'cloud.example.org/v1', resource: 'b'};
  const failing = story(
    composed(two),
    asked,
    composed([wrong, two[1] as Resource]),
    composed([wrong, two[1] as Resource], protect),
    by('delete', {kind: 'delete', target, ignoreNotFound: true}),
  );
  expect(worse(honest, {...failing, seed: 18})).toEqual([]);
});

test('of two objects of one name each has the external resource that was made for it', () => {
  const team = xrKinds('main').find(({scope}) => scope === 'Namespaced') as XrKind;
  const kind = kindsFor('main', team).find(({managed}) => managed) as Resource['kind'];
  const {apiVersion, body} = kind;
  const named = {name: 'a', kind, object: {apiVersion, kind: kind.kind, metadata: {name: 'one-name'}, ...body}};
  const composes = step('user', 'compose', apply(compositionOf({xr: team, resources: [named], input: {}})));
  const asks = ['blue', 'green'].map((namespace) =>
    step('user', 'ask', apply(xrObject({kind: team, namespace, name: 'shop'}))),
  );
  const {with: run} = twinned(honest, story(composes, ...asks));
  expect(lastRest(run).verdicts.map(shortText)).toEqual([]);
  // A backup tool takes the names away while the provider creates both.
  const {witness, world} = run;
  const intent = witness.intent.fork();
  const placesOf = () => [...intent.books.externals].map(([id, external]) => [id, external.made.place]);
  const places = placesOf();
  intent.books.externals.clear();
  const table = groupKindOf(kind);
  const all = world.server.objects.get(table) as Table<KubeObject>;
  const nameless = [...all].map(([key, one]) => [key, {...one, metadata: {...one.metadata, annotations: {}}}] as const);
  const objects = put(world.server.objects, table, tableOf(nameless));
  intent.look({...world, server: {...world.server, objects}, cloud: {...(world.cloud as CloudLedger)}});
  for (const [, object] of all) {
    const request = {verb: 'update', ref: {}};
    const entry = {
      kind: 'api',
      actor: 'provider',
      request,
      response: {ok: true, object},
      events: [{type: 'MODIFIED', object}],
    };
    intent.observe(entry as never, 0);
  }
  expect(placesOf()).toEqual(places);
});

test('the world does not rest before the deletion of a Usage was tried again after its user went', () => {
  const ofInner = (...keys: readonly string[]) =>
    step('user', 'compose', apply(compositionOf({xr: site, resources: keys.map((key) => resource(key)), input: {}})));
  const uses = composed([resource('a'), inner], {usages: [{of: 'a', by: 'inner'}]});
  const target = selectorOf(shop);
  const goes = by('delete', {kind: 'delete', target, propagationPolicy: 'Foreground', ignoreNotFound: true});
  // The nested XR goes in the moment in which the Usage was looked at.
  const timeout = {...ofInner('b', 'c'), faults: [{fault: 'function-timeout', at: 0}] as const};
  expect(worse(honest, story(ofInner('b'), uses, asked, timeout, {...goes, early: 1}))).toEqual([]);
});

test('what a paused provider does not delete is stuck, and no leak', () => {
  const paused = patched('b', {metadata: {annotations: {'crossplane.io/paused': 'true'}}});
  const {with: run} = twinned(honest, story(composed(two), asked, paused, composed([resource('a')])));
  expect(lastRest(run).verdicts.map(shortText)).toEqual(['stuck b']);
});

test('a stale answer of an earlier step strikes the same call without the function', () => {
  const object = {apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'EnvironmentConfig', name: 'settings'};
  const needs = {object, field: 'data.region', to: 'metadata.annotations.region'};
  const reads = {...resource('a'), composes: {needs}};
  const edit = step('user', 'edit', {
    kind: 'patch',
    type: 'merge',
    target: selectorOf(shop),
    status: false,
    body: {spec: {size: 'large'}},
  });
  const all = Array.from({length: 24}, (_, at) => {
    const faults = [{fault: 'function-stale-response', at}] as const;
    // From 2.0 on a step is not called twice.
    return twinned(honest, storyOn('1.20', composed([reads], {crossplane: '1.20.1'}), asked, {...edit, faults}));
  });
  expect(all.flatMap(({with: {happened}}) => happened).length).toBeGreaterThan(5);
  expect(all.some((result) => result.worse.some(({verdict}) => verdict.grade === 'lost'))).toBe(true);
  expect(all.flatMap(({violations}) => violations)).toEqual([]);
});

test('a fork in the middle of a reconcile counts on how many events that had', () => {
  const intent = new Intent([]);
  const note = {kind: 'note', actor: 'crossplane', run: 'composite/apps.example.org /one', note: {message: 'looked'}};
  const noteTo = (one: Intent) => one.observe(note as never, 0);
  for (let count = 0; count < 20; count++) noteTo(intent);
  const fork = intent.fork();
  for (let count = 0; count < 10; count++) for (const one of [intent, fork]) noteTo(one);
  expect(intent.books.work.size).toBe(1);
  expect(fork.books.work).toEqual(intent.books.work);
});

test('an external resource whose object went in the middle of its create is of that object', () => {
  const {witness, world} = twinned(honest, story(composed([resource('a')]), asked)).with;
  const intent = witness.intent.fork();
  const before = new Map(intent.books.externals);
  intent.books.externals.clear();
  const objects = drop(world.server.objects, 'Bucket.cloud.example.org');
  intent.look({...world, server: {...world.server, objects}, cloud: {...(world.cloud as CloudLedger)}});
  expect(before.size).toBe(1);
  expect(intent.books.externals.values().next().value?.made).toEqual(before.values().next().value?.made);
});

test('a field that the pipeline took back from another writer is not overwritten once the resource is dropped', () => {
  const input = {removal: {policies: [{policy: 'Retain', match: {resources: ['b']}}]}};
  const [a, b] = [resource('a'), resource('b')];
  const written = patched('b', {spec: {forProvider: {region: 'there'}}});
  expect(worse(honest, story(composed([a, b], input), asked, written, composed([a], input)))).toEqual([]);
});

test('a condition is not held against the function if the XR is not Synced without it', () => {
  const [apiVersion, kind] = ['cloud.m.example.org/v1', 'Bucket'];
  const input = {handover: [{from: {resources: ['a']}, to: {apiVersion, kind}}]};
  const says = {conditions: [{type: 'DatabaseReady', status: 'True', reason: 'Ready'}]};
  const saying = (more: JsonObject) =>
    step('user', 'say', apply(compositionOf({xr: app, resources: [resource('a', kind, more)], input, says})));
  const moved = saying({apiVersion, metadata: {namespace: 'blue'}});
  const {without, violations} = twinned(honest, story(saying({}), asked, moved));
  const xr = lastRest(without).ending.found.get('App.example.org /shop')?.[0]?.object;
  expect([conditionOf(xr as KubeObject, 'Synced')?.status, violations.map(shortText)]).toEqual(['False', []]);
});

test('a condition that no step writes any more, and that Crossplane set to Unknown without the function, is no measure', () => {
  const says = {conditions: [{type: 'DatabaseReady', status: 'True', reason: 'Ready'}]};
  const saying = (more: JsonObject, said?: JsonObject) =>
    step(
      'user',
      'say',
      apply(compositionOf({xr: app, resources: [resource('a', 'Bucket', more)], input: {}, ...(said && {says: said})})),
    );
  const sized = (replicas: string | number) => ({spec: {forProvider: {region: 'here', replicas}}});
  const kind = {apiVersion: 'cloud.m.example.org/v1', metadata: {namespace: 'blue'}};
  expect(worse(honest, story(saying(kind, says), asked, saying(sized('two'), says), saying(sized(2))))).toEqual([]);
});

test('what is there, or is not, in a world that never comes to rest is so for a moment', () => {
  const reads = {...resource('c'), composes: {needs: {resource: 'a'}}};
  const {with: mine, without, worse: all} = twinned(honest, story(composed([named('a'), named('b'), reads]), asked));
  expect([mine.restless, without.restless]).not.toContain(undefined);
  expect(all).toEqual([]);
  // What is so after two steps is none of its moments.
  const dropping = changing(() => new Map([['d', {kind: 'drop'}]]));
  const resized = step('user', 'resize', patch(selectorOf(shop), {spec: {size: 'large'}}));
  expect(worse(dropping, story(composed([named('a'), named('b'), resource('d')]), asked, resized))).toContain(
    'stuck d',
  );
});

test('the work for an XR that could be deleted without the function alone, and that a restore brings back, is no harm', () => {
  const many = Array.from({length: 12}, (_, index) => resource(`r${index}`));
  const always = {protect: {resources: [], xr: 'Always'}};
  const restored = story(composed(many, always), asked, restarted, deleted, ...lost, restarted);
  expect(worse(honest, restored)).toEqual([]);
});

test('a condition is not held against an input that contradicts itself', () => {
  const give = [
    {to: {apiVersion: 'example.org/v1', kind: 'App', name: 'other'}, resources: [{name: 'a'}, {name: 'a'}]},
  ];
  const conditions = [{type: 'Billed', status: 'True', reason: 'Billed', lastTransitionTime: '2026-01-01T00:00:00Z'}];
  const billed = step('controller', 'bill', patch(selectorOf(shop), {status: {conditions}}, true));
  expect(worse(honest, story(composed(two), asked, composed(two, {give}), billed))).toEqual([]);
});

test('an actor that deletes an XR does not ask for what only the function orphans', () => {
  const sites = step('user', 'compose', apply(compositionOf({xr: site, resources: two, input: {}})));
  const orphaning = rewriting((object, key) =>
    key === 'inner' ? {...object, metadata: {...object.metadata, finalizers: ['orphan']}} : object,
  );
  expect(worse(orphaning, story(sites, composed([inner]), asked, deleted))).toEqual(
    expect.arrayContaining(['leaked a', 'leaked b']),
  );
});

test('who deletes an XR after a loss, and asks for it again, does not excuse the loss', () => {
  const sized = (size: string) => step('user', size, patch(selectorOf(shop), {spec: {size}}));
  const losing = changing(({observed: {composite}, desired}) => {
    const xr = composite?.json() as KubeObject | undefined;
    const isLarge = xr?.spec?.['size'] === 'large';
    return new Map(isLarge ? [...desired.resources.keys()].map((key) => [key, {kind: 'drop'}] as const) : []);
  });
  const {with: run} = twinned(losing, story(composed(two), asked, sized('large'), sized('small'), deleted, asked));
  expect(lastRest(run).verdicts.map(shortText)).toEqual(expect.arrayContaining(['lost a', 'lost b']));
});

test('what both runs lost is no harm of the run that wants it for longer', () => {
  const needing: Resource = {...b, composes: {needs: {resource: 'a'}}};
  const retains = {removal: {policies: [{policy: 'Retain', match: {resources: ['a']}}]}};
  const target = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', resource: 'a'};
  const gone = by('delete', {kind: 'delete', target, ignoreNotFound: false});
  const scenario = story(composed([resource('a'), needing], retains), asked, gone, composed([needing], retains));
  const {with: run, without, violations} = twinned(honest, scenario);
  expect(lastRest(run).verdicts.map(shortText)).toContain('lost b');
  expect(lastRest(without).verdicts.map(shortText)).not.toContain('lost b');
  expect(violations.map(shortText)).toEqual([]);
});

test('who is denied the deletion of an XR, and asks for it again, wants it', () => {
  const always = {
    protect: {resources: [], xr: 'Always'},
    order: [{of: {resources: ['a']}, by: {resources: ['b']}, replayDeletion: true}],
  };
  expect(worse(honest, story(composed(two, always), asked, deleted, asked, composed(two)))).toEqual([]);
});

test('of all ConfigMaps of an XR only that of its remembered names is wanted though no step desires it', () => {
  const config = resource('b', 'ConfigMap');
  const budget = {...remembers, removal: {budget: {resources: 1}}};
  const keeps = wrapping(honest, ({observed, answer}) => {
    const dropped = observed.get('b');
    if (dropped !== undefined) answer.resources.set('b', {object: bodyOf(dropped), ready: 'true'});
  });
  const alone = story(composed([c, config], remembers), asked, composed([c], remembers));
  expect(worse(honest, alone)).toEqual([]);
  expect(worse(keeps, alone)).toContain('leaked b');
  expect(worse(honest, story(composed([c, config], budget), asked, composed([], budget)))).toEqual([]);
});

test('items of lists may have what the API server adds to them, and their values have to arrive', () => {
  const kind = {apiVersion: 'v1', kind: 'Service', namespaced: true, managed: false, body: {}};
  const service = (port: number): Resource => {
    const spec = {ports: [{port}], selector: {app: 'shop'}};
    return {name: 'a', kind, object: {apiVersion: 'v1', kind: 'Service', metadata: {namespace: 'blue'}, spec}};
  };
  const confirm = {removal: {policies: [{match: {}, policy: 'Confirm'}]}};
  expect(worse(honest, story(composed([service(80)], confirm), asked, composed([], confirm)))).toEqual([]);
  const moved = {handover: [{from: {resources: ['a']}, to: {resource: 'b'}}]};
  expect(worse(honest, story(composed([service(80)]), asked, composed([{...service(81), name: 'b'}], moved)))).toEqual(
    [],
  );
  const writing = (port: JsonObject) =>
    rewriting((object) => ({...object, spec: {...object.spec, ports: [port]}}) as unknown as JsonObject);
  const edit = story(composed([service(80)]), asked, composed([service(81)]));
  expect(worse(writing({port: 80}), edit)).toContain('stuck a');
  expect(worse(writing({port: 80, nodePort: 30_080}), story(composed([service(80)]), asked))).toContain(
    'overwritten a',
  );
});

test('the stringData of a Secret arrives as data', () => {
  const kind = {apiVersion: 'v1', kind: 'Secret', namespaced: true, managed: false, body: {}};
  const secret = (key: string): Resource => {
    const object = {apiVersion: 'v1', kind: 'Secret', metadata: {namespace: 'blue'}, stringData: {key}};
    return {name: 'a', kind, object};
  };
  const moved = {handover: [{from: {resources: ['a']}, to: {resource: 'b'}}]};
  const renamed = story(composed([secret('one')]), asked, composed([{...secret('two'), name: 'b'}], moved));
  expect(worse(honest, renamed)).toEqual([]);
  const freezes = rewriting((object) => ({...object, stringData: {key: 'one'}}));
  expect(worse(freezes, story(composed([secret('one')]), asked, composed([secret('two')])))).toContain('stuck a');
});

test('a disaster also takes what a provider made and died before it could say so', () => {
  const all = Array.from({length: 12}, (_, at) => {
    const faults = [{fault: 'provider-restart', at}] as const;
    const scenario = story(composed([resource('a')]), {...asked, faults}, lost[0], lost[1], asked);
    return lastRest(twinned(honest, scenario).with);
  });
  const {externals} = all.map(({ending}) => ending.intent.books).find(({externals}) => externals.size > 1) ?? {};
  expect(externals?.size).toBe(2);
  expect(all.flatMap(({verdicts}) => verdicts).filter(({grade}) => grade === 'doubled' || grade === 'leaked')).toEqual(
    [],
  );
});

test('what a nested XR composes goes with it to another resource name', () => {
  const sites = step('user', 'compose', apply(compositionOf({xr: site, resources: two, input: {}})));
  const rule = {handover: [{from: {resources: ['inner']}, to: {resource: 'next'}}]};
  const renamed = story(sites, composed([inner], rule), asked, composed([{...inner, name: 'next'}], rule));
  expect(worse(honest, renamed)).toEqual([]);
  const losing = wrapping(honest, ({xr, answer}) => {
    if (xr.metadata.annotations?.['crossplane.io/composition-resource-name'] === 'next') answer.resources.delete('b');
  });
  expect(worse(losing, renamed)).toContain('lost b');
});

test('an XR that is kept, and gone without the function, is compared with nothing', () => {
  const [notes, edited] = ['here', 'there'].map((text) => {
    const note = resource('d', 'Note', {spec: {text}});
    return step('user', 'compose', apply(compositionOf({xr: site, resources: [note], input: {}, after: 'composes'})));
  }) as [Step, Step];
  const used = {usages: [{of: 'inner', by: 'b'}], protect: {resources: [{match: {resources: ['b']}}]}};
  const kept = story(notes, composed([inner, b], used), asked, edited, composed([], used));
  expect(worse(honest, kept)).toEqual([]);
  expect(worse(neverDeletes, story(notes, composed([inner, b]), asked, edited, composed([])))).toContain(
    'leaked inner',
  );
  const always = {protect: {resources: [], xr: 'Always'}};
  expect(worse(honest, story(notes, composed([inner], always), asked, deleted))).toEqual([]);
  const theirs = resource('a', 'Bucket', {metadata: {annotations: {'crossplane.io/external-name': 'theirs'}}});
  const input = {...always, crossplane: '1.20.11'};
  expect(worse(honest, storyOn('1.20', composed([theirs], input), asked, emptied, deleted, asked))).toEqual([]);
  const left = resource('a', 'Bucket', {spec: {forProvider: {region: 'here'}, deletionPolicy: 'Orphan'}});
  expect(worse(honest, story(composed([left], always), asked, removeKind, deleted))).toEqual([]);
  const later = compositionOf({xr: app, resources: [b], input: always, after: 'composes'});
  const orphaning = by('orphan', {
    kind: 'delete',
    target: selectorOf(shop),
    propagationPolicy: 'Orphan',
    ignoreNotFound: true,
  });
  const orphaned = story(step('user', 'compose', apply(later)), asked, orphaning, asked, composed([b], always));
  expect(worse(honest, orphaned)).toEqual([]);
});

test('two resource names of one object have it in turn, and without the function, too', () => {
  const always = {protect: {resources: [], xr: 'Always'}};
  const both = [named('a'), named('b')];
  expect(worse(honest, story(composed([named('a')], always), asked, composed(both, always), deleted))).toEqual([]);
});

test('a value that an object had from another writer may stay for a reconcile, and no longer', () => {
  const edit = patched('a', {data: {key: 'theirs'}}, 'ConfigMap');
  const mark = 'tether.fn.crossplane.io/held';
  const holding = (isOnce: boolean) =>
    rewriting((object, key, {observed}) => {
      const {data, metadata} = (observed.resources.get(key)?.json() ?? object) as KubeObject & {data: JsonObject};
      if (data['key'] !== 'theirs' || metadata.annotations?.[mark] !== undefined) return object;
      const held = withField(object, ['data', 'key'], 'theirs');
      return isOnce ? withField(held, ['metadata', 'annotations'], {[mark]: 'once'}) : held;
    });
  const scenario = story(composed([resource('a', 'ConfigMap')]), asked, edit);
  expect(worse(holding(true), scenario)).not.toContain('overwritten a');
  expect(worse(holding(false), scenario)).toContain('stuck a');
});
