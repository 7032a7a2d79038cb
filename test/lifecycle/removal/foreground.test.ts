import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, emitted, type Given, observed, planOf, table, usage, view, xr} from '../given.ts';

const orders = {order: [{of: {resources: ['network']}, by: {resources: ['site']}}]};
const isXr = {compositionRef: {name: 'sites'}};
const network = observed('network');
const uses = usage('u', {of: 'network', by: 'site'});

function site(finalizers: readonly string[] = [], changed: JsonObject = {}, spec: JsonObject = isXr): Named {
  const [name, made] = observed('site', {spec, owned: {'f:spec': {'f:size': {}}}});
  const object = made.json();
  const metadata = {...(object['metadata'] as JsonObject), finalizers, ...changed};
  return [name, view({...object, metadata})];
}

type Named = ReturnType<typeof observed>;

function finalizersOf(given: Given): unknown {
  const edit = planOf(given).edits.get('site');
  if (edit?.kind === 'amend') return edit.overlay.metadata.finalizers;
  return edit?.kind === 'put' ? (edit.object['metadata'] as JsonObject)['finalizers'] : undefined;
}

const deleting = {deletionTimestamp: '2026-01-01T00:00:00Z'};
const bothStay = [desired('network'), desired('site')];

describe('a nested XR that uses something', () => {
  it('has the finalizer by which whoever deletes it deletes first what it composes', () => {
    const given = {observed: [network, site()], desired: bothStay};
    expect(finalizersOf({...given, input: orders})).toEqual(['foregroundDeletion']);
    expect(finalizersOf({...given, input: {usages: [{of: 'network', by: 'site'}]}})).toEqual(['foregroundDeletion']);
    expect(finalizersOf({...given, observed: [...given.observed, uses]})).toEqual(['foregroundDeletion']);
    expect(finalizersOf({...given, observed: [network, site(['foregroundDeletion'])], input: orders})).toEqual([
      'foregroundDeletion',
    ]);
  });

  it('and without an order it has none, nor has what is used, nor another kind', () => {
    const given = {observed: [network, site()], desired: bothStay};
    expect(finalizersOf(given)).toBeUndefined();
    const turned = {order: [{of: {resources: ['site']}, by: {resources: ['network']}}]};
    expect(finalizersOf({...given, input: turned})).toBeUndefined();
    expect(finalizersOf({...given, observed: [network, site([], {}, {})], input: orders})).toBeUndefined();
  });

  it('keeps the finalizers that an earlier step wants', () => {
    const [name, made] = desired('site');
    const wanted = {...view({...made.json(), metadata: {finalizers: ['example.org/f']}}), ready: made.ready};
    const given = {observed: [network, site()], desired: [desired('network'), [name, wanted] as (typeof bothStay)[0]]};
    expect(finalizersOf({...given, input: orders})).toEqual(['example.org/f', 'foregroundDeletion']);
  });

  it('gets none once it is being deleted, and keeps the one that it has: the API server adds none then', () => {
    const given = (one: Named) => ({observed: [network, one], desired: bothStay, input: orders});
    expect(finalizersOf(given(site(['example.org/f'], deleting)))).toBeUndefined();
    expect(finalizersOf(given(site(['foregroundDeletion'], deleting)))).toEqual(['foregroundDeletion']);
  });

  it('gets none beside the finalizer orphan, which excludes it', () => {
    expect(finalizersOf({observed: [network, site(['orphan'])], desired: bothStay, input: orders})).toBeUndefined();
  });

  describe('and leaves', () => {
    it('gets it before it is released', () => {
      const given = {observed: [network, site(), uses]};
      expect(table(given)).toMatchObject({network: 'hold (still-used-by)', site: 'hold (foreground-first)'});
      expect(emitted(planOf(given), 'site')).toMatchObject({metadata: {finalizers: ['foregroundDeletion']}});
    });

    it.each<[string, Named]>([
      ['has it', site(['foregroundDeletion'])],
      ['leaves what it composes to nobody', site(['orphan'])],
      ['is being deleted', site([], deleting)],
      ['is no XR', site([], {}, {})],
    ])('is released where it %s', (_, one) => {
      expect(table({observed: [network, one, uses]})).toMatchObject({site: 'release'});
    });

    it('is released where nothing is used by it', () => {
      expect(table({observed: [network, site()]})).toEqual({network: 'release', site: 'release'});
    });

    it('is released where a person says that it may go', () => {
      const annotations = {'tether.fn.crossplane.io/confirm-removal': 'site'};
      const object = xr.json();
      const metadata = {...(object['metadata'] as JsonObject), annotations};
      const confirmed = view({...object, metadata});
      expect(table({xr: confirmed, observed: [network, site(), uses]})).toMatchObject({site: 'release'});
    });
  });
});
