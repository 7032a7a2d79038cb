// An order holds a resource while the ConfigMap, Secret, EnvironmentConfig or ProviderConfig that it reads leaves: a nested XR
// is reconciled without it, and may delete what it only observed (crossplane-contrib/provider-upjet-aws#1788).

import {describe, expect, it} from 'vitest';
import {conditionSentence} from '../../../src/function/answer.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, type Given, marked, type ObservedOptions, observed, planOf, table, usage} from '../given.ts';

const seen = {annotations: {'tether.fn.crossplane.io/phase': 'adopted'}};
const nestedXr = {compositionRef: {name: 'inners'}};
const config = (kind: string, options: ObservedOptions = {}) => observed('config', {kind, ...seen, ...options});
const inner = (spec: JsonObject) => observed('inner', {spec, ...seen});
const uses = usage('uses', {of: 'inner', by: 'app'});

/** `app` leaves before `inner`, which is held for it, and nothing keeps the config. */
const dropped = (held: JsonObject, leaving = config('ConfigMap')): Given => ({
  observed: [leaving, inner(held), observed('app', seen), uses],
});
const told = (given: Given) => planOf(given).transitions.filter(({kind}) => kind === 'config-leaves');
const notice = {kind: 'config-leaves', resourceName: 'config', by: ['inner']};

describe('a config that leaves', () => {
  it.each(['ConfigMap', 'Secret', 'EnvironmentConfig', 'ProviderConfig', 'ClusterProviderConfig'])(
    'a %s, while a nested XR is held: that is told, with the remedy',
    (kind) => {
      const given = dropped(nestedXr, config(kind));
      expect(table(given)).toMatchObject({config: 'release', inner: 'hold (still-used-by)'});
      expect(told(given)).toEqual([notice]);
      expect(conditionSentence(planOf(given))).toContain(
        'letting composed resource "config" go while "inner", which may read it, is held; an order keeps it as long: in input.order, name it in `of` and the held one in `by`',
      );
    },
  );

  it('is not told of another kind', () => {
    expect(told(dropped(nestedXr, config('Thing')))).toEqual([]);
  });

  it('nor while nothing is held', () => {
    const given = {observed: [config('ConfigMap'), inner(nestedXr)]};
    expect(table(given)).toMatchObject({config: 'release', inner: 'release'});
    expect(told(given)).toEqual([]);
    expect(conditionSentence(planOf(given))).not.toContain('may read');
  });

  it('nor of one that stays, or is held itself', () => {
    expect(told({...dropped(nestedXr), desired: [desired('config', {kind: 'ConfigMap'})]})).toEqual([]);
    const ordered = {...dropped(nestedXr), input: {removal: {budget: {resources: 0}}}};
    expect(table(ordered)).toMatchObject({config: 'hold (over-budget)'});
    expect(told(ordered)).toEqual([]);
  });

  it('nor of the names that this function remembers no more', () => {
    const memory = observed('tether-external-names', {
      kind: 'ConfigMap',
      labels: marked('tether-external-names'),
      ...seen,
    });
    const given = {...dropped(nestedXr), observed: [memory, inner(nestedXr), observed('app', seen), uses]};
    expect(table(given)).toMatchObject({'tether-external-names': 'release', inner: 'hold (still-used-by)'});
    expect(told(given)).toEqual([]);
  });

  it('nor of one without a mark, which a later step desires', () => {
    expect(told(dropped(nestedXr, config('ConfigMap', {annotations: {}})))).toEqual([]);
  });

  it('with the pair that the notice asks for it stays, and nothing is told', () => {
    const {observed: all = []} = dropped(nestedXr);
    const given = {observed: [...all, usage('reads', {of: 'config', by: 'inner', ofKind: 'ConfigMap'})]};
    expect(table(given)).toMatchObject({config: 'hold (still-used-by)', inner: 'hold (still-used-by)'});
    expect(told(given)).toEqual([]);
  });
});

describe('a held managed resource', () => {
  const name = 'net-config';
  it.each<[string, string, JsonObject]>([
    ['by providerConfigRef', 'ProviderConfig', {providerConfigRef: {name}}],
    ['by providerConfigRef, whose kind has a default', 'ClusterProviderConfig', {providerConfigRef: {name}}],
    ['by providerConfigRef with its kind', 'ProviderConfig', {providerConfigRef: {kind: 'ProviderConfig', name}}],
    ['by a reference deep in a list', 'Secret', {forProvider: {users: [{passwordSecretRef: {name, key: 'a'}}]}}],
    ['by a list of references', 'Secret', {forProvider: {pullSecretRefs: [{name: 'other'}, {name}]}}],
    ['by the key of a ConfigMap', 'ConfigMap', {valuesFrom: [{configMapKeyRef: {name}}]}],
    ['by kind and name', 'ConfigMap', {references: [{dependsOn: {apiVersion: 'v1', kind: 'ConfigMap', name}}]}],
  ])('names it %s', (_, kind, spec) => {
    expect(told(dropped(spec, config(kind)))).toEqual([notice]);
  });

  it.each<[string, string, JsonObject]>([
    ['nothing', 'ProviderConfig', {}],
    ['another one', 'ProviderConfig', {providerConfigRef: {name: 'other'}}],
    ['another kind', 'ProviderConfig', {providerConfigRef: {kind: 'ClusterProviderConfig', name}}],
    ['a Secret of that name', 'ConfigMap', {passwordSecretRef: {name}}],
    ['a Secret that it writes', 'Secret', {writeConnectionSecretToRef: {name}}],
    ['an object of that name', 'Secret', {forProvider: {vpcIdRef: {name}}}],
  ])('that names %s reads it not', (_, kind, spec) => {
    const given = dropped(spec, config(kind));
    expect(table(given)).toMatchObject({config: 'release', inner: 'hold (still-used-by)'});
    expect(told(given)).toEqual([]);
  });

  it('may nest its spec deeply', () => {
    let spec: JsonObject = {providerConfigRef: {name}};
    for (let depth = 0; depth < 20_000; depth++) spec = {inner: spec};
    expect(told(dropped(spec, config('ProviderConfig')))).toEqual([notice]);
  });
});
