import {describe, expect, it} from 'vitest';
import {namesakesOf} from '../../../src/lifecycle/facts/external-policies.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {observed, table, view} from '../given.ts';

const annotations = {'crossplane.io/external-name': 'acme'};
const managed = {deletionPolicy: 'Delete', managementPolicies: ['*'], providerConfigRef: {name: 'default'}};

/** What differs, if an object leaves and another name desires its external name; `none` if it is no namesake. */
function differs(spec: JsonObject, wanted: JsonObject, more: JsonObject = {}): string | undefined {
  const [name, old] = observed('a', {annotations, spec: {...managed, ...spec}});
  const next = view({apiVersion: old.apiVersion, kind: old.kind, metadata: {annotations}, spec: wanted, ...more});
  const found = namesakesOf(name, old, {desired: new Map([['b', {...next, ready: 'unspecified'}]])});
  return found.length === 0 ? 'none' : found[0]?.differs;
}

describe('a desired resource leads to the external resource of an object', () => {
  const seen = {forProvider: {region: 'here', tags: [{key: 'a'}, {key: 'b'}], made: 'by the provider'}};

  it.each<[string, JsonObject, JsonObject]>([
    ['with the same parameters', seen, {forProvider: {region: 'here', tags: [{key: 'a'}, {key: 'b'}]}}],
    ['with fewer, because providers add some', seen, {forProvider: {region: 'here'}}],
    ['with other policies', seen, {forProvider: {region: 'here'}, deletionPolicy: 'Orphan'}],
    ['with the default ProviderConfig in words', {}, {providerConfigRef: {name: 'default'}}],
  ])('%s', (_name, spec, wanted) => {
    expect(differs(spec, wanted)).toBeUndefined();
  });

  it.each<[string, string, JsonObject, JsonObject]>([
    ['another region', 'spec.forProvider', seen, {forProvider: {region: 'there'}}],
    ['a parameter more', 'spec.forProvider', seen, {forProvider: {region: 'here', size: 1}}],
    ['a shorter list', 'spec.forProvider', seen, {forProvider: {tags: [{key: 'a'}]}}],
    ['a list for a map', 'spec.forProvider', seen, {forProvider: ['here']}],
    ['a key of every object', 'spec.forProvider', seen, {forProvider: {constructor: {}}}],
    ['a parameter of the create', 'spec.initProvider', seen, {initProvider: {region: 'there'}}],
    ['another account', 'spec.providerConfigRef', {}, {providerConfigRef: {name: 'other'}}],
    ['the default account', 'spec.providerConfigRef', {providerConfigRef: {name: 'other'}}, {}],
    ['another kind of config', 'spec.providerConfigRef', {}, {providerConfigRef: {kind: 'ClusterProviderConfig'}}],
  ])('or perhaps to another one: %s', (_name, field, spec, wanted) => {
    expect(differs(spec, wanted)).toBe(field);
  });

  it('or perhaps to another one: another group of the kind', () => {
    expect(differs({}, {}, {apiVersion: 'cloud.m.example.org/v1'})).toBe('apiVersion');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['that stays anyway', {deletionPolicy: 'Orphan'}, {}],
    ['of another kind', {}, {kind: 'Other'}],
    ['of another name', {}, {metadata: {annotations: {'crossplane.io/external-name': 'other'}}}],
    ['of what an XR stands for', {compositionRef: {name: 'shops'}}, {}],
  ])('but not to one %s', (_name, spec, more) => {
    expect(differs(spec, {}, more)).toBe('none');
  });

  it('as deep as its writer likes', () => {
    const deep = (levels: number) => {
      let value: JsonObject = {end: 1};
      for (let level = 0; level < levels; level++) value = {in: value};
      return {forProvider: value};
    };
    expect(differs(deep(100_000), deep(100_000))).toBeUndefined();
  });

  it('under no name of its own', () => {
    const [name, old] = observed('a', {annotations, spec: managed});
    const same = view({apiVersion: old.apiVersion, kind: old.kind, metadata: {annotations}});
    expect(namesakesOf(name, old, {desired: new Map([[name, {...same, ready: 'unspecified'}]])})).toEqual([]);
  });
});

describe('an object leaves, and its external name is desired under another resource name', () => {
  const whole = {...managed, forProvider: {region: 'here'}};
  const decided = (metadata: JsonObject, region = 'here', input: Input = {}, has: JsonObject = whole) => {
    const status = {conditions: [{type: 'Synced', status: 'True'}]};
    const [name, old] = observed('a', {annotations, spec: has, status});
    const spec = {forProvider: {region}};
    const next = view({apiVersion: old.apiVersion, kind: old.kind, metadata: {annotations, ...metadata}, spec});
    return table({observed: [[name, old]], desired: [['b', {...next, ready: 'unspecified'}]], input});
  };

  it('goes there, if it may have that name', () => {
    expect(decided({})).toEqual({a: 'move (offering)', b: 'move (offering)'});
  });

  it('leaves it to an object of another name, if that is desired', () => {
    expect(decided({name: 'other'})).toEqual({
      a: 'move (letting-go)',
      b: 'wait (not-moved)',
      'tether-handover-of-a': 'move (letting-go)',
    });
  });

  it.each(['Retain', 'Confirm'] as const)('stays, if no object of that name may go: the policy %s', (policy) => {
    const removal = {policies: [{match: {resources: ['a']}, policy}]};
    const stays = {a: 'refuse (cannot-hand-over)', b: 'wait (not-moved)'};
    expect(decided({name: 'other'}, 'here', {removal})).toEqual(stays);
  });

  it('stays, if no object of another name could only observe it', () => {
    const plain = {deletionPolicy: 'Delete', forProvider: {region: 'here'}};
    const stays = {a: 'refuse (cannot-hand-over)', b: 'wait (not-moved)'};
    expect(decided({name: 'other'}, 'here', {}, plain)).toEqual(stays);
  });

  it('stays, if it may be another one', () => {
    expect(decided({}, 'there')).toEqual({a: 'refuse (cannot-hand-over)', b: 'wait (not-moved)'});
  });

  it('is handed over once it is set aside, unless that may be another one by now', () => {
    const aside = 'tether-handover-of-a';
    const marked = {...annotations, 'tether.fn.crossplane.io/handover-to': 'b'};
    const [, old] = observed(aside, {annotations: marked, spec: {...whole, deletionPolicy: 'Orphan'}});
    const offered = (region: string) => {
      const metadata = {annotations, name: 'other'};
      const next = view({apiVersion: old.apiVersion, kind: old.kind, metadata, spec: {forProvider: {region}}});
      return table({observed: [[aside, old]], desired: [['b', {...next, ready: 'unspecified'}]]});
    };
    expect(offered('here')).toEqual({[aside]: 'move (observing)', b: 'move (observing)'});
    expect(offered('there')).toEqual({[aside]: 'move (letting-go)', b: 'wait (not-moved)'});
  });
});
