import {expect, test} from 'vitest';
import type {Ending} from '../../../src/harness/twin/ending.ts';
import {isGoneWithXr} from '../../../src/harness/twin/gone-with-xr.ts';
import type {HarmKind} from '../../../src/harness/twin/harm.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// What goes with its XR, or because that wants it no more, where without the function it was nobody's.

const xr = 'App.example.org shop';
const target = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};

const is = ({propagationPolicy = 'Orphan', letGo = 1, kind = 'destroyed', controller = ''}) => {
  const moves = [{action: {kind: 'delete', target, propagationPolicy}}];
  const run = runOf({ledger: ledgerOf({letGo: () => letGo}), story: {moves}});
  const theirs = [{controller: controller === '' ? undefined : controller}];
  const wo = {living: new Map([[`${xr} > a`, theirs]])} as unknown as Ending;
  return isGoneWithXr({kind: kind as HarmKind, place: `${xr} > a`, xr, text: ''}, {run} as unknown as Ending, wo);
};

test('what a person orphaned goes once the XR of that name, which adopted it as asked, wants it no more', () => {
  expect(is({})).toBe(true);
  expect(is({propagationPolicy: 'Background'})).toBe(false);
  expect(is({letGo: 0})).toBe(false);
  expect(is({controller: xr})).toBe(false);
  expect(is({kind: 'overwritten'})).toBe(false);
});
