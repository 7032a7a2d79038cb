// Both Compositions of an exchange name one and the same object, which cannot change its XR: both XRs say so, also in a dry run,
// nobody asks again and again, and under another name it moves.

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import type {JsonObject} from '../../src/cluster/json.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {registry} from './registry.ts';
import {message, readWhole} from './small-move.ts';

const files = new URL('../../examples/split-xr/', import.meta.url);
const sentence = 'so both XRs desire the same object';

interface Rules {
  readonly dryRun?: 'give' | 'take';
  /** The name of the new object. */
  readonly name?: string;
  /** True if the object is of a kind without policies. */
  readonly isPlain?: boolean;
  readonly afterwards?: readonly JsonObject[];
}

function told({dryRun, name = 'ledger', isPlain = false, afterwards = []}: Rules, crossplane: 'main' | '2.3' = 'main') {
  const naming = (file: string, of: string, isDry = false) => namedIn(file, of, isDry, isPlain);
  const scenario = readWhole({
    name: 'one object of two XRs',
    crossplane,
    fixtures: [...read('platform.yaml'), naming('composition-shop.yaml', 'ledger')],
    functions: {'function-templates': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '2s', deleteAfter: '5s'},
    steps: [
      {name: 'a shop', apply: xr('Shop'), wait: '5m'},
      {name: 'Databases', apply: naming('composition-database.yaml', name, dryRun === 'take')},
      {name: 'the Shop gives', apply: naming('composition-shop-split.yaml', 'ledger', dryRun === 'give')},
      {name: 'a Database', apply: xr('Database'), wait: '30m'},
      ...afterwards,
    ],
  });
  const variant = {name: 'with', without: [], expect: []};
  const result = driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry}));
  const says = (kind: string) => {
    const found = result.objects.find((object) => object.kind === kind);
    return found === undefined ? 'it is gone' : message(found, 'Tethered');
  };
  return {...result, shop: says('Shop'), database: says('Database')};
}

test.each(['main', '2.3'] as const)('both XRs say so, and nothing goes on and on: Crossplane %s', (crossplane) => {
  const {shop, database, externals, functionCalls} = told({}, crossplane);
  expect(database).toContain(sentence);
  expect(shop).toContain(sentence);
  expect(externals).toMatchObject({creates: 2, deletes: 0});
  // A call a minute for each XR and function of the two, and what begins: 310 on main.
  expect(functionCalls).toBeLessThan(320);
});

test.each(['give', 'take'] as const)(
  'the XR that takes says so under a dry run, and so does the other: %s',
  (dryRun) => {
    const {shop, database, externals} = told({dryRun});
    expect(database).toContain(sentence);
    expect(shop).toContain(sentence);
    expect(externals).toMatchObject({creates: 2, deletes: 0});
  },
);

const gone = {name: 'the old XR is deleted', delete: {kind: 'Shop', name: 'orders'}};

test.each(['main', '2.3'] as const)('the old XR is not deleted with it: Crossplane %s', (crossplane) => {
  const afterwards = [{...gone, mayFail: true, wait: '30m'}];
  const {externals, objects} = told({afterwards}, crossplane);
  expect(externals).toMatchObject({creates: 2, deletes: 0});
  expect(objects.filter(({kind}) => kind === 'Shop')).toHaveLength(1);
});

test('nor with an object of a kind without policies, such as a ConfigMap or an XR', () => {
  const {shop, objects} = told({isPlain: true, afterwards: [{...gone, mayFail: true, wait: '30m'}]});
  expect(shop).toContain(sentence);
  expect(objects.filter(({kind}) => kind === 'ConfigMap' || kind === 'Shop')).toHaveLength(2);
});

test('it moves under another name afterwards, and no Usage stays', () => {
  const afterwards = [
    {name: 'another name', apply: namedIn('composition-database.yaml', 'ledger-of-database'), wait: '30m'},
    {...gone, wait: '30m'},
  ];
  const {database, externals, objects} = told({afterwards});
  expect(database).toBe('');
  // The subnet group of the Shop goes with it.
  expect(externals).toMatchObject({creates: 2, deletes: 1});
  expect(objects.filter(({kind}) => kind.endsWith('Usage'))).toEqual([]);
});

test('a person may let the object go with its XR', () => {
  const annotations = {'tether.fn.crossplane.io/confirm-removal': 'db'};
  const afterwards = [
    {
      name: 'a person says so',
      patch: {kind: 'Shop', name: 'orders', type: 'merge', body: {metadata: {annotations}}},
      wait: '5m',
    },
    {...gone, wait: '30m'},
  ];
  const {externals} = told({afterwards});
  expect(externals.deletes).toBeGreaterThan(0);
});

test('under another name it moves', () => {
  const {shop, database, externals, objects} = told({name: 'ledger-of-database'});
  expect([shop, database]).toEqual(['', '']);
  expect(externals).toMatchObject({creates: 2, deletes: 0});
  expect(objects.filter(({kind}) => kind === 'Instance').map(({metadata}) => metadata.name)).toEqual([
    'ledger-of-database',
  ]);
});

test('a dry run says what is lacking first, and that it is one last', () => {
  const {database} = told({dryRun: 'take', name: 'ledger-of-database'});
  expect(database).toContain('the rule has dryRun: true');
});

function xr(kind: string): JsonObject {
  return {apiVersion: 'example.org/v1', kind, metadata: {name: 'orders'}, spec: {size: 'small'}};
}

function read(file: string): readonly JsonObject[] {
  return parseAllDocuments(readFileSync(new URL(file, files), 'utf8')).map((document) => document.toJS());
}

interface Pipeline extends JsonObject {
  readonly spec: {readonly pipeline: readonly {readonly input: {readonly [part: string]: readonly JsonObject[]}}[]};
}

/** The Composition, whose Instance has this name, with its rules as dry runs if so. */
function namedIn(file: string, name: string, isDry = false, isPlain = false): JsonObject {
  const [made] = read(file) as readonly [Pipeline];
  const named = (one: JsonObject) => {
    const base = one['base'] as JsonObject;
    if (base['kind'] !== 'Instance') return one;
    const plain = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace: 'default'}};
    return {...one, base: isPlain ? plain : {...base, metadata: {name}}};
  };
  const pipeline = made.spec.pipeline.map(({input, ...step}) => {
    const parts = Object.entries(input).map(([part, list]) => {
      if (part === 'resources') return [part, list.map(named)];
      return [part, isDry && ['give', 'take'].includes(part) ? list.map((rule) => ({...rule, dryRun: true})) : list];
    });
    return {...step, input: Object.fromEntries(parts)};
  });
  return {...made, spec: {...made.spec, pipeline}};
}
