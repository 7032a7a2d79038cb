import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {plan} from '../../../src/lifecycle/plan/plan.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, emitted, type Given, marked, observed, planOf, snapshot, table, usage, view, xr} from '../given.ts';

const pair: Input = {usages: [{of: 'db', by: 'app'}]};
const both = [observed('db'), observed('app')];
const bothDesired = [desired('db'), desired('app')];
const name = usageNameOf({observed: both, desired: bothDesired, input: pair});

/** Our Usage of the pair as Crossplane observes it. */
const annotations = {'tether.fn.crossplane.io/of': 'db', 'tether.fn.crossplane.io/by': 'app'};
const ours = usage(name, {of: 'db', by: 'app', annotations});
const waiting = 'usage.apiextensions.crossplane.io';
const going = (labels: JsonObject, finalizers: readonly string[]) =>
  usage(name, {of: 'db', by: 'app', annotations, labels, finalizers});
const labelled = {'crossplane.io/composite': 'prod'};

const onOld: Input = {...pair, crossplane: '1.16'};
const nameOnOld = usageNameOf({observed: both, desired: bothDesired, input: onOld});
const ofOld = {apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'Usage'};
const goingOnOld = usage(nameOnOld, {...ofOld, of: 'db', by: 'app', annotations, finalizers: [waiting]});

interface Story {
  readonly name: string;
  readonly reason: string;
  readonly given: Given;
  readonly want: {readonly [resourceName: string]: string};
}

