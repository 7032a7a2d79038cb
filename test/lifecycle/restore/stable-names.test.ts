import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {at, type JsonObject, text} from '../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, type Given, marked, type ObservedOptions, observed, planOf, table, view} from '../given.ts';

const annotationResource = 'crossplane.io/composition-resource-name';
const on: Input = {restore: {stableNames: true}};

function nameOf(given: Given): string | undefined {
  const edit = planOf(given).edits.get('db');
  if (edit?.kind === 'put') return text(at(edit.object, ['metadata', 'name']));
  return edit?.kind === 'amend' ? edit.overlay.metadata.name : undefined;
}

function xrOf(metadata: JsonObject, kind = 'XNetwork') {
  return view({apiVersion: 'platform.example.org/v1', kind, metadata});
}

describe('stable names', () => {
  const name = nameOf({desired: [desired('db')], input: on});

  it('are said for what is still to be created', () => {
    expect(name).toMatch(/^net-[0-9a-f]{12}$/);
  });

  it('are off unless asked for', () => {
    expect(nameOf({desired: [desired('db')]})).toBeUndefined();
  });

  it('are the same under another UID of the XR', () => {
    expect(nameOf({xr: xrOf({name: 'net', uid: 'another'}), desired: [desired('db')], input: on})).toBe(name);
  });

  it('differ for another resource, XR, kind or namespace', () => {
    const [, app] = desired('db');
    const others = [
      planOf({desired: [['app', app]], input: on}).edits.get('app'),
      planOf({xr: xrOf({name: 'net2'}), desired: [desired('db')], input: on}).edits.get('db'),
      planOf({xr: xrOf({name: 'net'}, 'XOther'), desired: [desired('db')], input: on}).edits.get('db'),
      planOf({xr: xrOf({name: 'net', namespace: 'team'}), desired: [desired('db')], input: on}).edits.get('db'),
    ].map((edit) => (edit?.kind === 'amend' ? edit.overlay.metadata.name : undefined));
    expect(new Set([...others, name]).size).toBe(5);
  });

  it('are said of a template without one, unless Crossplane finds lost objects', () => {
    const base = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'};
    const given: Given = {desired: [desired('app')], input: {resources: [{name: 'db', base}]}};
    expect(nameOf(given)).toBe(name);
    expect(planOf(given).edits.get('app')).not.toHaveProperty('overlay.metadata.name');
    expect(nameOf({...given, schemas: {}})).toBe('');
  });

  it('leave what is observed as it is, because Crossplane would ignore another name', () => {
    expect(nameOf({observed: [observed('db')], desired: [desired('db')], input: on})).toBeUndefined();
  });

  it('leave a name that the earlier steps say', () => {
    expect(nameOf({desired: [desired('db', {name: 'mine'})], input: on})).toBe('mine');
  });

  it('begin as generateName wants it', () => {
    const [, plain] = desired('db');
    const generated = {...plain, ...view({...plain.json(), metadata: {generateName: 'prod-db-'}})};
    expect(nameOf({desired: [['db', generated]], input: on})).toMatch(/^prod-db-[0-9a-f]{12}$/);
  });

  it('fit where the XR has a long name', () => {
    expect(nameOf({xr: xrOf({name: 'n'.repeat(200)}), desired: [desired('db')], input: on})?.length).toBe(63);
  });

  it('give way to an object found by its labels', () => {
    const [, lost] = observed('db', {name: 'net-old-db', controller: 'nobody', labels: marked('db')});
    const input = {restore: {stableNames: true, lookup: true}};
    expect(nameOf({desired: [desired('db')], input, required: {'lost-Thing.ec2.example.org': [lost]}})).toBe(
      'net-old-db',
    );
  });

  describe('of an XR that has composed before', () => {
    const conditions = [{type: 'Synced', status: 'True'}];
    const uid = 'xr-uid-after-restore';
    const composed = view({...xrOf({name: 'net', uid}).json(), status: {conditions}});
    const served = {'kind-Thing.ec2.example.org/v1beta1': true};
    const given = {xr: composed, desired: [desired('db')], input: on, schemas: served};
    const told = (...lost: ResourceView[]) => ({...given, required: {'lost-Thing.ec2.example.org': lost}});
    const old = (options: ObservedOptions = {}) =>
      observed('db', {name: 'net-old', labels: marked('db'), ...options})[1];

    it('give way to what it made under another name', () => {
      expect(table(given)).toEqual({db: 'wait (lookup-pending)'});
      expect(nameOf(told(old()))).toBe('net-old');
      expect(nameOf(told())).toBe(name);
    });

    it('give way to the one that another generateName began', () => {
      const [, plain] = desired('db');
      const renamed = {...plain, ...view({...plain.json(), metadata: {generateName: 'prod-db-'}})};
      const former = `data-${name?.slice('net-'.length)}`;
      const asked = (lost: string) => nameOf({...told(old({name: lost})), desired: [['db', renamed]]});
      expect(asked(former)).toBe(former);
      expect(asked('data-0123456789ab')).toMatch(/^prod-db-/);
    });

    it('wait for nothing that is found, and hold nothing', () => {
      expect(table(told(old({controller: 'stale'})))).toEqual({db: 'create'});
      expect(table(told(old({deleting: true})))).toEqual({db: 'create'});
      expect(table(told(old(), old({name: 'net-older'})))).toEqual({db: 'create'});
      const other = observed('gone', {labels: marked('gone'), annotations: {[annotationResource]: 'gone'}})[1];
      expect(table(told(other))).toEqual({db: 'create'});
    });

    it('and so does one that has nothing of its own left, without them', () => {
      const off = {...told(old()), input: {}};
      expect(nameOf(off)).toBe('net-old');
      const more = {observed: [observed('other')], desired: [desired('db'), desired('other')]};
      expect(table({...off, ...more, required: {...off.required, 'place-of-db': []}})['db']).toBe('create');
    });

    it('give way, too, where its first reconcile came to no end, and somebody made it list another', () => {
      const refs = [{apiVersion: 'v1', kind: 'Thing', name: 'bystander'}];
      const listing = view({...xrOf({name: 'net', uid}).json(), spec: {crossplane: {resourceRefs: refs}}});
      expect(nameOf({...told(old()), xr: listing})).toBe('net-old');
    });

    it('ask nothing where the answer could fail, nor of a new XR', () => {
      const {schemas: _, ...older} = given;
      expect(table(older)).toEqual({db: 'create'});
      expect(table({...given, xr: xrOf({name: 'net', uid})})).toEqual({db: 'create'});
    });
  });

  it('bring no Usage before both ends are there: a name may be that of what the XR of before left', () => {
    const input = {...on, usages: [{of: 'db', by: 'app'}]};
    const decisions = table({desired: [desired('db'), desired('app')], input});
    expect(decisions).toEqual({app: 'create', db: 'create'});
  });
});
