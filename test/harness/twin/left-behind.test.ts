import {expect, test} from 'vitest';
import type {Ending} from '../../../src/harness/twin/ending.ts';
import {isOrphanedAsAsked} from '../../../src/harness/twin/left-behind.ts';

// What is left of an XR that a person deleted, and asked that what it composes stay.

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
