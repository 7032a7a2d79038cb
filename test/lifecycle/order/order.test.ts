import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {plan} from '../../../src/lifecycle/plan/plan.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import type {Ready, ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, emitted, type Given, observed, planOf, snapshot, table, usage, view, xr, xrUid} from '../given.ts';

/** The Usages that the plan makes, as the next reconcile observes them. */
function seenUsages(given: Given): readonly [string, ResourceView][] {
  const made = planOf(given);
  return [...made.decisions.keys()]
    .filter((name) => name.includes('-uses-'))
    .map((name) => {
      const body = emitted(made, name);
      return [name, view({...body, metadata: {...(body['metadata'] as object), ownerReferences: ours}})];
    });
}

const ours = [{controller: true, uid: xrUid}];
const ready = {conditions: [{type: 'Ready', status: 'True'}]};
const sequence: Input = {order: [{sequence: [{resources: ['vpc']}, {pattern: 'subnet-.*'}, {resources: ['db']}]}]};
const all = [desired('vpc'), desired('subnet-a'), desired('subnet-b'), desired('db')];

const seenBefore = {annotations: {'tether.fn.crossplane.io/phase': 'adopted'}};

describe('creation in order', () => {
  const stories: readonly {name: string; reason: string; given: Given; want: object}[] = [
    {
      name: 'NothingThere',
      reason: 'Only the first step is created.',
      given: {desired: all},
      want: {
        vpc: 'create',
        'subnet-a': 'wait (creation-order)',
        'subnet-b': 'wait (creation-order)',
        db: 'wait (creation-order)',
      },
    },
    {
      name: 'FirstNotReady',
      reason: 'Being there is not being ready.',
      given: {observed: [observed('vpc')], desired: all},
      want: {vpc: 'keep', 'subnet-a': 'wait (creation-order)'},
    },
    {
      name: 'FirstReadyByItsCondition',
      reason: 'Where the earlier steps say nothing the object says it.',
      given: {observed: [observed('vpc', {status: ready})], desired: all},
      want: {vpc: 'keep', 'subnet-a': 'create', 'subnet-b': 'create', db: 'wait (creation-order)'},
    },
    {
      name: 'FirstReadyByTheSteps',
      reason: 'What the earlier steps say counts.',
      given: {observed: [observed('vpc')], desired: [desired('vpc', {ready: 'true'}), desired('subnet-a')]},
      want: {'subnet-a': 'create'},
    },
    {
      name: 'FirstUnreadyByTheSteps',
      reason: 'What the earlier steps say counts more than the condition.',
      given: {
        observed: [observed('vpc', {status: ready})],
        desired: [desired('vpc', {ready: 'false'}), desired('subnet-a')],
      },
      want: {'subnet-a': 'wait (creation-order)'},
    },
    {
      name: 'FirstIsAConfig',
      reason: 'A ProviderConfig has no condition, so it counts once it is there.',
      given: {
        observed: [observed('vpc', {kind: 'ProviderConfig'})],
        desired: [desired('vpc', {kind: 'ProviderConfig'}), desired('subnet-a')],
      },
      want: {'subnet-a': 'create'},
    },
    {
      name: 'FirstIsAnUnreadyConfig',
      reason: 'What the earlier steps say counts of a config, too.',
      given: {
        observed: [observed('vpc', {kind: 'ProviderConfig'})],
        desired: [desired('vpc', {kind: 'ProviderConfig', ready: 'false'}), desired('subnet-a')],
      },
      want: {'subnet-a': 'wait (creation-order)'},
    },
    {
      name: 'FirstIsAConfigToBeMade',
      reason: 'It has to be there first.',
      given: {desired: [desired('vpc', {kind: 'ProviderConfig'}), desired('subnet-a')]},
      want: {'subnet-a': 'wait (creation-order)'},
    },
    {
      name: 'SaidReadyButNotThere',
      reason: 'A step cannot know that something is ready which does not exist.',
      given: {desired: [desired('vpc', {ready: 'true'}), desired('subnet-a')]},
      want: {'subnet-a': 'wait (creation-order)'},
    },
    {
      name: 'OneOfAGroupNotReady',
      reason: 'All of a step has to be ready.',
      given: {
        observed: [observed('vpc', {status: ready}), observed('subnet-a', {status: ready}), observed('subnet-b')],
        desired: all,
      },
      want: {db: 'wait (creation-order)'},
    },
    {
      name: 'GapInTheMiddle',
      reason: 'A step that selects nothing is passed over, and the order of the others holds.',
      given: {desired: [desired('vpc'), desired('db')]},
      want: {db: 'wait (creation-order)'},
    },
    {
      name: 'ExistsAlready',
      reason: 'What exists is never left out: that would delete it.',
      given: {observed: [observed('db'), observed('vpc')], desired: all},
      want: {db: 'keep', vpc: 'keep', 'subnet-a': 'wait (creation-order)'},
    },
    {
      name: 'FirstLeaves',
      reason: 'What leaves is not waited for: it may never be ready again.',
      given: {observed: [observed('vpc')], desired: [desired('db')]},
      want: {db: 'create'},
    },
  ];
  for (const {name, reason, given, want} of stories) {
    it(name, () => expect(table({...given, input: sequence}), reason).toMatchObject(want));
  }

  it('says what is waited for, leaves it out of desired, and keeps the XR from being ready', () => {
    const result = planOf({desired: all, input: sequence});
    expect(result.decisions.get('db')).toMatchObject({of: ['subnet-a', 'subnet-b', 'vpc']});
    expect(result.edits.get('db')).toEqual({kind: 'drop'});
    expect(result.xrReady).toBe('false');
    expect(planOf({desired: [desired('vpc')], input: sequence}).xrReady).toBeUndefined();
  });

  it('keeps the XR from being ready by one of the others as long as the XR shows no report of the function', () => {
    const vpc = (conditions: readonly JsonObject[]) => {
      const edit = planOf({desired: all, input: sequence, xr: view({...xr.json(), status: {conditions}})}).edits.get(
        'vpc',
      );
      return edit?.kind === 'put' ? edit.ready : edit?.kind;
    };
    expect([vpc([]), vpc([{type: 'Tethered', status: 'False'}])]).toEqual(['false', 'amend']);
  });

  it('does not wait under deleteOnly', () => {
    const input = {order: [{of: {resources: ['vpc']}, by: {resources: ['db']}, deleteOnly: true}]};
    expect(table({desired: [desired('vpc'), desired('db')], input})).toEqual({vpc: 'create', db: 'create'});
  });

  it('takes a lost resource back at once, because it exists', () => {
    const labels = planOf({desired: [desired('db')]}).edits.get('db');
    const [, lost] = observed('db', {
      controller: 'nobody',
      labels: labels?.kind === 'amend' ? labels.overlay.metadata.labels : {},
    });
    const given = {
      desired: [desired('vpc'), desired('db')],
      input: {...sequence, restore: {lookup: true}},
      required: {'lost-Thing.ec2.example.org': [lost]},
    };
    expect(table(given)).toEqual({vpc: 'create', db: 'adopt (found-by-label)'});
  });
});

