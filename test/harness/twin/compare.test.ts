import {expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {harmsOf} from '../../../src/harness/twin/compare.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {Made, MadeExternal} from '../../../src/harness/twin/ledger.ts';
import {encodeRequest} from '../../../src/wire/request-encode.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// Whose external resource an object leads to, and who asked for one to go. Numbers of external resources differ between the
// runs: what is ext-1 in one may be ext-2 in the other.

const xr = 'App shop';
const bucket = (name: string): Made => ({place: `${xr} > ${name}`, address: name, index: 0, xr, resourceName: name});
const decoy: Made = {place: 'decoy', address: 'decoy', index: 0};
const own: Made = {place: xr, address: xr, index: 0};

interface Given {
  /** Names of objects and the external names that they say. */
  readonly objects: readonly (readonly [made: Made, externalName: string])[];
  /** External resources ever made, and which of them are alive. */
  readonly made: readonly (readonly [id: string, made: Made, index?: number])[];
  readonly alive: readonly string[];
  readonly deletedByHand?: readonly string[];
  /** Whether the XR lists none of the objects. */
  readonly isForgotten?: boolean;
}

function ending({objects, made, alive, deletedByHand = [], isForgotten = false}: Given): Ending {
  const refs = isForgotten ? [] : objects.map(([{address: name}]) => ({apiVersion: 'v1', kind: 'Thing', name}));
  const found = [[own, ''] as const, ...objects].map(([one, name]): Found => {
    const annotations = name === '' ? {} : {'crossplane.io/external-name': name};
    const spec = one === own ? {spec: {resourceRefs: refs}} : {};
    const metadata = {name: one.address, uid: one.place, annotations};
    return {made: one, object: {apiVersion: 'v1', kind: 'Thing', metadata, ...spec}, controller: one.xr};
  });
  const externals = made.map(([id, one, index = 0]): MadeExternal => ({...one, id, index, goes: false}));
  const ledger = ledgerOf({
    externals: new Map(externals.map((one) => [one.id, one])),
    idOf: ({metadata}: KubeObject) => metadata.annotations?.['crossplane.io/external-name'] ?? '',
    deletedByHand: () => deletedByHand,
  });
  const living = externals.filter(({id}) => alive.includes(id));
  return {
    run: runOf({ledger}),
    living: new Map(found.map((one) => [one.made.place, [one]])),
    deleting: new Map(),
    externals: new Map(living.map(({place}) => [place, living.filter((one) => one.place === place)])),
    places: new Map([...made.map(([, one]) => one), ...found.map((one) => one.made)].map((one) => [one.place, one])),
    asked: new Map(),
    xrs: [],
  };
}

const kinds = (w: Given, wo: Given) => harmsOf(ending(w), ending(wo)).map(({kind}) => kind);

const [a, b] = [bucket('a'), bucket('b')];
const alive = ['ext-1', 'ext-2'];
const inOrder = {made: [['ext-1', a] as const, ['ext-2', b] as const], alive};
const turned = {made: [['ext-2', a] as const, ['ext-1', b] as const], alive};

test('a name that a tenant wrote redirects nobody, though it is of another external resource in the other run', () => {
  expect(kinds({...inOrder, objects: [[decoy, 'ext-1']]}, {...turned, objects: [[decoy, 'ext-1']]})).toEqual([]);
});

test('an object that says another name than without the function is redirected', () => {
  expect(kinds({...inOrder, objects: [[decoy, 'ext-1']]}, {...turned, objects: [[decoy, 'ext-7']]})).toEqual([
    'redirected',
  ]);
});

test('unless that name led to nothing any more there, and its provider made another one', () => {
  const lost = {...inOrder, alive: ['ext-2']};
  expect(kinds({...inOrder, objects: [[decoy, 'ext-1']]}, {...lost, objects: [[decoy, 'ext-7']]})).not.toContain(
    'redirected',
  );
  expect(kinds({...inOrder, objects: [[b, 'ext-1']]}, {...lost, objects: [[b, 'ext-7']]})).toContain('redirected');
});

test('what is composed is redirected by the same name, too, where that was its own', () => {
  expect(kinds({...inOrder, objects: [[b, 'ext-1']]}, {...turned, objects: [[b, 'ext-1']]})).toEqual(['redirected']);
});

test('under another of its XRs resource names an object has the external resource that it had', () => {
  const renamed: Made = {...a, place: `${xr} > renamed`, resourceName: 'renamed'};
  const w = {...inOrder, objects: [[renamed, 'ext-1'] as const]};
  expect(kinds(w, {...inOrder, objects: [[renamed, 'ext-7']]})).not.toContain('redirected');
  const other = {...renamed, address: 'another'};
  expect(kinds({...w, objects: [[other, 'ext-1']]}, {...inOrder, objects: [[other, 'ext-7']]})).toContain('redirected');
});

test('and where it was of a third one', () => {
  const third = {made: [['ext-2', a] as const, ['ext-1', bucket('c')] as const], alive};
  expect(kinds({...inOrder, objects: [[b, 'ext-1']]}, {...third, objects: [[b, 'ext-1']]})).toContain('redirected');
});

test('so is what somebody made with an external resource of its own', () => {
  const mine = [['ext-1', a] as const, ['ext-2', decoy] as const];
  const theirs = [['ext-2', a] as const, ['ext-1', decoy] as const];
  expect(
    kinds({made: mine, alive, objects: [[decoy, 'ext-1']]}, {made: theirs, alive, objects: [[decoy, 'ext-1']]}),
  ).toEqual(['redirected']);
});

// A provider that restarts forgets ext-1 without the function, and makes ext-2. A person deletes the object.
const again = {...a, index: 1};
const kept = {made: [['ext-1', a] as const, ['ext-2', a, 1] as const], alive: ['ext-2']};
const forgot = {
  made: [['ext-1', a] as const, ['ext-2', a, 1] as const, ['ext-3', a, 2] as const],
  alive: ['ext-1', 'ext-3'],
};
const mine: Given = {...kept, objects: [[again, 'ext-2']], deletedByHand: ['ext-1']};
const theirs: Given = {...forgot, objects: [[again, 'ext-3']], deletedByHand: ['ext-2']};

test('an external resource goes with the object that a person deleted, though without the function it was forgotten', () => {
  expect(kinds(mine, theirs)).toEqual([]);
});

test('it is destroyed where no person deleted the object, or only without the function', () => {
  expect(kinds({...mine, deletedByHand: []}, theirs)).toEqual(['destroyed']);
  expect(kinds(mine, {...theirs, deletedByHand: []})).toEqual(['destroyed']);
});

test('an object that a person deleted and told to leave its external resource has not forgotten it', () => {
  const both: Given = {
    made: [
      ['ext-1', a],
      ['ext-2', a, 1],
    ],
    alive: ['ext-1', 'ext-2'],
    objects: [[again, 'ext-2']],
    deletedByHand: ['ext-1'],
  };
  expect(kinds(both, both)).toEqual([]);
});

test('what the XR let go is nobodys without the function, where it was forgotten', () => {
  const lost = (letGo: number, controller: string | undefined) => {
    const w = ending({made: [['ext-1', a]], alive: [], objects: []});
    const wo = ending({made: [['ext-1', a]], alive: ['ext-1'], objects: [[a, 'ext-1']]});
    const ledger = {...w.run.ledger, letGo: () => letGo};
    const living = new Map(wo.living).set(
      a.place,
      (wo.living.get(a.place) ?? []).map((one) => ({...one, controller})),
    );
    const mine = {...w, run: {...w.run, ledger}} as unknown as Ending;
    return harmsOf(mine, {...wo, living}).map(({kind}) => kind);
  };
  expect(lost(1, undefined)).toEqual([]);
  expect(lost(0, undefined)).toEqual(['gone', 'destroyed']);
  expect(lost(1, 'App shop')).toEqual(['gone', 'destroyed']);
});

test('what went with an XR that was let go is made anew with the next, and counted as that one is', () => {
  const inner = `${xr} > inner`;
  const composed: Made = {place: `${inner} > c`, address: 'c', index: 0, xr: inner, resourceName: 'c'};
  const made = (index: number, letGo: number): Ending => {
    const one = ending({
      made: [['ext-1', {...composed, index}, index]],
      alive: ['ext-1'],
      objects: [[{...composed, index}, 'ext-1']],
    });
    return {
      ...one,
      run: {...one.run, ledger: {...one.run.ledger, letGo: (at: string) => (at === inner ? letGo : 0)}},
    } as unknown as Ending;
  };
  const kindsOf = (w: Ending, wo: Ending) => harmsOf(w, wo).map(({kind}) => kind);
  expect(kindsOf(made(2, 2), made(1, 1))).toEqual([]);
  expect(kindsOf(made(2, 1), made(1, 1))).toEqual(['recreated', 'destroyed']);
  expect(kindsOf(made(3, 2), made(1, 1))).toEqual(['recreated', 'destroyed']);
});

test('or where another one was deleted, or an object leads to it without the function', () => {
  expect(kinds({...mine, deletedByHand: ['ext-2']}, theirs)).toEqual(['destroyed']);
  expect(kinds(mine, {...theirs, objects: [[again, 'ext-1']]})).toEqual(['destroyed']);
  expect(kinds(mine, {...theirs, objects: [[again, 'ext-1']], isForgotten: true})).toEqual([]);
});

// Two of one resource, as after a restore that brought the XR first: its own, and the one of before, which is nobody's.
const before = (place: Made, controller?: string): Found => ({
  made: place,
  object: {apiVersion: 'v1', kind: 'Thing', metadata: {name: place.address}},
  controller,
});
const saved = {...a, address: 'saved'};
const anew = (address: string) => ({...a, address});

/** What its XR controls, that XR lists. */
function withAll(...all: readonly Found[]): Ending {
  const base = ending({objects: [], made: [], alive: []});
  const resourceRefs = all
    .filter(({controller}) => controller === xr)
    .map(({object: {apiVersion, kind, metadata}}) => ({apiVersion, kind, name: metadata.name}));
  const lists = {made: own, object: {apiVersion: 'v1', kind: 'Thing', metadata: {name: xr}, spec: {resourceRefs}}};
  const living = new Map([...base.living, [xr, [lists as unknown as Found]], [a.place, all]]);
  return {...base, living, places: new Map([[a.place, a]])};
}

test('what an XR controls and has forgotten is no better off than what nobody controls', () => {
  const listed = withAll(before(saved, xr));
  const forgotten = {...listed, living: new Map([...listed.living, [xr, withAll().living.get(xr) ?? []]])};
  const kindsOf = (wo: Ending) => harmsOf(withAll(before(saved)), wo).map(({kind}) => kind);
  expect(kindsOf(listed)).toEqual(['unowned']);
  expect(kindsOf(forgotten)).toEqual([]);
});

test('what a person takes away of an object by its resource name stays where that has another one', () => {
  const said = (resource: string, labels: object, body: object = {metadata: {labels: {role: null}}}) => {
    const metadata = {name: 'saved', labels, annotations: {'crossplane.io/composition-resource-name': resource}};
    const all = withAll({
      made: saved,
      object: {apiVersion: 'v1', kind: 'Thing', metadata} as KubeObject,
      controller: xr,
    });
    const target = {resource: 'a'};
    const story = {moves: [{action: {kind: 'patch', target, body}}]};
    return {...all, run: {...all.run, story} as unknown as Ending['run']};
  };
  const kindsOf = (w: Ending) => harmsOf(w, said('a', {})).map(({kind}) => kind);
  expect(kindsOf(said('tether-handover-of-a', {role: 'a'}))).toEqual([]);
  expect(kindsOf(said('a', {role: 'a'}))).toEqual(['overwritten']);
  expect(kindsOf(said('tether-handover-of-a', {role: 'a'}, {}))).toEqual(['overwritten']);
});

test('an owner GC that goes on trying what a Usage keeps for an XR of before is at rest', () => {
  const usage = {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage', metadata: {name: 'u'}};
  const refTo = (name: string) => ({apiVersion: 'v1', kind: 'Thing', resourceRef: {name}});
  const by = before(decoy);
  const isRestless = (sinceMs: number, of: string) => {
    const ownerReferences = [{apiVersion: 'v1', kind: 'App', name: 'shop', uid: 'lost', controller: true}];
    const metadata = {name: 'saved', ownerReferences};
    const left = {made: saved, object: {apiVersion: 'v1', kind: 'Thing', metadata}, controller: xr} as Found;
    const base = withAll(left);
    const it = {made: {...decoy, place: 'u'}, object: {...usage, spec: {of: refTo(of), by: refTo('decoy')}}} as unknown;
    const living = new Map([...base.living, [decoy.place, [by]], ['u', [it as Found]]]);
    const run = {...base.run, restless: 'the world does not come to rest', writtenMs: -sinceMs} as Ending['run'];
    const theirs = withAll();
    const wo = {...theirs, living: new Map([...theirs.living, [decoy.place, [by]]])};
    return harmsOf({...base, living, run}, wo).some(({kind}) => kind === 'restless');
  };
  expect(isRestless(150_000, 'saved')).toBe(false);
  expect(isRestless(60_000, 'saved')).toBe(true);
  expect(isRestless(150_000, 'another')).toBe(true);
});

test('what a backup had of an XR that a Usage kept from going comes back', () => {
  const isKept = (wasRestored: boolean, part: string, without = false) => {
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', [part]: []};
    const object = {apiVersion: 'v1', kind: 'Thing', metadata: {name: 'shop'}};
    const body = {observed: {composite: {object}, resources: new Map()}, desired: {resources: new Map()}, input};
    const asks = {requests: [encodeRequest({tag: '', ...body})], desired: new Set(), kinds: new Map(), input};
    const action = {kind: 'delete', target: {kind: 'App', name: 'shop'}};
    const restored = (is: boolean, all: Ending) => ({
      ...all,
      run: {...all.run, ledger: ledgerOf({wasRestored: () => is})},
    });
    const w = restored(wasRestored, ending({objects: [], made: [], alive: []}));
    const asked = new Map([[xr, {...asks, addresses: new Set()}]]);
    const run = {...w.run, story: {moves: [{action}]}} as unknown as Ending['run'];
    const wo = restored(without, ending({objects: [], made: [], alive: []}));
    const gone = {...wo, living: new Map(), places: new Map([[xr, own]])} as unknown as Ending;
    return harmsOf({...w, run, asked} as unknown as Ending, gone).some(({kind}) => kind === 'kept');
  };
  expect(isKept(true, 'usages')).toBe(false);
  expect(isKept(false, 'usages')).toBe(true);
  expect(isKept(true, 'removal')).toBe(true);
  expect(isKept(true, 'usages', true)).toBe(true);
});

test('a field is missed that only an object has which was made sooner without the function', () => {
  const scaled = (found: Found): Found => ({...found, object: {...found.object, spec: {replicas: 50}} as KubeObject});
  const isMissed = (mineMs: number, mine: Found, theirs: Found) => {
    const w = withAll(mine);
    const ledger = {...w.run.ledger, madeFirstMs: () => mineMs};
    const [harm] = harmsOf({...w, run: {...w.run, ledger} as unknown as Ending['run']}, withAll(theirs));
    expect(harm?.kind).toBe('overwritten');
    return harm?.isMissed;
  };
  const plain = before(saved, xr);
  expect(isMissed(1, plain, scaled(plain))).toBe(true);
  expect(isMissed(0, plain, scaled(plain))).toBe(false);
  expect(isMissed(1, scaled(plain), plain)).toBe(false);
});

test('what a restore brings back is laid beside itself, not beside the new one', () => {
  const w = withAll(before(saved), before(anew('mine'), xr));
  const kindsOf = (wo: Ending) => harmsOf(w, wo).map(({kind}) => kind);
  expect(kindsOf(withAll(before(anew('theirs'), xr), before(saved)))).toEqual([]);
  expect(kindsOf(withAll(before(anew('theirs'), xr), before(saved, xr)))).toEqual(['unowned']);
});

test('an object that is as the XR has another one without the function is not overwritten', () => {
  const edited = (found: Found): Found => {
    const {object} = found;
    return {...found, object: {...object, metadata: {...object.metadata, labels: {edited: 'true'}}}};
  };
  const w = withAll(edited(before(saved, xr)));
  const kindsOf = (...theirs: readonly Found[]) => harmsOf(w, withAll(...theirs)).map(({kind}) => kind);
  expect(kindsOf(before(saved, xr), edited(before(anew('theirs'), xr)))).toEqual([]);
  expect(kindsOf(before(saved, xr), before(anew('theirs'), xr))).toEqual(['overwritten']);
  expect(kindsOf(before(saved, xr), edited(before(anew('theirs'))))).toEqual(['overwritten']);
});

test('an XR that makes anew what is there beside the one of before without the function has replaced it', () => {
  const w = withAll(before({...a, index: 1}, xr));
  const kindsOf = (...theirs: readonly Found[]) => harmsOf(w, withAll(...theirs)).map(({kind}) => kind);
  expect(kindsOf(before(saved), before({...anew('theirs'), index: 1}, xr))).toEqual(['replaced']);
  expect(kindsOf(before(saved, xr))).toEqual(['recreated']);
  expect(kindsOf(before(saved), before(anew('theirs'), xr))).toEqual(['recreated']);
});

test('it has not where it let that one go when it was wanted no more, which was forgotten then without the function', () => {
  const kindsOf = (letGo: number, theirs: readonly Found[]) => {
    const w = withAll(before({...a, index: 2}, xr));
    const mine = {...w, run: {...w.run, ledger: {...w.run.ledger, letGo: () => letGo}}} as unknown as Ending;
    return harmsOf(mine, withAll(...theirs)).map(({kind}) => kind);
  };
  const both = [before(saved), before({...anew('theirs'), index: 2}, xr)];
  expect(kindsOf(1, both)).toEqual([]);
  expect(kindsOf(0, both)).toEqual(['replaced']);
  expect(kindsOf(1, [before(saved, xr)])).toEqual(['recreated']);
});

/** With an XR that was Synced until then, or is. */
function withXr(one: Ending, untilMs = Number.POSITIVE_INFINITY): Ending {
  const ledger = {...one.run.ledger, syncedUntilMs: (place: string) => (place === xr ? untilMs : 0)};
  return {...one, run: {...one.run, ledger} as unknown as Ending['run']};
}

test('what an XR does that stands still without the function is no harm, but what it destroys is', () => {
  const [two, one] = [withAll(before(saved), before(anew('mine'), xr)), withAll(before(saved))];
  const kindsOf = (mine?: number, theirs?: number) =>
    harmsOf(withXr(two, mine), withXr(one, theirs)).map(({kind}) => kind);
  expect(kindsOf(undefined, 1)).toEqual([]);
  expect(kindsOf()).toEqual(['doubled']);
  expect(harmsOf(withXr(withAll()), withXr(one, 1)).map(({kind}) => kind)).toContain('gone');
  // Nor is what it did before it came to stand still, too.
  expect(kindsOf(2, 1)).toEqual([]);
  expect(kindsOf(1, 2)).toEqual(['doubled']);
  expect(kindsOf(2, 2)).toEqual(['doubled']);
});

test('an XR stands still over what somebody made it list, and a Usage keeps from a person as the input of its XR asked', () => {
  const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', protect: {}};
  const body = {observed: {composite: {object: {}}, resources: new Map()}, desired: {resources: new Map()}};
  const asked = {requests: [encodeRequest({tag: '', ...body, input})], input, desired: new Set()};
  const other: Made = {place: 'Site shop', address: 'Site shop', index: 0};
  const site = {apiVersion: 'v1', kind: 'Site', metadata: {name: 'shop'}};
  const kindsOf = (listed: string, isDenied: boolean, without: readonly Found[]) => {
    const base = withXr(ending({objects: [], made: [], alive: []}), 1);
    const ledger = {...base.run.ledger, isDenied: (place: string) => isDenied && place === other.place};
    const spec = {resourceRefs: [{apiVersion: 'v1', kind: 'Site', name: listed}]};
    const lists = base.living.get(xr)?.map((one) => ({...one, object: {...one.object, spec}})) as readonly Found[];
    const kept: Found = {made: other, object: site, controller: undefined};
    const living = new Map([
      [xr, lists],
      [other.place, [kept]],
    ]);
    const w = {
      ...base,
      run: {...base.run, ledger},
      living,
      asked: new Map([[other.place, asked]]),
    } as unknown as Ending;
    const theirs = withAll(before(a, xr));
    return harmsOf(w, {
      ...theirs,
      living: new Map([...theirs.living, ...(without.length === 0 ? [] : [[other.place, without] as const])]),
    }).map(({kind}) => kind);
  };
  expect(kindsOf('shop', true, [])).not.toContain('missing');
  expect(kindsOf('shop', true, [{made: {...other, index: 1}, object: site, controller: undefined}])).not.toContain(
    'missing',
  );
  expect(kindsOf('another', true, [])).toContain('missing');
  expect(kindsOf('shop', false, [])).toContain('missing');
  expect(kindsOf('shop', true, [{made: other, object: site, controller: undefined}])).toContain('missing');
});

test('names are a matter of chance: what one controller has stands for what it has in the other run', () => {
  const w = withAll(before(saved), before(anew('mine'), xr));
  const kindsOf = (...theirs: readonly Found[]) => harmsOf(w, withAll(...theirs)).map(({kind}) => kind);
  expect(kindsOf(before(anew('theirs'), xr), before(anew('other')))).toEqual([]);
  expect(kindsOf(before(anew('other')), before(saved, xr))).toEqual([]);
  expect(kindsOf(before(anew('theirs'), xr), before(anew('other'), xr))).toEqual(['unowned']);
});

test('what the owner GC takes with its XR was forgotten without the function only if it is nobodys there', () => {
  const kindsOf = (wasCollected: boolean, controller?: string) => {
    const w = withAll();
    const ledger = {...w.run.ledger, wasCollected: () => wasCollected};
    return harmsOf({...w, run: {...w.run, ledger} as unknown as Ending['run']}, withAll(before(a, controller))).map(
      ({kind}) => kind,
    );
  };
  expect(kindsOf(true)).toEqual([]);
  expect(kindsOf(true, xr)).toEqual(['gone']);
  expect(kindsOf(false)).toEqual(['gone']);
});

test('of two, one of which both forgot, the other is kept where it was let go without the function', () => {
  const kindsOf = (letGo: number, desired: readonly string[]) => {
    const asked = {requests: [], input: {}, desired: new Set(desired), kinds: new Map(), addresses: new Set()};
    const two = {...withAll(before(saved), before(anew('mine'), xr)), asked: new Map([[xr, asked]])} as Ending;
    const one = withAll(before(saved));
    const ledger = {...one.run.ledger, letGo: () => letGo};
    const theirs = {...one, run: {...one.run, ledger} as unknown as Ending['run']};
    return harmsOf(two, theirs).map(({kind}) => kind);
  };
  expect(kindsOf(1, [])).toEqual(['kept']);
  expect(kindsOf(0, [])).toEqual(['doubled']);
  expect(kindsOf(1, ['a'])).toEqual(['doubled']);
});

test('two are there where a Usage kept one from a person, if the input asked for Usages', () => {
  const kindsOf = (part: string) => {
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', [part]: []};
    const object = {apiVersion: 'v1', kind: 'App', metadata: {name: 'shop'}};
    const body = {observed: {composite: {object}, resources: new Map()}, desired: {resources: new Map()}};
    const asked = {requests: [encodeRequest({tag: '', ...body, input})], input, desired: new Set(['a'])};
    const two = withAll(before(saved), before(anew('mine'), xr));
    const ledger = {...two.run.ledger, isDenied: (place: string) => place === a.place};
    const w = {...two, run: {...two.run, ledger}, asked: new Map([[xr, asked]])} as unknown as Ending;
    return harmsOf(w, withAll(before(saved))).map(({kind}) => kind);
  };
  expect(kindsOf('order')).toEqual([]);
  expect(kindsOf('removal')).toEqual(['doubled']);
});

test('an XR is not Ready for what a Usage kept as it was from a person, where it was made anew without the function', () => {
  const kindsOf = (part: string, {index = 1, denied = a.place, of = xr} = {}) => {
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', [part]: []};
    const object = {apiVersion: 'v1', kind: 'App', metadata: {name: 'shop'}};
    const body = {observed: {composite: {object}, resources: new Map()}, desired: {resources: new Map()}};
    const asked = {requests: [encodeRequest({tag: '', ...body, input})], input, desired: new Set(['a'])};
    const one = withAll(before({...saved, xr: of}, xr));
    const ledger = {...one.run.ledger, isDenied: (place: string) => place === denied};
    const app = (ready: 'True' | 'False'): Found => {
      const status = {
        conditions: [
          {type: 'Synced', status: 'True'},
          {type: 'Ready', status: ready},
        ],
      };
      return {made: own, object: {...object, metadata: {name: 'shop'}, status}, controller: undefined};
    };
    const w = {
      ...one,
      living: new Map([...one.living, [xr, [app('False')]]]),
      xrs: [app('False')],
      run: {...one.run, ledger},
      asked: new Map([
        [xr, asked],
        [of, asked],
      ]),
    } as unknown as Ending;
    const anew = withAll(before({...a, address: 'anew', index}, xr));
    return harmsOf(w, {...anew, living: new Map([...anew.living, [xr, [app('True')]]])}).map(({kind}) => kind);
  };
  expect(kindsOf('order')).toEqual([]);
  expect(kindsOf('removal')).toEqual(['not-ready']);
  expect(kindsOf('order', {index: 0})).toEqual(['not-ready']);
  expect(kindsOf('order', {denied: 'App shop > b'})).toEqual(['not-ready']);
  expect(kindsOf('order', {of: 'Site shop'})).toEqual(['not-ready']);
});

/** What an XR asked whose input protects it, and that wants these. */
function askedToProtect(...desired: readonly string[]) {
  const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', protect: {}};
  const object = {apiVersion: 'v1', kind: 'App', metadata: {name: 'shop'}};
  const body = {observed: {composite: {object}, resources: new Map()}, desired: {resources: new Map()}};
  return {requests: [encodeRequest({tag: '', ...body, input})], input, desired: new Set(desired)};
}

test('what becomes of others is no harm while a Usage keeps an XR from a person, that is gone or made anew without the function', () => {
  const bystander: Made = {place: 'bystander', address: 'bystander', index: 0};
  const object = {apiVersion: 'v1', kind: 'App', metadata: {name: 'shop'}};
  const asked = askedToProtect();
  const kindsOf = (denied: string, theirs: number | undefined) => {
    const one = ending({objects: [], made: [], alive: []});
    const ledger = {...one.run.ledger, isDenied: (place: string) => place === denied};
    const app = {made: own, object, controller: undefined};
    const w = {...one, run: {...one.run, ledger}, xrs: [app], asked: new Map([[xr, asked]])} as unknown as Ending;
    const wo = ending({objects: [[bystander, '']], made: [], alive: []});
    const living = new Map(wo.living);
    if (theirs === undefined) living.delete(xr);
    else living.set(xr, [{...app, made: {...own, index: theirs}}]);
    const places = new Map([...one.places, [bystander.place, bystander]]);
    return harmsOf({...w, places}, {...wo, living}).map(({kind}) => kind);
  };
  expect(kindsOf(xr, undefined)).not.toContain('gone');
  expect(kindsOf(xr, 1)).not.toContain('gone');
  expect(kindsOf(xr, 0)).toContain('gone');
  expect(kindsOf('another', undefined)).toContain('gone');
});

test('what is changed in an XR that a Usage keeps from a person is not changed where that XR is gone', () => {
  const asked = askedToProtect('a');
  const kindsOf = (denied: string, isGone: boolean) => {
    const edited = before(saved, xr);
    const one = withAll({...edited, object: {...edited.object, spec: {size: 'large'}} as KubeObject});
    const ledger = {...one.run.ledger, isDenied: (place: string) => place === denied};
    const w = {...one, run: {...one.run, ledger}, asked: new Map([[xr, asked]])} as unknown as Ending;
    const wo = withAll(before(saved, xr));
    const living = new Map(wo.living);
    if (isGone) living.delete(xr);
    return harmsOf(w, {...wo, living}).map(({kind}) => kind);
  };
  expect(kindsOf(xr, true)).toEqual([]);
  expect(kindsOf(xr, false)).toEqual(['overwritten']);
  expect(kindsOf('another', true)).toContain('overwritten');
});

test('nor is what such an XR has as nobodys after a restore, and cannot change', () => {
  const asked = askedToProtect('a');
  const kindsOf = (denied: string, isAnew: boolean) => {
    const one = withAll(before(saved));
    const ledger = {...one.run.ledger, isDenied: (place: string) => place === denied};
    const w = {...one, run: {...one.run, ledger}, asked: new Map([[xr, asked]])} as unknown as Ending;
    const wo = withAll(before(saved, xr));
    const [app] = wo.living.get(xr) ?? [];
    const theirs = [{...app, made: {...own, index: isAnew ? 1 : 0}} as Found];
    return harmsOf(w, {...wo, living: new Map([...wo.living, [xr, theirs]])}).map(({kind}) => kind);
  };
  expect(kindsOf(xr, true)).toEqual([]);
  expect(kindsOf(xr, false)).toEqual(['unowned']);
  expect(kindsOf('another', true)).toContain('unowned');
});

test('what a finalizer of a person keeps is no harm once the steps want another kind under its resource name', () => {
  const kindsOf = (kind: string) => {
    const going = ending({objects: [[a, '']], made: [], alive: []});
    const asked = {requests: [], desired: new Set(['a']), kinds: new Map([['a', kind]]), addresses: new Set()};
    const is = (one: Ending) => ({...one, asked: new Map([[xr, asked]])}) as unknown as Ending;
    const living = new Map([...going.living].filter(([place]) => place !== a.place));
    const w = {...going, living, deleting: new Map([[a.place, going.living.get(a.place) ?? []]])};
    return harmsOf(is(w), is(going)).map((one) => one.kind);
  };
  expect(kindsOf('Another.example.org')).not.toContain('deleting');
  expect(kindsOf('a')).toContain('deleting');
});

test('a person who deletes a composed resource by its resource name asked for nothing else of its kind to go', () => {
  const stranger: Made = {place: 'Thing stranger', address: 'Thing stranger', index: 0};
  const none = {...inOrder, objects: []};
  const deleting = (target: object, index = 0) => {
    const w = ending({...inOrder, objects: [[{...stranger, index}, '']]});
    const run = {
      ...w.run,
      story: {moves: [{action: {kind: 'delete', target}}]},
    } as unknown as Ending['run'];
    return harmsOf({...w, run}, {...ending(none), places: new Map([...w.places, [stranger.place, stranger]])}).map(
      ({kind}) => kind,
    );
  };
  expect(deleting({kind: 'Thing', crn: 'a'})).toEqual([]);
  expect(deleting({kind: 'Thing', name: 'stranger'})).toEqual(['kept']);
  // Gone sooner than without the function, it was made again by who asked for it again.
  expect(deleting({kind: 'Thing', name: 'stranger'}, 1)).toEqual([]);
});

test('what moved to another resource name and is left behind is no harm where one of that name is, too', () => {
  const mine: Given = {
    objects: [[b, 'ext-2']],
    made: [
      ['ext-1', a],
      ['ext-2', b],
    ],
    alive: ['ext-1', 'ext-2'],
  };
  const theirs = (alive: readonly string[]): Given => ({
    objects: [[b, 'ext-3']],
    made: [
      ['ext-1', a],
      ['ext-2', b],
      ['ext-3', b, 1],
    ],
    alive,
  });
  expect(kinds(mine, theirs(['ext-2', 'ext-3']))).not.toContain('left-behind');
  expect(kinds(mine, theirs(['ext-3']))).toContain('left-behind');
});

test('what moved to another XR and is left behind there is counted where it was made', () => {
  const site = 'Site shop';
  const from: Made = {place: `${site} > from-a`, address: 'from-a', index: 0, xr: site, resourceName: 'from-a'};
  const kindsOf = (names: readonly string[], alive: readonly string[]) => {
    const input = {kind: 'Input', take: [{from: {}, resources: names.map((name) => ({name}))}]};
    const object = {apiVersion: 'v1', kind: 'Site', metadata: {name: 'shop'}};
    const body = {observed: {composite: {object}, resources: new Map()}, desired: {resources: new Map()}, input};
    const asked = {requests: [encodeRequest({tag: '', ...body})], desired: new Set(), addresses: new Set(), input};
    const w = ending({objects: [], made: [['ext-1', a]], alive: ['ext-1']});
    const wo = ending({
      objects: [],
      made: [
        ['ext-2', a],
        ['ext-3', from],
      ],
      alive,
    });
    const places = new Map([...wo.places, [from.place, from]]);
    return harmsOf({...w, asked: new Map([[site, asked]])} as unknown as Ending, {...wo, places}).map(({kind}) => kind);
  };
  expect(kindsOf(['from-a'], ['ext-3'])).not.toContain('left-behind');
  expect(kindsOf(['from-a'], [])).toContain('left-behind');
  // It may have another resource name by now.
  expect(kindsOf(['from-b'], ['ext-3'])).not.toContain('left-behind');
  expect(kindsOf([], ['ext-3'])).toContain('left-behind');
});

test('what a template made and a restore brought back is left behind as what the steps compose, if that is nobodys in both', () => {
  const kindsOf = (mine?: string, theirs?: string, {steps = ['b'], made}: {steps?: string[]; made?: string} = {}) => {
    const asked = {requests: [], input: {}, desired: new Set(steps), kinds: new Map(), addresses: new Set<string>()};
    const gone = (...all: readonly Found[]) => ({
      ...ending({objects: [], made: [], alive: []}),
      living: new Map(all.map((one) => [one.made.place, [one]])),
      places: new Map([own, a, b].map((one) => [one.place, one])),
      asked: new Map([[xr, asked]]),
    });
    const wo = gone(before(b, theirs));
    const places = new Map([own, b].map((one) => [one.place, one]));
    return harmsOf(gone(before(a, made), before(b, mine)), {...wo, places} as Ending).map(({kind}) => kind);
  };
  expect(kindsOf()).toEqual([]);
  expect(kindsOf('?', undefined)).toContain('left-behind');
  expect(kindsOf(undefined, '?')).toContain('left-behind');
  expect(kindsOf(undefined, undefined, {steps: ['a', 'b']})).toContain('left-behind');
  expect(kindsOf(undefined, undefined, {made: '?'})).toContain('left-behind');
});

test('who looks for an object by its resource name writes nothing where it was set aside, and what it wrote there before counts', () => {
  const scaled = (replicas: number | undefined, resourceName: string): Found => {
    const {object, ...found} = before(saved, xr);
    const annotations = {'crossplane.io/composition-resource-name': resourceName};
    const spec = replicas === undefined ? {} : {replicas};
    return {...found, object: {...object, metadata: {...object.metadata, annotations}, spec}};
  };
  const kindsOf = (mine: Found, theirs: Found) => harmsOf(withAll(mine), withAll(theirs)).map(({kind}) => kind);
  expect(kindsOf(scaled(undefined, 'tether-handover-of-a'), scaled(50, 'a'))).toEqual([]);
  expect(kindsOf(scaled(undefined, 'a'), scaled(50, 'a'))).toEqual(['overwritten']);
  expect(kindsOf(scaled(1, 'tether-handover-of-a'), scaled(50, 'a'))).toEqual(['overwritten']);
});

test('what is made later, after an edit, is as that says, where without the function the API server refuses the edit', () => {
  const kindsOf = (mineMs: number, theirs: string, mine = 'Unsynced resources: b') => {
    const sized = (size: string, message: string, madeMs: number) => {
      const {object: thing, ...found} = before(saved, xr);
      const all = withAll({...found, object: {...thing, spec: {size}}});
      const status = {conditions: [{type: 'Synced', status: 'False', message}]};
      const xrs = (all.living.get(xr) ?? []).map((one) => ({...one, object: {...one.object, status} as KubeObject}));
      const ledger = {...all.run.ledger, madeFirstMs: () => madeMs};
      return {...all, living: new Map([...all.living, [xr, xrs]]), run: {...all.run, ledger}} as unknown as Ending;
    };
    return harmsOf(sized('large', mine, mineMs), sized('small', theirs, 1)).map(({kind}) => kind);
  };
  expect(kindsOf(2, 'Unsynced resources: a')).toEqual([]);
  expect(kindsOf(1, 'Unsynced resources: a')).toContain('overwritten');
  expect(kindsOf(2, 'Unsynced resources: b')).toContain('overwritten');
  expect(kindsOf(2, 'Unsynced resources: a', 'Unsynced resources: a')).toContain('overwritten');
});

test('what goes on under another resource name is not kept under the one before, whatever became of its XR', () => {
  const named = (made: Made, resourceName: string): Found => {
    const {object, ...found} = before(made, xr);
    const annotations = {'crossplane.io/composition-resource-name': resourceName};
    return {...found, object: {...object, metadata: {...object.metadata, annotations}}};
  };
  const kindsOf = (desired: string) => {
    const asked = {
      requests: [],
      input: {},
      desired: new Set([desired]),
      kinds: new Map(),
      addresses: new Set<string>(),
    };
    const at = (one: Found) => ({
      ...ending({objects: [], made: [], alive: []}),
      living: new Map([
        [xr, [before(own)]],
        [one.made.place, [one]],
      ]),
      places: new Map([own, a, b].map((made) => [made.place, made])),
      asked: new Map([[xr, asked]]),
    });
    return harmsOf(at(named(a, 'b')), at(named(b, 'b'))).map(({kind}) => kind);
  };
  expect(kindsOf('b')).not.toContain('kept');
  expect(kindsOf('c')).toContain('kept');
});

test('what a Usage keeps once its XR is gone is no harm, also where the XR had others under the name by then', () => {
  const usage = {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage', metadata: {name: 'u'}};
  const refTo = (name: string) => ({apiVersion: 'v1', kind: 'Thing', resourceRef: {name}});
  const by = before(decoy);
  const kindsOf = (of: string, isMade = true) => {
    const spec = {of: refTo(of), by: refTo('decoy')};
    const it = {made: {...decoy, place: 'u', address: 'u'}, object: {...usage, spec}} as unknown as Found;
    const left = {...before(a), object: {apiVersion: 'v1', kind: 'Thing', metadata: {name: 'older'}}} as Found;
    const base = ending({objects: [], made: [], alive: []});
    const places = new Map([[a.place, a]]);
    const w = {
      ...base,
      places,
      living: new Map([
        [a.place, [left]],
        [decoy.place, [by]],
        ['u', [it]],
      ]),
    };
    const without = {...base, places: isMade ? places : new Map(), living: new Map([[decoy.place, [by]]])};
    return harmsOf(w, without).map(({kind}) => kind);
  };
  expect(kindsOf('older')).toEqual([]);
  expect(kindsOf('a')).toEqual(['kept']);
  // A template made it, and nobody without the function.
  expect(kindsOf('older', false)).toEqual([]);
  expect(kindsOf('a', false)).toEqual(['left-behind']);
});
