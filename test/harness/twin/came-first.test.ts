import {describe, expect, test} from 'vitest';
import {isOfWhoComesSecond} from '../../../src/harness/twin/came-first.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {HarmKind} from '../../../src/harness/twin/harm.ts';

// Two XRs whose Compositions say one name, `logs`. With the function Site comes first and has it, without it App does.

const address = 'ConfigMap blue/logs';

/** A world in which somebody controls that object, and XRs want objects by their addresses. */
function ending(owner: string | undefined, wanted: {readonly [xr: string]: string}): Ending {
  const made = {place: `${owner} > logs`, address, index: 0};
  const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'logs'}};
  const other = {made: {place: 'App shop > other', address: 'ConfigMap blue/other', index: 0}, object};
  const found = [
    {...other, controller: 'App shop'},
    {made, object, controller: owner},
  ];
  const asked = new Map(Object.entries(wanted).map(([xr, one]) => [xr, {addresses: new Set([one])}]));
  return {living: new Map<string, Found[]>([[made.place, found]]), asked, places: new Map()} as unknown as Ending;
}

const both = {'App shop': address, 'Site shop': address};
const [sites, apps, nobodys] = [ending('Site shop', both), ending('App shop', both), ending(undefined, both)];
const harm = (kind: HarmKind) => ({kind, place: 'App shop > logs', xr: 'App shop', text: ''});

test('who comes second to an object that two XRs want has it not, and is neither Synced nor Ready', () => {
  for (const kind of ['missing', 'gone', 'recreated'] as const)
    expect(isOfWhoComesSecond(harm(kind), sites, apps)).toBe(true);
  for (const kind of ['not-synced', 'not-ready'] as const)
    expect(isOfWhoComesSecond({kind, place: 'App shop', text: ''}, sites, apps)).toBe(true);
});

test('who composes the one that comes second is not Ready either', () => {
  const inner = {'Team all > shop': address, 'Site shop': address};
  const [theirs, ours] = [ending('Site shop', inner), ending('Team all > shop', inner)];
  expect(isOfWhoComesSecond({kind: 'not-ready', place: 'Team all', text: ''}, theirs, ours)).toBe(true);
  expect(isOfWhoComesSecond({kind: 'not-synced', place: 'Team all', text: ''}, theirs, ours)).toBe(false);
  expect(isOfWhoComesSecond({kind: 'not-ready', place: 'Team other', text: ''}, theirs, ours)).toBe(false);
});

test('what is lost in the cloud, or left behind, is not of who comes second', () => {
  for (const kind of ['destroyed', 'kept', 'left-behind', 'unowned', 'overwritten'] as const)
    expect(isOfWhoComesSecond(harm(kind), sites, apps)).toBe(false);
});

test('nobody came first where the same XR has it in both runs, or nobody has it in one of them', () => {
  expect(isOfWhoComesSecond(harm('missing'), sites, sites)).toBe(false);
  expect(isOfWhoComesSecond(harm('missing'), apps, apps)).toBe(false);
  expect(isOfWhoComesSecond(harm('missing'), nobodys, apps)).toBe(false);
  expect(isOfWhoComesSecond(harm('missing'), sites, nobodys)).toBe(false);
});

test('an XR that has what it does not want, or what the other one does not want, did not come first', () => {
  const unwanted = ending('Site shop', {'App shop': address});
  expect(isOfWhoComesSecond(harm('missing'), unwanted, apps)).toBe(false);
  const another = ending('Site shop', {'Site shop': address, 'App shop': 'ConfigMap blue/other'});
  expect(isOfWhoComesSecond(harm('missing'), another, apps)).toBe(false);
});

describe('where the name came with another kind, and nobody else has it without the function', () => {
  const former = {xr: 'App shop', resourceName: 'logs', index: 0};
  const asked = (kind: string) =>
    new Map([
      [
        'App shop',
        {
          addresses: new Set([address]),
          kinds: new Map([
            ['logs', kind],
            ['other', kind],
          ]),
        },
      ],
      ['Site shop', {addresses: new Set([address]), kinds: new Map([['logs', 'ConfigMap']])}],
    ]);
  const w = (kind = 'ConfigMap') => ({...sites, asked: asked(kind)}) as unknown as Ending;
  /** The App's old Secret, and what it has of the new kind since. */
  const without = (secret: string, configMap: string, before: object = {}) => {
    const old = {...former, ...before, place: 'App shop > logs (Secret)', address: `Secret ${secret}`};
    const fresh = {...former, place: 'App shop > logs (ConfigMap)', address: `ConfigMap ${configMap}`};
    const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: configMap}};
    const living = new Map([[fresh.place, [{made: fresh, object, controller: 'App shop'}]]]);
    const places = new Map([old, fresh].map((one) => [one.place, one]));
    return {living, places, asked: asked('ConfigMap')} as unknown as Ending;
  };

  test('Crossplane goes on with the name of the kind before', () => {
    expect(isOfWhoComesSecond(harm('missing'), w(), without('shop-x1', 'shop-x1'))).toBe(true);
  });

  test('in whatever namespace', () => {
    expect(isOfWhoComesSecond(harm('missing'), w(), without('blue/shop-x1', 'shop-x1'))).toBe(true);
  });

  test('which an object has under a name of its own only by chance', () => {
    expect(isOfWhoComesSecond(harm('missing'), w(), without('shop-x1', 'shop-x2'))).toBe(false);
    expect(isOfWhoComesSecond(harm('missing'), w(), without('shop-x1', 'shop-x1', {resourceName: 'other'}))).toBe(
      false,
    );
    expect(isOfWhoComesSecond(harm('missing'), w(), without('shop-x1', 'shop-x1', {xr: 'Site shop'}))).toBe(false);
    expect(isOfWhoComesSecond(harm('missing'), w('Secret'), without('shop-x1', 'shop-x1'))).toBe(false);
  });

  test('unless it is not there by then', () => {
    const wo = {...without('shop-x1', 'shop-x1'), living: new Map()};
    expect(isOfWhoComesSecond(harm('missing'), w(), wo)).toBe(false);
  });

  test("unless it is there under the name that both want, and is not the other one's alone", () => {
    const wo = without('shop-x1', 'shop-x1');
    const beside = ({living}: Ending) => ({...wo, living: new Map([...wo.living, ...living])});
    expect(isOfWhoComesSecond(harm('missing'), w(), beside(nobodys))).toBe(false);
    expect(isOfWhoComesSecond(harm('missing'), w(), beside(sites))).toBe(true);
  });
});