describe('deletion in order', () => {
  const there = ['vpc', 'subnet-a', 'subnet-b', 'db'].map((name) => observed(name, {status: ready}));

  it('takes names literally, and patterns as patterns', () => {
    const names = ['a.b', 'a-b', 'db'];
    const given = {observed: names.map((name) => observed(name)), desired: names.map((name) => desired(name))};
    const thenDb = (first: object): Input => ({order: [{sequence: [first, {resources: ['db']}]}]});
    expect(pairs({...given, input: thenDb({resources: ['a.b']})})).toEqual(['net-db uses net-a.b']);
    expect(pairs({...given, input: thenDb({pattern: 'a.b'})})).toEqual(['net-db uses net-a-b', 'net-db uses net-a.b']);
  });

  it('is kept by Usages between neighbouring steps', () => {
    expect(pairs({observed: there, desired: all, input: sequence})).toEqual([
      'net-db uses net-subnet-a',
      'net-db uses net-subnet-b',
      'net-subnet-a uses net-vpc',
      'net-subnet-b uses net-vpc',
    ]);
  });

  it('is kept across a gap', () => {
    const given = {
      observed: [observed('vpc'), observed('db')],
      desired: [desired('vpc'), desired('db')],
      input: sequence,
    };
    expect(pairs(given)).toEqual(['net-db uses net-vpc']);
  });

  it('is kept across a step that is desired and has no object', () => {
    const given = {observed: there.filter(([name]) => !name.startsWith('subnet')), desired: all, input: sequence};
    expect(pairs(given)).toEqual(['net-db uses net-vpc']);
  });

  it('is kept between all that have an object, whatever else of the sequence is desired', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const input: Input = {order: [{sequence: names.map((name) => ({resources: [name], optional: true}))}]};
    for (let number = 0; number < 3 ** names.length; number++) {
      const has = (state: number) => names.filter((_, step) => Math.floor(number / 3 ** step) % 3 === state);
      const [seen, wanted] = [has(1), has(2)];
      const want = seen.slice(1).map((by, index) => `net-${by} uses net-${seen[index]}`);
      const given = {
        observed: seen.map((name) => observed(name)),
        desired: [...seen, ...wanted].map((name) => desired(name)),
      };
      expect(pairs({...given, input}), `objects: ${seen}; desired, too: ${wanted}`).toEqual(want.toSorted());
    }
  });

  it('is kept across a resource that no Usage can name as used by the next, with what that one can use', () => {
    const namespaced = (name: string) => observed(name, {namespace: 'blue', status: ready});
    const given = (inNamespace: readonly string[], more: Input = {}): Given => ({
      observed: ['vpc', 'subnet-a', 'subnet-b', 'db'].map((name) =>
        inNamespace.includes(name) ? namespaced(name) : observed(name, {status: ready}),
      ),
      desired: all,
      input: {...sequence, ...more},
    });
    // subnet-b is cluster-scoped, and db is not.
    expect(pairs(given(['vpc', 'subnet-a', 'db']))).toEqual([
      'net-db uses net-subnet-a',
      'net-db uses net-vpc',
      'net-subnet-a uses net-vpc',
      'net-subnet-b uses net-vpc',
    ]);
    // The vpc is cluster-scoped, too, so db cannot use it either, and nothing more is refused.
    expect(planOf(given(['db'])).refusedPairs.map(({of}) => of.name)).toEqual(['net-subnet-a', 'net-subnet-b']);
    expect(pairs(given(['db']))).toEqual(['net-subnet-a uses net-vpc', 'net-subnet-b uses net-vpc']);
    // The subnets use no vpc, so db does.
    expect(pairs(given(['subnet-a', 'subnet-b']))).toEqual([
      'net-db uses net-subnet-a',
      'net-db uses net-subnet-b',
      'net-db uses net-vpc',
    ]);
    // A Crossplane 1 has Usages between cluster-scoped resources alone.
    expect(pairs(given(['subnet-a', 'subnet-b'], {crossplane: '1.20'}))).toEqual(['net-db uses net-vpc']);
  });

  it('is kept for kinds and labels, and not for Usages themselves', () => {
    const input = {order: [{of: {kinds: [{apiVersion: 'ec2.example.org/v1', kind: 'VPC'}]}, by: {}}]};
    const given = {
      observed: [observed('vpc', {kind: 'VPC'}), observed('db'), usage('u', {of: 'vpc', by: 'db'})],
      desired: [desired('vpc', {kind: 'VPC'}), desired('db')],
      input,
    };
    expect(pairs(given)).toEqual(['net-db uses net-vpc']);
  });

  it('has no Usages under createOnly', () => {
    const input = {order: [{of: {resources: ['vpc']}, by: {resources: ['db']}, createOnly: true}]};
    expect(pairs({observed: there, desired: all, input})).toEqual([]);
  });

  it('passes replayDeletion on, which is off unless set', () => {
    for (const replayDeletion of [true, false]) {
      const input = {
        order: [{of: {resources: ['vpc']}, by: {resources: ['db']}, ...(replayDeletion ? {replayDeletion} : {})}],
      };
      const result = planOf({observed: there, desired: all, input});
      const name = [...result.decisions.keys()].find((key) => key.includes('uses')) ?? '';
      expect(emitted(result, name)).toMatchObject({spec: {replayDeletion}});
    }
  });

  it('has no Usage for a resource that waits to be created', () => {
    const given = {
      observed: [observed('vpc')],
      desired: [desired('vpc'), desired('db', {name: 'net-db'})],
      input: sequence,
    };
    expect(pairs(given)).toEqual([]);
  });

  it('keeps the Usages of resources that are not ready (function-sequencer#121)', () => {
    const given = {
      observed: [observed('vpc'), observed('db')],
      desired: [desired('vpc', {ready: 'false'}), desired('db')],
      input: sequence,
    };
    expect(pairs(given)).toEqual(['net-db uses net-vpc']);
  });
});

