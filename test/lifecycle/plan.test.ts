import {describe, expect, it} from 'vitest';
import {plan} from '../../src/lifecycle/plan/plan.ts';
import {desired, type Given, observed, planOf, snapshot, usage} from './given.ts';

const phase = (value: string) => ({annotations: {'tether.fn.crossplane.io/phase': value}});

describe('the condition Tethered', () => {
  it.each<[string, Given, object]>([
    [
      'all is as the steps want it',
      {observed: [observed('db')], desired: [desired('db')]},
      {status: 'True', reason: 'Tethered', resources: []},
    ],
    [
      'something is adopted',
      {observed: [observed('db', {controller: 'nobody'})], desired: [desired('db')]},
      {status: 'False', reason: 'Restoring', resources: ['db']},
    ],
    [
      'something waits for a restore',
      {observed: [observed('db', {controller: 'nobody'}), observed('q')]},
      {status: 'False', reason: 'Restoring', resources: ['db', 'q']},
    ],
    [
      'something is held',
      {observed: [observed('db'), observed('app'), usage('u', {of: 'db', by: 'app'})]},
      {status: 'False', reason: 'Holding', resources: ['db', 'u']},
    ],
    [
      'something waits',
      {desired: [desired('db')], input: {restore: {lookup: true}}},
      {status: 'False', reason: 'Waiting', resources: ['db']},
    ],
    [
      'something is refused',
      {observed: [observed('db', {controller: 'stale'}), observed('q')], desired: [desired('db')]},
      {status: 'False', reason: 'Refusing', resources: ['db']},
    ],
    ['something leaves', {observed: [observed('db')]}, {status: 'True', reason: 'Tethered', resources: []}],
  ])('when %s', (_name, given, want) => {
    expect(planOf(given).condition).toEqual(want);
  });
});

describe('the condition names the gravest reason', () => {
  it('a restore before what is merely held, and both beside what is in order', () => {
    const given = {
      observed: [observed('db', {controller: 'nobody'}), observed('q'), observed('ok')],
      desired: [desired('db'), desired('ok')],
    };
    expect(planOf(given).condition).toEqual({status: 'False', reason: 'Restoring', resources: ['db', 'q']});
  });

  it('a hold before a wait', () => {
    const given: Given = {
      observed: [observed('db', {labels: {'crossplane.io/in-use': 'true'}}), observed('ok')],
      desired: [desired('ok'), desired('new')],
      input: {restore: {lookup: true}},
    };
    expect(planOf(given).condition).toEqual({status: 'False', reason: 'Holding', resources: ['db', 'new']});
  });

  it('an adoption of what only the lookup knows is a restore, too', () => {
    const labels = planOf({desired: [desired('db')]}).edits.get('db');
    const [, lost] = observed('db', {
      controller: 'nobody',
      labels: labels?.kind === 'amend' ? labels.overlay.metadata.labels : {},
    });
    const required = {'lost-Thing.ec2.example.org': [lost]};
    const input = {restore: {lookup: true, kinds: [{apiVersion: 'ec2.example.org/v1', kind: 'Thing'}]}};
    expect(planOf({desired: [desired('db')], input, required}).condition.reason).toBe('Restoring');
    expect(planOf({input, required}).condition.reason).toBe('Restoring');
    expect(planOf({input, required}).transitions).toEqual([{kind: 'adopting', resourceName: 'db'}]);
  });
});

describe('transitions are told once', () => {
  it.each<[string, Given, string | undefined]>([
    ['begins to adopt', {observed: [observed('db', {controller: 'nobody'})], desired: [desired('db')]}, 'adopting'],
    [
      'goes on adopting',
      {observed: [observed('db', {controller: 'nobody', ...phase('pending-adoption')})], desired: [desired('db')]},
      undefined,
    ],
    ['has adopted', {observed: [observed('db', phase('pending-adoption'))], desired: [desired('db')]}, 'adopted'],
    ['adopted long ago', {observed: [observed('db', phase('adopted'))], desired: [desired('db')]}, undefined],
    [
      'begins to hold',
      {observed: [observed('db', {...phase('adopted'), labels: {'crossplane.io/in-use': 'true'}})]},
      'holding',
    ],
    [
      'goes on holding',
      {observed: [observed('db', {...phase('pending-deletion'), labels: {'crossplane.io/in-use': 'true'}})]},
      undefined,
    ],
    ['releases', {observed: [observed('db', phase('pending-deletion'))]}, 'releasing'],
    ['creates', {desired: [desired('db')]}, undefined],
  ])('%s', (_name, given, kind) => {
    const want = kind === undefined ? [] : [{kind, resourceName: 'db'}];
    expect(planOf(given).transitions).toEqual(want);
  });

  it('tells that a resource was adopted before it tells that it is released', () => {
    expect(planOf({observed: [observed('db', phase('pending-adoption'))]}).transitions).toEqual([
      {kind: 'adopted', resourceName: 'db'},
      {kind: 'releasing', resourceName: 'db'},
    ]);
  });
});

describe('a plan depends on content, never on the order of maps', () => {
  const given: Given = {
    observed: [
      observed('z', {controller: 'nobody', spec: {b: 1, a: {d: 1, c: 2}}}),
      observed('m', {controller: 'nobody'}),
      observed('db'),
      observed('app'),
      usage('u', {of: 'db', by: 'app'}),
      usage('a', {of: 'app', by: 'gone'}),
    ],
    desired: [desired('m'), desired('k'), desired('b', {name: 'net-b'}), desired('app')],
    input: {
      restore: {lookup: true},
      usages: [
        {of: 'app', by: 'b'},
        {of: 'm', by: 'b'},
      ],
    },
  };

  it('says the same, byte for byte, for the same content in another order', () => {
    const reversed: Given = {
      ...given,
      observed: [...(given.observed ?? [])].reverse(),
      desired: [...(given.desired ?? [])].reverse(),
    };
    expect(bytes(reversed)).toBe(bytes(given));
  });

  it('decides every resource once, in sorted order', () => {
    const names = [...planOf(given).decisions.keys()];
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
    for (const [name] of [...(given.observed ?? []), ...(given.desired ?? [])]) expect(names).toContain(name);
  });

  it('never drops a desired or held resource without a decision that says so', () => {
    const {decisions, edits} = planOf(given);
    for (const [name, edit] of edits) {
      if (edit.kind === 'drop') expect(decisions.get(name)?.kind).toBe('wait');
    }
    for (const [name, decision] of decisions) {
      if (decision.kind === 'hold') expect(edits.get(name)?.kind, name).toBe('put');
    }
  });

  it('does nothing else where the input is bad', () => {
    const twoOfOne = {usages: [{of: 'app', by: 'app'}]};
    expect(plan(snapshot(given), twoOfOne)).toEqual({
      kind: 'invalid-input',
      path: 'usages[0]',
      expected: 'an order without a cycle',
      got: 'the cycle "app" before "app"',
    });
  });
});

function bytes(given: Given): string {
  return JSON.stringify(planOf(given), (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}
