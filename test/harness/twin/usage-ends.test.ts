import {expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {asksForUsages} from '../../../src/harness/twin/asks-for-usages.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {Made} from '../../../src/harness/twin/ledger.ts';
import {
  isKeptOfFormer,
  isProtected,
  isUsedAt,
  isUsedByAnother,
  keepsNothing,
  waitsForBy,
  waitsForUsages,
} from '../../../src/harness/twin/usage-ends.ts';
import {encodeRequest} from '../../../src/wire/request-encode.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// What a Usage keeps while its by is there without the function, too.

const ref = (name: string) => ({apiVersion: 'example.org/v1', kind: 'Note', resourceRef: {name}});

function found(kind: string, name: string, spec: object = {}, group = 'example.org/v1'): Found {
  const object = {apiVersion: group, kind, metadata: {name, namespace: 'blue'}, spec} as unknown as KubeObject;
  return {made: {place: name, address: `${kind} ${name}`, index: 0}, object, controller: undefined};
}

const by = found('Note', 'by');
const usage = found('Usage', 'u', {of: ref('of'), by: ref('by')}, 'protection.crossplane.io/v1beta1');
const of: Made = {place: 'of', address: 'Note.example.org blue/of', index: 0};

function ending(...living: readonly Found[]): Ending {
  return {
    living: new Map(living.map((one) => [one.made.place, [one]])),
    deleting: new Map(),
    asked: new Map(),
    run: runOf(),
  } as unknown as Ending;
}

test('a Usage waits for its by, if that is there in both runs', () => {
  expect(waitsForBy(usage, ending(by), ending(by))).toBe(true);
  expect(waitsForBy(usage, ending(by), ending())).toBe(false);
  expect(waitsForBy(usage, ending(), ending(by))).toBe(false);
});

test('also where it came back with an owner of before, and its by is of a template', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const going: Found = {...usage, object: {...usage.object, metadata: {...usage.object.metadata, deletionTimestamp}}};
  const made = {...by, made: {...by.made, xr: 'App shop', resourceName: 'made'}};
  const is = ({one = going, desired = [] as string[], wasRestored = true}) => {
    const run = runOf({ledger: ledgerOf({wasRestored: () => wasRestored, of: () => usage.made})});
    const asked = new Map([['App shop', {desired: new Set(desired)}]]);
    return waitsForBy(one, {...ending(made), asked, run} as unknown as Ending, ending());
  };
  expect(is({})).toBe(true);
  expect(is({one: usage})).toBe(false);
  expect(is({desired: ['made']})).toBe(false);
  expect(is({wasRestored: false})).toBe(false);
});

test('also while its by is being deleted in both, as one that a finalizer keeps', () => {
  const going = (...deleting: readonly Found[]): Ending => ({...ending(), deleting: ending(...deleting).living});
  expect(waitsForBy(usage, going(by), going(by))).toBe(true);
  expect(waitsForBy(usage, going(by), ending(by))).toBe(true);
  expect(waitsForBy(usage, going(by), going())).toBe(false);
});

test('also while its by is kept itself, for a reason or by a Usage whose by is there in both', () => {
  const kept = found('Note', 'of');
  const ofIts = (spec: object) => found('Usage', 'v', {of: ref('by'), ...spec}, 'protection.crossplane.io/v1beta1');
  expect(waitsForBy(usage, ending(by, ofIts({reason: 'kept'})), ending())).toBe(true);
  expect(waitsForBy(usage, ending(by, kept, ofIts({by: ref('of')})), ending(kept))).toBe(true);
  expect(waitsForBy(usage, ending(by, kept, ofIts({by: ref('of')})), ending())).toBe(false);
  expect(waitsForBy(usage, ending(by, usage, ofIts({by: ref('by')})), ending())).toBe(false);
});

