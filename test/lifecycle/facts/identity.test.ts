import {describe, expect, it} from 'vitest';
import {at} from '../../../src/lifecycle/words/json.ts';
import type {DesiredView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, desiredUsage, emitted, type Given, observed, planOf, table, usage, view} from '../given.ts';

/** As `desired`, in another API version. */
function of(apiVersion: string, resourceName: string, kind = 'Thing'): [string, DesiredView] {
  return [resourceName, {...view({apiVersion, kind, metadata: {}, spec: {}}), ready: 'unspecified'}];
}

const named = {'crossplane.io/external-name': 'vpc-1', 'tether.fn.crossplane.io/external-name': 'vpc-1'};
const owned = {'f:spec': {'f:size': {}}};

describe('another kind under an old resource name', () => {
  const old = observed('db', {spec: {size: 's'}, owned, annotations: named, resourceVersion: '7'});

  it.each<[string, [string, DesiredView]]>([
    ['another kind', desired('db', {kind: 'Other'})],
    ['the kind of another group', of('ec2.m.example.org/v1beta1', 'db')],
  ])('%s is not made, and the old object stays under its name', (_name, wanted) => {
    const result = planOf({observed: [old], desired: [wanted]});
    expect(result.decisions.get('db')).toMatchObject({kind: 'refuse', reason: 'kind-changed', object: {kind: 'Thing'}});
    expect(emitted(result, 'db')).toMatchObject({
      apiVersion: 'ec2.example.org/v1beta1',
      kind: 'Thing',
      metadata: {name: 'net-db'},
      spec: {size: 's'},
    });
    expect(result.condition).toMatchObject({status: 'False', reason: 'Refusing'});
    expect(result.xrReady).toBeUndefined();
  });

  it('waits for an old object that is being deleted, and does not make that again', () => {
    const going = observed('db', {deleting: true});
    const result = planOf({observed: [going], desired: [desired('db', {kind: 'Other'})]});
    expect(result.decisions.get('db')).toMatchObject({kind: 'wait', reason: 'still-deleting'});
    expect(result.edits.get('db')).toEqual({kind: 'drop'});
  });

  it('stays while a Usage would deny that deletion, which would stop the XR', () => {
    const used = [observed('db', {deleting: true}), usage('u', {of: 'db', reason: 'in use'})];
    const given: Given = {observed: used, desired: [desired('db', {kind: 'Other'}), desiredUsage('u')]};
    expect(table(given)).toMatchObject({db: 'hold (protected)'});
    expect(emitted(planOf(given), 'db')).toMatchObject({kind: 'Thing', metadata: {name: 'net-db'}});
    const dropped = {...given, desired: [desired('db', {kind: 'Other'})]};
    expect(table(dropped)).toEqual({db: 'hold (usage-leaves-first)', u: 'release'});
  });

  it('is another version of the same kind for nobody', () => {
    expect(table({observed: [old], desired: [of('ec2.example.org/v1', 'db')]})).toEqual({db: 'keep'});
  });

  it.each([
    ['True', 'true'],
    ['False', 'false'],
  ])('is as ready as the old object says: %s', (status, ready) => {
    const seen = observed('db', {status: {conditions: [{type: 'Ready', status}]}});
    const result = planOf({observed: [seen], desired: [desired('db', {kind: 'Other'})]});
    expect(result.edits.get('db')).toMatchObject({kind: 'put', ready});
  });

  it.each([
    ['not ready before its provider has seen it', old, 'false'],
    ['ready if its kind has no such condition', observed('db'), 'true'],
  ])('is %s', (_name, seen, ready) => {
    const result = planOf({observed: [seen], desired: [desired('db', {kind: 'Other'})]});
    expect(result.edits.get('db')).toMatchObject({ready});
  });

  it('is told once', () => {
    const result = planOf({observed: [old], desired: [desired('db', {kind: 'Other'})]});
    expect(result.transitions).toEqual([{kind: 'refusing', resourceName: 'db'}]);
    const annotations = {'tether.fn.crossplane.io/phase': 'refused'};
    expect(at(emitted(result, 'db'), ['metadata', 'annotations'])).toMatchObject(annotations);
    const marked = observed('db', {spec: {size: 's'}, owned, annotations});
    expect(planOf({observed: [marked], desired: [desired('db', {kind: 'Other'})]}).transitions).toEqual([]);
  });

  it('is kept for no object that is not proven to be this XR’s', () => {
    const listed = observed('db', {controller: 'nobody', proof: 'none'});
    expect(table({observed: [listed], desired: [desired('db', {kind: 'Other'})]})).toEqual({db: 'keep'});
  });
});

