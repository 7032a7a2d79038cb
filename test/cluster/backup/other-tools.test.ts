import {describe, expect, test} from 'vitest';
import {etcdRestore, etcdSnapshot} from '../../../src/cluster/backup/etcd.ts';
import {exportOf, gitOpsSync, manifestOf} from '../../../src/cluster/backup/git-ops.ts';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {ownerGc} from '../../../src/cluster/owner-gc/owner-gc.ts';
import {kindNamed, ownedBy, refTo, smallWorld, thing} from '../small-world.ts';
import {drive} from './drive.ts';

const kinds = [kindNamed('App'), kindNamed('Part')];
const db = refTo('Part', 'db');

describe('an etcd restore', () => {
  const gc = ownerGc(kinds) as unknown as Process<never>;

  function lostShop() {
    const small = smallWorld({processes: [gc], kinds});
    const app = small.create(thing('App', 'shop'));
    small.create(thing('Part', 'db', {ownerReferences: [ownedBy(app)]}));
    small.pass(1_000);
    const snapshot = etcdSnapshot(small.session.world);
    const before = small.get(db);
    small.delete(refTo('App', 'shop'));
    small.pass(1_000);
    expect(small.get(db)).toBeUndefined();
    const {revision} = small.session.world.server;
    const definition = {
      processes: [gc],
      functions: {},
      latency: {apiMs: 4, watchMs: 1, functionMs: 3, startMs: 1, jitter: 0},
    };
    small.session.change((world) => etcdRestore(definition, world, snapshot));
    return {small, before, revision};
  }

  test('brings back every object as it was, uid and owners included', () => {
    const {small, before} = lostShop();
    expect(small.get(db)).toEqual(before);
  });

  test('gives out no resourceVersion and no uid a second time', () => {
    const {small, before, revision} = lostShop();
    const created = small.create(thing('Part', 'new'));
    expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(revision);
    expect(created.metadata.uid).not.toBe(before?.metadata.uid);
  });

  test('leaves every process down; started again, the owner GC finds nothing to collect', () => {
    const {small} = lostShop();
    expect([...small.session.world.processes.keys()]).toEqual([]);
    small.session.start(gc.name);
    small.pass(60_000);
    expect(small.get(db)).toBeDefined();
  });
});

describe('a GitOps restore', () => {
  const live = thing(
    'App',
    'shop',
    {
      uid: '1',
      labels: {'crossplane.io/composite': 'shop', team: 'red'},
      annotations: {'crossplane.io/paused': 'true'},
      finalizers: ['composite.apiextensions.crossplane.io'],
    },
    {
      spec: {
        size: 's',
        crossplane: {
          compositionRef: {name: 'c'},
          compositionRevisionRef: {name: 'c-1'},
          resourceRefs: [{kind: 'Part', name: 'db'}],
        },
      },
      status: {conditions: []},
    },
  );

  test('has what people wrote and nothing Crossplane did', () => {
    expect(manifestOf(live)).toEqual(
      thing('App', 'shop', {labels: {team: 'red'}}, {spec: {size: 's', crossplane: {compositionRef: {name: 'c'}}}}),
    );
  });

  test('takes the legacy references from a claim and a legacy XR too', () => {
    const spec = {size: 's', resourceRef: {name: 'x'}, claimRef: {name: 'c'}, resourceRefs: []};
    expect(manifestOf({...live, spec}).spec).toEqual({size: 's'});
  });

  test('applies one manifest after the other and goes on after a refusal', () => {
    const small = smallWorld({processes: [], kinds});
    const manifests = [thing('Unknown', 'u'), manifestOf(live)];
    const result = drive(small, gitOpsSync(manifests, {manager: 'argocd-controller'}));
    expect(result.applied.map(({kind}) => kind)).toEqual(['App']);
    expect(result.errors).toHaveLength(1);
    expect(small.get(refTo('App', 'shop'))?.metadata.managedFields?.map(({manager}) => manager)).toEqual([
      'argocd-controller',
    ]);
  });
});

test('an export that is applied again keeps owners whose uid is no more, and the owner GC collects what they owned', () => {
  const gc = ownerGc(kinds) as unknown as Process<never>;
  const small = smallWorld({processes: [gc], kinds});
  const app = small.create(thing('App', 'shop'));
  small.create(thing('Part', 'db', {ownerReferences: [ownedBy(app)]}));
  const exported = exportOf(small.get(db) as KubeObject);
  expect(exported.metadata.ownerReferences?.[0]?.uid).toBe(app.metadata.uid);
  expect(Object.keys(exported.metadata).sort()).toEqual(['name', 'ownerReferences']);
  small.delete(refTo('App', 'shop'));
  small.pass(1_000);
  small.create(thing('App', 'shop'));
  const {errors} = drive(small, gitOpsSync([exported], {manager: 'kubectl'}));
  expect(errors).toEqual([]);
  expect(small.get(db)).toBeDefined();
  small.pass(1_000);
  expect(small.get(db)).toBeUndefined();
});