describe('orders that make no sense', () => {
  it.each<[string, NonNullable<Input['order']>, object]>([
    ['nothing said', [{}], {path: 'order[0]', expected: 'either `sequence`, or both `of` and `by`'}],
    ['only one end', [{of: {}}], {path: 'order[0]'}],
    ['a sequence and one end', [{sequence: [{}, {}], by: {}}], {path: 'order[0]'}],
    ['both ways said', [{sequence: [{}, {}], of: {}, by: {}}], {path: 'order[0]'}],
    ['both only', [{of: {}, by: {}, createOnly: true, deleteOnly: true}], {path: 'order[0]', got: 'both'}],
    [
      'a cycle over two rules',
      [
        {of: {resources: ['vpc']}, by: {resources: ['db']}},
        {of: {resources: ['db']}, by: {resources: ['vpc']}},
      ],
      {path: 'order[1]', got: 'the cycle "db" before "vpc" before "db"'},
    ],
    [
      'a cycle of creation',
      [
        {of: {resources: ['vpc']}, by: {resources: ['db']}, createOnly: true},
        {of: {resources: ['db']}, by: {resources: ['vpc']}, createOnly: true},
      ],
      {path: 'order[1]'},
    ],
  ])('%s', (_name, order, want) => {
    expect(plan(snapshot({desired: all}), {order})).toMatchObject({kind: 'invalid-input', ...want});
  });

  describe('of labels that anybody may write to what no step desires any more', () => {
    const tier = (value: string) => ({labels: [{key: value, value: 'true'}]});
    const both = {labels: {db: 'true', app: 'true'}};
    const input: Input = {order: [{sequence: [tier('db'), tier('app')]}]};
    const left = [observed('a', {...both, ...seenBefore}), observed('b', {...both, ...seenBefore})];

    it('the order says nothing of two that would both go first, and that is told', () => {
      const given = {observed: left, desired: [], input};
      const told = {kind: 'order-contradicted', resourceName: 'a', path: 'order[0]', by: 'b'};
      expect(planOf(given).transitions.filter(({kind}) => kind === 'order-contradicted')).toEqual([]);
      const seen = seenUsages(given);
      expect(seen).toHaveLength(1);
      const later = {...given, observed: [...left, ...seen]};
      expect(table(later)).toMatchObject({a: 'release', b: 'hold (still-used-by)'});
      expect(planOf(later).transitions).toContainEqual(told);
    });

    it('a third one is ordered all the same', () => {
      const given = {observed: [...left, observed('c', {labels: {app: 'true'}})], desired: [], input};
      const pairs = seenUsages(given).map(([, usage]) => usage.field(['metadata', 'annotations']));
      const ordered = (of: string, by: string) =>
        expect(pairs).toContainEqual(
          expect.objectContaining({'tether.fn.crossplane.io/of': of, 'tether.fn.crossplane.io/by': by}),
        );
      ordered('a', 'c');
      ordered('b', 'c');
    });

    it('but where a step desires them, the input says so', () => {
      const wanted = [desired('a', both), desired('b', both)];
      const deleteOnly: Input = {order: [{sequence: [tier('db'), tier('app')], deleteOnly: true}]};
      for (const asked of [input, deleteOnly])
        expect(plan(snapshot({observed: left, desired: wanted}), asked)).toMatchObject({kind: 'invalid-input'});
    });

    it('or where it names them', () => {
      const named: Input = {order: [{sequence: [{resources: ['a', 'b']}, {resources: ['b', 'a']}]}]};
      expect(plan(snapshot({observed: left, desired: []}), named)).toMatchObject({kind: 'invalid-input'});
    });
  });

  it('finds a cycle with a declared pair', () => {
    const input = {...sequence, usages: [{of: 'db', by: 'vpc'}]};
    expect(plan(snapshot({desired: all}), input)).toMatchObject({
      kind: 'invalid-input',
      expected: 'an order without a cycle',
    });
  });

  it('accepts opposite orders of creation and deletion', () => {
    const order = [
      {of: {resources: ['vpc']}, by: {resources: ['db']}, createOnly: true},
      {of: {resources: ['db']}, by: {resources: ['vpc']}, deleteOnly: true},
    ];
    expect(plan(snapshot({desired: all}), {order})).toMatchObject({kind: 'plan'});
  });
});

