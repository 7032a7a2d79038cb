import {expect, test} from 'vitest';
import type {Json} from '../../../src/cluster/json.ts';
import {unexplained} from '../../../src/harness/twin/asked-for.ts';
import {harmsOf} from '../../../src/harness/twin/compare.ts';
import type {Asked, Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {Harm, HarmKind} from '../../../src/harness/twin/harm.ts';
import type {Made} from '../../../src/harness/twin/ledger.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';
import {encodeRequest} from '../../../src/wire/request-encode.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// Which harm a decision explains, and which harm is only that of another one.

/** A request about the XR of this uid, known from others of its by a tag. */
function request(tag: string, uid = 'uid of App shop'): Uint8Array {
  const object = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop', uid}};
  return encodeRequest({
    tag,
    observed: {composite: {object}, resources: new Map()},
    desired: {resources: new Map()},
  });
}

const asked: Asked = {
  requests: [request('last')],
  input: {},
  desired: new Set(['a']),
  kinds: new Map([['a', 'ConfigMap.']]),
  addresses: new Set(),
};

/** What owns an object, by its address: a word for a uid. */
const owners = new Map<string, {apiVersion: string; kind: string; name: string; uid: string}[]>();

function ending(living: readonly Made[], deleted: readonly Made[] = []): Ending {
  const found = living.map(
    (made): Found => ({
      made,
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {name: made.address, uid: `uid of ${made.address}`, ownerReferences: owners.get(made.address) ?? []},
      },
      controller: made.xr,
    }),
  );
  const all = [...living, ...deleted];
  const ofUid = (uid: string) => all.find(({address}) => uid === `uid of ${address}`);
  const run = runOf({ledger: ledgerOf({ofUid})});
  return {
    run,
    living: new Map(found.map((one) => [one.made.place, [one]])),
    deleting: new Map(),
    externals: new Map(),
    places: new Map([...living, ...deleted].map((made) => [made.place, made])),
    asked: new Map([['App shop', asked]]),
    xrs: [],
  };
}

function left(kind: HarmKind, decision: string, reason: string): readonly HarmKind[] {
  const harm: Harm = {kind, place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const explain = () => [{resourceName: 'a', decision, reason}];
  return unexplained([harm], ending([]), explain).map((one) => one.kind);
}

test('an order of which a step selects nothing explains what is not made, and nothing graver', () => {
  expect(left('missing', 'wait', 'nothing-selected')).toEqual([]);
  expect(left('gone', 'wait', 'nothing-selected')).toEqual([]);
  expect(left('destroyed', 'wait', 'nothing-selected')).toEqual(['destroyed']);
  expect(left('kept', 'wait', 'nothing-selected')).toEqual(['kept']);
});

test('what a Usage orders is kept as asked only where the input or a step asks for a Usage', () => {
  const harm: Harm = {kind: 'kept', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const explains = (input: {[key: string]: Json}, kinds: readonly (readonly [string, string])[] = []) => {
    const object = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop', uid: 'uid of App shop'}};
    const observed = {composite: {object}, resources: new Map()};
    const requests = [encodeRequest({tag: '', observed, desired: {resources: new Map()}, input})];
    const w = {...ending([]), asked: new Map([['App shop', {...asked, requests, kinds: new Map(kinds)}]])};
    const explain = () => [{resourceName: 'a', decision: 'hold', reason: 'still-used-by'}];
    return unexplained([harm], w, explain).length === 0;
  };
  const own = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};
  expect(explains({...own, usages: []})).toBe(true);
  expect(explains({apiVersion: 'sequencer.fn.crossplane.io/v1beta1', kind: 'Input'})).toBe(true);
  expect(explains(own, [['u', 'ClusterUsage.protection.crossplane.io']])).toBe(true);
  expect(explains(own, [['u', 'ConfigMap.']])).toBe(false);
  expect(explains(own)).toBe(false);
});

test('what it kept in the cloud is there still where the input asks for no Usage any more', () => {
  const explains = (isExternal: boolean, part = 'usages') => {
    const about = {kind: 'left-behind', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''} as const;
    const object = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop', uid: 'uid of App shop'}};
    const observed = {composite: {object}, resources: new Map()};
    const own = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};
    const requests = [{...own, [part]: []}, own].map((input, index) =>
      encodeRequest({tag: String(index), observed, desired: {resources: new Map()}, input}),
    );
    const w = {...ending([]), asked: new Map([['App shop', {...asked, requests}]])};
    const explain = (bytes: Uint8Array) =>
      decodeRequest(bytes).tag === '0' ? [{resourceName: 'a', decision: 'hold', reason: 'still-used-by'}] : [];
    return unexplained([isExternal ? {...about, isExternal} : about], w, explain).length === 0;
  };
  expect(explains(true)).toBe(true);
  expect(explains(true, 'removal')).toBe(false);
  expect(explains(false)).toBe(false);
});

test('who waits for an order is adopted later, and by nobody else', () => {
  for (const reason of ['nothing-selected', 'creation-order']) {
    expect(left('unowned', 'wait', reason)).toEqual([]);
    expect(left('reowned', 'wait', reason)).toEqual(['reowned']);
  }
});

test('who writes to what a refusal keeps from being made writes nothing, and what the function takes away is no such thing', () => {
  const explains = (isMissed: boolean, decision = 'refuse', resourceName = '') => {
    const harm = {
      kind: 'overwritten',
      place: 'App shop > a',
      xr: 'App shop',
      resourceName: 'a',
      isMissed,
      text: '',
    } as const;
    return unexplained([harm], ending([]), () => [{resourceName, decision, reason: 'of-all-lives'}]).length === 0;
  };
  expect(explains(true)).toBe(true);
  expect(explains(true, 'refuse', 'a')).toBe(true);
  expect(explains(false)).toBe(false);
  expect(explains(true, 'refuse', 'b')).toBe(false);
  expect(explains(true, 'hold')).toBe(false);
});

test('an XR that somebody asked for again too soon is gone, where Usages kept it from going at once', () => {
  const explains = (kind: HarmKind, part: string, isTooSoon = true) => {
    const w = ending([]);
    const wasAskedTooSoon = (place: string) => isTooSoon && place === 'App shop';
    const run = {...w.run, ledger: {...w.run.ledger, wasAskedTooSoon}} as unknown as Ending['run'];
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', [part]: []};
    const object = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}};
    const observed = {composite: {object}, resources: new Map()};
    const requests = [encodeRequest({tag: '', observed, desired: {resources: new Map()}, input})];
    const asks = new Map([['App shop', {...asked, requests}]]);
    return unexplained([{kind, place: 'App shop', text: ''}], {...w, run, asked: asks}, undefined).length === 0;
  };
  expect(explains('gone', 'order')).toBe(true);
  expect(explains('gone', 'removal')).toBe(false);
  expect(explains('gone', 'order', false)).toBe(false);
  expect(explains('deleting', 'order')).toBe(false);
});

