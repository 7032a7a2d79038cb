import {describe, expect, it} from 'vitest';
import {conditionSentence} from '../../../src/function/answer.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, emitted, type Given, observed, planOf, table, usage, view, xrUid} from '../given.ts';

type PolicyName = 'Delete' | 'Orphan' | 'Retain' | 'Confirm';

function policy(name: PolicyName, resource = 'db'): Input {
  return {removal: {policies: [{match: {resources: [resource]}, policy: name}]}};
}

function xrConfirming(names: string) {
  const annotations = {'tether.fn.crossplane.io/confirm-removal': names};
  return view({
    apiVersion: 'platform.example.org/v1',
    kind: 'XNetwork',
    metadata: {name: 'net', uid: xrUid, annotations},
  });
}

const sized = {'f:spec': {'f:size': {}}};

describe('policies of removal', () => {
  const stories: readonly {name: string; reason: string; given: Given; want: object}[] = [
    {
      name: 'Delete',
      reason: 'Delete is what happens anyway.',
      given: {observed: [observed('db')], input: policy('Delete')},
      want: {db: 'release'},
    },
    {
      name: 'Retain',
      reason: 'It stays for as long as the policy says so.',
      given: {observed: [observed('db')], input: policy('Retain')},
      want: {db: 'retain'},
    },
    {
      name: 'OwnConfigMap',
      reason: 'It is function-tether’s, and goes once nothing is remembered in it.',
      given: {
        observed: [observed('tether-external-names', {kind: 'ConfigMap'})],
        input: {removal: {policies: [{match: {}, policy: 'Retain'}]}},
      },
      want: {'tether-external-names': 'release'},
    },
    {
      name: 'NameOfOurConfigMap',
      reason: 'The pipeline may name a resource of its own so.',
      given: {
        observed: [observed('tether-external-names'), observed('app')],
        input: {
          order: [{of: {resources: ['tether-external-names']}, by: {resources: ['app']}}],
          ...policy('Retain', 'tether-external-names'),
        },
      },
      want: {'tether-external-names': 'retain'},
    },
    {
      name: 'RetainOnlyWhatMatches',
      reason: 'The policy is about one resource.',
      given: {observed: [observed('db'), observed('app')], input: policy('Retain')},
      want: {app: 'release', db: 'retain'},
    },
    {
      name: 'FirstPolicyThatMatches',
      reason: 'An exception comes before the rule.',
      given: {
        observed: [observed('db'), observed('app')],
        input: {removal: {policies: [{match: {resources: ['app']}, policy: 'Delete'}, {policy: 'Retain'}]}},
      },
      want: {app: 'release', db: 'retain'},
    },
    {
      name: 'RetainedButStillDesired',
      reason: 'Policies are about what leaves.',
      given: {observed: [observed('db')], desired: [desired('db')], input: policy('Retain')},
      want: {db: 'keep'},
    },
    {
      name: 'RetainedAfterARestore',
      reason: 'Adoption comes first, or nobody would own what is retained.',
      given: {observed: [observed('db', {controller: 'nobody'})], input: policy('Retain')},
      want: {db: 'hold (without-controller)'},
    },
    {
      name: 'NotConfirmed',
      reason: 'A person has to name it.',
      given: {observed: [observed('db')], input: policy('Confirm')},
      want: {db: 'hold (awaiting-approval)'},
    },
    {
      name: 'Confirmed',
      reason: 'The XR names it.',
      given: {xr: xrConfirming('app, db'), observed: [observed('db')], input: policy('Confirm')},
      want: {db: 'release'},
    },
    {
      name: 'ConfirmedAnother',
      reason: 'A name is a whole name.',
      given: {xr: xrConfirming('db-replica,*'), observed: [observed('db')], input: policy('Confirm')},
      want: {db: 'hold (awaiting-approval)'},
    },
    {
      name: 'ConfirmedButUsed',
      reason: 'Approval does not break the order.',
      given: {
        xr: xrConfirming('db'),
        observed: [observed('db'), observed('app'), usage('u', {of: 'db', by: 'app'})],
        input: policy('Confirm'),
      },
      want: {db: 'hold (still-used-by)'},
    },
    {
      name: 'UserRetained',
      reason: 'What a retained resource uses stays, too.',
      given: {
        observed: [observed('db'), observed('app'), usage('u', {of: 'db', by: 'app'})],
        input: policy('Retain', 'app'),
      },
      want: {app: 'retain', db: 'hold (still-used-by)', u: 'hold (by-still-exists)'},
    },
  ];
  for (const {name, reason, given, want} of stories) {
    it(name, () => expect(table(given), reason).toMatchObject(want));
  }

  it('retain without a word: the condition stays True, the object stays in desired', () => {
    const result = planOf({observed: [observed('db', {spec: {size: 's'}, owned: sized})], input: policy('Retain')});
    expect(result.condition).toMatchObject({status: 'True'});
    expect(conditionSentence(result)).toBe(
      'every composed resource is as the pipeline wants it; retaining "db", by removal policy',
    );
    expect(emitted(result, 'db')).toMatchObject({spec: {size: 's'}});
    expect(result.transitions).toEqual([]);
  });
});

