import {describe, expect, it} from 'vitest';
import {childName} from '../../../src/cluster/crossplane/object-names.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, type Given, marked, type ObservedOptions, observed, planOf, table, view, xr, xrUid} from '../given.ts';

// An XR is about to have its own applied over an object of its name, which it does not observe.

const place = 'place-of-db';
const nameOf = 'crossplane.io/external-name';
const input: Input = {externalNames: {from: [{path: 'status.atProvider.id'}]}};
const about: Given = {observed: [], desired: [desired('db', {name: 'net-db'})], input, schemas: {}};
const served = {'kind-Thing.ec2.example.org/v1beta1': true};

/** An XR that has composed before, whose input asks for nothing. */
const composedBefore: Given = {
  xr: view({...xr.json(), status: {conditions: [{type: 'Synced', status: 'True'}]}}),
  observed: [observed('other')],
  desired: [desired('db', {name: 'net-db'}), desired('other')],
  input: {},
  schemas: served,
};

/** What is there, with an external name that this function wrote. */
function there(options: ObservedOptions = {}): ResourceView {
  const annotations = {[nameOf]: 'db-1', 'tether.fn.crossplane.io/external-name': 'db-1'};
  const owned = {'f:metadata': {'f:annotations': {[`f:${nameOf}`]: {}}}};
  return observed('db', {annotations, owned, resourceVersion: '7', controller: 'nobody', ...options})[1];
}

const with_ = (...found: readonly ResourceView[]): Given => ({...about, schemas: served, required: {[place]: found}});

function said(given: Given) {
  const edit = planOf(given).edits.get('db');
  return edit?.kind === 'amend'
    ? {name: edit.overlay.metadata.annotations[nameOf], resourceVersion: edit.overlay.metadata.resourceVersion}
    : undefined;
}

describe('an object in the place of one that is about to be made', () => {
  it('keeps the external name that this function wrote, whoever controlled it before', () => {
    for (const controller of ['nobody', 'stale'] as const) {
      expect(table(with_(there({controller})))).toEqual({db: 'create'});
      expect(said(with_(there({controller})))).toEqual({name: 'db-1', resourceVersion: '7'});
    }
  });

  it('is told its name also where Crossplane does not own it yet: a tool gives managed fields back after it made the object', () => {
    expect(said(with_(there({owned: {'f:spec': {}}})))?.name).toBe('db-1');
  });

  it('is told nothing where its name is somebody elses', () => {
    expect(said(with_())?.name).toBe(undefined);
    expect(said(with_(there({annotations: {[nameOf]: 'db-1'}})))?.name).toBe(undefined);
    expect(
      said(with_(there({status: {conditions: [{type: 'Ready', status: 'True'}], atProvider: {id: 'db-2'}}}))),
    ).toEqual({name: 'db-1', resourceVersion: '7'});
  });

  it('is told nothing where it goes, or is another XRs', () => {
    expect(said(with_(there({deleting: true})))?.name).toBe(undefined);
    const other = {labels: {'tether.fn.crossplane.io/composite': 'other'}};
    expect(said(with_(there(other)))?.name).toBe(undefined);
  });

  it('is asked for by its name, and waited for, once its kind is known to be served', () => {
    expect([...planOf(about).schemas.keys()]).toEqual(Object.keys(served));
    expect(table(about)).toEqual({db: 'wait (lookup-pending)'});
    const asked = {...about, schemas: served};
    expect(planOf(asked).requirements.get(place)).toMatchObject({match: {kind: 'name', name: 'net-db'}});
    expect(table(asked)).toEqual({db: 'wait (lookup-pending)'});
    expect(table({...about, schemas: {[Object.keys(served)[0] ?? '']: false}})).toEqual({db: 'create'});
  });

  it('is waited for while it goes, if it was told to let its external resource be: it would be told to delete it', () => {
    const going = (options: ObservedOptions = {}) =>
      there({deleting: true, spec: {deletionPolicy: 'Orphan'}, ...options});
    const decided = (found: ResourceView, wanted = desired('db', {name: 'net-db'})) =>
      table({...composedBefore, desired: [wanted, desired('other')], required: {[place]: [found]}})['db'];
    expect(decided(going())).toBe('wait (still-deleting)');
    expect(decided(going({spec: {deletionPolicy: 'Delete'}}))).toBe('create');
    expect(decided(going({deleting: false}))).toBe('create');
    expect(decided(going({labels: {'tether.fn.crossplane.io/composite': 'other'}}))).toBe('create');
    // Where the pipeline says no name, Crossplane 2 calls it as before.
    const name = childName('net', xrUid, 'db');
    const asked = planOf({...composedBefore, desired: [desired('db'), desired('other')]}).requirements.get(place);
    expect(asked?.match).toEqual({kind: 'name', name});
    expect(decided(going({name}), desired('db'))).toBe('wait (still-deleting)');
  });

  it('is asked for where names are written or the XR has composed before, of what is not observed', () => {
    const asks = (given: Given) => planOf({...about, schemas: served, ...given}).requirements.has(place);
    expect(asks({})).toBe(true);
    const to = {resource: 'db'};
    for (const part of [{handover: [{from: {resources: ['old']}, to}]}, {take: []}] as Input[])
      expect(asks({input: part})).toBe(true);
    expect(asks({input: {}})).toBe(false);
    expect(asks(composedBefore)).toBe(true);
    expect(asks({observed: [observed('db')]})).toBe(false);
    // Crossplane would get an error for an answer, and stop the XR.
    expect(asks({...composedBefore, desired: [desired('db', {name: 'net/db'}), desired('other')]})).toBe(false);
    const {schemas: _, ...older} = about;
    expect([...planOf(older).requirements]).toEqual([]);
  });
});

describe('a resource under the former name of one that moved', () => {
  const former = childName('net', xrUid, 'db');
  const nameOfNew = (options: ObservedOptions, desiredNames: readonly string[], asks: Input = {}) => {
    const moved = observed('data', {name: former, labels: marked('data'), ...options});
    const made = {observed: [moved], desired: desiredNames.map((name) => desired(name)), input: asks};
    const edit = planOf(made).edits.get('db');
    return edit?.kind === 'amend' ? edit.overlay.metadata.name : undefined;
  };

  it('has an object of its own: in the place of the moved one, that would be made anew, empty', () => {
    const name = nameOfNew({}, ['data', 'db']);
    expect(name).toMatch(/^net-[0-9a-f]{12}$/);
    expect(name).not.toBe(former);
    const stable = nameOfNew({}, ['data', 'db'], {restore: {stableNames: true}});
    expect(nameOfNew({name: stable ?? ''}, ['data', 'db'], {restore: {stableNames: true}})).not.toBe(stable);
  });

  it('has the name of Crossplane where an editor only noted another resource name, or the other one leaves', () => {
    expect(nameOfNew({labels: marked('db')}, ['data', 'db'])).toBeUndefined();
    expect(nameOfNew({}, ['db'])).toBeUndefined();
    expect(nameOfNew({kind: 'Other'}, ['data', 'db'])).toBeUndefined();
  });
});
