import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {Harm, HarmKind} from '../../../src/harness/twin/harm.ts';
import type {Made, MadeExternal} from '../../../src/harness/twin/ledger.ts';
import {
  hasArrived,
  hasMovedOn,
  isCountedElsewhere,
  isDestroyedElsewhere,
  isInUseElsewhere,
  isObjectCountedElsewhere,
  isOfFormerKind,
  isWantedAgainByEtcd,
  wasLetGoSince,
  wasTakenBackByEtcd,
  wentByHand,
  wentByResourceName,
  wentElsewhere,
} from '../../../src/harness/twin/moved-on.ts';
import {encodeRequest} from '../../../src/wire/request-encode.ts';
import {ledgerOf, runOf} from './quiet-run.ts';

// A restore forgets a bucket with and without the function, and another one is made. Then its resource name changes from
// `b` to `moved`: with the function the second one goes on as `moved`, without it a third one is made.

const xr = 'Site shop';
const at = (name: string, index = 0): Made => ({
  place: `${xr} > ${name}`,
  address: `Bucket ${name}`,
  index,
  xr,
  resourceName: name,
});

function bucket(made: Made, resourceName: string, externalName: string, controller: string | undefined = xr): Found {
  const annotations = {
    'crossplane.io/composition-resource-name': resourceName,
    'crossplane.io/external-name': externalName,
  };
  return {made, object: {apiVersion: 'v1', kind: 'Bucket', metadata: {name: made.address, annotations}}, controller};
}

function ending(desired: readonly string[], ...all: readonly Found[]): Ending {
  const living = Map.groupBy(all, ({made}) => made.place);
  const idOf = ({metadata}: KubeObject) => metadata.annotations?.['crossplane.io/external-name'] ?? '';
  const asked = new Map([[xr, {desired: new Set(desired)}]]);
  return {living, asked, run: runOf({ledger: ledgerOf({idOf})})} as unknown as Ending;
}

const second: MadeExternal = {...at('b', 1), id: 'ext-2', goes: false};
const renamed = bucket(at('b', 1), 'moved', 'ext-2');
const w = ending(['moved'], renamed);
const wo = ending(['moved'], bucket(at('moved'), 'moved', 'ext-3'));

describe('what goes on under another resource name', () => {
  test('is one of the new name, where that has another one without the function', () => {
    expect(hasMovedOn(renamed, w, wo)).toBe(true);
    expect(isInUseElsewhere(second, w, wo)).toBe(true);
  });

  test('is one of an XR that a Usage kept from a person, and is gone without the function', () => {
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', protect: []};
    const object = {apiVersion: 'v1', kind: 'Site', metadata: {name: 'shop'}};
    const observed = {composite: {object}, resources: new Map()};
    const requests = [encodeRequest({tag: '', observed, desired: {resources: new Map()}, input})];
    const kept = (isDenied: boolean) => {
      const ledger = {...w.run.ledger, isDenied: (place: string) => isDenied && place === xr};
      const asked = new Map([[xr, {requests, desired: new Set(['moved'])}]]);
      return {...w, asked, run: runOf({ledger})} as unknown as Ending;
    };
    expect(isInUseElsewhere(second, kept(true), ending([]))).toBe(true);
    expect(isInUseElsewhere(second, kept(false), ending([]))).toBe(false);
  });

  test('is not, where the new name has none without the function', () => {
    expect(hasMovedOn(renamed, w, ending(['moved']))).toBe(false);
    expect(isInUseElsewhere(second, w, ending(['moved']))).toBe(false);
  });

  test('is not, where no step desires the new name, or nobody controls the object', () => {
    expect(hasMovedOn(renamed, ending(['b'], renamed), wo)).toBe(false);
    expect(isInUseElsewhere(second, ending(['b'], renamed), wo)).toBe(false);
    const nobodys = {...renamed, controller: undefined};
    expect(hasMovedOn(nobodys, ending(['moved'], nobodys), wo)).toBe(false);
    const brought = ending(['moved'], {...bucket(at('moved'), 'moved', 'ext-3'), controller: undefined});
    expect(hasMovedOn(nobodys, ending(['moved'], nobodys), brought)).toBe(true);
    expect(isInUseElsewhere(second, ending(['moved'], nobodys), wo)).toBe(false);
  });

  test('is not, as long as it has the name it was made under', () => {
    const same = bucket(at('b', 1), 'b', 'ext-2');
    const there = ending(['b'], bucket(at('b', 1), 'b', 'ext-3'));
    expect(hasMovedOn(same, ending(['b'], same), there)).toBe(false);
    expect(isInUseElsewhere(second, ending(['b'], same), there)).toBe(false);
  });
});

