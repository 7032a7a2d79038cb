import {expect, test} from 'vitest';
import type {Ending} from '../../../src/harness/twin/ending.ts';
import type {HarmKind} from '../../../src/harness/twin/harm.ts';
import {isOfLateRestore, isRemadeForUsage} from '../../../src/harness/twin/late-restore.ts';
import {encodeRequest} from '../../../src/wire/request-encode.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// What comes of an XR that is there before what it composes comes back: alike in both runs, or it is the function's.

const after = (cameBackLate: boolean, wasRemade = false) =>
  ({
    run: runOf({ledger: ledgerOf({cameBackLate: () => cameBackLate, wasRemade: () => wasRemade})}),
  }) as unknown as Ending;

const is = (kind: HarmKind, w: Ending, wo: Ending, xr: string | undefined = 'App shop') =>
  isOfLateRestore({kind, place: 'App shop > a', ...(xr === '' ? {} : {xr}), text: ''}, w, wo);

test('what comes back after its XR is made anew beside it, or is nobodys', () => {
  for (const kind of ['doubled', 'unowned'] as const) {
    expect(is(kind, after(true), after(true))).toBe(true);
    expect(is(kind, after(true), after(false))).toBe(false);
    expect(is(kind, after(false), after(true))).toBe(false);
    expect(is(kind, after(true), after(true), '')).toBe(false);
  }
});

test('it is made anew, too, where the XR was lost in the middle of a reconcile that made it again, which is chance', () => {
  expect(is('recreated', after(false, true), after(false, true))).toBe(true);
  expect(is('recreated', after(false, true), after(false, false))).toBe(true);
  expect(is('recreated', after(false, false), after(false, true))).toBe(false);
  const outer = {
    run: runOf({ledger: ledgerOf({wasRemade: (place: string) => place === 'App shop'})}),
  } as unknown as Ending;
  expect(is('doubled', outer, after(false), 'App shop > inner')).toBe(true);
  expect(is('doubled', outer, after(false), 'Site shop > inner')).toBe(false);
  expect(is('recreated', after(true), after(true))).toBe(false);
});

test('an XR that a reconcile made again is empty, and is there, though somebody had deleted it', () => {
  for (const kind of ['overwritten', 'kept'] as const) {
    expect(is(kind, after(false, true), after(false, false), '')).toBe(true);
    expect(is(kind, after(true, false), after(false, true), '')).toBe(false);
  }
});

test('nothing is destroyed or taken by that', () => {
  for (const kind of ['destroyed', 'reowned', 'gone'] as const)
    expect(is(kind, after(true, true), after(true, true))).toBe(false);
});

test('a lost XR is made again, empty, where a stale cache shows it and a Usage that goes with it has it reconciled', () => {
  const isExplained = (
    kind: HarmKind,
    fault = 'stale-cache',
    part = 'protect',
    wasRemade = true,
    place = 'App shop',
  ) => {
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', [part]: {}};
    const object = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}};
    const observed = {composite: {object}, resources: new Map()};
    const requests = [encodeRequest({tag: '', observed, desired: {resources: new Map()}, input})];
    const run = {happened: [{fault}], ledger: {wasRemade: () => wasRemade}};
    const asked = new Map([
      ['App shop', {requests}],
      ['Site shop', {requests: []}],
      ['Site shop > inner', {requests}],
    ]);
    const w = {run, asked} as unknown as Ending;
    return isRemadeForUsage({kind, place, text: ''}, place, w);
  };
  expect(isExplained('overwritten')).toBe(true);
  expect(isExplained('doubled', 'missed-event')).toBe(true);
  expect(isExplained('overwritten', 'conflict')).toBe(false);
  expect(isExplained('overwritten', 'stale-cache', 'removal')).toBe(false);
  expect(isExplained('overwritten', 'stale-cache', 'protect', false)).toBe(false);
  expect(isExplained('destroyed')).toBe(false);
  // It has no resource name then, which the XR that lists it cannot read.
  expect(isExplained('not-synced', 'stale-cache', 'protect', true, 'Site shop')).toBe(true);
  expect(isExplained('not-ready', 'stale-cache', 'protect', true, 'Site shop')).toBe(true);
  expect(isExplained('not-synced', 'stale-cache', 'protect', false, 'Site shop')).toBe(false);
  expect(isExplained('not-synced')).toBe(false);
});

test('nobody looks for a Usage that comes back late to an XR that stands still in both', () => {
  const still = (cameBackLate: boolean, sinceMs: number) =>
    ({run: runOf({ledger: ledgerOf({cameBackLate: () => cameBackLate, syncedUntilMs: () => sinceMs})})}) as Ending;
  expect(is('left-behind', still(true, 1), still(false, 1))).toBe(true);
  expect(is('left-behind', still(false, 1), still(false, 1))).toBe(false);
  expect(is('left-behind', still(true, 1), still(false, Number.POSITIVE_INFINITY))).toBe(false);
  expect(is('gone', still(true, 1), still(false, 1))).toBe(false);
});

test('what a stale cache does not show is made once more', () => {
  const stale = (fault: string, wasRestored = true) =>
    ({run: runOf({happened: [{fault}], ledger: ledgerOf({wasRestored: () => wasRestored})})}) as unknown as Ending;
  expect(is('doubled', stale('stale-cache'), stale('missed-event'))).toBe(true);
  expect(is('doubled', stale('stale-cache'), stale('crash'))).toBe(false);
  expect(is('doubled', stale('stale-cache', false), stale('stale-cache'))).toBe(false);
  expect(is('destroyed', stale('stale-cache'), stale('stale-cache'))).toBe(false);
});

test('an XR that is there twice since has what it composes, or the other one has', () => {
  const twice = (length: number, isXr = true, isLate = true) => {
    const found = {made: {place: 'App shop > inner'}};
    const living = new Map([['App shop > inner', Array.from({length}, () => found)]]);
    const run = runOf({ledger: ledgerOf({cameBackLate: () => isLate})});
    return {living, xrs: isXr ? [found] : [], run} as unknown as Ending;
  };
  const of = (place: string, w: Ending, kind: HarmKind = 'not-ready', wo = twice(2)) =>
    isOfLateRestore({kind, place, xr: place, text: ''}, w, wo);
  expect(of('App shop', twice(2))).toBe(true);
  expect(of('App shop > inner', twice(2), 'not-synced')).toBe(true);
  expect(of('App shop', twice(1))).toBe(false);
  expect(of('App shop', twice(2, false))).toBe(false);
  expect(of('App shop', twice(2, true, false))).toBe(false);
  expect(of('Site shop', twice(2))).toBe(false);
  expect(of('App shop', twice(2), 'gone')).toBe(false);
});

test('what a reconcile that a disaster overtook had be the XR of before goes with it', () => {
  const theirs = (isOfLost: boolean) =>
    ({run: runOf({ledger: ledgerOf({isOfLost: () => isOfLost})})}) as unknown as Ending;
  for (const kind of ['gone', 'destroyed', 'recreated', 'unowned'] as const) {
    expect(is(kind, theirs(true), theirs(false))).toBe(true);
    expect(is(kind, theirs(false), theirs(true))).toBe(false);
  }
  expect(is('reowned', theirs(true), theirs(false))).toBe(false);
});