test('also while its by is what a template made, which a person orphaned or a restore brought back after its XR', () => {
  const made = {...by, made: {...by.made, xr: 'App.example.org shop', resourceName: 'by'}};
  const target = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};
  const story = (propagationPolicy: string) => ({moves: [{action: {kind: 'delete', propagationPolicy, target}}]});
  const left = (propagationPolicy: string, isLate: boolean, desired: readonly string[], found: Found = made) => ({
    ...ending(found),
    asked: new Map([['App.example.org shop', {desired: new Set(desired)}]]),
    run: runOf({ledger: ledgerOf({cameBackLate: () => isLate}), story: story(propagationPolicy)}),
  });
  const waits = (...given: Parameters<typeof left>) => waitsForBy(usage, left(...given) as unknown as Ending, ending());
  expect(waits('Orphan', false, ['of'])).toBe(true);
  expect(waits('Background', true, ['of'])).toBe(true);
  expect(waits('Background', false, ['of'])).toBe(false);
  expect(waits('Orphan', true, ['of', 'by'])).toBe(false);
  expect(waits('Orphan', true, ['of'], {...made, controller: 'App.example.org shop'})).toBe(false);
});

test('also while its by goes, and the provider of what a template made is not done with it', () => {
  const going = (finalizers: readonly string[], desired: readonly string[] = ['of']) => {
    const metadata = {...by.object.metadata, deletionTimestamp: 'now', finalizers};
    const made = {...by, made: {...by.made, xr: 'App shop', resourceName: 'by'}, object: {...by.object, metadata}};
    const asked = new Map([['App shop', {desired: new Set(desired)}]]);
    return {...ending(), deleting: new Map([['by', [made]]]), asked} as unknown as Ending;
  };
  expect(waitsForBy(usage, going(['finalizer.managedresource.crossplane.io']), ending())).toBe(true);
  expect(waitsForBy(usage, going(['example.org/hand']), ending())).toBe(false);
  expect(waitsForBy(usage, going([]), ending())).toBe(false);
  expect(waitsForBy(usage, going(['finalizer.managedresource.crossplane.io'], ['by']), ending())).toBe(false);
});

test('also while its by is there without the function under the resource name that it has by now', () => {
  const name = (found: Found, resourceName: string): Found => {
    const annotations = {'crossplane.io/composition-resource-name': resourceName};
    const metadata = {...found.object.metadata, annotations};
    return {made: {...found.made, xr: 'App shop'}, object: {...found.object, metadata}, controller: 'App shop'};
  };
  const asked = new Map([['App shop', {desired: new Set(['by-moved'])}]]);
  const w = {...ending(name(by, 'by-moved')), asked} as unknown as Ending;
  const theirs = found('Note', 'another');
  const its = {...theirs.made, xr: 'App shop', resourceName: 'by-moved'};
  expect(waitsForBy(usage, w, ending({...theirs, made: its, controller: 'App shop'}))).toBe(true);
  expect(waitsForBy(usage, w, ending({...theirs, made: {...its, resourceName: 'c'}, controller: 'App shop'}))).toBe(
    false,
  );
});

test('also for ever, once a person removed the kind of its by', () => {
  const served = (has: boolean): Ending =>
    ({
      ...ending(),
      run: runOf({world: {server: {kinds: {has: (kind: string) => has || kind !== 'Note.example.org'}}}}),
    }) as Ending;
  expect(waitsForBy(usage, served(false), served(false))).toBe(true);
  expect(waitsForBy(usage, served(false), served(true))).toBe(false);
  expect(waitsForBy(found('Note', 'u', usage.object.spec), served(false), served(false))).toBe(false);
});

test('also once a person removed the kind of its XR: the owner GC cannot ask whether that is gone', () => {
  const served = (...kinds: readonly string[]): Ending =>
    ({...ending(), run: runOf({world: {server: {kinds: new Set(kinds)}}})}) as Ending;
  const of = (controller: boolean): Found => {
    const ownerReferences = [{apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid: 'app-uid', controller}];
    return {...usage, object: {...usage.object, metadata: {...usage.object.metadata, ownerReferences}}};
  };
  const [left, all] = [served('Note.example.org'), served('Note.example.org', 'App.example.org')];
  expect(waitsForBy(of(true), left, left)).toBe(true);
  expect(waitsForBy(of(true), left, all)).toBe(false);
  expect(waitsForBy(of(true), all, all)).toBe(false);
  expect(waitsForBy(of(false), left, left)).toBe(false);
});

test('a Usage without by protects what it names from everybody', () => {
  const protects = found('Usage', 'u', {of: ref('of'), reason: 'kept'}, 'protection.crossplane.io/v1beta1');
  expect(isProtected(of, ending(protects))).toBe(true);
  expect(isProtected(of, ending(usage))).toBe(false);
  expect(isProtected({...of, address: 'Note.example.org blue/b'}, ending(protects))).toBe(false);
});

