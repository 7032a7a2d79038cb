import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, type Given, id, observed, planOf, table, usage, view, xr} from '../given.ts';

// An export with owner references brought the `of` of a Usage back as the XR of before had it; the Usage is this XR's again.

const input: Input = {usages: [{of: 'db', by: 'app'}]};
const both: Given = {
  observed: [observed('db'), observed('app')],
  desired: [desired('db', {name: 'net-db'}), desired('app', {name: 'net-app'})],
  input,
};
const usageName = [...planOf(both).decisions.keys()].find((name) => name.includes('-uses-')) ?? '';
const marks = {'tether.fn.crossplane.io/of': 'db', 'tether.fn.crossplane.io/by': 'app'};
const own = usage(usageName, {of: 'db', by: 'app', annotations: marks});
const question = `former-of-${usageName}`;
const status = {conditions: [{type: 'Synced', status: 'False', observedGeneration: 1}]};
const unsynced = view({...xr.json(), status});

function withoutDb(answer: readonly ResourceView[] | undefined, more: Given = {}): Given {
  const required = answer === undefined ? {} : {[question]: answer};
  return {...both, xr: unsynced, observed: [observed('app'), own], required, ...more};
}

const db = (controller: 'ours' | 'nobody' | 'stale') => observed('db', {controller})[1];

