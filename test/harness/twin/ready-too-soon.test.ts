import {expect, test} from 'vitest';
import type {TraceEntry, World} from '../../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {Ledger} from '../../../src/harness/twin/ledger.ts';

// An App "shop" has the database db-1, and an App "data" is to have it.

interface Told {
  readonly ready?: string;
  readonly theirs?: readonly string[];
  readonly mine?: readonly string[];
  readonly name?: string;
  readonly isSeen?: boolean;
}

function app(name: string, ready: string): KubeObject {
  const status = {conditions: [{type: 'Ready', status: ready}]};
  return {apiVersion: 'example.org/v1', kind: 'App', metadata: {name, uid: name}, status} as KubeObject;
}

function database(
  owner: string,
  managementPolicies: readonly string[],
  externalName = 'db-1',
  isSeen = true,
): KubeObject {
  return {
    apiVersion: 'example.org/v1',
    kind: 'Database',
    metadata: {
      name: `${owner}-db`,
      uid: `${owner}-db`,
      annotations: {'crossplane.io/external-name': externalName},
      ownerReferences: [{apiVersion: 'example.org/v1', kind: 'App', name: owner, uid: owner, controller: true}],
    },
    spec: {managementPolicies},
    ...(isSeen ? {status: {conditions: [{type: 'Synced', status: 'True'}]}} : {}),
  } as KubeObject;
}

/** Whether "data" was Ready too soon when `deleted` was. */
function wasReadyTooSoon(
  {ready = 'True', theirs = ['*'], mine = ['Observe'], name, isSeen}: Told,
  deleted = 'shop',
): boolean {
  const ledger = new Ledger([], []);
  const apps = [app('shop', 'True'), app('data', ready)];
  const all = [...apps, database('shop', theirs), database('data', mine, name, isSeen)];
  const objects = new Map([['all', new Map(all.map((one) => [one.metadata.name, one]))]]);
  const look = () => ledger.look({server: {objects}} as unknown as World);
  const tell = (type: string, object: KubeObject, verb: string) => {
    const ref = {apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name};
    const entry = {kind: 'api', actor: 'user', run: '', request: {verb, ref}, response: {ok: true}};
    ledger.observe({...entry, events: [{type, object}]} as unknown as TraceEntry, 0);
    look();
  };
  for (const one of apps) tell('ADDED', one, 'create');
  const [gone] = apps.filter(({metadata}) => metadata.name === deleted);
  if (gone !== undefined) tell('MODIFIED', gone, 'delete');
  const fork = ledger.fork();
  return fork.readyTooSoon.has('App.example.org data');
}

test('an XR is Ready too soon that only observes what another one has that is deleted', () => {
  expect(wasReadyTooSoon({})).toBe(true);
  expect(wasReadyTooSoon({ready: 'False'})).toBe(false);
  expect(wasReadyTooSoon({mine: ['*']})).toBe(false);
  expect(wasReadyTooSoon({theirs: ['Observe']})).toBe(false);
  expect(wasReadyTooSoon({name: 'db-2'})).toBe(false);
  // Its XR still says what it said before it was made.
  expect(wasReadyTooSoon({isSeen: false})).toBe(false);
  expect(wasReadyTooSoon({}, 'nobody')).toBe(false);
  expect(wasReadyTooSoon({}, 'data')).toBe(false);
});