const stories: readonly Story[] = [
  {
    name: 'BothThere',
    reason: 'A pair whose two ends are known has its Usage at once.',
    given: {observed: both, desired: bothDesired},
    want: {app: 'keep', db: 'keep', [name]: 'create'},
  },
  {
    name: 'UsageThere',
    reason: 'The Usage stays as long as the pair is declared and both ends are there.',
    given: {observed: [...both, ours], desired: bothDesired},
    want: {app: 'keep', db: 'keep', [name]: 'keep'},
  },
  {
    name: 'ByNotNamedYet',
    reason: 'A Usage of an object whose name Crossplane has yet to choose could not name it.',
    given: {observed: [observed('db')], desired: bothDesired},
    want: {app: 'create', db: 'keep'},
  },
  {
    name: 'BothNamedAndNew',
    reason: 'A name that a Composition says may be of what another XR has, or of what the XR of before left.',
    given: {desired: [desired('db', {name: 'net-db'}), desired('app', {name: 'net-app'})]},
    want: {app: 'create', db: 'create'},
  },
  {
    name: 'OneEndNotThereYet',
    reason: 'Kept from whoever may delete it for what is not there it would stay for as long as that never comes.',
    given: {observed: [observed('db')], desired: [desired('db'), desired('app', {name: 'net-app'})]},
    want: {app: 'create', db: 'keep'},
  },
  {
    name: 'OneEndListedByAnEditor',
    reason: "What an XR's editor lists may be anybody's: a Usage would keep it from them.",
    given: {observed: [observed('db', {controller: 'nobody', proof: 'none'}), observed('app')], desired: bothDesired},
    want: {app: 'keep', db: 'keep'},
  },
  {
    name: 'EndMadeAnew',
    reason: 'A Usage that is there stays while an end of its is made again.',
    given: {observed: [observed('app'), ours], desired: [desired('db', {name: 'net-db'}), desired('app')]},
    want: {app: 'keep', db: 'create', [name]: 'keep'},
  },
  {
    name: 'BothEndsDropped',
    reason: '`by` leaves first, under a Usage that is already there.',
    given: {observed: [...both, ours]},
    want: {app: 'release', db: 'hold (still-used-by)', [name]: 'keep'},
  },
  {
    name: 'BothEndsDroppedBeforeTheUsageIsThere',
    reason: 'Without the Usage nothing would remember `by` once it is deleting: both stay one reconcile more.',
    given: {observed: both},
    want: {app: 'hold (usage-arrives-first)', db: 'hold (usage-arrives-first)', [name]: 'create'},
  },
  {
    name: 'BothEndsDroppedWhileTheUsageGoes',
    reason: 'It is being deleted without the label with which it would wait for `by`: another one has to be made.',
    given: {observed: [...both, going({}, [waiting])]},
    want: {app: 'hold (usage-arrives-first)', db: 'hold (still-used-by)', [name]: 'keep'},
  },
  {
    name: 'BothEndsDroppedWhileTheUsageWaitsForBy',
    reason: 'Deleted by a person it keeps its label, and goes once `by` is gone. Held, `by` would wait for it in turn.',
    given: {observed: [...both, going(labelled, [waiting])]},
    want: {app: 'release', db: 'hold (still-used-by)', [name]: 'keep'},
  },
  {
    name: 'BothEndsDroppedWhileTheUsageHasLetGo',
    reason: 'Desired once more it has the label again, but its controller is done with it.',
    given: {observed: [...both, going(labelled, ['foregroundDeletion'])]},
    want: {app: 'hold (usage-arrives-first)', db: 'hold (still-used-by)', [name]: 'keep'},
  },
  {
    name: 'BothEndsDroppedWhileAnOldCrossplaneKeepsTheUsage',
    reason: 'There it waits for `by` in any case.',
    given: {observed: [...both, goingOnOld], input: onOld},
    want: {app: 'release', db: 'hold (still-used-by)', [nameOnOld]: 'keep'},
  },
  {
    name: 'ByDroppedAndNoLongerObserved',
    reason: 'The Usage stays until `by` is known to be gone.',
    given: {observed: [observed('db'), ours], desired: [desired('db')]},
    want: {db: 'keep', [name]: 'hold (by-still-exists)'},
  },
  {
    name: 'ByGone',
    reason: 'A Usage whose `by` is gone orders nothing any more.',
    given: {observed: [observed('db'), ours], desired: [desired('db')], required: {[`by-of-${name}`]: []}},
    want: {db: 'keep', [name]: 'release'},
  },
  {
    name: 'OfNoLongerObserved',
    reason: 'A declared pair keeps its Usage while either end is left: `of` may live, lost from the resourceRefs.',
    given: {observed: [observed('app'), ours], desired: [desired('app')]},
    want: {app: 'keep', [name]: 'hold (by-still-exists)'},
  },
  {
    name: 'OnlyOfDropped',
    reason: 'A declared pair is an order: `of` stays while `by` does.',
    given: {observed: [...both, ours], desired: [desired('app')]},
    want: {app: 'keep', db: 'hold (still-used-by)', [name]: 'keep'},
  },
  {
    name: 'OfUnderAnotherName',
    reason: 'An edit that renames `of` and keeps its object leaves the pair nothing to order.',
    given: {
      observed: [observed('store', {name: 'net-db'}), observed('app'), ours],
      desired: [desired('store'), desired('app')],
    },
    want: {app: 'keep', store: 'keep', [name]: 'release'},
  },
  {
    name: 'ByUnderAnotherName',
    reason: 'The same of `by`.',
    given: {
      observed: [observed('db'), observed('site', {name: 'net-app'}), ours],
      desired: [desired('db'), desired('site')],
    },
    want: {db: 'keep', site: 'keep', [name]: 'release'},
  },
  {
    name: 'OfUnderAnotherNameAndDropped',
    reason: 'It goes while `by` stays, as without the pair.',
    given: {observed: [observed('store', {name: 'net-db'}), observed('app'), ours], desired: [desired('app')]},
    want: {app: 'keep', store: 'hold (usage-leaves-first)', [name]: 'release'},
  },
];

describe('the Usage of a pair of which one end is another object by now', () => {
  const again = [observed('db', {name: 'net-db-again'}), observed('app')];
  const newName = usageNameOf({observed: again, desired: bothDesired, input: pair});
  const told = (usages: readonly (typeof ours)[]) =>
    table({observed: [...again, ...usages], desired: bothDesired, input: pair});

  it('stays until the new one is there', () => {
    expect(told([ours])).toEqual({app: 'keep', db: 'keep', [name]: 'hold (usage-arrives-first)', [newName]: 'create'});
  });

  it('leaves then: what the XR had there before would stay for as long as the other end does', () => {
    const theNew = usage(newName, {of: 'db-again', by: 'app', annotations});
    expect(told([ours, theNew])).toEqual({app: 'keep', db: 'keep', [name]: 'release', [newName]: 'keep'});
  });
});

