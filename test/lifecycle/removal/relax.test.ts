import {describe, expect, it} from 'vitest';
import {desired, emitted, type Given, observed, planOf, table, usage, view} from '../given.ts';

const legacy = {of: 'db', by: 'app', apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'Usage'};
const ends = [observed('db'), observed('app')];
const bothStay = [desired('db'), desired('app')];

describe('a Usage that its Composition drops while both ends stay (S0)', () => {
  it('on Crossplane 1.16 first loses its `by`, because there it would wait for it', () => {
    const given = {observed: [...ends, usage('u', legacy)], desired: bothStay};
    expect(table(given)).toMatchObject({u: 'hold (relax-first)'});
    const body = emitted(planOf(given), 'u') as {spec: object};
    expect(body.spec).not.toHaveProperty('by');
    expect(body.spec).toMatchObject({
      of: {resourceRef: {name: 'net-db'}},
      reason: 'being dropped',
      replayDeletion: false,
    });
  });

  it('and is dropped once it has no `by`', () => {
    const relaxed = usage('u', {of: 'db', apiVersion: legacy.apiVersion, kind: 'Usage', reason: 'being dropped'});
    expect(table({observed: [...ends, relaxed], desired: bothStay})).toMatchObject({u: 'release'});
  });

  it('keeps its own reason while it is relaxed', () => {
    const owned = {'f:spec': {'f:of': {}, 'f:by': {}, 'f:reason': {}}};
    const given = {observed: [...ends, usage('u', {...legacy, reason: 'mine', owned})], desired: bothStay};
    expect(emitted(planOf(given), 'u')).toMatchObject({spec: {reason: 'mine'}});
  });

  it('is dropped at once where its `by` is gone: there is nothing to wait for', () => {
    const given = {observed: [observed('db'), usage('u', legacy)], desired: [desired('db')], required: {'by-of-u': []}};
    expect(table(given)).toMatchObject({u: 'release'});
  });

  it.each([
    ['1.18.1', 'hold (relax-first)'],
    ['v1.17', 'hold (relax-first)'],
    ['1.18.2', 'release'],
    ['1.19.0', 'release'],
    ['2.3.4', 'release'],
  ])('on Crossplane %s: %s', (crossplane, want) => {
    const beta = usage('u', {...legacy, apiVersion: 'apiextensions.crossplane.io/v1beta1'});
    expect(table({observed: [...ends, beta], desired: bothStay, input: {crossplane}})).toMatchObject({u: want});
  });

  it('on current Crossplane is dropped at once', () => {
    expect(table({observed: [...ends, usage('u', {of: 'db', by: 'app'})], desired: bothStay})).toMatchObject({
      u: 'release',
    });
  });

  describe('whose `by` the Usage controller selected, so that no apply of ours removes it', () => {
    const controller = {
      manager: 'crossplane',
      operation: 'Update',
      fieldsV1: {'f:spec': {'f:by': {'f:resourceRef': {}}}},
    };
    const selected = usage('u', {...legacy, otherManagers: [controller]});
    const given = {observed: [...ends, selected], desired: bothStay};
    const {by} = (emitted(planOf(given), 'u') as {spec: {by: {resourceRef: {name: string}}}}).spec;

    it('first is pointed at a name that nobody has', () => {
      expect(table(given)).toMatchObject({u: 'hold (relax-first)'});
      expect(by).toMatchObject({apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'});
      expect(by.resourceRef.name).toMatch(/^released-[0-9a-f]{16}$/);
    });

    it('and then is dropped, once the lookup finds nobody of that name', () => {
      const pointed = usage('u', {...legacy, by: 'x', otherManagers: [controller]});
      const object = pointed[1].json();
      const moved = view({...object, spec: {...(object['spec'] as object), by}});
      const next = {observed: [...ends, ['u', moved] as [string, typeof moved]], desired: bothStay};
      expect(table({...next, required: {'by-of-u': []}})).toMatchObject({u: 'release'});
    });
  });

  it('is relaxed in spite of before-first-apply, which Crossplane takes off before it applies', () => {
    const before = {manager: 'before-first-apply', operation: 'Update', fieldsV1: {'f:spec': {'f:by': {}}}};
    const restored = usage('u', {...legacy, otherManagers: [before]});
    expect(table({observed: [...ends, restored], desired: bothStay})).toMatchObject({u: 'hold (relax-first)'});
  });
});

describe('a Usage that repeats denied deletions', () => {
  const replaying = usage('u', {of: 'db', by: 'app', replays: true});
  const both = [observed('db'), observed('app')];

  it.each<[string, Given]>([
    ['its Composition drops it', {observed: [...both, replaying], desired: [desired('db'), desired('app')]}],
    ['`by` is gone', {observed: [observed('db'), replaying], desired: [desired('db')], required: {'by-of-u': []}}],
    ['`of` leaves, too, and may wait for an approval', {observed: [...both, replaying], desired: [desired('app')]}],
    ['it protects for a reason', {observed: [observed('db'), usage('u', {of: 'db', reason: 'r', replays: true})]}],
  ])('is told not to before it leaves, where %s', (_name, given) => {
    const result = planOf(given);
    expect(result.decisions.get('u')).toMatchObject({kind: 'hold', reason: 'relax-first'});
    expect(emitted(result, 'u')).toMatchObject({spec: {replayDeletion: false}});
    expect(result.ttlAtMostSeconds).toBe(10);
  });

  it('leaves once that is observed', () => {
    const told = {observed: [...both, usage('u', {of: 'db', by: 'app'})], desired: [desired('db'), desired('app')]};
    expect(planOf(told).decisions.get('u')).toEqual({kind: 'release'});
  });
});