describe('what was left on the way', () => {
  const moved = {...at('moved'), address: 'Bucket moved'};
  const arrived = (made: Made, resourceName: string, controller?: string) =>
    bucket(made, resourceName, 'ext-2', controller);

  test('has arrived where the XR has an object of its kind that it made under another resource name', () => {
    const is = (one: Found, made = moved, wo = ending(['moved'])) => hasArrived(made, ending(['moved'], one), wo);
    expect(is(arrived(at('b'), 'moved'))).toBe(true);
    expect(is(arrived(at('b'), 'b'))).toBe(false);
    expect(is(arrived(at('b'), 'moved', 'Site other'))).toBe(false);
    expect(is(arrived(at('b'), 'moved'), {...moved, address: 'Table moved'})).toBe(false);
    // Or is nobody's since a restore, in both.
    const nobodys = (made: Made): Found => ({...arrived(made, 'moved'), controller: undefined});
    expect(is(nobodys(at('b')), moved, ending(['moved'], nobodys(moved)))).toBe(true);
    expect(is(nobodys(at('b')), moved, ending(['moved'], arrived(moved, 'moved')))).toBe(false);
  });

  test('is of a former kind where the steps want another one in both runs', () => {
    const asks = (kind: string) =>
      ({...ending([]), asked: new Map([[xr, {kinds: new Map([['moved', kind]])}]])}) as unknown as Ending;
    const [former, other] = [asks('Bucket'), asks('Table')];
    expect(isOfFormerKind(moved, other, other)).toBe(true);
    expect(isOfFormerKind(moved, former, other)).toBe(false);
    expect(isOfFormerKind(moved, other, former)).toBe(false);
    expect(isOfFormerKind(moved, {...other, asked: new Map()}, other)).toBe(false);
  });

  test('goes by the hand that deleted the object that had it by then, of the same XR and of another place', () => {
    const gone = (hand: Made, named: string, madeFor = at('b').place) => {
      const deletedByHand = (place: string) => (place === hand.place ? [named] : []);
      const externals = new Map([['ext-1', {place: madeFor}]]);
      const run = {ledger: {deletedByHand, externals}};
      return wentByHand(at('b'), {places: new Map([[hand.place, hand]]), run} as unknown as Ending);
    };
    expect(gone(at('moved'), 'ext-1')).toBe(true);
    expect(gone(at('b'), 'ext-1')).toBe(false);
    expect(gone(at('moved'), 'ext-9')).toBe(false);
    expect(gone(at('moved'), 'ext-1', 'Site shop > c')).toBe(false);
    expect(gone({...at('moved'), xr: 'Site other'}, 'ext-1')).toBe(false);
  });

  test('goes, too, once the XR wants it no more under its new kind', () => {
    const other = {...at('b'), place: `${xr} > b (Table)`};
    const is = (letGo: number, made = other) => {
      const ledger = {letGo: (place: string) => (place === made.place ? letGo : 0)};
      return wasLetGoSince(at('b'), {places: new Map([[made.place, made]]), run: {ledger}} as unknown as Ending);
    };
    expect(is(1)).toBe(true);
    expect(is(0)).toBe(false);
    expect(is(1, at('b'))).toBe(false);
    expect(is(1, {...other, resourceName: 'c'})).toBe(false);
  });
});

