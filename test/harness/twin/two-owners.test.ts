import {expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {managedKind} from '../../../src/cluster/provider/managed-kind.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import {Ledger, type Made} from '../../../src/harness/twin/ledger.ts';
import {twoOwners} from '../../../src/harness/twin/two-owners.ts';
import {runOf} from './quiet-run.ts';

// An App "shop" and an App "data" each have a Database.

const [apiVersion, kind] = ['example.org/v1', 'Database'];
const ledger = new Ledger([], [managedKind({apiVersion, kind})]);

interface Told {
  readonly policies?: readonly string[];
  readonly deletionPolicy?: string;
  readonly name?: string;
  readonly controller?: string | undefined;
  readonly isAlive?: boolean;
}

/** The Database of "shop" is in order; that of "data" is as it is told. */
function ending(told: Told): Ending {
  const {policies = ['*'], deletionPolicy = 'Delete', name = 'db-1', isAlive = true} = told;
  const controller = 'controller' in told ? told.controller : 'App data';
  const found = (xr: string, externalName: string, spec: object, by: string | undefined): Found => {
    const made: Made = {place: `${xr} > db`, address: xr, index: 0, xr, resourceName: 'db'};
    const metadata = {name: xr, annotations: {'crossplane.io/external-name': externalName}};
    return {made, object: {apiVersion, kind, metadata, spec} as KubeObject, controller: by};
  };
  const full = {managementPolicies: ['*'], deletionPolicy: 'Delete'};
  const all = [
    found('App shop', 'db-1', full, 'App shop'),
    found('App data', name, {managementPolicies: policies, deletionPolicy}, controller),
  ];
  const external = {place: 'App shop > db', address: '', index: 0, id: 'db-1', goes: false};
  return {
    run: runOf({ledger}),
    living: new Map(all.map((one) => [one.made.place, [one]])),
    externals: new Map(isAlive ? [[external.place, [external]]] : []),
  } as unknown as Ending;
}

const alone = {name: 'db-2'};
const kinds = (w: Told, wo: Told = alone) =>
  twoOwners(ending(w), ending(wo)).map(({kind, place}) => `${kind} ${place}`);

test('two objects of XRs that would each delete one external resource are a harm', () => {
  expect(kinds({})).toEqual(['two-owners App data > db']);
  expect(kinds({}, {})).toEqual([]);
  expect(kinds(alone, {})).toEqual([]);
});

test('one that would not delete it is none, nor one that nobody owns, nor what is no more', () => {
  expect(kinds({policies: ['Observe']})).toEqual([]);
  expect(kinds({deletionPolicy: 'Orphan'})).toEqual([]);
  // Crossplane has these policies win over deletionPolicy.
  expect(kinds({policies: ['Observe', 'Delete'], deletionPolicy: 'Orphan'})).toHaveLength(1);
  expect(kinds({controller: undefined})).toEqual([]);
  expect(kinds({controller: '?'})).toEqual([]);
  expect(kinds({isAlive: false})).toEqual([]);
});