describe('an order says who goes first when both go', () => {
  const stays: Given = {
    observed: ['vpc', 'subnet-a', 'subnet-b', 'db'].map((name) => observed(name, seenBefore)),
    desired: [desired('vpc'), desired('subnet-a'), desired('db')],
    input: sequence,
  };

  it('what is dropped while its user stays leaves, and that is told once', () => {
    expect(table(stays)).toMatchObject({'subnet-b': 'release', db: 'keep', vpc: 'keep'});
    const told = {kind: 'order-overruled', resourceName: 'subnet-b', path: 'order[0]', by: 'db'};
    expect(planOf(stays).transitions).toContainEqual(told);
    // A later step of the pipeline desires it, in every reconcile.
    const unmarked = {...stays, observed: (stays.observed ?? []).map(([name]) => observed(name))};
    expect(planOf(unmarked).transitions).toEqual([]);
  });

  it('and it is not told of what is held: by the budget, by a policy, by a Usage', () => {
    const toldOf = (removal: Input['removal'], protect?: Input['protect']) =>
      planOf({...stays, input: {...sequence, ...(removal && {removal}), ...(protect && {protect})}})
        .transitions.map(({kind}) => kind)
        .filter((kind) => kind === 'order-overruled');
    expect(toldOf(undefined)).toHaveLength(1);
    expect(toldOf({budget: {resources: 0}})).toEqual([]);
    expect(toldOf({policies: [{match: {}, policy: 'Confirm'}]})).toEqual([]);
    expect(toldOf(undefined, {resources: [{match: {resources: ['subnet-b']}}]})).toEqual([]);
  });

  it('and stays in order as long as a policy keeps it', () => {
    const given = (policy: 'Delete' | 'Retain' | 'Confirm') =>
      pairs({...stays, input: {...sequence, removal: {policies: [{match: {resources: ['subnet-b']}, policy}]}}});
    expect(given('Delete')).not.toContain('net-db uses net-subnet-b');
    for (const policy of ['Retain', 'Confirm'] as const) expect(given(policy)).toContain('net-db uses net-subnet-b');
  });

  it('and as long as the XR that it is given to does not have it', () => {
    const given = (dryRun: boolean) => {
      const to = {apiVersion: 'example.org/v1', kind: 'XOther', name: 'other'};
      const give = [{to, resources: [{name: 'subnet-b', there: 'subnet'}], dryRun}];
      return pairs({...stays, input: {...sequence, give}});
    };
    for (const dryRun of [true, false]) expect(given(dryRun)).toContain('net-db uses net-subnet-b');
  });

  describe('both ends are dropped and the middle stays', () => {
    const names = ['vpc', 'subnet-a', 'db'];
    const seen = seenUsages({observed: names.map((name) => observed(name)), desired: all, input: sequence});
    const usageOf = (of: string) =>
      seen.find(([, one]) => one.field(['metadata', 'annotations', 'tether.fn.crossplane.io/of']) === of) as [
        string,
        ResourceView,
      ];
    const [first, second] = [usageOf('vpc'), usageOf('subnet-a')];
    const rest = [observed('vpc', seenBefore), observed('subnet-a', seenBefore), first, second];
    const after = {desired: [desired('subnet-a')], input: sequence};

    it('the first one waits for the last one', () => {
      const given = {...after, observed: [...rest, observed('db', seenBefore)]};
      expect(table(given)).toMatchObject({vpc: 'hold (still-used-by)', 'subnet-a': 'keep', db: 'release'});
      expect(table(given)[first[0]]).toBe('hold (by-still-exists)');
      expect(planOf(given).transitions.map(({kind}) => kind)).not.toContain('order-overruled');
    });

    it.each([
      ['is not looked up', undefined, 'hold (still-used-by)'],
      ['is still being deleted', [observed('db')[1]], 'hold (still-used-by)'],
      ['is gone', [], 'hold (usage-leaves-first)'],
    ])('which the XR no longer lists and %s', (_, answer, want) => {
      const required = answer === undefined ? {} : {[`by-of-${second[0]}`]: answer};
      expect(table({...after, observed: rest, required})).toMatchObject({vpc: want});
    });

    it('but not if the pairs are two orders', () => {
      const pair = (of: string, by: string) => ({of: {resources: [of]}, by: {resources: [by]}});
      const input = {order: [pair('vpc', 'subnet-a'), pair('subnet-a', 'db')]};
      const given = {...after, input, observed: [...rest, observed('db', seenBefore)]};
      expect(table(given)).toMatchObject({vpc: 'hold (usage-leaves-first)'});
    });
  });

  it('the present order says it, not the one that the Usages are of', () => {
    const names = ['vpc', 'subnet-a', 'db'];
    const there = names.map((name) => observed(name, seenBefore));
    const before = seenUsages({observed: there, desired: all, input: sequence});
    const rotated: Input['order'] = [
      {of: {resources: ['db']}, by: {resources: ['vpc']}},
      {of: {resources: ['vpc']}, by: {resources: ['subnet-a']}},
    ];
    const input = {order: rotated};
    const since = seenUsages({observed: there, desired: all, input});
    const seen = {observed: [...there, ...before, ...since], desired: [], input};
    const usageOf = (of: string) =>
      before.find(([, one]) => one.field(['metadata', 'annotations', 'tether.fn.crossplane.io/of']) === of)?.[0] ?? '';
    expect(table(seen)).toMatchObject({
      [usageOf('vpc')]: 'keep',
      [usageOf('subnet-a')]: 'release',
      'subnet-a': 'hold (usage-leaves-first)',
      vpc: 'hold (still-used-by)',
      db: 'hold (still-used-by)',
    });
  });

  it('the present order says it, also if no Usage can', () => {
    const there = [observed('vpc', {...seenBefore, namespace: 'blue'}), observed('db', seenBefore)];
    const before = seenUsages({observed: there, desired: [desired('vpc'), desired('db')], input: sequence});
    const input = {order: [{sequence: [{resources: ['db']}, {resources: ['vpc']}]}]};
    const decided = table({observed: [...there, ...before], desired: [], input});
    expect(before.map(([name]) => decided[name])).toEqual(['release']);
    expect(decided).toMatchObject({vpc: 'hold (usage-leaves-first)', db: 'hold (still-used-by)'});
  });

  it('its Usage leaves first', () => {
    const name =
      [...planOf({...stays, desired: all}).decisions.keys()].find((key) => key.startsWith('net-db-uses')) ?? '';
    const made = emitted(planOf({...stays, desired: all}), name);
    const seen = view({...made, metadata: {...(made['metadata'] as object), ownerReferences: ours}});
    const of = (made['spec'] as {of: {resourceRef: {name: string}}}).of.resourceRef.name.slice('net-'.length);
    const given = {...stays, observed: [...(stays.observed ?? []), [name, seen] as [string, typeof seen]]};
    const dropped = {...given, desired: all.filter(([resource]) => resource !== of)};
    expect(table(dropped)).toMatchObject({[of]: 'hold (usage-leaves-first)', [name]: 'release'});
  });

  it('but a pair that is named one by one holds', () => {
    const input = {usages: [{of: 'subnet-b', by: 'db'}]};
    const name =
      [...planOf({...stays, desired: all, input}).decisions.keys()].find((key) => key.includes('-uses-')) ?? '';
    const made = emitted(planOf({...stays, desired: all, input}), name);
    const seen = view({...made, metadata: {...(made['metadata'] as object), ownerReferences: ours}});
    const given = {...stays, input, observed: [...(stays.observed ?? []), [name, seen] as [string, typeof seen]]};
    expect(table(given)).toMatchObject({'subnet-b': 'hold (still-used-by)'});
  });
});

