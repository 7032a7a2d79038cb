import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {questions} from '../../../src/lifecycle/questions/registry.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, desiredUsage, emitted, type Given, observed, planOf, table, usage, view, xr, xrUid} from '../given.ts';

const label = 'example.org/protect';
const byLabel: Input = {protect: {resources: [{match: {labels: [{key: label, value: 'true'}]}}], xr: 'Never'}};
const protectedDb = observed('db', {labels: {[label]: 'true'}});

/** Names of the objects that the plan protects, sorted. */
function protectedObjects(given: Given): readonly string[] {
  const edits = [...planOf(given).edits.values()];
  const bodies = edits.flatMap((edit) =>
    edit.kind === 'put' && `${edit.object['kind']}`.endsWith('Usage') ? [edit.object] : [],
  );
  return bodies.map((body) => (body['spec'] as {of: {resourceRef: {name: string}}}).of.resourceRef.name).sort();
}

describe('protection for a reason', () => {
  it.each<[string, Given, readonly string[]]>([
    ['by a label that is observed', {observed: [protectedDb], desired: [desired('db')], input: byLabel}, ['net-db']],
    [
      'by a label that is only desired',
      {observed: [observed('db')], desired: [labelled('db')], input: byLabel},
      ['net-db'],
    ],
    ['not without the label', {observed: [observed('db')], desired: [desired('db')], input: byLabel}, []],
    ["not before it is there, which may be another's", {desired: [labelled('db', 'net-db')], input: byLabel}, []],
    [
      "of what a restore brought back, once it is proven to be the XR's",
      {observed: [observed('db', {controller: 'nobody'})], input: {protect: {resources: [{}], xr: 'Never'}}},
      ['net-db'],
    ],
    [
      'not of what an editor of the XR lists as its own',
      {
        observed: [observed('db', {controller: 'nobody', proof: 'none'})],
        input: {protect: {resources: [{}], xr: 'Never'}},
      },
      [],
    ],
    ['not before the name is known', {desired: [labelled('db')], input: byLabel}, []],
    ['of a resource that is no longer desired', {observed: [protectedDb], input: byLabel}, ['net-db']],
    [
      'not of a Usage',
      {
        observed: [usage('u', {of: 'db', reason: 'r'})],
        desired: [desiredUsage('u')],
        input: {protect: {resources: [{}], xr: 'Never'}},
      },
      [],
    ],
    ['not without a rule', {observed: [protectedDb], desired: [desired('db')], input: {}}, []],
  ])('%s', (_name, given, want) => {
    expect(protectedObjects(given)).toEqual(want);
  });

  it('is a Usage without `by`, with a reason, ready, and never replays', () => {
    const result = planOf({observed: [protectedDb], desired: [desired('db')], input: byLabel});
    const [name = ''] = [...result.decisions.keys()].filter((key) => key !== 'db');
    expect(result.edits.get(name)).toMatchObject({ready: 'true'});
    expect(emitted(result, name)).toMatchObject({kind: 'ClusterUsage', apiVersion: 'protection.crossplane.io/v1beta1'});
    expect(emitted(result, name)['spec']).toEqual({
      of: {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', resourceRef: {name: 'net-db'}},
      reason: 'protected by function-tether',
    });
  });

  it('says the reason of the first rule that selects', () => {
    const input: Input = {
      protect: {resources: [{match: {resources: ['db']}, reason: 'first'}, {reason: 'second'}], xr: 'Never'},
    };
    const result = planOf({observed: [protectedDb], desired: [desired('db')], input});
    const [name = ''] = [...result.decisions.keys()].filter((key) => key !== 'db');
    expect(emitted(result, name)).toMatchObject({spec: {reason: 'first'}});
  });

  it('holds a protected resource that the earlier steps drop, whether its Usage is there yet or not', () => {
    expect(table({observed: [protectedDb], input: byLabel})).toMatchObject({db: 'hold (protected)'});
  });

  it('ends with the label: the Usage leaves, and the resource after it', () => {
    const [name = ''] = [...planOf({observed: [protectedDb], input: byLabel}).decisions.keys()].filter(
      (key) => key !== 'db',
    );
    const protection = usage(name, {of: 'db', reason: 'protected by function-tether'});
    expect(table({observed: [observed('db'), protection], input: byLabel})).toEqual({
      db: 'hold (usage-leaves-first)',
      [name]: 'release',
    });
  });

  it('is a namespaced Usage for a namespaced resource', () => {
    const given = {
      observed: [observed('db', {labels: {[label]: 'true'}, namespace: 'team'})],
      desired: [desired('db')],
      input: byLabel,
    };
    const [name = ''] = [...planOf(given).decisions.keys()].filter((key) => key !== 'db');
    expect(emitted(planOf(given), name)).toMatchObject({kind: 'Usage', metadata: {namespace: 'team'}});
  });

  it('is the one Usage of Crossplane 1, and refused for what that cannot name', () => {
    const result = planOf({observed: [protectedDb], desired: [desired('db')], input: {...byLabel, crossplane: '1.20'}});
    expect([...result.edits.values()]).toContainEqual(
      expect.objectContaining({
        object: expect.objectContaining({apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'Usage'}),
      }),
    );
    const namespaced = observed('db', {labels: {[label]: 'true'}, namespace: 'team'});
    const refused = planOf({observed: [namespaced], desired: [desired('db')], input: {...byLabel, crossplane: '1.20'}});
    expect(refused.refusedPairs).toMatchObject([
      {path: 'protect.resources[0]', by: undefined, reason: 'legacy-namespaced'},
    ]);
  });

  it('holds what the earlier steps drop also if no Usage can express it, and not once the label is gone', () => {
    const input = {...byLabel, crossplane: '1.20'};
    const labels = {[label]: 'true'};
    const held = planOf({observed: [observed('db', {labels, namespace: 'team'})], input});
    expect(held.decisions.get('db')).toMatchObject({reason: 'protected', usages: []});
    expect(table({observed: [observed('db', {namespace: 'team'})], input})).toEqual({db: 'release'});
    const foreign = observed('db', {labels, namespace: 'team', controller: 'nobody', proof: 'none'});
    expect(table({observed: [foreign], input})).not.toMatchObject({db: 'hold (protected)'});
  });
});

describe('protection of the XR', () => {
  const rules = byLabel.protect?.resources ?? [];

  it.each<[string, Input, readonly string[]]>([
    ['with a resource', {protect: {resources: rules}}, ['net', 'net-db']],
    ['said so', {protect: {resources: rules, xr: 'WithResources'}}, ['net', 'net-db']],
    ['never', {protect: {resources: rules, xr: 'Never'}}, ['net-db']],
    ['always', {protect: {xr: 'Always'}}, ['net']],
    ['not without a protected resource', {protect: {resources: [{match: {resources: ['other']}}]}}, []],
  ])('%s', (_name, input, want) => {
    expect(protectedObjects({observed: [protectedDb], desired: [desired('db')], input})).toEqual(want);
  });

  it('is in the namespace of the XR', () => {
    const xr = view({
      apiVersion: 'p.example.org/v1',
      kind: 'Network',
      metadata: {name: 'net', namespace: 'team', uid: 'u'},
    });
    const result = planOf({xr, input: {protect: {xr: 'Always'}}});
    const [name = ''] = result.decisions.keys();
    expect(emitted(result, name)).toMatchObject({
      kind: 'Usage',
      metadata: {namespace: 'team'},
      spec: {of: {apiVersion: 'p.example.org/v1', kind: 'Network', resourceRef: {name: 'net'}}},
    });
  });
});

function labelled(resourceName: string, name?: string) {
  const [key, plain] = desired(resourceName, name === undefined ? {} : {name});
  const object = plain.json();
  const metadata = {...(object['metadata'] as object), labels: {[label]: 'true'}};
  return [key, {...view({...object, metadata}), ready: plain.ready}] as [string, typeof plain];
}

describe('what several XRs protect', () => {
  const metadata = {name: 'net', uid: 'another'};
  const other = view({apiVersion: 'platform.example.org/v1', kind: 'XSite', metadata});
  const usageOf = (given: Given): readonly string[] =>
    [...planOf(given).edits.values()].flatMap((edit) =>
      edit.kind === 'put' ? [(edit.object['metadata'] as {name: string}).name] : [],
    );

  it('has a Usage of each: of one alone Crossplane would let the first XR have it, and stop at the second', () => {
    const [, shared] = observed('shared', {name: 'shared'});
    const input: Input = {protect: {required: [{}], xr: 'Never'}};
    const names = [xr, other].flatMap((one) => usageOf({xr: one, input, required: {shared: [shared]}}));
    expect(new Set(names).size).toBe(2);
  });

  it.each<[string, JsonObject, boolean]>([
    ['has one in the namespace of the XR', {name: 'shared', namespace: 'team'}, true],
    [
      'has none in another: for Crossplane it would protect what has the name here',
      {name: 'shared', namespace: 'x'},
      false,
    ],
    ['has none that is cluster-scoped: Crossplane would stop the XR at it', {name: 'shared'}, false],
  ])('%s, if it is only required and the XR has a namespace', (_, metadata, isMade) => {
    const inTeam = view({...other.json(), metadata: {...(other.json()['metadata'] as object), namespace: 'team'}});
    const shared = view({apiVersion: 'p.example.org/v1', kind: 'Thing', metadata});
    const given: Given = {xr: inTeam, input: {protect: {required: [{}], xr: 'Never'}}, required: {shared: [shared]}};
    expect(usageOf(given)).toHaveLength(isMade ? 1 : 0);
    expect(planOf(given).refusedPairs.map(({reason}) => reason)).toEqual(isMade ? [] : ['outside-of-namespace']);
  });

  it.each(Object.entries(questions))('has none of ours as the answer to the question %s', (_, {prefix}) => {
    const [, shared] = observed('shared', {name: 'shared'});
    const input: Input = {protect: {required: [{}], xr: 'Never'}};
    expect(usageOf({input, required: {[prefix.endsWith('-') ? `${prefix}x` : prefix]: [shared]}})).toEqual([]);
  });

  it('has one of the XR that composes it and one of its own, where it is an XR', () => {
    const child = view({
      apiVersion: 'platform.example.org/v1',
      kind: 'XSite',
      metadata: {name: 'net', ownerReferences: [{controller: true, uid: xrUid}]},
    });
    const byParent = usageOf({observed: [['site', child]], input: {protect: {resources: [{}], xr: 'Never'}}});
    const byItself = usageOf({xr: other, input: {protect: {xr: 'Always'}}});
    expect(byParent.length).toBeGreaterThan(0);
    expect(byItself).toHaveLength(1);
    expect(byParent).not.toContain(byItself[0]);
  });
});

describe('what is on its way', () => {
  const protect = {resources: [{match: {resources: ['db']}}]};
  const input: Input = {protect, handover: [{from: {resources: ['db']}, to: {kind: 'Other'}}]};
  const named = {'crossplane.io/external-name': 'db-1'};
  const old = observed('tether-handover-of-db', {
    name: 'net-db',
    annotations: {...named, 'tether.fn.crossplane.io/handover-to': 'db'},
    spec: {deletionPolicy: 'Orphan', managementPolicies: ['*']},
  });
  const fresh = observed('db', {
    kind: 'Other',
    name: 'net-new',
    annotations: {...named, 'tether.fn.crossplane.io/handover-from': 'tether-handover-of-db'},
    spec: {managementPolicies: ['Observe']},
    status: {conditions: [{type: 'Synced', status: 'True'}]},
  });
  const wanted = [desired('db', {kind: 'Other'})];
  /** The Usages that a plan makes, as Crossplane observes them. */
  const made = (given: Given) =>
    [...planOf(given).edits].flatMap(([name, edit]): [string, ReturnType<typeof view>][] => {
      if (edit.kind !== 'put' || !`${edit.object['kind']}`.endsWith('Usage')) return [];
      return [[name, owned(edit.object)]];
    });
  const usagesOfOld = made({observed: [observed('db')], desired: [desired('db')], input: {protect}});

  it('keeps the Usage that it has, and so does the XR, whatever the rules say by now', () => {
    const moving: Given = {observed: [old, ...usagesOfOld], desired: wanted, input};
    expect(protectedObjects(moving)).toEqual(['net', 'net-db']);
    expect(protectedObjects({...moving, input: {...input, protect: {}}})).toEqual(['net', 'net-db']);
    const {protect: _, ...unprotected} = input;
    expect(protectedObjects({...moving, input: unprotected})).toEqual(['net', 'net-db']);
    // One that it never had it does not get: it is to leave.
    expect(protectedObjects({...moving, observed: [old]})).toEqual([]);
  });

  it('loses it once it leaves, or once a person lets it', () => {
    const done = observed('db', {
      kind: 'Other',
      name: 'net-new',
      annotations: {...named, 'tether.fn.crossplane.io/handover-from': 'tether-handover-of-db'},
      spec: {managementPolicies: ['*']},
      status: {conditions: [{type: 'Synced', status: 'True'}]},
    });
    expect(protectedObjects({observed: [old, done, ...usagesOfOld], desired: wanted, input})).toEqual([
      'net',
      'net-new',
    ]);
    const annotations = {'tether.fn.crossplane.io/confirm-removal': 'db'};
    const confirmed = view({...xr.json(), metadata: {name: 'net', uid: xrUid, annotations}});
    expect(protectedObjects({xr: confirmed, observed: [old, ...usagesOfOld], desired: wanted, input})).toEqual([]);
  });

  it('does not set out for what no rule selects, unless a person lets it', () => {
    const kinds = [{apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'}];
    const annotations = {...named};
    const status = {conditions: [{type: 'Synced', status: 'True'}]};
    const db = observed('db', {annotations, spec: {deletionPolicy: 'Delete'}, status});
    const given = (protect: Input['protect'] & object): Given => ({
      observed: [db, ...usagesOfOld],
      desired: wanted,
      input: {...input, protect},
    });
    expect(table(given({resources: [{match: {kinds}}]}))['db']).toBe('refuse (cannot-hand-over)');
    expect(table(given(protect))['db']).toBe('move (letting-go)');
  });

  it('gets another resource name if the same edit ends every protection, or selects it there', () => {
    const given = (protected_: Input['protect']): Given => ({
      observed: [observed('db', {annotations: named}), ...usagesOfOld],
      desired: [desired('new')],
      input: {
        handover: [{from: {resources: ['db']}, to: {resource: 'new'}}],
        ...(protected_ && {protect: protected_}),
      },
    });
    const only = (name: string) => ({resources: [{match: {resources: [name]}}]});
    expect(table(given(undefined))['db']).toBe('move (offering)');
    expect(table(given(only('new')))['db']).toBe('move (offering)');
    expect(table(given(only('db')))['db']).toBe('refuse (cannot-hand-over)');
    expect(table(given(only('another')))['db']).toBe('refuse (cannot-hand-over)');
  });

  it('has a successor that gets its policies once it has a Usage, and the XR, too', () => {
    const decisionOn = (given: Given) => planOf(given).decisions.get('db');
    for (const observed_ of [[old, fresh], [fresh]]) {
      const given: Given = {observed: observed_, desired: wanted, input};
      expect(decisionOn(given)).toMatchObject({reason: 'observing', stopped: {kind: 'unprotected'}});
      const usages = made(given);
      expect(usages).toHaveLength(2);
      for (const one of usages)
        expect(decisionOn({...given, observed: [...observed_, one]})).toMatchObject({reason: 'observing'});
      expect(decisionOn({...given, observed: [...observed_, ...usages]})).not.toMatchObject({reason: 'observing'});
    }
  });
});

function owned(body: JsonObject): ReturnType<typeof view> {
  const controller = {apiVersion: xr.apiVersion, kind: xr.kind, name: 'net', uid: xrUid, controller: true};
  return view({...body, metadata: {...(body['metadata'] as JsonObject), ownerReferences: [controller]}});
}