describe('an old object under a new resource name', () => {
  const given: Given = {
    observed: [observed('db', {name: 'ledger', spec: {size: 's'}, owned}), observed('gone')],
    desired: [desired('database', {name: 'ledger', spec: {size: 'l'}})],
  };

  // An earlier step that generates a password keeps one that it observes, and observes none under the new name yet.
  it('gets it as it is, then what the edit says, and is not deleted for its old one', () => {
    const offering = 'move (offering)';
    expect(table(given)).toEqual({database: offering, db: offering, gone: 'hold (hand-over-in-progress)'});
    for (const name of ['database', 'db'])
      expect(emitted(planOf(given), name)).toMatchObject({metadata: {name: 'ledger'}, spec: {size: 's'}});
    const arrived = {...given, observed: [observed('database', {name: 'ledger', spec: {size: 's'}}), observed('gone')]};
    expect(table(arrived)).toEqual({database: 'keep', gone: 'release'});
    expect(planOf(arrived).edits.get('database')?.kind).toBe('amend');
  });

  it('gets it although it is a Usage', () => {
    const [, made] = usage('u', {of: 'db', reason: 'in use'});
    const wanted: [string, DesiredView] = ['use', {...made, ready: 'unspecified'}];
    const there = [observed('db'), usage('u', {of: 'db', reason: 'in use'})];
    expect(table({observed: there, desired: [desired('db'), wanted]})).toMatchObject({u: 'move (offering)'});
  });

  it('is not held while it is being deleted, and made under its new one once it is gone', () => {
    const going = observed('db', {name: 'ledger', deleting: true});
    expect(table({...given, observed: [going]})).toEqual({database: 'wait (still-deleting)', db: 'release'});
    expect(planOf({...given, observed: [going]}).edits.get('db')).toBeUndefined();
    const used = [observed('net', {name: 'net-db', deleting: true}), usage('u', {of: 'db', reason: 'in use'})];
    const named = [desired('database', {name: 'net-db'}), desiredUsage('u')];
    expect(table({observed: used, desired: named})['net']).toBe('hold (protected)');
    expect(table({...given, observed: []})).toEqual({database: 'create'});
  });

  it.each<[string, Given]>([
    ['another name', {...given, desired: [desired('database', {name: 'other'})]}],
    ['another kind', {...given, desired: [desired('database', {name: 'ledger', kind: 'Other'})]}],
    ['another namespace', {...given, desired: [desired('database', {name: 'ledger', namespace: 'team'})]}],
    ['a name that Crossplane chooses', {...given, desired: [desired('database')]}],
  ])('is no rename with %s', (_name, other) => {
    expect(table(other)).toMatchObject({database: 'create', db: 'release'});
  });

  it('waits for no approval and no budget: it does not leave', () => {
    const input = {removal: {budget: {resources: 0}, policies: [{policy: 'Confirm' as const}]}};
    expect(table({...given, observed: given.observed?.slice(0, 1) ?? [], input})).toEqual({
      database: 'move (offering)',
      db: 'move (offering)',
    });
  });

  it('is adopted first; where nothing proves that it is this XR’s, Crossplane adopts it under the new one anyway', () => {
    const lost = observed('db', {name: 'ledger', controller: 'nobody'});
    expect(table({...given, observed: [lost]})).toEqual({
      database: 'wait (not-moved)',
      db: 'hold (without-controller)',
    });
    const listed = observed('db', {name: 'ledger', controller: 'nobody', proof: 'none'});
    const both = {database: 'move (offering)', db: 'move (offering)'};
    expect(table({...given, observed: [listed]})).toEqual(both);
    // A rule names resources, not objects: no edit of an XR's references has it adopt what the pipeline does not name.
    const input = {handover: [{from: {resources: ['db']}, to: {resource: 'database'}}]};
    expect(table({...given, observed: [listed], input})).toEqual(both);
    const unnamed = {...given, observed: [listed], desired: [desired('database')], input};
    expect(table(unnamed)).toEqual({database: 'wait (not-moved)', db: 'refuse (unproven)'});
  });
});
