import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {JsonObject} from '../../../src/lifecycle/json.ts';
import {desired, type Given, marked, observed, planOf, table, view} from '../given.ts';

const on: Input = {restore: {stableNames: true}};

function nameOf(given: Given): string | undefined {
  const edit = planOf(given).edits.get('db');
  return edit?.kind === 'amend' ? edit.name : undefined;
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
    ].map((edit) => (edit?.kind === 'amend' ? edit.name : undefined));
    expect(new Set([...others, name]).size).toBe(5);
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

  it('let a Usage name both ends from the first call on, so that nothing is ever there unprotected', () => {
    const input = {...on, usages: [{of: 'db', by: 'app'}]};
    const decisions = table({desired: [desired('db'), desired('app')], input});
    expect(Object.values(decisions)).toEqual(['create', 'create', 'create']);
  });
});