test('what waited may be made twice where Crossplane saw the XR as it was, and no graver harm comes of that', () => {
  const waiting = {resourceName: 'a', decision: 'wait', reason: 'creation-order'};
  const refused = {resourceName: '', decision: 'refuse', reason: 'invalid-input'};
  const explains = (kind: HarmKind, fault: string, before = waiting) => {
    const harm: Harm = {kind, place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const w = ending([]);
    const run = {...w.run, happened: [{fault}]} as unknown as Ending['run'];
    const requests = [request('first', 'uid of before'), request('last')];
    const keep = {resourceName: 'a', decision: 'keep', reason: ''};
    const explain = (one: Uint8Array) => [decodeRequest(one).tag === 'first' ? before : keep];
    const asks = new Map([['App shop', {...asked, requests}]]);
    return unexplained([harm], {...w, run, asked: asks}, explain).length === 0;
  };
  expect(explains('doubled', 'stale-cache')).toBe(true);
  expect(explains('doubled', 'missed-event')).toBe(true);
  expect(explains('recreated', 'stale-cache')).toBe(true);
  expect(explains('doubled', 'stale-cache', refused)).toBe(true);
  expect(explains('recreated', 'stale-cache', refused)).toBe(true);
  expect(explains('doubled', 'conflict')).toBe(false);
  expect(explains('doubled', 'conflict', refused)).toBe(false);
  expect(explains('doubled', 'stale-cache', {...waiting, decision: 'hold'})).toBe(false);
  expect(explains('doubled', 'stale-cache', {...refused, reason: 'kind-changed'})).toBe(false);
  expect(explains('destroyed', 'stale-cache')).toBe(false);
  expect(explains('destroyed', 'stale-cache', refused)).toBe(false);
});

/** An ending in which something was restored. */
function restored(w: Ending): Ending {
  return {...w, run: runOf({...w.run, story: {moves: [{action: {kind: 'restore'}}]}})};
}

test('stable names explain that a saved object is left out where another has its name, and no other new object', () => {
  const explains = (kind: HarmKind, input: object, afterwards = restored, requests = asked.requests) => {
    const harm: Harm = {kind, place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const asks = new Map([['App shop', {...asked, requests, input: input as Asked['input']}]]);
    return unexplained([harm], afterwards({...ending([]), asked: asks}), () => []).length === 0;
  };
  expect(explains('replaced', {restore: {stableNames: true}})).toBe(true);
  expect(explains('recreated', {restore: {stableNames: true}})).toBe(false);
  expect(explains('replaced', {restore: {lookup: true}})).toBe(false);
  // Nothing came back.
  const asIs = (w: Ending) => w;
  expect(explains('replaced', {restore: {stableNames: true}}, asIs)).toBe(false);
  const twoLives = [request('before', 'uid of before'), request('last')];
  expect(explains('replaced', {restore: {stableNames: true}}, asIs, twoLives)).toBe(true);
  const asBefore = (w: Ending) => ({...w, run: runOf({happened: [{fault: 'function-stale-response'}]})});
  expect(explains('doubled', {restore: {stableNames: true}}, asBefore)).toBe(true);
  expect(explains('doubled', {restore: {stableNames: true}}, asIs)).toBe(false);
  // The name stays when the input wants none any more.
  const observed = {composite: {object: {apiVersion: 'example.org/v1', kind: 'App'}}, resources: new Map()};
  const input = {restore: {stableNames: true}};
  const wanted = encodeRequest({tag: '', observed, desired: {resources: new Map()}, input});
  expect(explains('replaced', {}, restored, [wanted, request('last')])).toBe(true);
  expect(explains('replaced', {}, restored, [request('first'), request('last')])).toBe(false);
});

test('they explain that an object is gone whose former one has not left the name yet', () => {
  const explains = (deleting: readonly string[]) => {
    const harm: Harm = {kind: 'gone', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const asks = new Map([['App shop', {...asked, input: {restore: {stableNames: true}}}]]);
    const w = restored({...ending([]), asked: asks, deleting: new Map(deleting.map((place) => [place, []]))});
    return unexplained([harm], w, () => []).length === 0;
  };
  expect(explains(['App shop > a'])).toBe(true);
  expect(explains(['App shop > b'])).toBe(false);
});

test('they explain that what a saved XR composed stays as nobodys, and not what somebody has', () => {
  const made: Made = {place: 'App shop > a', address: 'a', index: 0, resourceName: 'a'};
  const explains = (living: readonly Made[], input: object = {restore: {stableNames: true}}) => {
    const harm: Harm = {kind: 'kept', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const asks = new Map([['App shop', {...asked, input: input as Asked['input']}]]);
    return unexplained([harm], restored({...ending(living), asked: asks}), () => []).length === 0;
  };
  expect(explains([made])).toBe(true);
  expect(explains([{...made, xr: 'App shop'}])).toBe(false);
  expect(explains([made], {restore: {lookup: true}})).toBe(false);
});

test('a protection explains that two are there only where a Usage keeps one, or the XR', () => {
  const usage = (name: string): Found => ({
    made: {place: 'usage', address: 'usage', index: 0},
    controller: undefined,
    object: {
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'Usage',
      metadata: {name: 'usage'},
      spec: {of: {apiVersion: 'v1', kind: 'ConfigMap', resourceRef: {name}}},
    },
  });
  const explains = (of: string) => {
    const harm: Harm = {kind: 'doubled', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const protects = {...asked, input: {protect: {}}};
    const w = {...ending([xr, composed]), asked: new Map([['App shop', protects]])};
    const living = new Map([...w.living, ['usage', [usage(of)]]]);
    return unexplained([harm], {...w, living}, () => []).length === 0;
  };
  expect([explains(composed.address), explains(xr.address), explains('another')]).toEqual([true, true, false]);
});

test('what was held of an XR that was lost explains its external resource, which outlives it', () => {
  const harm: Harm = {kind: 'doubled', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const about = (one: Harm, reason: string, uidBefore: string) => {
    const requests = [request('before', uidBefore), request('last')];
    const w = {...ending([]), asked: new Map([['App shop', {...asked, requests}]])};
    const explain = (bytes: Uint8Array) =>
      decodeRequest(bytes).tag === 'before'
        ? [{resourceName: 'a', decision: 'hold', reason}]
        : [{resourceName: 'a', decision: 'keep', reason: ''}];
    return unexplained([one], w, explain).length === 0;
  };
  const external: Harm = {...harm, isExternal: true};
  expect(about(external, 'over-budget', 'lost')).toBe(true);
  expect(about(harm, 'over-budget', 'lost')).toBe(false);
  expect(about(external, 'over-budget', 'uid of App shop')).toBe(false);
  // Orphaned is for good.
  expect(about(external, 'orphan-first', 'uid of App shop')).toBe(true);
});

test('a move explains what it asks for of the resource that moved, in this life, and nothing of the cloud', () => {
  const explains = (kind: HarmKind, reason: string, {resourceName = 'a', uid = 'uid of App shop'} = {}) => {
    const harm: Harm = {kind, place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const requests = [request('before', uid), request('last')];
    const w = {...ending([]), asked: new Map([['App shop', {...asked, requests}]])};
    const explain = (bytes: Uint8Array) =>
      decodeRequest(bytes).tag === 'before'
        ? [{resourceName, decision: 'hand-over', reason}]
        : [{resourceName: 'a', decision: 'keep', reason: ''}];
    return unexplained([harm], w, explain).length === 0;
  };
  expect(explains('kept', 'renaming')).toBe(true);
  expect(explains('gone', 'setting-aside')).toBe(true);
  expect(explains('redirected', 'observing')).toBe(true);
  expect(explains('gone', 'renaming')).toBe(false);
  expect(explains('kept', 'renaming', {resourceName: 'b'})).toBe(false);
  expect(explains('kept', 'renaming', {uid: 'lost'})).toBe(false);
  for (const kind of ['destroyed', 'doubled', 'recreated', 'left-behind'] as const)
    expect(explains(kind, 'setting-aside')).toBe(false);
});

test('what an inner XR waits for explains that the outer one is not ready, and nothing else of it', () => {
  const explains = (kind: HarmKind, inner: string) => {
    const harm: Harm = {kind, place: 'App shop', text: ''};
    const w = {...ending([]), asked: new Map([[inner, asked]])};
    const explain = () => [{resourceName: '', decision: 'refuse', reason: 'invalid-input'}];
    return unexplained([harm], w, explain).length === 0;
  };
  expect(explains('not-ready', 'App shop > inner')).toBe(true);
  expect(explains('not-synced', 'App shop > inner')).toBe(false);
  expect(explains('not-ready', 'App shopping')).toBe(false);
});

test('what is not applied is of the moves that are under way only if all of it is', () => {
  const about = (text: string, decisions: readonly string[]) => {
    const harm: Harm = {kind: 'not-synced', place: 'App shop', text};
    const names = ['a', 'a-new'];
    const explain = () =>
      decisions.map((decision, at) => ({resourceName: names[at] ?? '', decision, reason: 'renaming'}));
    return unexplained([harm], ending([]), explain).length === 0;
  };
  const both = 'App shop: Synced is False: Unsynced resources: a, a-new';
  expect(about(both, ['hand-over', 'hand-over'])).toBe(true);
  expect(about(both, ['hand-over', 'keep'])).toBe(false);
  expect(about('App shop: Synced is False: Unsynced resources: a, a-new, and b', ['hand-over', 'hand-over'])).toBe(
    false,
  );
  expect(about('App shop: Synced is False: cannot get a', ['hand-over', 'hand-over'])).toBe(false);
});

test('what is taken from an XR that goes in the middle observes nothing, or what is left to nobody, and is not ready for it', () => {
  const theirs: Made = {...composed, place: 'Site shop > b', xr: 'Site shop', address: 'ConfigMap. theirs'};
  const explains = (
    policies: readonly string[],
    alive: readonly string[],
    reason = 'observing',
    left?: string,
    input: {[key: string]: Json} = {take: []},
  ) => {
    const harm: Harm = {kind: 'not-ready', place: 'App shop', text: ''};
    const w = ending([xr, composed, ...(left === undefined ? [] : [theirs])]);
    const told = (place: string, managementPolicies: readonly string[]) =>
      (w.living.get(place) ?? []).map((one) => ({...one, object: {...one.object, spec: {managementPolicies}}}));
    const mine = told(composed.place, policies);
    const living = new Map([...w.living, [composed.place, mine], [theirs.place, told(theirs.place, [left ?? ''])]]);
    const idOf = ({metadata: {name}}: Found['object']) => (name === xr.address ? '' : 'ext-1');
    const ledger = {...w.run.ledger, idOf};
    const externals = new Map([['elsewhere', alive.map((id) => ({...composed, id}))]]);
    const asks = new Map([['App shop', {...asked, input}]]);
    const one = {...w, living, externals, asked: asks, run: {...w.run, ledger}} as unknown as Ending;
    return unexplained([harm], one, () => [{resourceName: 'a', decision: 'exchange', reason}]).length === 0;
  };
  expect(explains(['Observe'], [])).toBe(true);
  expect(explains(['Observe'], ['ext-1'])).toBe(false);
  expect(explains(['*'], [])).toBe(false);
  expect(explains(['Observe'], [], 'taking-over')).toBe(false);
  expect(explains(['Observe'], ['ext-1'], 'observing', '*')).toBe(true);
  // Who let go leaves it to nobody but the taker, unless that one's rule was taken away.
  expect(explains(['Observe'], ['ext-1'], 'observing', 'Observe')).toBe(false);
  expect(explains(['Observe'], ['ext-1'], 'observing', 'Observe', {})).toBe(true);
  expect(explains(['*'], ['ext-1'], 'observing', '*')).toBe(false);
});

test('an inner XR that is protected explains that the outer one may not go', () => {
  const harm: Harm = {kind: 'deleting', place: 'App shop', text: ''};
  const w = (place: string) => ({...ending([]), asked: new Map([[place, {...asked, input: {protect: {}}}]])});
  expect(unexplained([harm], w('App shop > inner'), () => [])).toEqual([]);
  expect(unexplained([harm], w('App shopping'), () => [])).toEqual([harm]);
});

test('a question about a kind that is not served explains what an XR does not do that stands still over it', () => {
  const explains = (kind: HarmKind, message: string, lookup: boolean) => {
    const harm: Harm = {kind, place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const status = {conditions: [{type: 'Synced', status: 'False', message}]};
    const [found] = ending([xr]).living.get('App shop') as [Found];
    const living = new Map([['App shop', [{...found, object: {...found.object, status} as Found['object']}]]]);
    const w = {...ending([]), living, asked: new Map([['App shop', {...asked, input: {restore: {lookup}}}]])};
    return unexplained([harm], w, () => []).length === 0;
  };
  const message = 'fetching resources for lost-Bucket.cloud.example.org: cannot list required resources: no matches';
  expect(explains('missing', message, true)).toBe(true);
  expect(explains('destroyed', message, true)).toBe(false);
  expect(explains('missing', message, false)).toBe(false);
  expect(explains('missing', 'fetching resources for all-usages: no matches', true)).toBe(false);
});

test('an input that is none explains that nobody adopts yet, and never that somebody else does', () => {
  expect(left('unowned', 'refuse', 'invalid-input')).toEqual([]);
  expect(left('reowned', 'refuse', 'invalid-input')).toEqual(['reowned']);
  expect(left('unowned', 'keep', '')).toEqual(['unowned']);
});

test('what was let go after its provider was asked to leave the external resource alone was orphaned as asked', () => {
  const harm: Harm = {kind: 'left-behind', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const about = (before: string, reason: string) => {
    const requests = [request('before'), request('last')];
    const w = {...ending([]), asked: new Map([['App shop', {...asked, requests}]])};
    const explain = (one: Uint8Array) =>
      decodeRequest(one).tag === 'before'
        ? [{resourceName: 'a', decision: before, reason}]
        : [{resourceName: 'a', decision: 'release', reason: ''}];
    return unexplained([harm], w, explain);
  };
  expect(about('hold', 'orphan-first')).toEqual([]);
  expect(about('hold', 'awaiting-approval')).toEqual([harm]);
  expect(about('keep', '')).toEqual([harm]);
});

test('a hold explains what is kept once the XR forgot it, and not once another XR came in its place', () => {
  const harm: Harm = {kind: 'kept', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const about = (uidBefore: string, living: Ending['living'] = new Map()) => {
    const requests = [request('before', uidBefore), request('last')];
    const w = {...ending([]), living, asked: new Map([['App shop', {...asked, requests}]])};
    const explain = (one: Uint8Array) =>
      decodeRequest(one).tag === 'before' ? [{resourceName: 'a', decision: 'hold', reason: 'over-budget'}] : [];
    return unexplained([harm], w, explain);
  };
  expect(about('uid of App shop')).toEqual([]);
  expect(about('uid of the XR that was lost')).toEqual([harm]);
  // Unless a restore brought it back as nobody's, or as that other XR's, beside the one of now.
  const found = (uid: string | undefined): Ending['living'] => {
    const owner = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid: uid ?? '', controller: true};
    const metadata = {name: 'a', ownerReferences: uid === undefined ? [] : [owner]};
    const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata};
    return new Map([[harm.place, [{made: {...composed, place: harm.place}, object, controller: undefined}]]]);
  };
  expect(about('uid of the XR that was lost', found(undefined))).toEqual([]);
  expect(about('uid of the XR that was lost', found('uid of the XR that was lost'))).toEqual([]);
  expect(about('uid of the XR that was lost', found('uid of App shop'))).toEqual([harm]);
});

test('what was kept as asked explains that the API server refuses to change it, where it was made anew otherwise', () => {
  const harm: Harm = {kind: 'not-synced', place: 'App shop', xr: 'App shop', text: ''};
  const about = (one: Harm, decision: string) => {
    const requests = [request('before'), request('last')];
    const w = {...ending([]), asked: new Map([['App shop', {...asked, requests}]])};
    const explain = (bytes: Uint8Array) =>
      decodeRequest(bytes).tag === 'before' ? [{resourceName: 'a', decision, reason: ''}] : [];
    return unexplained([one], w, explain).length === 0;
  };
  expect(about({...harm, older: ['a']}, 'retain')).toBe(true);
  expect(about({...harm, older: ['a']}, 'keep')).toBe(false);
  expect(about({...harm, older: ['b']}, 'retain')).toBe(false);
  expect(about(harm, 'retain')).toBe(false);
});

const xr: Made = {place: 'App shop', address: 'App shop', index: 0};
const composed: Made = {place: 'App shop > a', address: 'ConfigMap. a', index: 0, xr: 'App shop', resourceName: 'a'};

test('what is made for an XR elsewhere than without the function is a harm', () => {
  expect(harmsOf(ending([xr, composed]), ending([xr])).map(({kind}) => kind)).toEqual(['elsewhere']);
});

test('what an XR composes that lives on with the function only is no harm once more', () => {
  expect(harmsOf(ending([xr, composed]), ending([], [xr])).map(({kind}) => kind)).not.toContain('elsewhere');
});

test('what is left of an XR goes with what owns it, if that is there without the function, too', () => {
  const by: Made = {place: 'App shop > by', address: 'ConfigMap. by', index: 0, xr: 'App shop', resourceName: 'by'};
  const usage: Made = {place: 'App shop > use', address: 'Usage. use', index: 0, xr: 'App shop', resourceName: 'use'};
  const gone = {...ending([by, usage], [xr]), asked: new Map()};
  const kinds = (without: Ending) => harmsOf(gone, without).map(({kind}) => kind);
  expect(kinds(ending([by], [xr]))).toContain('left-behind');
  owners.set(usage.address, [{apiVersion: 'v1', kind: 'ConfigMap', name: 'by', uid: `uid of ${by.address}`}]);
  const owned = {...ending([by, usage], [xr]), asked: new Map()};
  expect(harmsOf(owned, ending([by], [xr])).map(({kind}) => kind)).not.toContain('left-behind');
  expect(harmsOf(owned, ending([], [xr, by])).map(({kind}) => kind)).toContain('left-behind');
  // As one that a finalizer keeps.
  const deleting = ending([by]).living;
  const kept = {...ending([usage], [xr, by]), deleting, asked: new Map()};
  expect(harmsOf(kept, {...ending([], [xr]), deleting}).map(({kind}) => kind)).not.toContain('left-behind');
  expect(harmsOf(kept, ending([], [xr])).map(({kind}) => kind)).toContain('left-behind');
});

test('an external resource that is lost without the function, too, was not destroyed by it', () => {
  const external = (index: number, goes = false) => ({...composed, id: `ext-${index}`, index, goes});
  const endingAt = (index: number, goes: boolean): Ending => {
    const base = ending([xr]);
    const ledger = {...base.run.ledger, externals: new Map([['ext-0', external(0, goes)]])};
    const mine = {...base, run: {...base.run, ledger} as unknown as Ending['run']};
    const theirs = {...ending([xr]), externals: new Map([[composed.place, [external(index)]]])};
    return {...mine, without: theirs, places: new Map([[composed.place, composed]])} as Ending & {without: Ending};
  };
  const kinds = (index: number, goes = false) => {
    const one = endingAt(index, goes) as Ending & {without: Ending};
    return harmsOf(one, one.without).map(({kind}) => kind);
  };
  expect(kinds(0)).toContain('destroyed');
  expect(kinds(1)).not.toContain('destroyed');
  // It was made for an XR of before, and went with that.
  expect(kinds(0, true)).not.toContain('destroyed');
});

test('what the XR had let go and wants again is made again for a reason', () => {
  const again = ending([xr, {...composed, index: 1}]);
  const {run} = again;
  const letGo = (times: number): Ending => {
    const ledger = {...run.ledger, letGo: () => times} as unknown as typeof run.ledger;
    return {...again, run: {...run, ledger}};
  };
  const kinds = (times: number) => harmsOf(letGo(times), ending([xr, composed])).map(({kind}) => kind);
  expect(kinds(0)).toContain('recreated');
  expect(kinds(1)).not.toContain('recreated');
  const lessOften = letGo(1);
  expect(harmsOf(again, {...lessOften, living: again.living}).map(({kind}) => kind)).toEqual([]);
});

test('an object that its XR has under another of its keys is not missing', () => {
  const renamed: Made = {...composed, place: 'App shop > b', resourceName: 'b'};
  const wanted = {...asked, desired: new Set(['a', 'b'])};
  const mine = (made: Made) => ({...ending([xr, made]), asked: new Map([['App shop', wanted]])});
  const kinds = (made: Made) => harmsOf(mine(made), ending([xr, renamed], [composed])).map(({kind}) => kind);
  expect(kinds(composed)).not.toContain('missing');
  expect(kinds({...composed, address: 'ConfigMap. c'})).toContain('missing');
  expect(kinds({...composed, xr: 'Site shop'})).toContain('missing');
});

// Without the function Crossplane keeps the name of the object of another kind before, and puts it there for the new kind, too.
test('an object of the wanted kind that its XR has just where the steps want it is not missing under a former name', () => {
  const formerName: Made = {...composed, place: 'App shop > a (ConfigMap.)', address: 'ConfigMap. former'};
  const itsName: Made = {...composed, place: 'App shop > a (ConfigMap. in blue)', address: 'ConfigMap. blue/its-own'};
  const unnamed = 'ConfigMap. blue/';
  const kinds = (made: Made, wanted: string) => {
    const asks = {...asked, addresses: new Set([wanted])};
    const w = {...ending([xr, made]), asked: new Map([['App shop', asks]])};
    return harmsOf(w, ending([xr, formerName], [made])).map(({kind}) => kind);
  };
  expect(kinds(itsName, itsName.address)).not.toContain('missing');
  expect(kinds(itsName, unnamed)).not.toContain('missing');
  expect(kinds(itsName, 'ConfigMap. green/')).not.toContain('missing');
  expect(kinds(itsName, 'ConfigMap. green/another')).toContain('missing');
  expect(kinds(itsName, formerName.address)).toContain('missing');
  expect(kinds({...itsName, resourceName: 'b'}, itsName.address)).toContain('missing');
  const otherKind = {...itsName, address: 'Secret. blue/its-own'};
  expect(kinds(otherKind, otherKind.address)).toContain('missing');
});

test('a stable name of an inner XR explains that what the one of before composed comes back with nobody to own it', () => {
  const inner = 'App shop > inner';
  const replaced: Harm = {kind: 'replaced', place: inner, xr: 'App shop', resourceName: 'inner', text: ''};
  const unowned: Harm = {kind: 'unowned', place: `${inner} > a`, xr: inner, resourceName: 'a', text: ''};
  const other: Harm = {...unowned, place: 'App shop > b', xr: 'App shop', resourceName: 'b'};
  const named = new Map([['App shop', {...asked, input: {restore: {stableNames: true}}}]]);
  expect(unexplained([replaced, unowned, other], restored({...ending([]), asked: named}), undefined)).toEqual([other]);
  expect(unexplained([replaced, unowned], restored(ending([])), undefined)).toEqual([replaced, unowned]);
});

test('what was decided for an XR of before counts as long as the one of now was asked nothing', () => {
  const harm: Harm = {kind: 'left-behind', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const explains = (uid: string) => {
    const named = new Map([['App shop', {...asked, requests: [request('last', uid)]}]]);
    const explain = () => [{resourceName: 'a', decision: 'hand-over', reason: 'setting-aside'}];
    return unexplained([{...harm, isExternal: true}], {...ending([xr]), asked: named}, explain).length === 0;
  };
  expect(explains('lost')).toBe(true);
  expect(explains('uid of App shop')).toBe(false);
});

test('what is let go for a move stays in the cloud, where a person removes the definition of its kind', () => {
  const explains = (kind: HarmKind, isServed: boolean, reason = 'setting-aside') => {
    const harm: Harm = {kind, place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
    const w = ending([xr, composed]);
    const run = {...w.run, world: {...w.run.world, server: {kinds: {has: () => isServed}}}} as unknown as Ending['run'];
    return unexplained([harm], {...w, run}, () => [{resourceName: 'a', decision: 'hand-over', reason}]).length === 0;
  };
  expect(explains('left-behind', false)).toBe(true);
  expect(explains('left-behind', true)).toBe(false);
  expect(explains('left-behind', false, 'observing')).toBe(false);
  expect(explains('destroyed', false)).toBe(false);
});

test('what was decided for an XR becomes of what it composes in turn, and of what had another resource name since', () => {
  const inner: Made = {place: 'App shop > in', address: 'Site. in', index: 0, xr: 'App shop', resourceName: 'in'};
  const deep: Made = {place: `${inner.place} > d`, address: 'Note. d', index: 0, xr: inner.place, resourceName: 'd'};
  const harm: Harm = {kind: 'kept', place: deep.place, xr: inner.place, resourceName: 'd', text: ''};
  const explains = (of: Harm, resourceName: string, w = ending([xr, inner, deep])) =>
    unexplained([of], w, () => [{resourceName, decision: 'retain', reason: ''}]).length === 0;
  expect(explains(harm, 'in')).toBe(true);
  expect(explains(harm, 'd')).toBe(false);
  const now = (name: string) => {
    const w = ending([xr, composed]);
    const resourceNamesAt = (place: string) => (place === composed.place ? ['a', name] : []);
    return {...w, run: {...w.run, ledger: {...w.run.ledger, resourceNamesAt}} as unknown as Ending['run']};
  };
  const moved: Harm = {kind: 'kept', place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
  expect(explains(moved, 'a-new', now('a-new'))).toBe(true);
  expect(explains(moved, 'a-new', now('a'))).toBe(false);
});

test('an XR that lists what it keeps cannot be read once its kind is gone', () => {
  const explains = (decision: string, text = 'Informer to sync', kind: HarmKind = 'not-synced') => {
    const harm: Harm = {kind, place: 'App shop', xr: 'App shop', text};
    return (
      unexplained([harm], ending([xr]), () => [{resourceName: 'a', decision, reason: 'kind-changed'}]).length === 0
    );
  };
  expect(explains('refuse')).toBe(true);
  expect(explains('release')).toBe(false);
  expect(explains('refuse', 'no matches for kind "Note" in version "example.org/v1"')).toBe(true);
  expect(explains('refuse', 'cannot select Composition')).toBe(false);
  expect(explains('refuse', 'Informer to sync', 'not-ready')).toBe(false);
});

test('what that XR composes otherwise is not made again meanwhile', () => {
  const explains = (kind: HarmKind, message: string, decision = 'refuse', status = 'False') => {
    const harm: Harm = {kind, place: 'App shop > b', xr: 'App shop', resourceName: 'b', text: ''};
    const w = ending([xr]);
    const [found] = w.living.get('App shop') as readonly [Found];
    const conditions = [{type: 'Synced', status, reason: 'ReconcileError', message}];
    const stands = {...found, object: {...found.object, status: {conditions}}};
    const living = new Map(w.living).set('App shop', [stands]);
    return (
      unexplained([harm], {...w, living}, () => [{resourceName: 'a', decision, reason: 'kind-changed'}]).length === 0
    );
  };
  expect(explains('gone', 'Informer to sync')).toBe(true);
  expect(explains('missing', 'no matches for kind "Note"')).toBe(true);
  expect(explains('destroyed', 'Informer to sync')).toBe(false);
  expect(explains('gone', 'Informer to sync', 'release')).toBe(false);
  expect(explains('gone', 'Informer to sync', 'refuse', 'True')).toBe(false);
  expect(explains('gone', 'cannot select Composition')).toBe(false);
});

test('what an XR that stands still cannot be asked to finish is kept', () => {
  const explains = (decision: string, reason: string, sinceMs: number) => {
    const harm: Harm = {kind: 'kept', place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
    const w = ending([xr, composed]);
    const run = {...w.run, ledger: ledgerOf({syncedUntilMs: () => sinceMs, idOf: () => 'ext-1'})};
    const led = {...composed, xr: 'Site shop', place: 'Site shop > a'};
    const taken = {made: led, object: w.living.get(composed.place)?.[0]?.object, controller: 'Site shop'} as Found;
    const living = new Map([...w.living, [led.place, [taken]]]);
    return unexplained([harm], {...w, run, living}, () => [{resourceName: 'a', decision, reason}]).length === 0;
  };
  for (const [decision, reason] of [
    ['hold', 'restore-in-progress'],
    ['exchange', 'letting-go'],
  ] as const) {
    expect(explains(decision, reason, 1), reason).toBe(true);
    expect(explains(decision, reason, Number.POSITIVE_INFINITY), reason).toBe(false);
  }
});

test('a person who acts by a resource name reaches what a refusal keeps', () => {
  const story = (body: object, resource = 'a') => ({moves: [{action: {kind: 'patch', target: {resource}, body}}]});
  const explains = (kind: HarmKind, finalizers: readonly string[], said: object, decision = 'refuse') => {
    const w = ending([xr], [composed]);
    const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', uid: 'a', finalizers}};
    const deleting = new Map([[composed.place, [{made: composed, object, controller: 'App shop'} as Found]]]);
    const harm: Harm = {kind, place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
    const run = {...w.run, story: said} as unknown as Ending['run'];
    const explain = () => [{resourceName: 'a', decision, reason: 'renamed-then'}];
    return unexplained([harm], {...w, run, deleting}, explain).length === 0;
  };
  const nothing = {moves: []};
  expect(explains('deleting', ['example.org/hand'], nothing)).toBe(true);
  expect(explains('deleting', ['finalizer.managedresource.crossplane.io'], nothing)).toBe(false);
  expect(explains('deleting', ['example.org/hand'], nothing, 'keep')).toBe(false);
  expect(explains('left-behind', [], story({spec: {deletionPolicy: 'Orphan'}}))).toBe(true);
  expect(explains('left-behind', [], story({spec: {deletionPolicy: 'Orphan'}}, 'b'))).toBe(false);
  expect(explains('left-behind', [], story({spec: {size: 1}}))).toBe(false);
  expect(explains('kept', ['example.org/hand'], nothing)).toBe(false);
});

test('an XR goes once what a person keeps of it goes', () => {
  const explains = (finalizers: readonly string[]) => {
    const w = ending([], [xr, composed]);
    const ownerReferences = [{apiVersion: 'v1', kind: 'App', name: 'shop', uid: 'app'}];
    const going = (made: Made, metadata: object) => [
      made.place,
      [{made, object: {apiVersion: 'v1', kind: 'Thing', metadata: {deletionTimestamp: 'now', ...metadata}}}],
    ];
    const own = going(xr, {name: 'shop', uid: 'app', finalizers: ['foregroundDeletion']});
    const its = going(composed, {name: 'a', uid: 'a', finalizers, ownerReferences});
    const harm: Harm = {kind: 'deleting', place: xr.place, xr: xr.place, text: ''};
    const explain = () => [{resourceName: 'a', decision: 'refuse', reason: 'renamed-then'}];
    return unexplained([harm], {...w, deleting: new Map([own, its] as never)}, explain).length === 0;
  };
  expect(explains(['example.org/hand'])).toBe(true);
  expect(explains(['finalizer.managedresource.crossplane.io'])).toBe(false);
});

test('a stable name explains what it leaves out of a restore, and what an answer of before it makes', () => {
  const explains = (harm: Partial<Harm> & {readonly kind: HarmKind}, happened: readonly object[] = []) => {
    const w = restored(ending([xr]));
    const named = new Map([['App shop', {...asked, input: {restore: {stableNames: true}}}]]);
    const run = {...w.run, happened} as unknown as Ending['run'];
    const of = {place: composed.place, xr: 'App shop', resourceName: 'a', text: '', ...harm};
    return unexplained([of], {...w, run, asked: named}, undefined).length === 0;
  };
  expect(explains({kind: 'left-behind', isExternal: true})).toBe(true);
  expect(explains({kind: 'left-behind'})).toBe(false);
  expect(explains({kind: 'doubled', isExternal: true})).toBe(true);
  expect(explains({kind: 'destroyed', isExternal: true})).toBe(false);
  expect(explains({kind: 'doubled'}, [{fault: 'function-stale-response'}])).toBe(true);
  expect(explains({kind: 'doubled'}, [{fault: 'conflict'}])).toBe(false);
});

test('what a changed kind left in an XR that was lost went with it, unless the XR of now sees it again', () => {
  const gone: Harm = {kind: 'gone', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const refused = [{resourceName: 'a', decision: 'refuse', reason: 'kind-changed'}];
  const lives = [request('first', 'lost'), request('second', 'uid of App shop')];
  const named = new Map([['App shop', {...asked, requests: lives}]]);
  const leftOf = (says: (tag: string) => typeof refused) =>
    unexplained([gone], {...ending([xr]), asked: named}, (bytes) => says(decodeRequest(bytes).tag));
  expect(leftOf((tag) => (tag === 'first' ? refused : []))).toEqual([]);
  expect(leftOf(() => refused)).toEqual([gone]);
  expect(leftOf(() => [])).toEqual([gone]);
});

test('what an XR has of a move goes with that XR, and not with the one that moves it', () => {
  const explains = (kind: HarmKind, uids: readonly [string, string], {again = false} = {}) => {
    const harm: Harm = {kind, place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
    const requests = [request('before', uids[0]), request('last', uids[1])];
    const moves = (bytes: Uint8Array) => again || decodeRequest(bytes).tag === 'before';
    const explain = (bytes: Uint8Array) =>
      moves(bytes) ? [{resourceName: 'a', decision: 'hand-over', reason: 'setting-aside'}] : [];
    const named = new Map([['App shop', {...asked, requests}]]);
    return unexplained([harm], {...ending([xr]), asked: named}, explain).length === 0;
  };
  const another = ['lost', 'uid of App shop'] as const;
  for (const kind of ['gone', 'destroyed', 'recreated'] as const) expect(explains(kind, another), kind).toBe(true);
  expect(explains('doubled', another)).toBe(false);
  expect(explains('destroyed', ['uid of App shop', 'uid of App shop'])).toBe(false);
  expect(explains('destroyed', another, {again: true})).toBe(false);
});

test('what a move had let go when its XR was deleted stays in the cloud, and nothing that it had taken over', () => {
  const harm: Harm = {
    kind: 'left-behind',
    place: composed.place,
    xr: 'App shop',
    resourceName: 'a',
    text: '',
    isExternal: true,
  };
  const explains = (reason: string, {uid = 'lost', living = [xr] as readonly Made[], of = harm} = {}) => {
    const requests = [request('before', uid), request('last')];
    const named = new Map([['App shop', {...asked, requests}]]);
    const explain = (bytes: Uint8Array) =>
      decodeRequest(bytes).tag === 'before' ? [{resourceName: 'a', decision: 'hand-over', reason}] : [];
    return unexplained([of], {...ending(living), asked: named}, explain).length === 0;
  };
  expect(explains('observing')).toBe(true);
  for (const reason of ['observing', 'setting-aside']) {
    expect(explains(reason, {of: {...harm, kind: 'doubled'}})).toBe(true);
    const {isExternal: _, ...objects} = harm;
    expect(explains(reason, {of: {...objects, kind: 'doubled'}})).toBe(false);
  }
  expect(explains('observing', {uid: 'uid of App shop'})).toBe(false);
  expect(explains('observing', {uid: 'uid of App shop', living: []})).toBe(true);
  expect(explains('taking-over')).toBe(false);
});

test('a move explains what its rule asks for, and nothing that is lost in the cloud', () => {
  expect(left('missing', 'wait', 'handed-over-later')).toEqual([]);
  expect(left('kept', 'refuse', 'cannot-hand-over')).toEqual([]);
  expect(left('kept', 'exchange', 'offering')).toEqual([]);
  expect(left('missing', 'exchange', 'offering')).toEqual([]);
  expect(left('left-behind', 'exchange', 'offering')).toEqual([]);
  expect(left('gone', 'exchange', 'offering')).toEqual(['gone']);
  expect(left('destroyed', 'exchange', 'offering')).toEqual(['destroyed']);
  expect(left('gone', 'wait', 'not-given')).toEqual([]);
  expect(left('gone', 'wait', 'given-away')).toEqual([]);
  expect(left('destroyed', 'wait', 'not-given')).toEqual(['destroyed']);
  expect(left('destroyed', 'hand-over', 'observing')).toEqual(['destroyed']);
  expect(left('doubled', 'exchange', 'observing')).toEqual(['doubled']);
});

test('a move explains that a person destroyed who deleted the new object, and no other loss in the cloud', () => {
  const old = {...composed, place: 'App shop > a (Old)'};
  const leftAfter = (deleted: Made, reason: string) => {
    const base = ending([xr], [old, composed]);
    const deletedByHand = (place: string) => (place === deleted.place ? ['ext-1'] : []);
    const externals = new Map([['ext-1', {...old, id: 'ext-1'}]]);
    const run = {...base.run, ledger: {...base.run.ledger, deletedByHand, externals}} as unknown as Ending['run'];
    const harm: Harm = {kind: 'destroyed', place: old.place, xr: 'App shop', resourceName: 'a', text: ''};
    const explain = () => [{resourceName: 'a', decision: 'hand-over', reason}];
    return unexplained([harm], {...base, run}, explain).length;
  };
  expect(leftAfter(composed, 'setting-aside')).toBe(0);
  expect(leftAfter(old, 'setting-aside')).toBe(1);
  expect(leftAfter(composed, 'renaming')).toBe(1);
});

test('a move of a life before explains what the restored resource has still, and nothing once it has that no more', () => {
  const harm: Harm = {kind: 'redirected', place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
  const lives = [request('first', 'lost'), request('second', 'uid of App shop')];
  const explain = (bytes: Uint8Array) =>
    decodeRequest(bytes).tag === 'first' ? [{resourceName: 'a', decision: 'hand-over', reason: 'observing'}] : [];
  const leftWhere = (madeFor: string) => {
    const base = ending([xr, composed]);
    const externals = new Map([['ext-1', {...composed, place: madeFor, id: 'ext-1', index: 0}]]);
    const ledger = {...base.run.ledger, idOf: () => 'ext-1', externals};
    const run = {...base.run, ledger} as unknown as Ending['run'];
    const named = new Map([['App shop', {...asked, requests: lives}]]);
    return unexplained([harm], {...base, run, asked: named}, explain);
  };
  expect(leftWhere('App shop > a (Old)')).toEqual([]);
  expect(leftWhere(composed.place)).toEqual([harm]);
});

test('what is let go for another XR stays until that one leads to its external resource, and no longer', () => {
  const harm: Harm = {kind: 'kept', place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
  const theirs: Made = {...composed, place: 'Site shop > from-a', xr: 'Site shop', address: 'ConfigMap. theirs'};
  const leftWhere = (theirId: string, reason: string) => {
    const base = ending([xr, composed, theirs]);
    const idOf = ({metadata: {name}}: Found['object']) =>
      name === composed.address ? 'ext-1' : name === theirs.address ? theirId : '';
    const run = {...base.run, ledger: {...base.run.ledger, idOf}} as unknown as Ending['run'];
    const explain = () => [{resourceName: 'a', decision: 'exchange', reason}];
    return unexplained([harm], {...base, run}, explain);
  };
  expect(leftWhere('ext-2', 'letting-go')).toEqual([]);
  expect(leftWhere('', 'letting-go')).toEqual([]);
  expect(leftWhere('ext-1', 'letting-go')).toEqual([harm]);
  expect(leftWhere('ext-2', 'observing')).toEqual([harm]);
});

test('it stays, too, where the other one only observes it and takes or wants it no more', () => {
  const harm: Harm = {kind: 'kept', place: composed.place, xr: 'App shop', resourceName: 'a', text: ''};
  const theirs: Made = {
    ...composed,
    place: 'Site shop > from-a',
    xr: 'Site shop',
    address: 'ConfigMap. theirs',
    resourceName: 'from-a',
  };
  const leftWhere = (takes: string, policies: readonly string[], desired = ['from-a'], isBack = false) => {
    const base = ending([xr, composed, theirs]);
    const living = new Map(
      [...base.living].map(([place, all]) => [
        place,
        all.map((one) =>
          place === theirs.place ? {...one, object: {...one.object, spec: {managementPolicies: policies}}} : one,
        ),
      ]),
    );
    const idOf = ({metadata: {name}}: Found['object']) => (name === xr.address ? '' : 'ext-1');
    const ledger = {...base.run.ledger, idOf, wasRestored: () => isBack};
    const run = {...base.run, ledger} as unknown as Ending['run'];
    const input = {kind: 'Input', take: [{from: {}, resources: [{name: takes}]}]};
    const object = {apiVersion: 'example.org/v1', kind: 'Site', metadata: {name: 'shop', uid: 'site'}};
    const body = {observed: {composite: {object}, resources: new Map()}, desired: {resources: new Map()}, input};
    const taker = {...asked, desired: new Set(desired), requests: [encodeRequest({tag: 'take', ...body})]};
    const explain = () => [{resourceName: 'a', decision: 'exchange', reason: 'letting-go'}];
    const all = new Map([
      ['App shop', asked],
      ['Site shop', taker],
    ]);
    return unexplained([harm], {...base, living, run, asked: all} as Ending, explain);
  };
  expect(leftWhere('from-b', ['Observe'])).toEqual([]);
  expect(leftWhere('from-a', ['Observe'])).toEqual([harm]);
  expect(leftWhere('from-a', ['Observe'], [])).toEqual([]);
  expect(leftWhere('from-b', ['*'])).toEqual([harm]);
  expect(leftWhere('from-b', ['Observe', 'Delete'])).toEqual([harm]);
  // A backup of before brought it back.
  expect(leftWhere('from-b', ['*'], ['from-a'], true)).toEqual([]);
});

test('what was given away is made again once the rule is gone, and not what was never given', () => {
  const explains = (before: string, reason: string, policies?: readonly string[]) => {
    const harm: Harm = {kind: 'recreated', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const made: Made = {
      place: 'Site shop > from-a',
      address: 'from-a',
      index: 0,
      xr: 'Site shop',
      resourceName: 'from-a',
    };
    const base = ending(policies === undefined ? [] : [made]);
    const [taken] = base.living.get(made.place) ?? [];
    const object = {...taken?.object, spec: {managementPolicies: policies}};
    const living = new Map(taken === undefined ? [] : [[made.place, [{...taken, object} as unknown as Found]]]);
    const externals = new Map([['App shop > a', [{...made, place: 'App shop > a', id: 'ext-1', goes: false}]]]);
    const run = {...base.run, ledger: {...base.run.ledger, idOf: () => 'ext-1'}} as unknown as Ending['run'];
    const asks = new Map([['App shop', {...asked, requests: [request('before'), request('last')]}]]);
    const w = {...base, run, living, externals, asked: asks};
    const explain = (bytes: Uint8Array) =>
      decodeRequest(bytes).tag === 'before'
        ? [{resourceName: 'a', decision: before, reason}]
        : [{resourceName: 'a', decision: 'keep', reason: ''}];
    return unexplained([harm], w, explain).length === 0;
  };
  expect(explains('wait', 'given-away')).toBe(true);
  expect(explains('exchange', 'letting-go')).toBe(false);
  // While its rule is taken away another XR has its external resource.
  expect(explains('exchange', 'letting-go', ['*'])).toBe(true);
  expect(explains('exchange', 'letting-go', ['Observe'])).toBe(false);
  expect(explains('exchange', 'offering', ['*'])).toBe(false);
  expect(explains('wait', 'not-given')).toBe(false);
});

test('a move explains the policies that it writes, what its provider adds to the new object, and no other field', () => {
  const explains = (reason: string, field: string, isAdded = false) => {
    const about = {place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const explain = () => [{resourceName: 'a', decision: 'hand-over', reason}];
    const w = {...ending([]), asked: new Map([['App shop', {...asked, input: {handover: []}}]])};
    return unexplained([{kind: 'overwritten', ...about, field, isAdded}], w, explain).length === 0;
  };
  for (const reason of ['setting-aside', 'observing']) {
    expect(explains(reason, 'spec.managementPolicies')).toBe(true);
    expect(explains(reason, 'metadata.labels.role')).toBe(false);
    expect(explains(reason, 'spec.forProvider.size')).toBe(false);
  }
  expect(explains('observing', 'spec.forProvider.size', true)).toBe(true);
  expect(explains('setting-aside', 'spec.forProvider.size', true)).toBe(false);
  expect(explains('renaming', 'spec.managementPolicies')).toBe(false);
});

test('what it let go to another XR, and a backup brought back, stays, and is as that says in every field', () => {
  const explains = (decision: string, reason: string, wasRestored: boolean, kind: HarmKind = 'overwritten') => {
    const about = {place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const base = ending([]);
    const run = {...base.run, ledger: {...base.run.ledger, wasRestored: () => wasRestored}} as unknown as Ending['run'];
    const w = {...base, run, asked: new Map([['App shop', {...asked, input: {give: []}}]])};
    const explain = () => [{resourceName: 'a', decision, reason}];
    return unexplained([{kind, ...about, field: 'spec.forProvider.size'}], w, explain).length === 0;
  };
  expect(explains('exchange', 'letting-go', true)).toBe(true);
  expect(explains('exchange', 'letting-go', true, 'kept')).toBe(true);
  expect(explains('exchange', 'letting-go', true, 'destroyed')).toBe(false);
  expect(explains('exchange', 'letting-go', false)).toBe(false);
  expect(explains('exchange', 'offering', true)).toBe(false);
});

test('policies that a move wrote come back with a restore, and are its own there, too', () => {
  const harm: Harm = {
    kind: 'overwritten',
    place: 'App shop > a',
    xr: 'App shop',
    resourceName: 'a',
    text: '',
    field: 'spec.deletionPolicy',
  };
  const named = new Map([
    ['App shop', {...asked, requests: [request('first', 'lost'), request('second', 'uid of App shop')]}],
  ]);
  const leftOf = (reason: string) =>
    unexplained([harm], {...ending([xr]), asked: named}, (bytes) =>
      decodeRequest(bytes).tag === 'first' ? [{resourceName: 'a', decision: 'hand-over', reason}] : [],
    );
  expect(leftOf('setting-aside')).toEqual([]);
  expect(leftOf('renaming')).toEqual([harm]);
});

test('what was given away is lost only with the XR that took it', () => {
  const rules = [{from: {}, resources: [{name: 'from-a'}]}];
  const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', take: rules};
  const take = encodeRequest({
    tag: 'take',
    observed: {
      composite: {object: {apiVersion: 'example.org/v1', kind: 'Site', metadata: {name: 'shop', uid: 'site'}}},
      resources: new Map(),
    },
    desired: {resources: new Map()},
    input,
  });
  const harm: Harm = {kind: 'destroyed', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  // Also once the rule is taken away again.
  const explain = (bytes: Uint8Array) =>
    decodeRequest(bytes).tag === 'before'
      ? [{resourceName: 'a', decision: 'wait', reason: 'given-away'}]
      : [{resourceName: 'a', decision: 'keep', reason: ''}];
  const leftOf = (desired: readonly string[], living: readonly Made[], letGo = 0) => {
    const taker = {...asked, requests: [take], desired: new Set(desired)};
    const all = new Map([
      ['App shop', {...asked, requests: [request('before'), request('last')]}],
      ['Site shop', taker],
    ]);
    const w = ending(living);
    const run = {...w.run, ledger: {...w.run.ledger, letGo: () => letGo}} as unknown as Ending['run'];
    return unexplained([harm], {...w, run, asked: all}, explain);
  };
  const site: Made = {place: 'Site shop', address: 'Site shop', index: 0};
  expect(leftOf(['from-a'], [site])).toEqual([harm]);
  expect(leftOf([], [site])).toEqual([]);
  expect(leftOf(['from-a'], [])).toEqual([]);
  // It let that go, and has it again since a restore.
  const taken: Made = {place: 'Site shop > from-a', address: 'a', index: 0, xr: 'Site shop', resourceName: 'from-a'};
  expect(leftOf(['from-a'], [site, taken], 1)).toEqual([]);
  expect(leftOf(['from-a'], [site, taken])).toEqual([harm]);
});

test('what was given away is made again, too, where its rule was taken away in another life', () => {
  const again: Harm = {kind: 'recreated', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const about = (decision: string, reason: string, resourceName = 'a') => {
    const requests = [request('before', 'uid before'), request('last')];
    const w = {...ending([]), asked: new Map([['App shop', {...asked, requests}]])};
    const explain = (one: Uint8Array) =>
      decodeRequest(one).tag === 'before' ? [{resourceName, decision, reason}] : [];
    return unexplained([again], w, explain);
  };
  expect(about('wait', 'given-away')).toEqual([]);
  expect(about('wait', 'given-away', 'b')).toEqual([again]);
  expect(about('wait', 'creation-order')).toEqual([again]);
});

test('what waits for its Usage to leave is kept where the input keeps the Usage', () => {
  const kept: Harm = {kind: 'kept', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const waits = {resourceName: 'a', decision: 'hold', reason: 'usage-leaves-first'};
  const about = (reason: string) =>
    unexplained([kept], ending([]), () => [waits, {resourceName: 'usage', decision: 'hold', reason}]);
  expect(about('over-budget')).toEqual([]);
  expect(about('awaiting-approval')).toEqual([]);
  expect(about('by-still-exists')).toEqual([kept]);
});

test('what waits for its Usage to leave is kept where its XR stands still before that has lost its `by`', () => {
  const kept: Harm = {kind: 'kept', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
  const about = (reason: string, syncedUntilMs: number) => {
    const w = ending([xr]);
    const run = {...w.run, ledger: {...w.run.ledger, syncedUntilMs: () => syncedUntilMs}} as unknown as Ending['run'];
    return unexplained([kept], {...w, run}, () => [
      {resourceName: 'a', decision: 'hold', reason: 'usage-leaves-first'},
      {resourceName: 'usage', decision: 'hold', reason},
    ]);
  };
  expect(about('relax-first', 1)).toEqual([]);
  expect(about('relax-first', Number.POSITIVE_INFINITY)).toEqual([kept]);
  expect(about('by-still-exists', 1)).toEqual([kept]);
});

test('an XR says again and again under which of two names one object is refused', () => {
  const restless: Harm = {kind: 'restless', place: 'App shop', text: ''};
  const about = (decision: string, status: string, message: string) => {
    const w = ending([{...composed, place: 'App shop'}]);
    const [found] = w.living.get('App shop') as readonly [Found];
    const object = {...found.object, status: {conditions: [{type: 'Synced', status, message}]}};
    const living = new Map([['App shop', [{...found, object}]]]);
    return unexplained([restless], {...w, living}, () => [{resourceName: 'a', decision, reason: 'renaming'}]);
  };
  const refused = 'cannot compose resources: cannot apply composed resource "a": no such field';
  expect(about('hand-over', 'False', refused)).toEqual([]);
  expect(about('hand-over', 'True', refused)).toEqual([restless]);
  expect(about('hand-over', 'False', 'cannot select Composition')).toEqual([restless]);
  expect(about('hold', 'False', refused)).toEqual([restless]);
});

test('what is refused for its kind is not made, and what stays is of another kind', () => {
  const explains = (wanted: string, kind: HarmKind = 'gone', reason = 'kind-changed') => {
    const harm: Harm = {kind, place: 'App shop > a (Note.example.org)', xr: 'App shop', resourceName: 'a', text: ''};
    const asks = new Map([['App shop', {...asked, kinds: new Map([['a', wanted]])}]]);
    const decided = [{resourceName: 'a', decision: 'refuse', reason}];
    return unexplained([harm], {...ending([xr]), asked: asks}, () => decided).length === 0;
  };
  expect(explains('Note.example.org')).toBe(true);
  expect(explains('Note.example.org', 'gone', 'cannot-hand-over')).toBe(true);
  expect(explains('Note.example.org', 'gone', 'unproven')).toBe(false);
  expect(explains('Bucket.cloud.example.org')).toBe(false);
  expect(explains('Note.example.org', 'destroyed')).toBe(false);
});

test('what stays as it is, because somebody took the rule of a move away in the middle, is as it was', () => {
  const explains = (input: {[key: string]: Json}, reason = 'observing', kind: HarmKind = 'overwritten') => {
    const harm: Harm = {kind, place: 'App shop > a', xr: 'App shop', resourceName: 'a', field: 'spec.size', text: ''};
    const w = {...ending([]), asked: new Map([['App shop', {...asked, input}]])};
    return unexplained([harm], w, () => [{resourceName: 'a', decision: 'hand-over', reason}]).length === 0;
  };
  expect(explains({})).toBe(true);
  expect(explains({handover: []})).toBe(false);
  expect(explains({}, 'taking-over')).toBe(false);
  expect(explains({}, 'observing', 'destroyed')).toBe(false);
});

test('what was kept as asked a backup has, and brings back beside what its XR has made by then', () => {
  const explains = (late: string, reason: string, kind: HarmKind = 'doubled') => {
    const harm: Harm = {kind, place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''};
    const w = ending([]);
    const run = {...w.run, ledger: {...w.run.ledger, cameBackLate: (place: string) => place === late}};
    const decided = (one: Uint8Array) =>
      decodeRequest(one).tag === 'before' ? [{resourceName: 'a', decision: 'hold', reason}] : [];
    const requests = [request('before', 'uid before'), request('last')];
    const asks = new Map([['App shop', {...asked, requests}]]);
    return unexplained([harm], {...w, run: run as unknown as Ending['run'], asked: asks}, decided).length === 0;
  };
  expect(explains('App shop > a', 'over-budget')).toBe(true);
  expect(explains('App shop > b', 'over-budget')).toBe(false);
  expect(explains('App shop > a', 'adopt-first')).toBe(false);
  expect(explains('App shop > a', 'over-budget', 'recreated')).toBe(false);
});

test('an external resource that another XR has taken is what that one decides about it', () => {
  const explains = (there: string, reason = 'orphan-first', isExternal = true) => {
    const own = {kind: 'left-behind', place: 'App shop > a', xr: 'App shop', resourceName: 'a', text: ''} as const;
    const harm: Harm = isExternal ? {...own, isExternal: true} : own;
    const input = {apiVersion: 'v1', kind: 'Input', take: [{resources: [{name: 'mine', there}]}]};
    const observed = {
      composite: {object: {apiVersion: 'v1', kind: 'Site', metadata: {name: 'shop'}}},
      resources: new Map(),
    };
    const taker = encodeRequest({tag: 'taker', observed, desired: {resources: new Map()}, input});
    const asks = new Map([
      ['App shop', asked],
      ['Site shop', {...asked, requests: [taker]}],
    ]);
    const decided = (one: Uint8Array) =>
      decodeRequest(one).tag === 'taker' ? [{resourceName: 'mine', decision: 'hold', reason}] : [];
    return unexplained([harm], {...ending([]), asked: asks}, decided).length === 0;
  };
  expect(explains('a')).toBe(true);
  expect(explains('b')).toBe(false);
  expect(explains('a', 'adopt-first')).toBe(false);
  expect(explains('a', 'orphan-first', false)).toBe(false);
});