describe('what moved is counted where it was made', () => {
  const nameOf = ({metadata}: KubeObject) => metadata.name;

  /** External resources of these places, the first so many of which are gone. */
  const all = (part: string, places: readonly Made[], gone = 0) => {
    const made = places.map((one, index): MadeExternal => ({...one, id: `ext-${index}`, goes: false}));
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', [part]: []};
    const composite = {object: {apiVersion: 'v1', kind: 'Site', metadata: {name: 'shop'}}};
    const asked = {tag: '', observed: {composite, resources: new Map()}, desired: {resources: new Map()}, input};
    const leading = made.map((one) => ({made: one, object: {metadata: {name: one.id}}}));
    return {
      living: new Map([['', leading]]),
      deleting: new Map(),
      externals: Map.groupBy(made.slice(gone), ({place}) => place),
      asked: new Map([[xr, {requests: [encodeRequest(asked)], input}]]),
      run: {ledger: {externals: new Map(made.map((one) => [one.id, one])), idOf: nameOf}},
    } as unknown as Ending;
  };
  const namespaced = {...at('moved'), address: 'Bucket.m blue/moved'};
  const table = {...at('moved'), address: 'Table moved'};
  const two = [at('b'), at('b')];
  const three = [at('moved'), ...two];

  test('where no more live of that kind in all', () => {
    const is = (w: Ending, ...without: readonly Made[]) => isCountedElsewhere(at('b'), w, all('', without));
    for (const part of ['handover', 'give', 'take']) {
      expect(is(all(part, two), at('b'), at('moved'))).toBe(true);
      expect(is(all(part, two), at('b'), namespaced)).toBe(true);
      expect(is(all(part, two), at('b'))).toBe(false);
      expect(is(all(part, two), at('b'), table)).toBe(false);
    }
    expect(is(all('removal', two), at('b'), at('moved'))).toBe(false);
    const others = {...at('moved'), xr: 'Site other'};
    expect(is(all('handover', two), at('b'), others)).toBe(false);
    expect(is(all('give', two), at('b'), others)).toBe(true);
  });

  test('so are objects, that live or are on their way', () => {
    const objects = (part: string, living: readonly Made[], deleting: readonly Made[] = []) => {
      const table = (list: readonly Made[]) => new Map([['', list.map((made) => ({made}))]]);
      const places = new Map([...living, ...deleting].map((made) => [made.place, made]));
      return {...all(part, []), living: table(living), deleting: table(deleting), places} as unknown as Ending;
    };
    const is = (kind: HarmKind, w: Ending, wo: Ending, more: Partial<Harm> = {}) =>
      isObjectCountedElsewhere({kind, place: at('b').place, text: '', ...more}, w, wo);
    for (const kind of ['kept', 'doubled'] as const) {
      expect(is(kind, objects('handover', [at('b')]), objects('', [at('moved')]))).toBe(true);
      expect(is(kind, objects('handover', [at('b'), at('b', 1)]), objects('', [at('moved')]))).toBe(false);
      expect(is(kind, objects('removal', [at('b')]), objects('', [at('moved')]))).toBe(false);
      expect(is(kind, objects('handover', [at('b')]), objects('', [at('moved')]), {isExternal: true})).toBe(false);
    }
    expect(is('deleting', objects('handover', [], [at('b')]), objects('', [], [at('moved')]))).toBe(true);
    expect(is('deleting', objects('handover', [], [at('b')]), objects('', [at('moved')]))).toBe(false);
    expect(is('gone', objects('handover', [at('b')]), objects('', [at('moved')]))).toBe(false);
    const withMade = objects('handover', [at('b'), at('made')]);
    const asked = new Map([...withMade.asked].map(([xr, one]) => [xr, {...one, input: {resources: [{name: 'made'}]}}]));
    expect(is('kept', withMade, objects('', [at('moved')]))).toBe(false);
    expect(is('kept', {...withMade, asked}, objects('', [at('moved')]))).toBe(true);
  });

  test('so is what somebody wrote to it', () => {
    const scaled = (made: Made, replicas: number) => ({made, object: {spec: {forProvider: {replicas}}}});
    const living = (...found: readonly object[]) => new Map([['', found]]);
    const is = (part: string, ...found: readonly object[]) => {
      const w = {...all(part, []), living: living(...found)} as unknown as Ending;
      return wentElsewhere(at('moved'), 'spec.forProvider.replicas', 50, w);
    };
    expect(is('handover', scaled(at('b'), 50))).toBe(true);
    expect(is('handover', scaled(at('b'), 1))).toBe(false);
    expect(is('handover', scaled(at('moved'), 50))).toBe(false);
    expect(is('handover', scaled({...at('b'), xr: 'Site other'}, 50))).toBe(false);
    expect(is('removal', scaled(at('b'), 50))).toBe(false);
  });

  test('where no fewer live, and no more were destroyed', () => {
    const is = (w: Ending, wo: Ending) => isDestroyedElsewhere(at('moved'), w, wo);
    expect(is(all('handover', three, 1), all('', three, 1))).toBe(true);
    expect(is(all('handover', three, 1), all('', [...three, at('b')], 2))).toBe(true);
    expect(is(all('handover', three, 2), all('', three, 1))).toBe(false);
    expect(is(all('handover', three, 1), all('', two, 0))).toBe(false);
    expect(is(all('removal', three, 1), all('', three, 1))).toBe(false);
  });

  test('but what nothing leads to any more without the function nobody has there', () => {
    const without = all('', three, 0);
    const w = all('handover', three.slice(0, 2), 0);
    const led = (count: number) => new Map([['', [...without.living.values()].flat().slice(0, count)]]);
    expect(isDestroyedElsewhere(at('moved'), w, {...without, living: led(3)})).toBe(false);
    expect(isDestroyedElsewhere(at('moved'), w, {...without, living: led(2)})).toBe(true);
    expect(isDestroyedElsewhere(at('moved'), w, {...without, living: led(2), deleting: led(3)})).toBe(false);
  });
});