describe('an order of many resources', () => {
  const names = (prefix: string, count: number) => Array.from({length: count}, (_, index) => `${prefix}${index}`);
  const ends = [{pattern: 'a.*'}, {pattern: 'b.*'}];
  const input: Input = {order: [{sequence: ends}]};
  const both = (count: number) => [...names('a', count), ...names('b', count)];
  const living = (count: number, bytes = 0): Given => ({
    bytes,
    observed: both(count).map((name) => observed(name)),
    desired: both(count).map((name) => desired(name)),
    input,
  });
  const usagesOf = (given: Given) => [...planOf(given).decisions.keys()].filter((name) => name.includes('-uses-'));
  const mebibyte = 2 ** 20;

  it('makes as many Usages as the next request has room for, and tells of the rest in one sentence', () => {
    const given = living(38, mebibyte);
    const made = usagesOf(given).length;
    // 3.6 KB each as observed: what is made now is in the next request beside what is there.
    expect(mebibyte + made * 3600).toBeLessThan(4 * mebibyte);
    expect(made).toBeGreaterThan(400);
    const {condition, refusedPairs} = planOf(given);
    expect(condition).toMatchObject({status: 'False', reason: 'Refusing'});
    expect(refusedPairs).toMatchObject([{path: 'order[0]', reason: 'too-many', more: 38 * 38 - made - 1}]);
  });

  it('leaves room for what is created next, and for the status that providers write', () => {
    const small = living(30);
    const others = names('c', 100);
    const later = {...small, desired: [...(small.desired ?? []), ...others.map((name) => desired(name))]};
    // A managed resource with its status has 6.9 KB, and a Usage 3.6 KB.
    expect(usagesOf(small).length - usagesOf(later).length).toBeGreaterThan(80);
    const status = {conditions: [{type: 'Ready', status: 'True'}]};
    const looked = both(30).map((name) => observed(name, {status}));
    expect(usagesOf({...small, observed: looked}).length - usagesOf(small).length).toBeGreaterThan(40);
  });

  it('makes none where there is no room, and goes on with all else', () => {
    const {decisions} = planOf(living(10, 4 * mebibyte));
    expect([...new Set([...decisions.values()].map(({kind}) => kind))]).toEqual(['keep']);
    expect(decisions.size).toBe(20);
  });

  it('keeps the Usages that are there, however large the request is by now', () => {
    const given = living(3);
    const made = usagesOf(given).map((name): [string, ReturnType<typeof view>] => {
      const body = emitted(planOf(given), name);
      return [name, view({...body, metadata: {...(body['metadata'] as object), ownerReferences: ours}})];
    });
    const later = {...given, bytes: 4 * mebibyte, observed: [...(given.observed ?? []), ...made]};
    expect(usagesOf(later)).toHaveLength(9);
    expect(planOf(later).refusedPairs).toEqual([]);
  });

  it('that grows beyond what is spelled out keeps the Usages that it has', () => {
    const planned = planOf(living(44));
    const made = usagesOf(living(44)).map((name): [string, ReturnType<typeof view>] => {
      const body = emitted(planned, name);
      return [name, view({...body, metadata: {...(body['metadata'] as object), ownerReferences: ours}})];
    });
    expect(made.length).toBeGreaterThan(500);
    const grown = {...living(45), observed: [...(living(45).observed ?? []), ...made]};
    expect(usagesOf(grown)).toHaveLength(made.length);
    expect(planOf(grown).refusedPairs).toMatchObject([{reason: 'too-many', more: 45 * 45 - made.length - 1}]);
    // Crossplane forgets what it deletes; the Usage remembers it for as long as it is there.
    const forgotten = {...grown, observed: grown.observed.filter(([name]) => !/^b\d+$/.test(name)), desired: []};
    const used = new Set(
      made.map(([, usage]) => usage.field(['metadata', 'annotations', 'tether.fn.crossplane.io/of'])),
    );
    const held = Object.entries(table(forgotten)).filter(([, decision]) => decision === 'hold (still-used-by)');
    expect(held.map(([name]) => name).sort()).toEqual([...used].sort());
  });

  it.each([44, 45, 46, 200])('of %i on each side stops no XR, new or living', (count) => {
    expect(plan(snapshot({desired: both(count).map((name) => desired(name))}), input).kind).toBe('plan');
    expect(plan(snapshot(living(count)), input).kind).toBe('plan');
  });

  it('has what uses leave before what it uses, also where no Usage says so', () => {
    const given = {...living(200), desired: []};
    expect(table(given)).toMatchObject({a0: 'hold (still-used-by)', a199: 'hold (still-used-by)', b0: 'release'});
    const later = {...given, observed: names('a', 200).map((name) => observed(name))};
    expect(table(later)).toMatchObject({a0: 'release', a199: 'release'});
  });

  it('lets go what is dropped while its users stay, also where no Usage says so', () => {
    const given = {...living(200), desired: names('b', 200).map((name) => desired(name))};
    expect(table(given)).toMatchObject({a0: 'release', b0: 'keep'});
  });

  it('lets a new XR wait for the first step, however many there are', () => {
    const given = {desired: both(600).map((name) => desired(name)), input};
    expect(table(given)).toMatchObject({a0: 'create', b0: 'wait (creation-order)', b599: 'wait (creation-order)'});
  });
});

