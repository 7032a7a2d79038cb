import {describe, expect, it} from 'vitest';
import {mayHaveToAdopt} from '../../../src/lifecycle/restore/inner-xr.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {type Given, observed, planOf, table, view, xr} from '../given.ts';

const listed = {resourceRefs: [{apiVersion: 'v1', kind: 'ConfigMap', name: 'a'}]};
const refs = {compositionRef: {name: 'sites'}, ...listed};
const madeAt = '2026-01-02T00:00:00Z';
const before = '2026-01-01T00:00:00Z';
const since = '2026-01-02T00:00:00Z';
const restored = {'tether.fn.crossplane.io/phase': 'pending-adoption'};

function condition(type: string, status: string, lastTransitionTime: string): JsonObject {
  return {type, status, lastTransitionTime};
}

function waits(
  conditions: readonly JsonObject[],
  metadata: JsonObject = {annotations: restored},
  spec: JsonObject = refs,
) {
  const all = {name: 'inner', creationTimestamp: madeAt, ...metadata};
  return mayHaveToAdopt(view({apiVersion: 'x/v1', kind: 'Site', metadata: all, spec, status: {conditions}}));
}

describe('an XR that came back adopts what it composes before it leaves', () => {
  it('which its status does not tell of yet', () => {
    expect(waits([])).toBe(true);
    expect(waits([], undefined, {crossplane: listed})).toBe(true);
    expect(waits([], undefined, {compositionRevisionRef: {name: 'sites-1'}, ...listed})).toBe(true);
    expect(waits([], {})).toBe(true);
  });

  it('and no other kind that has such a list', () => {
    expect(waits([], undefined, listed)).toBe(false);
  });

  it('and what a backup tells does not count, if the next reconcile shows', () => {
    const synced = (more: JsonObject) => [{...condition('Synced', 'True', before), ...more}];
    const metadata = {annotations: restored, generation: 1};
    expect(waits(synced({observedGeneration: 4}), metadata)).toBe(true);
    expect(waits([condition('Synced', 'False', before), condition('Ready', 'True', before)])).toBe(true);
  });

  it.each(['pending-adoption', 'pending-deletion'])('or until it was held, if the next does not show: %s', (phase) => {
    const annotations = {'tether.fn.crossplane.io/phase': phase};
    const synced = (more: JsonObject) => [{...condition('Synced', 'True', before), ...more}];
    expect(waits(synced({}), {annotations})).toBe(false);
    expect(waits(synced({observedGeneration: 1}), {annotations, generation: 1})).toBe(false);
    expect(waits(synced({}), {annotations: {'tether.fn.crossplane.io/phase': 'adopted'}})).toBe(true);
  });

  it('until it says that it is synced, or whether it is ready', () => {
    expect(waits([condition('Synced', 'True', since)])).toBe(false);
    expect(waits([condition('Synced', 'True', before), condition('Ready', 'False', since)])).toBe(false);
  });

  it('or has applied its status', () => {
    const entry = {manager: 'apiextensions.crossplane.io/composite', operation: 'Apply', subresource: 'status'};
    const applied = (time: string, changed: JsonObject = {}) =>
      waits([], {annotations: restored, managedFields: [{...entry, time, ...changed}]});
    expect(applied(since)).toBe(false);
    expect(applied(before)).toBe(true);
    expect(applied(since, {subresource: ''})).toBe(true);
    expect(applied(since, {manager: 'velero-server'})).toBe(true);
  });

  it('an XR that fails proves nothing, where it came back', () => {
    const failing = [condition('Synced', 'False', since)];
    expect(waits(failing)).toBe(true);
    expect(waits(failing, {})).toBe(false);
  });

  it('what lists nothing has nothing to adopt', () => {
    expect(waits([], undefined, {})).toBe(false);
    expect(waits([], undefined, {resourceRefs: []})).toBe(false);
  });
});

describe('the XR that composes it', () => {
  const inner = (annotations: JsonObject = restored) => observed('inner', {kind: 'Site', spec: refs, annotations});

  it('holds it', () => {
    expect(table({observed: [inner()]})).toEqual({inner: 'hold (inner-adopts-first)'});
  });

  it('tells so once, and that it was adopted in the end', () => {
    const told = (given: Given) => planOf(given).transitions.map(({kind}) => kind);
    expect(told({observed: [inner({})]})).toEqual(['holding']);
    expect(told({observed: [inner()]})).toEqual([]);
    const synced = {conditions: [condition('Synced', 'True', since)]};
    const later = observed('inner', {kind: 'Site', spec: refs, annotations: restored, status: synced});
    expect(told({observed: [later]})).toEqual(['adopted', 'releasing']);
  });

  it('releases it on the word of a person about this very object', () => {
    const uid = String(inner()[1].field(['metadata', 'uid']));
    const annotations = {'tether.fn.crossplane.io/confirm-removal': `inner@${uid}`};
    const confirmed = view({...xr.json(), metadata: {...(xr.json()['metadata'] as JsonObject), annotations}});
    expect(table({xr: confirmed, observed: [inner()]})).toEqual({inner: 'release'});
  });
});