test('who deletes by a resource name finds an object that has another one without the function', () => {
  const deleted = (place: string, target: object = {kind: 'Bucket', resource: 'b'}) => {
    const former = {...at('b'), address: at('moved').address};
    const places = new Map([former, at('moved'), at('c')].map((one) => [one.place, one]));
    const deletedByHand = (one: string) => (one === place ? ['ext-1'] : []);
    const story = {moves: [{action: {kind: 'delete', target}}]};
    return {places, run: {ledger: {deletedByHand}, story}} as unknown as Ending;
  };
  const [byHand, nobody] = [deleted(at('b').place), deleted('')];
  expect(wentByResourceName(at('moved'), byHand, nobody)).toBe(true);
  expect(wentByResourceName(at('moved'), byHand, byHand)).toBe(false);
  expect(wentByResourceName(at('moved'), nobody, byHand)).toBe(false);
  expect(wentByResourceName(at('c'), byHand, nobody)).toBe(false);
  expect(wentByResourceName(at('moved'), deleted(at('b').place, {kind: 'Bucket', name: 'moved'}), nobody)).toBe(false);
});

test('etcd of a moment before may not have what waited to be given, and then it is made again', () => {
  const wasBack = (name: string, kinds: readonly string[], tool = 'etcd') => {
    const object = {apiVersion: 'v1', kind: 'Site', metadata: {name: 'shop', uid: 'shop'}};
    const input = {take: [{from: {}, resources: [{name: 'b', there: 'a'}]}]};
    const observed = {composite: {object}, resources: new Map()};
    const requests = [encodeRequest({tag: '', observed, desired: {resources: new Map()}, input})];
    const story = {moves: kinds.map((kind) => ({action: {kind, tool}}))};
    return wasTakenBackByEtcd(at(name), {asked: new Map([[xr, {requests}]]), run: runOf({story})} as unknown as Ending);
  };
  expect(wasBack('b', ['backup', 'restore'])).toBe(true);
  expect(wasBack('other', ['backup', 'restore'])).toBe(false);
  expect(wasBack('b', ['backup'])).toBe(false);
  expect(wasBack('b', ['backup', 'restore'], 'velero')).toBe(false);
});

test('what etcd of a moment before has the XR want again lives beside the one that it had let go without the function', () => {
  const ended = (tool: string, made: number) => {
    const external = {place: at('a').place};
    const externals = new Map(Array.from({length: made}, (_, index) => [`ext-${index}`, external]));
    const story = {moves: ['backup', 'restore'].map((kind) => ({action: {kind, tool}}))};
    return {run: runOf({story, ledger: ledgerOf({externals})})} as unknown as Ending;
  };
  expect(isWantedAgainByEtcd(at('a'), ended('etcd', 2), ended('etcd', 2))).toBe(true);
  expect(isWantedAgainByEtcd(at('a'), ended('etcd', 3), ended('etcd', 2))).toBe(false);
  expect(isWantedAgainByEtcd(at('a'), ended('velero', 2), ended('velero', 2))).toBe(false);
});
