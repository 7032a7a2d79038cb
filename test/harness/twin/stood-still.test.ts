import {expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {HarmKind} from '../../../src/harness/twin/harm.ts';
import {isOfStill, isOfUnsynced, isOverOlder} from '../../../src/harness/twin/stood-still.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// An XR that stands still, or cannot apply what it has.

const xr = 'App shop';
const at = (name: string, index = 0, controller: string | undefined = xr): Found => ({
  made: {place: `${xr} > ${name}`, address: name, index, xr, resourceName: name},
  object: {apiVersion: 'example.org/v1', kind: 'Note', metadata: {name}},
  controller,
});
const ending = (...all: readonly Found[]) =>
  ({living: Map.groupBy(all, ({made}) => made.place), deleting: new Map(), run: runOf()}) as unknown as Ending;
const nobodys = (name: string): Found => ({...at(name), controller: undefined});

test('what an XR cannot apply is no harm where it has another one beside it without the function', () => {
  const wo = ending(nobodys('a'), at('a', 1), at('b'));
  const is = (message: string | undefined, w: Ending, other = wo) => isOverOlder(message, xr, w, other);
  const said = 'Unsynced resources: a';
  expect(is(said, ending(at('a')))).toBe(true);
  expect(is(said, ending(nobodys('a')))).toBe(true);
  expect(is('Unsynced resources: a and b', ending(at('a'), at('b')))).toBe(false);
  expect(is(said, ending(at('a', 1)))).toBe(false);
  expect(is(said, ending(at('a')), ending(at('a'), at('a', 1)))).toBe(true);
  expect(is(said, ending(at('a')), ending(nobodys('a')))).toBe(false);
  expect(is(said, ending(at('a')), ending(at('a', 1)))).toBe(false);
  expect(is('cannot select Composition', ending(at('a')))).toBe(false);
  expect(is(undefined, ending(at('a')))).toBe(false);
});

test('what is not applied is not ready, and nothing else for that', () => {
  expect(isOfUnsynced('Unready resources: a', 'Unsynced resources: a, b')).toBe(true);
  expect(isOfUnsynced('Unready resources: a and c', 'Unsynced resources: a and b')).toBe(false);
  expect(isOfUnsynced('Unready resources: a', 'cannot select Composition')).toBe(false);
  expect(isOfUnsynced(undefined, 'Unsynced resources: a')).toBe(false);
});

test('nor is it where a Usage keeps it as asked for an XR of before', () => {
  const thing = (name: string, kind: string, spec: object = {}): Found => {
    const apiVersion = kind === 'Usage' ? 'protection.crossplane.io/v1beta1' : 'example.org/v1';
    const address = `${kind}.${apiVersion.split('/')[0]} blue/${name}`;
    const object = {apiVersion, kind, metadata: {name, namespace: 'blue'}, spec} as unknown as KubeObject;
    return {...at(name), made: {...at(name).made, address}, object};
  };
  const end = (name: string) => ({apiVersion: 'example.org/v1', kind: 'Note', resourceRef: {name}});
  const usage = thing('usage', 'Usage', {of: end('a'), by: end('b')});
  const world = (...all: readonly Found[]): Ending => ({...ending(...all), asked: new Map()});
  const [a, b] = [thing('a', 'Note'), thing('b', 'Note')];
  const is = (w: Ending, wo: Ending) => isOverOlder('Unsynced resources: a', xr, w, wo);
  expect(is(world(a, b, usage), world(b))).toBe(true);
  expect(is(world(a, b, usage), world())).toBe(false);
  expect(is(world(a, b), world(b))).toBe(false);
  const protects = thing('usage', 'Usage', {of: end('a'), reason: 'kept'});
  expect(is(world(a, protects), world())).toBe(true);
  expect(is(world(b, protects), world())).toBe(false);
});

test('what an XR that stands still in both has come to is chance, and what it let go is not', () => {
  const still = (sinceMs: number, letGo = 0) =>
    ({
      living: new Map([[xr, [{made: {place: xr, xr}, object: {apiVersion: 'v1', kind: 'App', metadata: {}}}]]]),
      run: runOf({ledger: ledgerOf({syncedUntilMs: () => sinceMs, letGo: () => letGo})}),
    }) as unknown as Ending;
  const is = (kind: HarmKind, w: Ending, wo: Ending) => isOfStill({kind, place: `${xr} > a`, xr, text: ''}, w, wo);
  for (const kind of ['missing', 'gone', 'unowned'] as const) {
    expect(is(kind, still(1), still(2))).toBe(true);
    expect(is(kind, still(1, 1), still(2))).toBe(false);
    expect(is(kind, still(1), still(Number.POSITIVE_INFINITY))).toBe(false);
  }
});

test('what an XR goes on to do, or where, is no harm where it stands still without the function', () => {
  const still = (sinceMs: number) =>
    ({
      living: new Map([[xr, [{made: {place: xr, xr}, object: {apiVersion: 'v1', kind: 'App', metadata: {}}}]]]),
      run: runOf({ledger: ledgerOf({syncedUntilMs: () => sinceMs})}),
    }) as unknown as Ending;
  const is = (kind: HarmKind, mine: number, theirs: number) =>
    isOfStill({kind, place: `${xr} > a`, xr, text: ''}, still(mine), still(theirs));
  const never = Number.POSITIVE_INFINITY;
  for (const kind of ['doubled', 'overwritten', 'restless', 'unowned', 'left-behind'] as const) {
    expect(is(kind, 2, 1)).toBe(true);
    expect(is(kind, never, never)).toBe(false);
    if (kind !== 'unowned') expect(is(kind, 1, 1)).toBe(false);
  }
  expect(is('elsewhere', 1, 2)).toBe(true);
  expect(is('elsewhere', 1, never)).toBe(false);
  expect(is('destroyed', 2, 1)).toBe(false);
});

test('what it makes again whose definition a person removes keeps that from going', () => {
  const inner = {apiVersion: 'example.org/v1', kind: 'Site', metadata: {name: 'inner'}};
  const still = (sinceMs: number, restless?: string) => {
    const ledger = ledgerOf({syncedUntilMs: () => sinceMs, of: () => ({place: `${xr} > inner`})});
    return {living: new Map([[xr, []]]), run: runOf({ledger, restless, written: inner})} as unknown as Ending;
  };
  const is = (kind: HarmKind, place: string, w: Ending, wo = still(1)) => isOfStill({kind, place, text: ''}, w, wo);
  expect(is('restless', `${xr} > inner`, still(2, 'no rest'))).toBe(true);
  expect(is('restless', `${xr} > inner`, still(2, 'no rest'), still(2))).toBe(false);
  expect(is('missing', 'Site.example.org green/shop', still(2, 'no rest'))).toBe(true);
  expect(is('missing', 'Site.example.org green/shop', still(2))).toBe(false);
  expect(is('missing', 'Site.example.org green/shop', still(2, 'no rest'), still(2))).toBe(false);
  expect(is('missing', 'Note.example.org green/shop', still(2, 'no rest'))).toBe(false);
});

test('what it went on to do before it was deleted or lost is no harm in the XR that is there since', () => {
  const ended = (endedStill: boolean) =>
    ({
      living: new Map([[xr, []]]),
      run: runOf({ledger: ledgerOf({endedStill: () => endedStill})}),
    }) as unknown as Ending;
  const is = (kind: HarmKind, w: Ending, wo: Ending) => isOfStill({kind, place: `${xr} > a`, xr, text: ''}, w, wo);
  expect(is('recreated', ended(false), ended(true))).toBe(true);
  expect(is('destroyed', ended(false), ended(true))).toBe(true);
  expect(is('doubled', ended(false), ended(true))).toBe(true);
  expect(is('destroyed', ended(true), ended(true))).toBe(false);
  expect(is('destroyed', ended(false), ended(false))).toBe(false);
  expect(is('kept', ended(false), ended(true))).toBe(false);
});

test('what an inner XR loses that such an XR let go is lost as asked', () => {
  const still = (sinceMs: number, letGo: string) => {
    const ledger = ledgerOf({syncedUntilMs: () => sinceMs, letGo: (place: string) => (place === letGo ? 1 : 0)});
    return {living: new Map([[xr, []]]), run: runOf({ledger})} as unknown as Ending;
  };
  const inner = `${xr} > inner`;
  const is = (letGo: string, mine = 2, kind: HarmKind = 'destroyed') =>
    isOfStill({kind, place: `${inner} > a`, xr: inner, text: ''}, still(mine, letGo), still(1, letGo));
  expect(is(inner)).toBe(true);
  expect(is(xr)).toBe(false);
  expect(is(inner, 1)).toBe(false);
  expect(is(inner, 2, 'kept')).toBe(false);
});

test('an XR is not ready for an inner one that stands still without the function, and is Ready of before', () => {
  const inner = `${xr} > inner (Site.example.org)`;
  const is = (message: string, still: string, kind: HarmKind = 'not-ready', isThere = true) => {
    const made = {place: inner, address: 'Site inner', index: 0, xr, resourceName: 'inner'};
    const asked = new Map([[inner, {}]]);
    const w = {...ending(), asked, places: new Map([[inner, made]])} as unknown as Ending;
    const ledger = ledgerOf({syncedUntilMs: (place: string) => (place === still ? 1 : Number.POSITIVE_INFINITY)});
    const living = new Map(isThere ? [[inner, []]] : []);
    const wo = {...ending(), living, run: runOf({ledger})} as unknown as Ending;
    return isOfStill({kind, place: xr, text: `${xr}: Ready is False: ${message}`}, w, wo);
  };
  expect(is('Unready resources: inner', inner)).toBe(true);
  expect(is('Unready resources: a, inner', inner)).toBe(false);
  expect(is('Unready resources: inner', 'Site other')).toBe(false);
  expect(is('Unready resources: inner', inner, 'not-synced')).toBe(false);
  expect(is('Unready resources: inner', inner, 'not-ready', false)).toBe(false);
});