describe('a Usage of this XR whose of the XR does not have', () => {
  it('leaves where another controls that: the owner GC may not take it, nor the XR apply its own', () => {
    expect(table(withoutDb([db('stale')]))).toMatchObject({[usageName]: 'release', db: 'create', app: 'keep'});
  });

  it('leaves also where it protects for a reason', () => {
    const protect: Input = {protect: {resources: [{match: {resources: ['db']}}], xr: 'Never'}};
    const [name = ''] = [...planOf({...both, input: protect}).decisions.keys()].filter((one) => /^protect-/.test(one));
    const kept = usage(name, {of: 'db', reason: 'protected'});
    const given = {...both, xr: unsynced, input: protect, observed: [observed('app'), kept]};
    expect(table(given)).toMatchObject({[name]: 'keep'});
    expect(table({...given, required: {[`former-of-${name}`]: [db('stale')]}})).toMatchObject({[name]: 'release'});
  });

  it('leaves where the XR is in a namespace, in which it has what it desires without one', () => {
    const {metadata, ...rest} = xr.json() as {metadata: object};
    const namespaced = view({...rest, metadata: {...metadata, namespace: 'blue'}, status});
    const kept = usage(usageName, {of: 'db', by: 'app', annotations: marks, namespace: 'blue'});
    const given = {...both, xr: namespaced, observed: [observed('app', {namespace: 'blue'}), kept]};
    expect(planOf(given).requirements.get(question)).toMatchObject({namespace: 'blue'});
  });

  it('waits for a by that the owner GC is to delete, too, whatever is desired under its name', () => {
    const [, app] = observed('app', {controller: 'stale', labels: {'tether.fn.crossplane.io/composite': id}});
    const ofBy = `by-of-${usageName}`;
    for (const desiredApp of [desired('app', {name: 'net-app'}), desired('app')]) {
      const given = withoutDb([db('stale')], {observed: [own], desired: [desired('db'), desiredApp]});
      const answered = (answer: readonly ResourceView[]) => ({...given, required: {...given.required, [ofBy]: answer}});
      expect(planOf(given).requirements.get(ofBy)).toMatchObject({match: {name: 'net-app'}});
      expect(table(given)).toMatchObject({[usageName]: 'hold (by-still-exists)'});
      expect(table(answered([app]))).toMatchObject({[usageName]: 'hold (by-still-exists)'});
      expect(table(answered([]))).toMatchObject({[usageName]: 'release'});
    }
  });

  it('does not wait for a by that a restore holds for what the Usage keeps, or that a policy keeps', () => {
    const back = {'tether.fn.crossplane.io/restore': 'in-progress'};
    const app = observed('app', {name: 'net-app', annotations: back});
    const leaving = (more: Given) =>
      withoutDb([db('stale')], {observed: [app, own], desired: [desired('db')], ...more});
    const released = {app: 'hold (restore-in-progress)', [usageName]: 'release'};
    expect(table(leaving({}))).toMatchObject(released);
    // The restore waits for another alone.
    const other = leaving({observed: [app, own, observed('other', {annotations: back})], desired: [desired('other')]});
    const waiting = {app: 'hold (restore-in-progress)', [usageName]: 'hold (by-still-exists)'};
    expect(table(other)).toMatchObject(waiting);
    // It goes already, or a person lets it go.
    const going = observed('app', {name: 'net-app', annotations: back, deleting: true});
    expect(table(leaving({observed: [going, own]}))).toMatchObject({[usageName]: 'hold (by-still-exists)'});
    const policy = (one: 'Confirm' | 'Retain' | 'Delete'): Input => ({
      ...input,
      removal: {policies: [{match: {resources: ['app']}, policy: one}]},
    });
    const kept = {observed: [observed('app', {name: 'net-app'}), own]};
    expect(table(leaving({...kept, input: policy('Confirm')}))).toMatchObject({[usageName]: 'release'});
    expect(table(leaving({...kept, input: policy('Retain')}))).toMatchObject({[usageName]: 'release'});
    expect(table(leaving({...kept, input: policy('Delete')}))).toMatchObject({[usageName]: 'hold (by-still-exists)'});
  });

  it('does not wait for the Usage of the pair as it is to be', () => {
    const renamed = [desired('db', {name: 'net-other'}), desired('app', {name: 'net-app'})];
    const given = withoutDb([db('stale')], {desired: renamed});
    expect(table(given)).toMatchObject({[usageName]: 'release'});
    expect(table({...given, required: {}})).toMatchObject({[usageName]: 'hold (usage-arrives-first)'});
  });

  it('stays while nobody says so, where nobody or the XR controls it, or it is gone', () => {
    for (const answer of [undefined, [], [db('nobody')], [db('ours')]])
      expect(table(withoutDb(answer))).toMatchObject({[usageName]: 'keep'});
  });

  it('has that asked for only while something may be in the way of the XR', () => {
    const asked = (given: Given) => planOf(given).requirements.get(question);
    const {apiVersion, kind} = db('ours');
    expect(asked(withoutDb(undefined))).toEqual({
      apiVersion,
      kind,
      namespace: '',
      match: {kind: 'name', name: 'net-db'},
    });
    expect(asked(withoutDb(undefined, {xr}))).toBe(undefined);
    const synced = {type: 'Synced', status: 'True'};
    const tethered = (said: 'True' | 'False') =>
      view({...xr.json(), status: {conditions: [synced, {type: 'Tethered', status: said, reason: 'Restoring'}]}});
    expect(asked(withoutDb(undefined, {xr: tethered('True')}))).toBe(undefined);
    // It was taken back while what it keeps is another's, so the XR waits, and is Synced.
    expect(asked(withoutDb(undefined, {xr: tethered('False')}))).toBeDefined();
    // That Crossplane shows no condition of a function.
    const old = {...input, crossplane: '1.16'};
    expect(asked(withoutDb(undefined, {xr, input: old}))).toBeDefined();
    expect(asked({...both, xr: unsynced, observed: [observed('db'), observed('app'), own]})).toBe(undefined);
  });

  it('is not asked about if the pipeline requires the object: that is of another, and protect.required keeps it', () => {
    const protect: Input = {protect: {required: [{match: {resources: ['shared']}}], xr: 'Never'}};
    const given = {...both, xr: unsynced, input: protect, required: {shared: [db('stale')]}};
    const [name = ''] = [...planOf(given).decisions.keys()].filter((one) => /^protect-/.test(one));
    const kept = usage(name, {of: 'db', reason: 'protected'});
    const questions = (required: NonNullable<Given['required']>) => [
      ...planOf({...given, required, observed: [observed('app'), kept]}).requirements.keys(),
    ];
    expect(questions({})).toContain(`former-of-${name}`);
    expect(questions(given.required)).not.toContain(`former-of-${name}`);
  });
});
