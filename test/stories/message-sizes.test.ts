import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {instance} from '../bench/shop-story.ts';
import {
  database,
  databases,
  inFolder,
  line,
  measured,
  messageBytesMax,
  names,
  type Row,
  resultOf,
  rows,
  xr,
} from '../bench/sizes.ts';
import {bucket, type Group, message, tell} from './small-move.ts';

/** Of each row the smallest. Those of Usages of others are larger than a message if somebody asks for all of them. */
const small = rows.map((row): readonly [string, Row, number] => [row.what, row, Math.min(...row.counts)]);

describe('messages that questions and orders make', () => {
  it.each(small)('have room, and the XR goes on: %s', (_, row, count) => {
    const result = measured(row, count);
    expect(Math.max(result.request, result.response), line(row, count, result)).toBeLessThan(messageBytesMax);
    expect(result.request).toBeGreaterThan(5000);
    expect([result.synced, result.tethered], result.said).toEqual(['True', 'True']);
  });
});

describe('an XR whose lost resources have no room in one list', () => {
  const restore = {restore: {lookup: true, kinds: [instance]}};
  const protect = {protect: {resources: [{match: {kinds: [instance]}}], xr: 'Never'}};
  const what = {apiVersion: 'example.org/v1', kind: 'Shop', name: 'orders'};
  const told = (count: number, size: number, rules: JsonObject) => [
    {
      apply: [
        databases(
          'Shop',
          'shops',
          names('db', count),
          {...restore, ...rules},
          {
            ...database,
            metadata: {annotations: {note: 'x'.repeat(size)}},
          },
        ),
      ],
    },
    xr('Shop'),
    {wait: '3m'},
    {by: 'editor', patch: {...what, type: 'merge', body: {spec: {resourceRefs: []}}}, wait: '3m'},
  ];

  it.each([
    ['1.20', 100, 8000, 'unprotected', {}],
    ['main', 40, 24_000, 'unprotected', {}],
    // Usages of a former XR are asked for only if they have room beside the lost resources.
    ['1.20', 150, 3000, 'protected', protect],
    ['main', 200, 2000, 'protected', protect],
  ])('makes all, and finds all again, in waves: %s, %s of %s characters, %s', (crossplane, count, size, _, rules) => {
    const sizes = new Set<number>();
    const see = (request: Uint8Array) => void sizes.add(request.length);
    const write = (scenario: JsonObject) => JSON.stringify({...scenario, crossplane});
    const {objects, externals} = inFolder(told(count, size, rules), (file) => resultOf(file, see), write);
    expect(Math.max(...sizes)).toBeLessThan(messageBytesMax);
    expect(externals).toMatchObject({creates: count, deletes: 0});
    const shop = objects.find(({kind}) => kind === 'Shop');
    expect(shop?.status?.['conditions']).toContainEqual(expect.objectContaining({type: 'Ready', status: 'True'}));
    expect(shop?.status?.['conditions']).toContainEqual(expect.objectContaining({type: 'Tethered', status: 'True'}));
  });
});

// Crossplane main answers first what the last reconcile asked, before any function runs. So what is found, and observed by then,
// counts in both copies.
describe('answers that come again before any function runs', () => {
  const what = {apiVersion: 'example.org/v1', kind: 'Shop', name: 'orders'};
  const noted = (size: number) => ({...database, metadata: {annotations: {note: 'x'.repeat(size)}}});
  const run = (steps: readonly JsonObject[]) => {
    const sizes = new Set<number>();
    const {objects, externals} = inFolder(steps, (file) => resultOf(file, (request) => void sizes.add(request.length)));
    const conditions = objects.find(({kind}) => kind === 'Shop')?.status?.['conditions'];
    expect(Math.max(...sizes)).toBeLessThan(messageBytesMax);
    for (const type of ['Synced', 'Tethered'])
      expect(conditions).toContainEqual(expect.objectContaining({type, status: 'True'}));
    return {objects, externals};
  };

  // A provider copies parameters to the status.
  const parameters = (size: number) => ({...database, spec: {forProvider: {region: 'x'.repeat(size)}}});
  it.each([
    ['all references but one', 240, 1, noted(4000)],
    ['all references', 100, 0, parameters(8000)],
  ] as const)('about lost resources have room: an XR lost %s', (_, count, kept, base) => {
    const body = new Array(count - kept).fill({op: 'remove', path: `/spec/resourceRefs/${kept}`});
    const {objects, externals} = run([
      {apply: [databases('Shop', 'shops', names('db', count), {}, base)]},
      xr('Shop'),
      {wait: '3m'},
      {by: 'editor', patch: {...what, type: 'json', body}, wait: '3m'},
    ]);
    expect(externals).toMatchObject({creates: count, deletes: 0});
    expect(objects.find(({kind}) => kind === 'Shop')?.['spec']).toMatchObject({resourceRefs: {length: count}});
  });

  it.each([
    ['an annotation', 150, 4000, 8500, noted],
    ['a parameter', 100, 2000, 8000, parameters],
  ] as const)('to a lookup have room: an edit makes %s of %s resources larger', (_, count, before, after, sized) => {
    const composed = (size: number) => {
      const rules = {restore: {lookup: true, kinds: [instance]}};
      return {apply: [databases('Shop', 'shops', names('db', count), rules, sized(size))]};
    };
    const {objects} = run([composed(before), xr('Shop'), {wait: '10m'}, composed(after), {wait: '10m'}]);
    const edited = objects.filter(({kind, ...rest}) => {
      return kind === 'Instance' && JSON.stringify(rest).includes('x'.repeat(after));
    });
    expect(edited).toHaveLength(count);
  });
});

// Both objects of a move to another kind are in the XR's requests until the old one is gone: all of them at once, if their provider is
// away. Then no function runs any more, so no old object goes either.
it.each(['main', '1.20'])('moves to another kind as many large resources as have room at once, on %s', (crossplane) => {
  const all = names('b', 12);
  const large = {metadata: {annotations: {note: 'x'.repeat(126_000)}}};
  const of = (group: Group) => all.map((name) => bucket(name, group, large));
  const {xr: moved, buckets} = tell({
    crossplane,
    before: of('old'),
    after: of('new'),
    inputAfter: {handover: [{from: {resources: all}, to: {apiVersion: 'new.example.org/v1'}}]},
    meanwhile: [{stop: 'provider'}],
    soon: 'at-once',
    afterwards: [{wait: '3m'}, {start: 'provider', wait: '10m'}],
  });
  expect(['Synced', 'Ready', 'Tethered'].map((type) => message(moved, type))).toEqual(['', '', '']);
  expect(buckets.map(({apiVersion}) => apiVersion)).toEqual(new Array(12).fill('new.example.org/v1'));
});