describe('an object that leaves', () => {
  const named = (external: string) => ({annotations: {'crossplane.io/external-name': external}});
  const [b, c] = ['b', 'c'].map((name) => observed(name, {...named('acme'), spec: {deletionPolicy: 'Delete'}}));
  const wanted = (external: string) => {
    const [, bare] = desired('c');
    return ['c', {...bare, ...view({...bare.json(), metadata: named(external)})}] as const;
  };
  const decided = (external: string) => table({observed: [b, c], desired: [wanted(external)]} as unknown as Given)['b'];

  it('leaves its external resource to the resource name that desires it', () => {
    expect(decided('acme')).toBe('hold (orphan-first)');
  });

  it('takes it along if no resource name desires it', () => {
    expect(decided('other')).toBe('release');
  });
});

describe('what a slip alone keeps from its policy waits for a person', () => {
  const database = observed('database', {labels: {tier: 'data'}});
  const left = {observed: [database, observed('app')]};
  const by = (match: object, name: PolicyName = 'Retain'): Input => ({removal: {policies: [{match, policy: name}]}});
  const slips: readonly [string, object][] = [
    ['a letter left out', {resources: ['databse']}],
    ['a letter too many', {resources: ['databases']}],
    ['another letter', {resources: ['datebase']}],
    ['two letters swapped', {resources: ['databsae']}],
    ['a glob for a pattern', {pattern: 'data*'}],
    ['a glob with two stars', {pattern: '*ba*'}],
    ['a glob for a name', {resources: ['data*']}],
    ['capitals', {resources: ['DATABASE']}],
    ['capitals in a pattern', {pattern: 'Data.*'}],
    ['a part of the name', {pattern: 'base'}],
    ['the name of the object', {resources: ['net-database']}],
    ['a label for the name', {labels: [{key: 'name', value: 'database'}]}],
    ['another letter in a label', {labels: [{key: 'tier', value: 'dtaa'}]}],
    ['another letter in the key of a label', {labels: [{key: 'teir', value: 'data'}]}],
    ['beside what is right', {resources: ['app', 'databse'], pattern: '[a-z]*'}],
  ];

  it.each(slips)('%s', (_, match) => {
    for (const name of ['Retain', 'Confirm', 'Orphan'] as const) {
      expect(table({...left, input: by(match, name)})).toMatchObject({database: 'hold (awaiting-approval)'});
    }
    const plan = planOf({...left, input: by(match)});
    expect(conditionSentence(plan)).toContain('but for a slip, input.removal.policies[0] would keep it');
    expect(table({...left, xr: xrConfirming('database'), input: by(match)})).toMatchObject({database: 'release'});
    // Not what is intended.
    expect(table({...left, input: by({...match, optional: true})})).toMatchObject({database: 'release'});
    expect(table({...left, input: by(match, 'Delete')})).toMatchObject({database: 'release'});
  });

  it.each(slips)('or from its protection: %s', (_, match) => {
    const input: Input = {protect: {resources: [{match}]}};
    expect(table({...left, input})).toMatchObject({database: 'hold (awaiting-approval)'});
    expect(conditionSentence(planOf({...left, input}))).toContain('but for a slip, input.protect.resources[0] would');
    const optional: Input = {protect: {resources: [{match: {...match, optional: true}}]}};
    expect(table({...left, input: optional})).toMatchObject({database: 'release'});
  });

  it('of another scope, group or spelling of the kind', () => {
    const kinds = [{apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance'}];
    const of = (name: string, kind: object): [string, ResourceView] => [
      name,
      view({...observed(name)[1].json(), ...kind}),
    ];
    const namespaced = of('db', {apiVersion: 'rds.aws.m.upbound.io/v1beta1', kind: 'Instance'});
    const other = of('other', {apiVersion: 'rds.aws.m.upbound.io/v1beta1', kind: 'Cluster'});
    const input = by({kinds});
    for (const [group, kind] of [
      ['rds.aws.upbound.io/v1beta1', 'Instance'],
      ['rds.aws.m.upbound.io/v1beta1', 'Instances'],
      ['rds.aws.m.upbound.io/v1beta1', 'instance'],
      ['rds.asw.m.upbound.io/v1beta1', 'Instance'],
      ['rds.aws.crossplane.io/v1beta1', 'Instance'],
      ['v1beta1', 'Instance'],
    ] as const) {
      const slip = by({kinds: [{apiVersion: group, kind}]});
      expect(table({observed: [namespaced, other], input: slip})).toEqual({
        db: 'hold (awaiting-approval)',
        other: 'release',
      });
    }
    const elsewhere = by({kinds: [{apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance'}]});
    expect(table({observed: [namespaced], input: elsewhere})).toEqual({db: 'release'});
    const both = [namespaced, of('old', {...kinds[0]})];
    expect(table({observed: both, input})).toEqual({db: 'release', old: 'retain'});
  });

  it.each<[string, string, object]>([
    ['a name that is there', 'database', {resources: ['databases']}],
    ['a name that counts', 'subnet-1', {resources: ['subnet-2']}],
    ['a zone', 'subnet-a', {resources: ['subnet-b']}],
    ['two slips', 'database', {resources: ['datbse']}],
    ['a part of another name', 'database', {pattern: 'app-'}],
    ['a label of another', 'database', {labels: [{key: 'tier', value: 'web'}]}],
    ['a label that counts', 'subnet-1', {labels: [{key: 'zone', value: 'a-2'}]}],
    ['a glob of another name', 'database', {pattern: 'app-*'}],
  ])('but not %s', (_, name, match) => {
    const one = observed(name, {labels: {tier: 'data', zone: 'a-1'}});
    const observedNames = {observed: [one, observed('app-x'), observed('databases')]};
    expect(table({...observedNames, input: by(match)})[name]).toBe('release');
  });

  it('the first policy decides', () => {
    const policies = [
      {match: {resources: ['databse']}, policy: 'Retain' as const},
      {match: {resources: ['database']}, policy: 'Delete' as const},
    ];
    expect(table({...left, input: {removal: {policies}}})).toMatchObject({database: 'hold (awaiting-approval)'});
    const turned = [...policies].reverse();
    expect(table({...left, input: {removal: {policies: turned}}})).toMatchObject({database: 'release'});
  });
});

describe('what somebody deletes already is not held, because it would be made again once it is gone', () => {
  const going = observed('db', {deleting: true, spec: {deletionPolicy: 'Delete'}});

  it.each<[string, Input | undefined]>([
    ['without a policy', undefined],
    ['whose policy is Retain', policy('Retain')],
    ['whose policy is Confirm', policy('Confirm')],
    ['over the budget', {removal: {budget: {resources: 0}}}],
  ])('%s', (_name, input) => {
    expect(table({observed: [going], ...(input === undefined ? {} : {input})})).toEqual({db: 'release'});
  });

  it('nor adopted', () => {
    expect(table({observed: [observed('db', {deleting: true, controller: 'nobody'})]})).toEqual({db: 'release'});
  });

  it('unless a Usage would deny its deletion, or its provider has yet to be told to orphan', () => {
    const used = [going, observed('app'), usage('u', {of: 'db', by: 'app'})];
    expect(table({observed: used})).toMatchObject({db: 'hold (still-used-by)'});
    expect(table({observed: [going], input: policy('Orphan')})).toEqual({db: 'hold (orphan-first)'});
  });

  it('gets no policies that delete back, desired again, where it is orphaned', () => {
    const orphaned = observed('db', {deleting: true, spec: {deletionPolicy: 'Orphan'}});
    const again = {desired: [desired('db')]};
    const ofOrphaned = {...again, observed: [orphaned]};
    expect(table({...ofOrphaned, input: policy('Orphan')})).toEqual({db: 'hold (still-deleting)'});
    expect(table({...ofOrphaned, input: policy('Delete')})).toEqual({db: 'hold (still-deleting)'});
    expect(table({observed: [orphaned], desired: [desired('db', {spec: {deletionPolicy: 'Orphan'}})]})).toEqual({
      db: 'keep',
    });
    expect(table({...again, observed: [going], input: policy('Orphan')})).toEqual({db: 'keep'});
  });

  it('and is as ready meanwhile as its own condition', () => {
    const readyOf = (status: string) => {
      const conditions = [{type: 'Ready', status}];
      const orphaned = observed('db', {deleting: true, spec: {deletionPolicy: 'Orphan'}, status: {conditions}});
      return planOf({desired: [desired('db')], observed: [orphaned], input: policy('Orphan')}).edits.get('db');
    };
    expect(readyOf('False')).toMatchObject({kind: 'put', ready: 'false'});
    expect(readyOf('True')).toMatchObject({kind: 'put', ready: 'true'});
  });
});

describe('Orphan: the provider is told to let the external resource live before the object goes', () => {
  const everything = ['*'];
  const cases: readonly {name: string; spec: JsonObject; want: string; body?: JsonObject}[] = [
    {
      name: 'deletionPolicy Delete',
      spec: {deletionPolicy: 'Delete', managementPolicies: everything},
      want: 'hold (orphan-first)',
      body: {deletionPolicy: 'Orphan'},
    },
    {name: 'deletionPolicy Orphan', spec: {deletionPolicy: 'Orphan', managementPolicies: everything}, want: 'release'},
    {
      name: 'deletionPolicy Orphan, overruled by policies that delete',
      spec: {deletionPolicy: 'Orphan', managementPolicies: ['Observe', 'Create', 'Update', 'Delete']},
      want: 'hold (orphan-first)',
      body: {deletionPolicy: 'Orphan', managementPolicies: ['Observe', 'Create', 'Update']},
    },
    {
      name: 'no policies but deletionPolicy, as before management policies',
      spec: {deletionPolicy: 'Delete'},
      want: 'hold (orphan-first)',
      body: {deletionPolicy: 'Orphan'},
    },
    {
      name: 'a namespaced kind, which has no deletionPolicy',
      spec: {managementPolicies: everything},
      want: 'hold (orphan-first)',
      body: {managementPolicies: ['Observe', 'Create', 'Update', 'LateInitialize']},
    },
    {
      name: 'a namespaced kind with policies that delete',
      spec: {managementPolicies: ['Observe', 'Delete']},
      want: 'hold (orphan-first)',
      body: {managementPolicies: ['Observe']},
    },
    {
      name: 'everything and more, which is not the list that deletionPolicy may overrule alone',
      spec: {managementPolicies: ['*', 'Observe']},
      want: 'hold (orphan-first)',
      body: {managementPolicies: ['Observe', 'Create', 'Update', 'LateInitialize']},
    },
    {
      name: 'everything and more, with deletionPolicy Orphan',
      spec: {deletionPolicy: 'Orphan', managementPolicies: ['*', 'Observe']},
      want: 'release',
    },
    {name: 'policies that do not delete', spec: {managementPolicies: ['Observe', 'Create']}, want: 'release'},
    {name: 'a paused resource', spec: {managementPolicies: []}, want: 'release'},
    {
      name: 'a deletionPolicy with words of its own, which may refuse ours',
      spec: {deletionPolicy: 'Retain', managementPolicies: ['*']},
      want: 'refuse (cannot-orphan)',
    },
    {
      name: 'managementPolicies with words of their own',
      spec: {deletionPolicy: 'Delete', managementPolicies: ['Everything']},
      want: 'refuse (cannot-orphan)',
    },
    {
      name: 'an Object of v1alpha1 that deletes whatever its deletionPolicy is',
      spec: {deletionPolicy: 'Orphan', managementPolicy: 'ObserveDelete'},
      want: 'refuse (cannot-orphan)',
    },
    {
      name: 'an Object of v1alpha1 that deletionPolicy can orphan',
      spec: {deletionPolicy: 'Delete', managementPolicy: 'Default'},
      want: 'hold (orphan-first)',
      body: {deletionPolicy: 'Orphan'},
    },
    {name: 'a kind with neither, which no function can orphan', spec: {size: 's'}, want: 'refuse (cannot-orphan)'},
  ];

  it.each(cases)('$name', ({spec, want, body}) => {
    const given = {observed: [observed('db', {spec})], input: policy('Orphan')};
    expect(table(given)).toEqual({db: want});
    if (body !== undefined) expect(emitted(planOf(given), 'db')['spec']).toEqual(body);
  });

  it('tells nobody of an adoption of what it refuses to orphan and has', () => {
    const given = {observed: [observed('db', {spec: {size: 's'}})], input: policy('Orphan')};
    const {metadata} = emitted(planOf(given), 'db') as {metadata: {annotations: JsonObject}};
    const again = {...given, observed: [observed('db', {spec: {size: 's'}, annotations: metadata.annotations})]};
    expect(planOf(again).transitions).toEqual([]);
  });

  it('keeps what it refuses to orphan in desired, as it is', () => {
    const given = {observed: [observed('db', {spec: {size: 's'}, owned: sized})], input: policy('Orphan')};
    expect(emitted(planOf(given), 'db')).toMatchObject({spec: {size: 's'}});
    expect(planOf(given).condition).toMatchObject({status: 'False', reason: 'Refusing'});
  });

  it('lets Usages go: they have nothing outside the cluster', () => {
    const input: Input = {removal: {policies: [{policy: 'Orphan'}]}};
    const given = {
      observed: [observed('db', {spec: {deletionPolicy: 'Orphan'}}), usage('u', {of: 'db', reason: 'r'})],
      input,
    };
    expect(table(given)).toMatchObject({u: 'release'});
  });
});

describe('the budget', () => {
  const four = ['a', 'b', 'c', 'd'].map((name) => observed(name));
  const budget = (value: NonNullable<NonNullable<Input['removal']>['budget']>): Input => ({removal: {budget: value}});

  it.each<[string, Given, object]>([
    [
      'an empty earlier step wipes nothing',
      {observed: four, input: budget({resources: 3})},
      {a: 'hold (over-budget)', b: 'hold (over-budget)', c: 'hold (over-budget)', d: 'hold (over-budget)'},
    ],
    [
      'as many as allowed leave',
      {observed: four, desired: [desired('a')], input: budget({resources: 3})},
      {b: 'release', d: 'release'},
    ],
    [
      'a share is exceeded',
      {observed: four, desired: [desired('a')], input: budget({percent: 50})},
      {b: 'hold (over-budget)'},
    ],
    [
      'a share is kept',
      {observed: four, desired: [desired('a'), desired('b')], input: budget({percent: 50})},
      {c: 'release'},
    ],
    [
      'nothing may leave',
      {observed: four, desired: [desired('a'), desired('b'), desired('c')], input: budget({resources: 0})},
      {d: 'hold (over-budget)'},
    ],
    [
      'what is confirmed leaves, and counts until it is gone',
      {xr: xrConfirming('a,b,c'), observed: four, input: budget({resources: 1})},
      {a: 'release', b: 'release', c: 'release', d: 'hold (over-budget)'},
    ],
    [
      'what is confirmed leaves even where the rest is held',
      {xr: xrConfirming('a'), observed: four, input: budget({resources: 1})},
      {a: 'release', b: 'hold (over-budget)'},
    ],
    [
      'what is retained does not count',
      {
        observed: four,
        input: {removal: {budget: {resources: 1}, policies: [{match: {pattern: '[abc]'}, policy: 'Retain'}]}},
      },
      {a: 'retain', d: 'release'},
    ],
    [
      'what is not confirmed does not count, and says so',
      {
        observed: four,
        input: {removal: {budget: {resources: 1}, policies: [{match: {pattern: '[abc]'}, policy: 'Confirm'}]}},
      },
      {a: 'hold (awaiting-approval)', d: 'release'},
    ],
    [
      'what is protected does not count',
      {
        observed: four,
        input: {...budget({resources: 1}), protect: {xr: 'Never', resources: [{match: {pattern: '[abc]'}}]}},
      },
      {a: 'hold (protected)', d: 'release'},
    ],
    [
      'what is protected says so where the rest is too much',
      {
        observed: four,
        input: {...budget({resources: 1}), protect: {xr: 'Never', resources: [{match: {resources: ['a']}}]}},
      },
      {a: 'hold (protected)', b: 'hold (over-budget)', d: 'hold (over-budget)'},
    ],
    [
      'what its provider is still to be told to leave alone counts',
      {
        observed: four.map(([name]) => observed(name, {spec: {deletionPolicy: 'Delete'}})),
        input: {removal: {budget: {resources: 3}, policies: [{match: {}, policy: 'Orphan'}]}},
      },
      {a: 'hold (orphan-first)'},
    ],
    [
      'Usages do not count',
      {observed: [observed('a'), usage('u', {of: 'x', reason: 'r'})], input: budget({resources: 1, percent: 100})},
      {a: 'release', u: 'release'},
    ],
  ])('%s', (_name, given, want) => {
    expect(table(given)).toMatchObject(want);
  });

  it('counts plain objects that another kind replaces, and keeps those beyond it as they are', () => {
    const plain = ['a', 'b', 'c'].map((name) => observed(name, {owned: {'f:spec': {}}}));
    const given = {
      observed: [...plain, observed('d')],
      desired: ['a', 'b', 'c'].map((name) => desired(name, {kind: 'Other'})),
    };
    const replaced = 'wait (still-deleting)';
    expect(table({...given, input: budget({resources: 4})})).toEqual({
      a: replaced,
      b: replaced,
      c: replaced,
      d: 'release',
    });
    const held = 'hold (over-budget)';
    expect(table({...given, input: budget({resources: 3})})).toEqual({a: held, b: held, c: held, d: held});
    const xr = xrConfirming('a,b');
    expect(table({...given, xr, input: budget({resources: 1})})).toEqual({a: replaced, b: replaced, c: held, d: held});
    // What is refused stays, and does not count.
    const managed = {...given, observed: [...['a', 'b', 'c'].map((name) => observed(name)), observed('d')]};
    expect(table({...managed, input: budget({resources: 1})})).toMatchObject({
      a: 'refuse (kind-changed)',
      d: 'release',
    });
  });

  it('counts what is being deleted, desired or not, together with what is dropped now', () => {
    const deleting = (name: string) => observed(name, {deleting: true});
    const names = [...'abcdefghij'];
    const given = {
      observed: names.map((name, index) => (index < 4 ? deleting(name) : observed(name))),
      desired: names.filter((_, index) => index >= 2 && index < 8).map((name) => desired(name)),
    };
    // Four are being deleted, two of them still desired, and two more are dropped.
    expect(table({...given, input: budget({resources: 5})})).toMatchObject({
      i: 'hold (over-budget)',
      j: 'hold (over-budget)',
    });
    expect(table({...given, input: budget({resources: 6})})).toMatchObject({i: 'release', j: 'release'});
  });

  it('tells how many of how many', () => {
    const {decisions, ttlAtMostSeconds} = planOf({observed: four, input: budget({resources: 3})});
    expect(decisions.get('a')).toMatchObject({leaving: 4, observed: 4});
    expect(ttlAtMostSeconds).toBeUndefined();
  });
});
