import {describe, expect, it} from 'vitest';
import type {Input} from '../../src/lifecycle/input.ts';
import type {JsonObject} from '../../src/lifecycle/json.ts';
import {desired, emitted, id, marked, type ObservedOptions, observed, planOf, table, view} from './given.ts';

const on: Input = {restore: {lookup: true}};
const things = 'lost-Thing.ec2.example.org';

/** A composed resource that the XR's resourceRefs lost, as the lookup finds it. */
function lost(resourceName: string, options: ObservedOptions = {}) {
  return observed(resourceName, {
    name: `old-${resourceName}`,
    controller: 'nobody',
    labels: marked(resourceName),
    ...options,
  })[1];
}

describe('a desired resource that is not observed', () => {
  it('is created at once where no lookup is asked for', () => {
    expect(table({desired: [desired('db')]})).toEqual({db: 'create'});
    expect(planOf({desired: [desired('db')]}).requirements.size).toBe(0);
  });

  it('waits until the lookup is answered, left out of desired', () => {
    const given = {desired: [desired('db')], input: on};
    expect(table(given)).toEqual({db: 'wait (lookup-pending)'});
    expect(planOf(given).edits.get('db')).toEqual({kind: 'leave-out'});
  });

  it('is looked for by kind and by the XR identity, which survives a new UID', () => {
    const {requirements} = planOf({desired: [desired('db'), desired('app')], input: on});
    expect([...requirements]).toEqual([
      [
        things,
        {
          apiVersion: 'ec2.example.org/v1beta1',
          kind: 'Thing',
          namespace: '',
          match: {kind: 'labels', labels: {'tether.fn.crossplane.io/composite': id}},
        },
      ],
    ]);
  });

  it('is looked for in the namespace of a namespaced XR', () => {
    const xr = view({apiVersion: 'p.example.org/v1', kind: 'Network', metadata: {name: 'net', namespace: 'team'}});
    const {requirements} = planOf({xr, desired: [desired('db')], input: on});
    expect(requirements.get(things)).toMatchObject({namespace: 'team'});
  });

  it('is asked for the same whatever was answered', () => {
    const given = {desired: [desired('db')], input: on};
    expect(planOf({...given, required: {[things]: [lost('db')]}}).requirements).toEqual(planOf(given).requirements);
  });

  it('is created when nothing was lost', () => {
    expect(table({desired: [desired('db')], input: on, required: {[things]: []}})).toEqual({db: 'create'});
  });

  it('takes the lost object back under its name', () => {
    const given = {desired: [desired('db')], input: on, required: {[things]: [lost('db'), lost('other')]}};
    expect(table(given)).toMatchObject({db: 'adopt (found-by-label)'});
    expect(planOf(given).edits.get('db')).toMatchObject({kind: 'amend', name: 'old-db'});
  });

  it('is pinned to the namespace of the lost object, too', () => {
    const given = {desired: [desired('db')], input: on, required: {[things]: [lost('db', {namespace: 'team'})]}};
    expect(planOf(given).edits.get('db')).toMatchObject({name: 'old-db', namespace: 'team'});
  });

  it.each<[string, ObservedOptions, string]>([
    ['another UID controls', {controller: 'stale'}, 'wait (stale-controller)'],
    ['is being deleted', {deleting: true}, 'wait (still-deleting)'],
    ['is another resource', {labels: marked('other')}, 'create'],
    ['is of another kind', {kind: 'OtherThing'}, 'create'],
    ['already has our controller reference', {controller: 'ours'}, 'adopt (found-by-label)'],
  ])('where the object found %s: %s', (_what, options, want) => {
    const given = {desired: [desired('db')], input: on, required: {[things]: [lost('db', options)]}};
    expect(table(given)).toMatchObject({db: want});
  });

  it('waits for a person where two objects claim to be it', () => {
    const two = [lost('db', {name: 'z'}), lost('db', {name: 'a'})];
    const given = {desired: [desired('db')], input: on, required: {[things]: two}};
    expect(table(given)).toEqual({db: 'wait (ambiguous-lookup)'});
    expect(planOf(given).decisions.get('db')).toMatchObject({objects: [{name: 'a'}, {name: 'z'}]});
  });

  it('does not take an object that is observed under another resource name', () => {
    const [, other] = observed('other', {labels: marked('db')});
    const given = {
      observed: [['other', other] as [string, typeof other]],
      desired: [desired('db'), desired('other')],
      input: on,
      required: {[things]: [other]},
    };
    expect(table(given)).toEqual({db: 'create', other: 'keep'});
  });
});

describe('a lost resource that is no longer desired', () => {
  const input: Input = {restore: {lookup: true, kinds: [{apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'}]}};

  it('is held under its name, so that the XR adopts and then deletes it', () => {
    const given = {input, required: {[things]: [lost('db')]}};
    expect(table(given)).toEqual({db: 'hold (found-by-label)'});
    expect(emitted(planOf(given), 'db')['metadata']).toMatchObject({name: 'old-db', uid: 'uid-of-old-db'});
  });

  it('is held with others in sorted order', () => {
    const two = [lost('z'), lost('a')];
    expect([...planOf({input, required: {[things]: two}}).decisions.keys()]).toEqual(['a', 'z']);
  });

  it('is looked for although nothing is missing', () => {
    expect([...planOf({input}).requirements.keys()]).toEqual([things]);
  });

  it.each<[string, ObservedOptions, JsonObject]>([
    ['is left alone where it is being deleted', {deleting: true}, {}],
    ['is reported where another UID controls it', {controller: 'stale'}, {db: 'refuse (stale-controller)'}],
  ])('%s', (_what, options, want) => {
    const given = {input, required: {[things]: [lost('db', options)]}};
    expect(table(given)).toEqual(want);
    expect(planOf(given).edits.size).toBe(0);
  });

  it('is left alone where its resource name is observed as another object: that is a duplicate, not a loss', () => {
    const given = {observed: [observed('db')], desired: [desired('db')], input, required: {[things]: [lost('db')]}};
    expect(table(given)).toEqual({db: 'keep'});
  });

  it('comes back one by one where there are two of a name', () => {
    const two = [lost('db', {name: 'z'}), lost('db', {name: 'a'})];
    expect(planOf({input, required: {[things]: two}}).decisions.get('db')).toMatchObject({object: {name: 'a'}});
    expect(planOf({input, required: {[things]: two.reverse()}}).decisions.get('db')).toMatchObject({
      object: {name: 'a'},
    });
  });
});

it('looks at each found object a few times, however many resources are missing', () => {
  const names = Array.from({length: 60}, (_, index) => `s${index}`);
  let read = 0;
  const found = names.map((name) => {
    const object = lost(name);
    const field: typeof object.field = (path) => {
      read++;
      return object.field(path);
    };
    return {...object, field};
  });
  const given = {desired: names.map((name) => desired(name)), input: on, required: {[things]: found}};
  expect(Object.values(table(given))).toEqual(names.map(() => 'adopt (found-by-label)'));
  expect(read).toBeLessThan(names.length * 10);
});