test('who owns such Usages, and nothing else by then, waits for them', () => {
  const owned = (one: Found): Found => {
    const ownerReferences = [{apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid: 'app-uid'}];
    return {...one, object: {...one.object, metadata: {...one.object.metadata, ownerReferences}}};
  };
  const plain = found('App', 'shop');
  const app = {...plain, object: {...plain.object, metadata: {name: 'shop', uid: 'app-uid'}}};
  const isWaiting = (wo: Ending, ...left: readonly Found[]) => waitsForUsages(app, ending(by, ...left), wo);
  expect(isWaiting(ending(by), owned(usage))).toBe(true);
  expect(isWaiting(ending(), owned(usage))).toBe(false);
  expect(isWaiting(ending(by), owned(usage), owned(found('Note', 'other')))).toBe(false);
  expect(isWaiting(ending(by), usage, owned(found('Note', 'of')))).toBe(true);
  expect(isWaiting(ending(), usage, owned(found('Note', 'of')))).toBe(false);
  expect(isWaiting(ending(by), usage)).toBe(false);
});

test('nothing else does', () => {
  const other = found('Usage', 'u', {of: ref('of'), by: ref('by')});
  expect(waitsForBy(other, ending(by), ending(by))).toBe(false);
  const reason = found('Usage', 'u', {of: ref('of')}, 'protection.crossplane.io/v1beta1');
  expect(waitsForBy(reason, ending(by), ending(by))).toBe(false);
});

test('its of is kept meanwhile, and what it does not name is not', () => {
  const used = found('Note', 'of');
  expect(isUsedByAnother(used, ending(by, usage), ending(by))).toBe(true);
  expect(isUsedByAnother(found('Note', 'other'), ending(by, usage), ending(by))).toBe(false);
  expect(isUsedByAnother(used, ending(by), ending(by))).toBe(false);
});

test('what an XR of another UID composed is kept beside what the XR of now has', () => {
  const xr = {...found('App', 'shop'), object: {...found('App', 'shop').object, metadata: {name: 'shop', uid: 'now'}}};
  const of = (uid: string): Found => {
    const {object} = found('Note', 'of');
    const owner = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid, controller: true};
    const made = {place: 'shop > of', address: '', index: 0, xr: 'shop', resourceName: 'of'};
    return {made, object: {...object, metadata: {...object.metadata, ownerReferences: [owner]}}, controller: 'shop'};
  };
  expect(isKeptOfFormer(of('before'), ending(xr, by, usage), ending(by))).toBe(true);
  expect(isKeptOfFormer(of('now'), ending(xr, by, usage), ending(by))).toBe(false);
  expect(isKeptOfFormer(of('before'), ending(xr, by, usage), ending())).toBe(false);
  expect(isKeptOfFormer(of('before'), ending(by, usage), ending(by))).toBe(false);
});

test('a Usage of what is not there keeps nothing; one of what is being deleted does', () => {
  const used = found('Note', 'of');
  expect(keepsNothing(usage, ending(by))).toBe(true);
  expect(keepsNothing(usage, ending(used))).toBe(false);
  expect(keepsNothing(usage, {...ending(), deleting: new Map([['of', [used]]])})).toBe(false);
  expect(keepsNothing(by, ending())).toBe(false);
});

test('what a Usage names is used, wherever it was made', () => {
  const used = {...found('Note', 'of'), made: {...of, place: 'App shop > of'}};
  expect(isUsedAt('App shop > of', ending(used, usage))).toBe(true);
  expect(isUsedAt('App shop > of', ending(used))).toBe(false);
  expect(isUsedAt('by', ending(by, usage))).toBe(false);
});

test('Usages are asked for by some parts of the input, and by other functions', () => {
  const asks = (input?: {readonly [key: string]: string | object}) =>
    asksForUsages(
      encodeRequest({
        tag: '',
        observed: {composite: {object: {}}, resources: new Map()},
        desired: {resources: new Map()},
        ...(input === undefined ? {} : {input: input as never}),
      }),
    );
  const own = {apiVersion: 'tether.fn.crossplane.io/v1beta1'};
  expect([asks(), asks(own), asks({...own, removal: {}})]).toEqual([false, false, false]);
  expect([asks({...own, order: []}), asks({apiVersion: 'sequencer.fn.crossplane.io/v1beta1'})]).toEqual([true, true]);
});
