import {describe, expect, test} from 'vitest';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import {isLeftAsOthers, isOrphanedAsAsked} from '../../../src/harness/twin/left-behind.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// What is left of an XR that a person deleted: what it composed where that was asked for, and what a template made and a restore
// brought back as nobody's.

const target = {apiVersion: 'example.org/v1', kind: 'App', namespace: 'blue', name: 'shop'};
const made = {place: 'App.example.org blue/shop > made', address: '', index: 0, xr: 'App.example.org blue/shop'};

const is = (action: object) =>
  isOrphanedAsAsked(made, {
    run: {story: {moves: [{action: {kind: 'delete', target, ...action}}]}},
  } as unknown as Ending);

test('what an XR composed stays where a person orphaned it', () => {
  expect(is({propagationPolicy: 'Orphan'})).toBe(true);
});

test('it does not where another XR was orphaned, or this one was deleted in any other way', () => {
  expect(is({propagationPolicy: 'Foreground'})).toBe(false);
  expect(is({})).toBe(false);
  expect(is({propagationPolicy: 'Orphan', target: {...target, name: 'other'}})).toBe(false);
  expect(is({propagationPolicy: 'Orphan', target: {...target, apiVersion: 'team.example.org/v1'}})).toBe(false);
  expect(is({propagationPolicy: 'Orphan', kind: 'apply'})).toBe(false);
});

describe('what a template made and came back as nobody’s', () => {
  const other = {...made, place: 'App.example.org blue/shop > a'};
  const leaves = (
    isLate: boolean,
    places: readonly object[],
    controller?: string,
    desired: readonly string[] = [],
  ): Ending => {
    const found = places.map((one) => ({made: one, controller}));
    const asked = new Map([[made.xr, {desired: new Set(desired)}]]);
    const run = runOf({ledger: ledgerOf({cameBackLate: (place: string) => isLate && place === made.place})});
    return {
      run,
      asked,
      living: new Map(found.map((one) => [(one.made as typeof made).place, [one]])),
      places: new Map([[other.place, other]]),
    } as unknown as Ending;
  };
  const own = {...made, resourceName: 'made'};
  const is = (w: Ending, wo: Ending) => isLeftAsOthers(own, (w.living.get(own.place) ?? []) as readonly Found[], w, wo);

  test('is left as what the steps compose, which is nobody’s in both runs', () => {
    expect(is(leaves(false, [own, other]), leaves(false, [other]))).toBe(true);
    expect(is(leaves(false, [own]), leaves(false, [other]))).toBe(false);
    expect(is(leaves(false, [own, other]), leaves(false, []))).toBe(false);
  });

  test('or without the function alone, where this one came back too late for its XR', () => {
    expect(is(leaves(true, [own]), leaves(false, [other]))).toBe(true);
    expect(is(leaves(true, [own]), leaves(false, []))).toBe(false);
    expect(is(leaves(true, [own], made.xr), leaves(false, [other]))).toBe(false);
    expect(is(leaves(true, [own], undefined, ['made']), leaves(false, [other]))).toBe(false);
  });
});
