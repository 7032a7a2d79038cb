import {expect, test} from 'vitest';
import type {Ending} from '../../../src/harness/twin/ending.ts';
import {isGoneWithXr} from '../../../src/harness/twin/gone-with-xr.ts';
import type {HarmKind} from '../../../src/harness/twin/harm.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// What goes with its XR, or because that wants it no more, where without the function it was nobody's.

const xr = 'App.example.org shop';
const target = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};

const is = ({
  propagationPolicy = 'Orphan',
  letGo = 1,
  kind = 'destroyed',
  controller = '',
  isBroughtBack = [false, false],
}) => {
  const moves = [{action: {kind: 'delete', target, propagationPolicy}}];
  const [mine, other] = isBroughtBack.map((wasBroughtBack) =>
    ledgerOf({letGo: () => letGo, wasBroughtBack: () => wasBroughtBack}),
  );
  const run = runOf({ledger: mine, story: {moves}});
  const theirs = [{controller: controller === '' ? undefined : controller}];
  const wo = {living: new Map([[`${xr} > a`, theirs]]), run: runOf({ledger: other})} as unknown as Ending;
  return isGoneWithXr({kind: kind as HarmKind, place: `${xr} > a`, xr, text: ''}, {run} as unknown as Ending, wo);
};

test('what a person orphaned goes once the XR of that name, which adopted it as asked, wants it no more', () => {
  expect(is({})).toBe(true);
  expect(is({propagationPolicy: 'Background'})).toBe(false);
  expect(is({letGo: 0})).toBe(false);
  expect(is({controller: xr})).toBe(false);
  expect(is({kind: 'overwritten'})).toBe(false);
});

test('what it let go in both is there where a tool brought it back since, which its input let go later', () => {
  const later = {propagationPolicy: 'Background', controller: xr, isBroughtBack: [false, true]};
  expect(is(later)).toBe(true);
  expect(is({...later, letGo: 0})).toBe(false);
  expect(is({...later, isBroughtBack: [true, true]})).toBe(false);
  expect(is({...later, isBroughtBack: [false, false]})).toBe(false);
});