describe('a long order', () => {
  const chain = (length: number) => Array.from({length}, (_, index) => `r${String(index).padStart(6, '0')}`);

  it('of 12,000 pairs is walked to its end, with its cycle or without one', () => {
    const names = chain(12_000);
    const pairs = names.slice(1).map((by, index) => ({of: names[index] ?? '', by, optional: true}));
    expect(plan(snapshot({}), {usages: pairs})).toMatchObject({kind: 'plan'});
    const closed = [...pairs, {of: names.at(-1) ?? '', by: names[0] ?? '', optional: true}];
    expect(plan(snapshot({}), {usages: closed})).toMatchObject({expected: 'an order without a cycle'});
  });

  it('of 700 steps has each wait for all before it', () => {
    const names = chain(700);
    const input: Input = {order: [{sequence: names.map((name) => ({resources: [name]}))}]};
    const {decisions} = planOf({desired: names.map((name) => desired(name)), input});
    expect(decisions.get('r000699')).toMatchObject({reason: 'creation-order', of: names.slice(0, -1)});
  });

  it('has its cycle found where two orders of it say the opposite', () => {
    const names = chain(700);
    const steps = (all: readonly string[]) => ({sequence: all.map((name) => ({resources: [name]})), createOnly: true});
    const order = [steps(names), steps(['r000650', 'r000003'])];
    const given = snapshot({desired: names.map((name) => desired(name))});
    expect(plan(given, {order})).toMatchObject({
      expected: 'an order without a cycle',
      got: expect.stringContaining('r000650'),
    });
    expect(plan(given, {order: order.slice(0, 1)}).kind).toBe('plan');
  });
});

