import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {at, type JsonObject} from '../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {
  desired,
  emitted,
  type Given,
  id,
  type ObservedOptions,
  observed,
  planOf,
  table,
  usage,
  view,
  xr,
} from '../given.ts';

const annotation = 'tether.fn.crossplane.io/in-use';
const seen = {[annotation]: 'seen uid-of-net-db'};
const checked = {[annotation]: 'checked uid-of-net-db'};
const check = 'check-net-db-';

function labelled(annotations: JsonObject = {}, options: ObservedOptions = {}): [string, ResourceView] {
  return observed('db', {...options, labels: {'crossplane.io/in-use': 'true'}, annotations});
}

/** An XR that Crossplane of this major version has reconciled. */
function synced(major: 1 | 2, annotations: JsonObject = {}): ResourceView {
  const {metadata, ...rest} = xr.json() as {metadata: JsonObject};
  const condition = {type: 'Synced', status: 'True', ...(major === 2 ? {observedGeneration: 1} : {})};
  return view({...rest, metadata: {...metadata, annotations}, status: {conditions: [condition]}});
}

/** The Usage that checks `db`, as Crossplane observes it. */
function checking(given: Given, ready: 'True' | 'False'): [string, ResourceView] {
  const [[name, body] = ['', undefined]] = checksOf(given);
  if (body === undefined) throw new Error('no Usage checks it');
  const metadata = {
    ...(body['metadata'] as JsonObject),
    ownerReferences: labelled()[1].field(['metadata', 'ownerReferences']) ?? [],
  };
  return [name, view({...body, metadata, status: {conditions: [{type: 'Ready', status: ready}]}})];
}

function checksOf(given: Given): [string, JsonObject | undefined][] {
  return [...planOf(given).edits]
    .filter(([name]) => name.startsWith(check))
    .map(([name, edit]) => [name, edit.kind === 'put' ? edit.object : undefined]);
}

function markOf(given: Given): unknown {
  return at(emitted(planOf(given), 'db'), ['metadata', 'annotations', annotation]);
}

