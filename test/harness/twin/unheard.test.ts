import {expect, test} from 'vitest';
import {emptyBreaker, pass} from '../../../src/cluster/crossplane/engine/breaker.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {unexplained} from '../../../src/harness/twin/asked-for.ts';
import type {Ending} from '../../../src/harness/twin/ending.ts';
import type {Harm, HarmKind} from '../../../src/harness/twin/harm.ts';
import {encodeRequest} from '../../../src/wire/request-encode.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// An XR that came back while its watch circuit was open: no reconcile has seen it.

const composite = {apiVersion: 'example.org/v1', kind: 'App'};
const app = (uid: string) => ({...composite, metadata: {name: 'shop', uid}});
const apiVersion = 'tether.fn.crossplane.io/v1beta1';
const input = {apiVersion, kind: 'Input', order: []};

interface Given {
  readonly events?: number;
  readonly asked?: JsonObject;
  readonly heardUid?: string;
  readonly kind?: HarmKind;
  /** Whether it is gone by now. */
  readonly isGone?: boolean;
  /** What the XR is now, but for its uid. */
  readonly more?: JsonObject;
}

function isExplained({
  events = 101,
  asked = input,
  heardUid = 'before',
  kind = 'gone',
  more = {},
  isGone = false,
}: Given): boolean {
  let breaker = emptyBreaker;
  for (let index = 0; index < events; index++) breaker = pass(breaker, 'shop', 'Usage/a', 0).breaker;
  const controller = {name: 'composite/apps', type: 'composite', xrd: {composite: {...composite, version: 'v1'}}};
  const memory = {controllers: {apps: controller}, breakers: {'composite/apps': breaker}};
  const observed = {composite: {object: app(heardUid)}, resources: new Map()};
  const requests = [encodeRequest({tag: '', observed, desired: {resources: new Map()}, input: asked})];
  const ending = {
    living: new Map(isGone ? [] : [['App shop', [{made: {place: 'App shop'}, object: {...app('now'), ...more}}]]]),
    deleting: new Map(),
    asked: new Map([['App shop', {requests, input: asked}]]),
    run: {
      world: {processes: new Map([['crossplane', {memory}]])},
      ledger: ledgerOf({wasRestored: () => true, lastUidAt: () => 'now'}),
      happened: [],
      story: {moves: []},
    },
  } as unknown as Ending;
  const harm: Harm = {kind, place: 'App shop > c', xr: 'App shop', resourceName: 'c', text: ''};
  return unexplained([harm], ending, undefined).length === 0;
}

test('what is not made for an XR that nobody hears of is asked for by who asked for more objects', () => {
  expect(isExplained({})).toBe(true);
  const remember = {in: 'ConfigMap'};
  expect(isExplained({asked: {apiVersion, kind: 'Input', externalNames: {remember}}})).toBe(true);
});

test('or by chance: whether it comes back before its circuit closes is a matter of the moment', () => {
  expect(isExplained({asked: {apiVersion, kind: 'Input', removal: {}}})).toBe(true);
});

test('what one composed that came back and was deleted before anybody heard of it stays, and is nobodys', () => {
  expect(isExplained({isGone: true, kind: 'kept'})).toBe(true);
  expect(isExplained({isGone: true, kind: 'left-behind'})).toBe(true);
  expect(isExplained({isGone: true, kind: 'destroyed'})).toBe(false);
  expect(isExplained({isGone: true, kind: 'kept', heardUid: 'now'})).toBe(false);
  expect(isExplained({isGone: true, kind: 'kept', asked: {apiVersion, kind: 'Input', removal: {}}})).toBe(false);
  expect(isExplained({kind: 'kept'})).toBe(false);
});

test('it is not where the circuit is closed, or the XR was reconciled since', () => {
  expect(isExplained({events: 100})).toBe(false);
  expect(isExplained({heardUid: 'now'})).toBe(false);
});

test('so is what is not made for an XR that went on from a pause while its circuit was open', () => {
  const paused = {status: {conditions: [{type: 'Synced', status: 'False', reason: 'ReconcilePaused'}]}};
  const heard = {events: 0, heardUid: 'now'};
  expect(isExplained({...heard, more: paused})).toBe(true);
  const metadata = {name: 'shop', uid: 'now', annotations: {'crossplane.io/paused': 'true'}};
  expect(isExplained({...heard, more: {...paused, metadata}})).toBe(false);
  expect(isExplained({...heard, more: paused, asked: {apiVersion, kind: 'Input', removal: {}}})).toBe(false);
  const externalNames = {remember: {in: 'Status'}};
  expect(isExplained({...heard, more: paused, asked: {apiVersion, kind: 'Input', externalNames}})).toBe(true);
  for (const part of ['handover', 'give', 'take'])
    expect(isExplained({...heard, more: paused, asked: {apiVersion, kind: 'Input', [part]: []}})).toBe(true);
});

test('an XR that says in every reconcile anew that its circuit is closed does not rest, for more objects opened it', () => {
  const explains = (message: string | undefined, asked: JsonObject) => {
    const responsive = {type: 'Responsive', status: 'True', ...(message === undefined ? {} : {message})};
    const object = {...app('now'), status: {conditions: [responsive]}};
    const observed = {composite: {object: app('now')}, resources: new Map()};
    const requests = [encodeRequest({tag: '', observed, desired: {resources: new Map()}, input: asked})];
    const ending = {
      living: new Map([['App shop', [{made: {place: 'App shop'}, object}]]]),
      asked: new Map([['App shop', {requests, input: asked, desired: new Set()}]]),
      run: runOf(),
    } as unknown as Ending;
    return unexplained([{kind: 'restless', place: 'App shop', text: ''}], ending, undefined).length === 0;
  };
  expect(explains('Too many watch events', input)).toBe(true);
  expect(explains(undefined, input)).toBe(false);
  expect(explains('Too many watch events', {apiVersion, kind: 'Input', removal: {}})).toBe(false);
});

test('nothing that somebody does to it is explained by that', () => {
  for (const kind of ['destroyed', 'overwritten', 'recreated', 'reowned', 'doubled'] as const)
    expect(isExplained({kind})).toBe(false);
});