describe('how soon an answer is asked for again while a creation order waits', () => {
  const waiting = (status: JsonObject | undefined, conditions: readonly JsonObject[] = []) =>
    planOf({
      xr: view({...xr.json(), status: {conditions}}),
      observed: status === undefined ? [] : [observed('vpc', {status})],
      desired: all,
      input: sequence,
    }).ttlAtMostSeconds;
  const saying = (status: string): JsonObject => ({conditions: [{type: 'Ready', status}]});

  it('is soon once something is made, for its watch may come after it is ready', () => {
    expect(waiting(undefined)).toBe(2);
  });

  it('is soon while the circuit breaker of Crossplane lets no event through', () => {
    expect(waiting(saying('False'), [{type: 'Responsive', status: 'False'}])).toBe(2);
    expect(waiting(saying('False'), [{type: 'Responsive', status: 'True'}])).toBe(undefined);
  });

  it('is soon as the last step is made, and not so soon while a resource is not Ready: only the XR waits for it', () => {
    const last = (status: JsonObject | undefined, responsive: string, input: Input = sequence, ready?: Ready) =>
      planOf({
        xr: view({...xr.json(), status: {conditions: [{type: 'Responsive', status: responsive}]}}),
        observed: status === undefined ? [] : [observed('vpc', {status})],
        desired: [desired('vpc', ready && {ready})],
        input,
      }).ttlAtMostSeconds;
    expect([last(undefined, 'True'), last({}, 'False'), last(saying('False'), 'False')]).toEqual([2, 10, 10]);
    expect([last(saying('True'), 'False'), last(saying('False'), 'True')]).toEqual([undefined, undefined]);
    expect(last(saying('False'), 'False', {})).toBe(undefined);
    // A kind without conditions, which an earlier step calls ready.
    expect(last({}, 'False', sequence, 'true')).toBe(undefined);
    // Usages of this function open it, too.
    const protect = {protect: {resources: [{match: {resources: ['vpc']}}]}};
    expect(['True', 'False'].map((responsive) => last(saying('False'), responsive, protect))).toEqual([undefined, 10]);
  });

  it('is not soon for what the API server refuses: it is refused until a person acts', () => {
    const ttl = (synced: string, desires: NonNullable<Given['desired']>) =>
      planOf({
        xr: view({...xr.json(), status: {conditions: [{type: 'Synced', status: synced}]}}),
        observed: [],
        desired: desires,
        input: sequence,
      }).ttlAtMostSeconds;
    const last = [desired('vpc')];
    expect([ttl('True', all), ttl('True', last)]).toEqual([2, 2]);
    expect([ttl('False', all), ttl('False', last)]).toEqual([undefined, undefined]);
  });

  it('is left to events for one object under two resource names: Crossplane observes it under one of them', () => {
    const ttl = (name: string) =>
      planOf({
        observed: [observed('vpc', {name: 'the-vpc'})],
        desired: [desired('vpc', {name: 'the-vpc', ready: 'true'}), desired('other', {name})],
        input: {order: [{sequence: [{resources: ['other']}, {resources: ['vpc']}], createOnly: true}]},
      }).ttlAtMostSeconds;
    expect([ttl('the-vpc'), ttl('another')]).toEqual([undefined, 2]);
  });

  it('is left to events for what is not ready, whether it says so or has no condition yet', () => {
    expect([waiting({}), waiting(saying('False'))]).toEqual([undefined, undefined]);
  });
});

/** The pairs that the plan emits Usages for: `db uses vpc`. */
function pairs(given: Given): readonly string[] {
  const bodies = [...planOf(given).edits.values()].flatMap((edit) => (edit.kind === 'put' ? [edit.object] : []));
  const specs = bodies.map(
    (body) => (body['spec'] ?? {}) as {of?: {resourceRef: {name: string}}; by?: {resourceRef: {name: string}}},
  );
  return specs
    .filter(({of, by}) => of !== undefined && by !== undefined)
    .map(({of, by}) => `${by?.resourceRef.name} uses ${of?.resourceRef.name}`)
    .sort();
}