describe('the in-use label on what the Composition drops', () => {
  const first: Given = {xr: synced(2), observed: [labelled()], schemas: {}};
  const second: Given = {...first, observed: [labelled(seen)]};

  it('holds it, and for one reconcile nothing else: of a Usage that is just going it comes off by itself', () => {
    expect(table(first)).toEqual({db: 'hold (in-use)'});
    expect(markOf(first)).toBe('seen uid-of-net-db');
    expect(planOf(first).ttlAtMostSeconds).toBe(10);
  });

  it('does not count against the budget once it is checked: nobody can have deleted what a Usage of somebody else names', () => {
    const decided = (annotations: JsonObject) =>
      table({...first, observed: [labelled(annotations), observed('app')], input: {removal: {budget: {resources: 1}}}});
    expect(decided(checked)).toEqual({app: 'release', db: 'hold (in-use)'});
    expect(decided(seen)).toMatchObject({app: 'hold (over-budget)'});
  });

  it('never has all Usages of a cluster asked for, with any input and on any version', () => {
    for (const input of [{}, {crossplane: '1.16'}, {crossplane: '1.20'}, {crossplane: '2.1'}] satisfies Input[]) {
      for (const annotations of [{}, seen, checked]) {
        for (const schemas of [{schemas: {}}, {}]) {
          const {requirements} = planOf({xr: synced(2), observed: [labelled(annotations)], input, ...schemas});
          for (const {match} of requirements.values()) expect(match).not.toEqual({kind: 'labels', labels: {}});
        }
      }
    }
  });

  it('is checked by a Usage of this XR', () => {
    const [[name, body] = ['', {}]] = checksOf(second);
    expect(table(second)).toEqual({db: 'hold (in-use)', [name]: 'create'});
    expect(body).toMatchObject({
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      spec: {of: {kind: 'Thing', resourceRef: {name: 'net-db'}}},
    });
    expect(markOf(second)).toBe(undefined);
  });

  it('is checked in the namespace of what carries it', () => {
    const [[, body] = ['', {}]] = checksOf({...second, observed: [labelled(seen, {namespace: 'team'})]});
    expect(body).toMatchObject({kind: 'Usage', metadata: {namespace: 'team'}});
  });

  it.each<[string, 1 | 2, Input, string | undefined]>([
    ['2', 2, {}, 'protection.crossplane.io/v1beta1'],
    ['1, which no input names', 1, {}, 'apiextensions.crossplane.io/v1alpha1'],
    ['1.16', 1, {crossplane: '1.16'}, 'apiextensions.crossplane.io/v1alpha1'],
    // It may be a 1.16, as where an input of function-sequencer names v1, and says nothing of the version.
    ['1.20', 1, {crossplane: '1.20'}, 'apiextensions.crossplane.io/v1alpha1'],
  ])('is checked on Crossplane %s by a Usage that it serves', (_what, major, input, apiVersion) => {
    const [[, body] = ['', {}]] = checksOf({xr: synced(major), observed: [labelled(seen)], input});
    expect(body?.['apiVersion']).toBe(apiVersion);
  });

  it('is not checked before Crossplane has reconciled the XR, which may be one that serves no such Usage', () => {
    expect(checksOf({observed: [labelled(seen)]})).toEqual([]);
    expect(table({observed: [labelled(seen)]})).toEqual({db: 'hold (in-use)'});
  });

  it.each<[string, Given]>([
    ['stays', {...second, desired: [desired('db')]}],
    ['is retained', {...first, input: {removal: {policies: [{match: {resources: ['db']}, policy: 'Retain'}]}}}],
    ['is protected', {...first, input: {protect: {resources: [{match: {resources: ['db']}}]}}}],
    ['waits for a confirmation', {...first, input: {removal: {policies: [{match: {}, policy: 'Confirm'}]}}}],
  ])('is not checked, nor is anything asked for it, where it %s', (_what, given) => {
    expect(checksOf(given)).toEqual([]);
    expect(planOf(given).requirements.size).toBe(0);
  });

  it('goes on being checked until the controller says that it has seen the Usage', () => {
    const [name, one] = checking(second, 'False');
    const given = {...second, observed: [labelled(seen), [name, one] as [string, ResourceView]]};
    expect(table(given)).toEqual({db: 'hold (in-use)', [name]: 'keep'});
    expect(planOf(given).ttlAtMostSeconds).toBe(undefined);
  });

  it('is checked once: then the Usage goes, and after it what it named', () => {
    const [name, one] = checking(second, 'True');
    const given = {...second, observed: [labelled(seen), [name, one] as [string, ResourceView]]};
    expect(table(given)).toEqual({db: 'hold (usage-leaves-first)', [name]: 'release'});
    expect(markOf(given)).toBe('checked uid-of-net-db');
    expect(table({...first, observed: [labelled(checked)]})).toEqual({db: 'hold (in-use)'});
    expect(checksOf({...first, observed: [labelled(checked)]})).toEqual([]);
    expect(table({...first, observed: [observed('db', {annotations: checked})]})).toEqual({db: 'release'});
  });

  it('lets go of the Usage whatever the policies say', () => {
    const [name, one] = checking(second, 'True');
    const input: Input = {removal: {policies: [{match: {}, policy: 'Retain'}]}};
    const given = {...second, input, observed: [labelled(seen), [name, one] as [string, ResourceView]]};
    expect(table(given)).toEqual({db: 'retain', [name]: 'release'});
    expect(markOf(given)).toBe('checked uid-of-net-db');
  });

  it('is checked after the last Usage of this XR: of two that go at once each finds the other, and leaves the label', () => {
    const [, one] = usage('u', {of: 'db', by: 'app'});
    const metadata = {...(one.json()['metadata'] as JsonObject), deletionTimestamp: '2026-01-01T00:00:00Z'};
    const required = {'former-ClusterUsage': [view({...one.json(), metadata})]};
    expect(table({...second, required})).toEqual({db: 'hold (in-use)'});
    expect(planOf({...second, required}).ttlAtMostSeconds).toBe(10);
    const [name, check] = checking(second, 'True');
    const given = {...second, observed: [labelled(seen), [name, check] as [string, ResourceView]]};
    expect(table({...given, required})).toEqual({db: 'hold (in-use)', [name]: 'keep'});
    expect(markOf({...given, required})).toBe(undefined);
    // The Usage that checks is among the answers, and so may be one of another object.
    const [, other] = usage('u', {of: 'other', by: 'app'});
    expect(table({...given, required: {'former-ClusterUsage': [check, other]}})).toMatchObject({[name]: 'release'});
  });

  it('is checked after a Usage in a namespace in which the XR has nothing else any more', () => {
    const [name, one] = usage('u', {of: 'db', by: 'app'});
    const metadata = {...(one.json()['metadata'] as JsonObject), namespace: 'green'};
    const elsewhere: [string, ResourceView] = [name, view({...one.json(), metadata})];
    const dropped = {...first, observed: [labelled(), elsewhere]};
    expect(markOf(dropped)).toBe('none uid-of-net-db green');
    expect(markOf({...first, observed: [labelled({[annotation]: 'none uid-of-net-db green'})]})).toBe(
      'seen uid-of-net-db green',
    );
    const asked = (stage: string) => {
      const given = {...first, observed: [labelled({[annotation]: `${stage} uid-of-net-db green`})]};
      return [...planOf(given).requirements.keys()];
    };
    expect([asked('none'), asked('seen'), asked('checked')]).toEqual([
      [],
      ['former-ClusterUsage', 'former-Usage-in-green'],
      [],
    ]);
  });

  it('asks 500 questions at most about what editors of a resource wrote', () => {
    const many = Array.from({length: 20_000}, (_, index) => `ns-${index}`).join(' ');
    const given = {...first, observed: [labelled({[annotation]: `seen uid-of-net-db ${many}`})]};
    expect(planOf(given).requirements.size).toBe(500);
  });

  it('is checked anew on an object that a backup brought back', () => {
    const before = {[annotation]: 'checked uid-of-before'};
    expect(markOf({...first, observed: [labelled(before)]})).toBe('seen uid-of-net-db');
  });

  it('can be denied by a person only where no Usage can check it', () => {
    const confirmed = synced(2, {'tether.fn.crossplane.io/confirm-removal': 'db'});
    const {status: _, ...unsynced} = confirmed.json();
    expect(table({...first, xr: view(unsynced)})).toEqual({db: 'release'});
    expect(table({...first, xr: confirmed})).toEqual({db: 'hold (in-use)'});
    expect(table({...first, xr: confirmed, observed: [labelled(checked)]})).toEqual({db: 'hold (in-use)'});
  });

  it('says nothing about the Usages of this XR, which leave first', () => {
    const own = usage('u', {of: 'db', by: 'app'});
    const both = {...first, observed: [labelled(), observed('app'), own], desired: [desired('app')]};
    expect(table(both)).toMatchObject({db: 'hold (usage-leaves-first)', u: 'release'});
  });

  it('has a Usage of nobody come back that this XR composed and knows no more', () => {
    const lost = (label: string) => {
      const [, one] = usage('u', {of: 'db', by: 'app'});
      const {ownerReferences: _, ...metadata} = one.json()['metadata'] as JsonObject;
      const labels = {'tether.fn.crossplane.io/composite': label};
      return view({...one.json(), metadata: {...metadata, managedFields: [], labels}});
    };
    expect([...planOf(second).requirements]).toMatchObject([
      ['former-ClusterUsage', {match: {kind: 'labels', labels: {'tether.fn.crossplane.io/composite': id}}}],
    ]);
    const tableOf = (label: string) => table({...second, required: {'former-ClusterUsage': [lost(label)]}});
    expect(tableOf(id)).toMatchObject({db: 'hold (in-use)', u: 'hold (found-by-label)'});
    expect(tableOf('another')).not.toHaveProperty('u');
    // Its resource name is another one's by now, as under the names of function-sequencer, which do not say the objects'.
    const [, other] = usage('u', {of: 'db', by: 'app'});
    const metadata = {...(other.json()['metadata'] as JsonObject), name: 'other'};
    const named: [string, ResourceView] = ['u', view({...other.json(), metadata})];
    const observing = [...(second.observed ?? []), observed('app'), named];
    const beside = {...second, observed: observing, desired: [desired('app')]};
    const {db: _, ...others} = table({...beside, required: {'former-ClusterUsage': [lost(id)]}});
    expect(others).toMatchObject({app: 'keep', u: 'release', 'u-1ca35959c074': 'hold (found-by-label)'});
    // The next reconcile may not observe it yet. Its pair has another object by now, so its first name stays taken.
    const lostAs = (name: string) => {
      const {metadata, spec, ...rest} = lost(id).json() as {metadata: JsonObject; spec: JsonObject};
      const annotations = {'crossplane.io/composition-resource-name': name, 'tether.fn.crossplane.io/of': 'db'};
      const of = {...(spec['of'] as JsonObject), resourceRef: {name: 'db-before'}};
      return view({...rest, metadata: {...metadata, annotations}, spec: {...spec, of}});
    };
    for (const name of ['u', 'u-1ca35959c074'])
      expect(table({...second, required: {'former-ClusterUsage': [lostAs(name)]}})).toHaveProperty('u-1ca35959c074');
  });
});