describe('the Usages of declared pairs', () => {
  for (const story of stories) {
    it(story.name, () => expect(table({input: pair, ...story.given}), story.reason).toEqual(story.want));
  }

  it('retains no Usage that it made itself, whatever a policy for everything says', () => {
    const policies = {removal: {policies: [{match: {}, policy: 'Retain' as const}]}};
    expect(table({observed: [...both, ours], desired: bothDesired, input: policies})[name]).toBe('release');
    const theirs = usage('u', {of: 'db', by: 'app'});
    expect(table({observed: [...both, theirs], desired: bothDesired, input: policies})['u']).toBe('retain');
  });

  it('drops the Usage of a pair that the input no longer declares while both ends stay', () => {
    expect(table({observed: [...both, ours], desired: bothDesired})).toEqual({
      app: 'keep',
      db: 'keep',
      [name]: 'release',
    });
  });

  it('names both ends by reference, replays no denied deletion, and is ready', () => {
    const result = planOf({observed: both, desired: bothDesired, input: pair});
    expect(result.edits.get(name)).toMatchObject({ready: 'true'});
    expect(emitted(result, name)).toEqual({
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      metadata: {
        name,
        labels: marked(name),
        annotations: {
          'tether.fn.crossplane.io/by': 'app',
          'tether.fn.crossplane.io/of': 'db',
          'tether.fn.crossplane.io/phase': 'adopted',
        },
      },
      spec: {
        by: {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', resourceRef: {name: 'net-app'}},
        of: {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', resourceRef: {name: 'net-db'}},
        replayDeletion: false,
      },
    });
  });

  it('knows its own pair by both ends', () => {
    const usages = [
      {of: 'db', by: 'other', optional: true},
      {of: 'other', by: 'app', optional: true},
    ];
    expect(table({observed: [...both, ours], desired: bothDesired, input: {usages}})).toMatchObject({
      [name]: 'release',
    });
  });

  it('passes reason and replayDeletion on', () => {
    const input = {usages: [{of: 'db', by: 'app', reason: 'because', replayDeletion: false}]};
    const result = planOf({observed: both, desired: bothDesired, input});
    expect(emitted(result, name)).toMatchObject({spec: {reason: 'because', replayDeletion: false}});
  });
});

describe('the kind of a Usage follows the scope of both ends', () => {
  const kinds = [
    {of: '', by: '', kind: 'ClusterUsage', namespace: undefined, ofNamespace: undefined},
    {of: 'team', by: 'team', kind: 'Usage', namespace: 'team', ofNamespace: undefined},
    {of: 'team', by: 'other', kind: 'Usage', namespace: 'other', ofNamespace: 'team'},
    {of: 'team', by: '', kind: 'Usage', namespace: 'team', ofNamespace: undefined},
  ];

  it.each(kinds)('of in "$of", by in "$by": $kind', ({of, by, kind, namespace, ofNamespace}) => {
    const given = {observed: [scoped('db', of), scoped('app', by)], desired: bothDesired, input: pair};
    const body = emitted(planOf(given), usageNameOf(given)) as {
      metadata: {namespace?: string};
      spec: {of: {resourceRef: object}};
    };
    expect(body).toMatchObject({kind, apiVersion: 'protection.crossplane.io/v1beta1'});
    expect(body.metadata.namespace).toBe(namespace);
    expect(body.spec.of.resourceRef).toEqual({name: 'net-db', ...(ofNamespace ? {namespace: ofNamespace} : {})});
  });

  it('refuses a cluster-scoped `of` with a namespaced `by`, which no Usage protects, and emits nothing', () => {
    const given = {observed: [scoped('db', ''), scoped('app', 'team')], desired: bothDesired, input: pair};
    const result = planOf(given);
    expect(table(given)).toEqual({app: 'keep', db: 'keep'});
    expect(result.refusedPairs).toMatchObject([{path: 'usages[0]', reason: 'of-cluster-by-namespaced'}]);
    expect(result.condition).toMatchObject({status: 'False', reason: 'Refusing'});
  });

  it('keeps the order of a refused pair as far as it can be observed', () => {
    const given = {observed: [scoped('db', ''), scoped('app', 'team')], input: pair};
    expect(table(given)).toEqual({app: 'release', db: 'hold (still-used-by)'});
  });

  it('knows the Usage of what a namespaced XR makes again in its own namespace', () => {
    const xr = view({
      apiVersion: 'platform.example.org/v1',
      kind: 'Network',
      metadata: {name: 'net', namespace: 'team', uid: 'xr-uid-after-restore'},
    });
    const there = {xr, observed: [scoped('db', 'team'), scoped('app', 'team')], desired: bothDesired, input: pair};
    const made = usageNameOf(there);
    const [, clusterUsage] = usage(made, {of: 'db', by: 'app', annotations});
    const {metadata, ...rest} = clusterUsage.json();
    const namespaced = view({...rest, kind: 'Usage', metadata: {...(metadata as object), namespace: 'team'}});
    const observedAgain: Given['observed'] = [scoped('app', 'team'), [made, namespaced]];
    const given = {...there, observed: observedAgain, desired: [desired('db', {name: 'net-db'}), desired('app')]};
    expect(emitted(planOf(given), made)).toMatchObject({kind: 'Usage', metadata: {namespace: 'team'}});
  });

  it.each(['1.16.1', 'v1.18', '1.20'])(
    'on Crossplane %s it is the Usage that every Crossplane serves',
    (crossplane) => {
      const given = {observed: both, desired: bothDesired, input: {...pair, crossplane}};
      const apiVersion = 'apiextensions.crossplane.io/v1alpha1';
      expect(emitted(planOf(given), usageNameOf(given))).toMatchObject({apiVersion, kind: 'Usage'});
    },
  );

  it.each(['2.0.0', '2.3', 'v2.5.1'])('on Crossplane %s it is a ClusterUsage', (crossplane) => {
    const result = planOf({observed: both, desired: bothDesired, input: {...pair, crossplane}});
    expect(emitted(result, name)).toMatchObject({kind: 'ClusterUsage'});
  });

  it.each([
    ['team', 'team'],
    ['team', ''],
    ['', 'team'],
  ])('refuses namespaced ends ("%s", "%s") on Crossplane 1, whose Usage cannot name them', (of, by) => {
    const given = {observed: [scoped('db', of), scoped('app', by)], desired: bothDesired};
    const result = planOf({...given, input: {...pair, crossplane: '1.20'}});
    expect(result.refusedPairs).toMatchObject([{reason: 'legacy-namespaced'}]);
  });
});

describe('names of Usages', () => {
  it('are the same whatever the version of the API, and after a restore', () => {
    const moved = both.map(([key, found]): [string, typeof found] => [
      key,
      view({...found.json(), apiVersion: 'ec2.example.org/v2'}),
    ]);
    expect(usageNameOf({observed: moved, desired: bothDesired, input: pair})).toBe(name);
  });

  it('differ for equal names of different groups, kinds and namespaces (function-sequencer#146)', () => {
    const [, db] = observed('db', {namespace: 'team'});
    const app = scoped('app', 'team');
    const variants = [
      db,
      view({...db.json(), apiVersion: 'rds.example.org/v1beta1'}),
      view({...db.json(), kind: 'OtherThing'}),
      scoped('db', 'other')[1],
    ];
    const names = variants.map((of) => usageNameOf({observed: [['db', of], app], desired: bothDesired, input: pair}));
    expect(new Set(names).size).toBe(4);
  });

  it('differ for the two directions', () => {
    const reversed = {usages: [{of: 'app', by: 'db'}]};
    expect(usageNameOf({observed: both, desired: bothDesired, input: reversed})).not.toBe(name);
  });

  it('fit Kubernetes', () => {
    const long = 'a.very-long_NAME-'.repeat(12);
    const given = {observed: [scopedAs('db', long), scopedAs('app', long)], desired: bothDesired, input: pair};
    expect(usageNameOf(given)).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/);
  });
});

describe('pairs that make no sense', () => {
  const cases: readonly {name: string; usages: NonNullable<Input['usages']>; want: object}[] = [
    {
      name: 'a resource of itself',
      usages: [{of: 'db', by: 'db'}],
      want: {path: 'usages[0]', expected: 'an order without a cycle', got: 'the cycle "db" before "db"'},
    },
    {
      name: 'a cycle',
      usages: [
        {of: 'db', by: 'app'},
        {of: 'app', by: 'web'},
        {of: 'web', by: 'db'},
      ],
      want: {path: 'usages[1]', got: 'the cycle "app" before "web" before "db" before "app"'},
    },
    {
      name: 'a cycle behind the first pair',
      usages: [
        {of: 'db', by: 'app'},
        {of: 'app', by: 'web'},
        {of: 'web', by: 'app'},
      ],
      want: {path: 'usages[1]', got: 'the cycle "app" before "web" before "app"'},
    },
  ];

  it.each(cases)('$name', ({usages, want}) => {
    const given = {observed: [...both, observed('web')], desired: [...bothDesired, desired('web')]};
    expect(plan(snapshot(given), {usages})).toMatchObject({kind: 'invalid-input', ...want});
  });

  it.each([
    ['of', {of: 'dbb', by: 'app'}, 'dbb'],
    ['by', {of: 'db', by: 'ap'}, 'ap'],
  ])('an unknown %s of a new XR is told, and stops nothing', (end, unknown, name) => {
    const usages = [{of: 'db', by: 'app'}, unknown];
    const want = {kind: 'plan', unknownNames: [{path: `usages[1].${end}`, name}]};
    expect(plan(snapshot({desired: bothDesired}), {usages})).toMatchObject(want);
  });

  it('what an earlier step left out of what it composed, or the XR gave away, stops nothing, and is told as long as it is so', () => {
    const input = {usages: [{of: 'db', by: 'app'}]};
    const without = {observed: [observed('db')], desired: [desired('db')], input};
    expect(table(without)).toEqual({db: 'keep'});
    expect(planOf(without).unknownNames).toEqual([{path: 'usages[0].by', name: 'app'}]);
    const given = {observed: [observed('app')], desired: [desired('app')], input};
    expect(planOf(given).unknownNames).toEqual([{path: 'usages[0].of', name: 'db'}]);
    const neither = {observed: [observed('web')], desired: [desired('web')], input};
    expect(planOf(neither).unknownNames).toEqual([
      {path: 'usages[0].of', name: 'db'},
      {path: 'usages[0].by', name: 'app'},
    ]);
    const optional = {usages: [{of: 'db', by: 'app', optional: true}]};
    expect(planOf({...without, input: optional}).unknownNames).toEqual([]);
  });

  it('says nothing of an optional pair whose end is not there', () => {
    const input = {usages: [{of: 'db', by: 'maybe', optional: true}]};
    expect(table({observed: both, desired: bothDesired, input})).toEqual({app: 'keep', db: 'keep'});
  });

  it('says nothing of a pair on its way out, or removal would end in an error', () => {
    expect(table({observed: [observed('db'), ours], input: pair})).toMatchObject({db: 'hold (still-used-by)'});
    expect(table({observed: [observed('db')], input: pair})).toEqual({db: 'release'});
    expect(table({observed: [observed('app')], input: pair})).toEqual({app: 'release'});
    expect(planOf({observed: [observed('db')], input: pair}).unknownNames).toEqual([]);
  });

  it('accepts a diamond, which is no cycle', () => {
    const usages = [
      {of: 'db', by: 'app'},
      {of: 'db', by: 'web'},
      {of: 'app', by: 'web'},
    ];
    const given = {observed: [...both, observed('web')], desired: [...bothDesired, desired('web')]};
    expect(plan(snapshot(given), {usages})).toMatchObject({kind: 'plan'});
  });
});

function scoped(resourceName: string, namespace: string) {
  return observed(resourceName, namespace === '' ? {} : {namespace});
}

function scopedAs(resourceName: string, objectName: string) {
  return observed(resourceName, {name: `${resourceName}-${objectName}`});
}

/** The resource name of the one Usage that the plan adds, '' if it adds none. */
function usageNameOf(given: Given): string {
  const known = new Set([...(given.observed ?? []), ...(given.desired ?? [])].map(([key]) => key));
  return [...planOf(given).decisions.keys()].find((key) => !known.has(key)) ?? '';
}

describe('Crossplane 1, of which the input says nothing', () => {
  const withStatus = (status: JsonObject, more: JsonObject = {}) => view({...xr.json(), ...more, status});
  const synced = (generation: JsonObject) =>
    withStatus({conditions: [{type: 'Synced', status: 'True', ...generation}]});
  const given = {observed: both, desired: bothDesired, input: pair};
  const old = synced({});

  it('gets no Usage of Crossplane 2, with which in its references the XR would never be read again', () => {
    const plan = planOf({...given, xr: old});
    expect(plan.decisions.has(name)).toBe(false);
    expect(plan.refusedPairs).toMatchObject([{path: 'usages[0]', reason: 'unserved'}]);
  });

  it('shows in conditions that know no generation, until something shows Crossplane 2', () => {
    const makes = (more: Given) => table({...given, ...more})[name];
    expect(makes({xr: old})).toBeUndefined();
    expect(makes({xr: withStatus({})})).toBe('create');
    expect(makes({xr: synced({observedGeneration: 1})})).toBe('create');
    expect(makes({xr: withStatus({conditions: []})})).toBe('create');
    expect(makes({xr: view({...old.json(), spec: {crossplane: {}}})})).toBe('create');
    expect(makes({xr: old, schemas: {}})).toBe('create');
    expect(makes({xr: old, observed: [...both, ours]})).toBe('keep');
  });

  it('gets its own Usage where the input says which it is', () => {
    expect(planOf({...given, xr: old, input: {...pair, crossplane: '1.20'}}).refusedPairs).toEqual([]);
  });
});
