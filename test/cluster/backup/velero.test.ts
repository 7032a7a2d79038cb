import {describe, expect, test} from 'vitest';
import type {Backup} from '../../../src/cluster/backup/saved.ts';
import {veleroBackup} from '../../../src/cluster/backup/velero-backup.ts';
import {patchBetween, toRestore} from '../../../src/cluster/backup/velero-object.ts';
import {orderedItems} from '../../../src/cluster/backup/velero-order.ts';
import {
  type RestoreReport,
  type VeleroRestoreOptions,
  veleroRestore,
} from '../../../src/cluster/backup/velero-restore.ts';
import {wipe} from '../../../src/cluster/backup/wipe.ts';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {ownerGc} from '../../../src/cluster/owner-gc/owner-gc.ts';
import {kindNamed, ownedBy, refTo, type SmallWorld, smallWorld, thing} from '../small-world.ts';
import {drive} from './drive.ts';

const kinds = [kindNamed('Part'), kindNamed('App'), kindNamed('Local', true)];
const savedKinds = ['App', 'Part', 'Local'].map((kind) => ({
  apiVersion: 'example.org/v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
}));
const db = refTo('Part', 'db');

function world(): SmallWorld {
  return smallWorld({processes: [], kinds});
}

function backUp(small: SmallWorld): Backup {
  return drive(small, veleroBackup({name: 'nightly', kinds: savedKinds}));
}

function restore(small: SmallWorld, backup: Backup, options: Partial<VeleroRestoreOptions> = {}): RestoreReport {
  return drive(small, veleroRestore(backup, {name: 'again', ...options}));
}

function lose(small: SmallWorld, backup: Backup): void {
  drive(small, wipe(backup.items.map(({object}) => object)));
}

/** An App that controls a Part with everything a backup may keep or strip, saved and lost. */
function lostShop(): {readonly small: SmallWorld; readonly backup: Backup; readonly before: KubeObject | undefined} {
  const small = world();
  const app = small.create(thing('App', 'shop'));
  small.create(
    thing('Part', 'db', {
      generateName: 'db-',
      labels: {'crossplane.io/composite': 'shop'},
      annotations: {'crossplane.io/external-name': 'i-123'},
      finalizers: ['example.org/busy'],
      ownerReferences: [ownedBy(app, {controller: true})],
    }),
  );
  const status = {status: {phase: 'Bound'}};
  small.request({verb: 'patch', type: 'merge', ref: db, body: status, manager: 'provider', subresource: 'status'});
  const backup = backUp(small);
  const before = small.get(db);
  lose(small, backup);
  expect(small.get(db)).toBeUndefined();
  return {small, backup, before};
}

describe('a Velero restore of what was lost', () => {
  test('reports an object whose metadata a modifier takes away', () => {
    const {small, backup} = lostShop();
    const modifiers = [{groupResource: 'parts.example.org', mergePatch: {metadata: null}}];
    const {errors} = restore(small, backup, {modifiers});
    expect(errors).toEqual([expect.stringContaining('name or generateName is required')]);
  });

  test('keeps labels, annotations, finalizers and spec; drops owners, status and the old identity', () => {
    const {small, backup, before} = lostShop();
    expect(restore(small, backup)).toMatchObject({warnings: [], errors: []});
    const after = small.get(db);
    expect(after?.metadata).toMatchObject({
      labels: {
        'crossplane.io/composite': 'shop',
        'velero.io/backup-name': 'nightly',
        'velero.io/restore-name': 'again',
      },
      annotations: {'crossplane.io/external-name': 'i-123'},
      finalizers: ['example.org/busy'],
    });
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(after?.metadata.ownerReferences).toBeUndefined();
    expect(after?.metadata.generateName).toBeUndefined();
    expect(after?.status).toBeUndefined();
  });

  test('puts the managers of the backup back', () => {
    const {small, backup, before} = lostShop();
    restore(small, backup);
    const managersOf = (object: KubeObject | undefined) => object?.metadata.managedFields?.map(({manager}) => manager);
    expect(managersOf(before)).toEqual(['provider', 'user']);
    expect(managersOf(small.get(db))).toEqual(managersOf(before));
  });

  test('restores status where the restore or an annotation on the object says so', () => {
    const {small, backup} = lostShop();
    restore(small, backup, {statusOf: ['parts.example.org']});
    expect(small.get(db)?.status).toEqual({phase: 'Bound'});
  });

  test('lets the annotation on the object overrule the restore', () => {
    const small = world();
    small.create(thing('Part', 'db', {annotations: {'velero.io/restore-status': 'False '}}));
    const status = {status: {phase: 'Bound'}};
    small.request({verb: 'patch', type: 'merge', ref: db, body: status, manager: 'provider', subresource: 'status'});
    const backup = backUp(small);
    lose(small, backup);
    restore(small, backup, {statusOf: ['parts.example.org']});
    expect(small.get(db)?.status).toBeUndefined();
  });

  test('restores a chosen part of the backup', () => {
    const {small, backup} = lostShop();
    restore(small, backup, {exclude: ['apps.example.org']});
    expect(small.get(refTo('App', 'shop'))).toBeUndefined();
    expect(small.get(db)).toBeDefined();
  });

  test('takes * for every resource', () => {
    const restored = (options: Parameters<typeof restore>[2]) => {
      const {small, backup} = lostShop();
      restore(small, backup, options);
      return small.get(db);
    };
    expect(restored({resources: ['*'], statusOf: ['*']})?.status).toEqual({phase: 'Bound'});
    expect(restored({exclude: ['*']})).toBeUndefined();
  });

  test('restores no Event and no Node, whatever the backup has', () => {
    const item = (resource: string) => ({resource, object: thing('Part', resource)});
    const backup = {...lostShop().backup, items: ['nodes', 'events', 'parts.example.org'].map(item)};
    expect(orderedItems(backup, {}).map(({resource}) => resource)).toEqual(['parts.example.org']);
  });

  test('is nothing the owner GC objects to, since no owner reference is left', () => {
    const gc = ownerGc(kinds) as unknown as Process<never>;
    const small = smallWorld({processes: [gc], kinds});
    const app = small.create(thing('App', 'shop'));
    small.create(thing('Part', 'db', {ownerReferences: [ownedBy(app)]}));
    small.pass(1_000);
    const backup = backUp(small);
    lose(small, backup);
    restore(small, backup);
    small.pass(60_000);
    expect(small.get(db)).toBeDefined();
  });

  test('makes the namespace that is missing', () => {
    const small = world();
    small.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop'}});
    small.create(thing('Local', 'table', {namespace: 'shop'}));
    const backup = backUp(small);
    const other = world();
    expect(restore(other, backup).errors).toEqual([]);
    expect(other.get(refTo('Local', 'table', 'shop'))).toBeDefined();
  });

  test('reports what the API server refuses and goes on', () => {
    const {backup} = lostShop();
    const poorer = smallWorld({processes: [], kinds: [kindNamed('Part')]});
    const report = restore(poorer, backup);
    expect(report.items.map(({item, action}) => `${item.object.kind} ${action}`)).toEqual([
      'App failed',
      'Part created',
    ]);
    expect(report.errors).toHaveLength(1);
  });
});

describe('a Velero restore over what exists', () => {
  function changedShop(): {readonly small: SmallWorld; readonly backup: Backup} {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(thing('Part', 'db', {ownerReferences: [ownedBy(app)]}, {spec: {size: 's', keep: true}}));
    const backup = backUp(small);
    small.request({verb: 'patch', type: 'merge', ref: db, body: {spec: {size: 'l', extra: 1}}, manager: 'user'});
    return {small, backup};
  }

  test('leaves a changed object alone with a warning', () => {
    const {small, backup} = changedShop();
    const report = restore(small, backup);
    expect(report.warnings).toContainEqual(
      'could not restore, Part:db already exists. Warning: the in-cluster version is different than the backed-up version',
    );
    expect(small.get(db)?.spec).toEqual({size: 'l', keep: true, extra: 1});
  });

  test('takes it back to the backup where the policy is update, owners untouched', () => {
    const {small, backup} = changedShop();
    restore(small, backup, {existingResourcePolicy: 'update'});
    expect(small.get(db)?.spec).toEqual({size: 's', keep: true});
    expect(small.get(db)?.metadata.ownerReferences).toHaveLength(1);
    expect(small.get(db)?.metadata.labels).toEqual({
      'velero.io/backup-name': 'nightly',
      'velero.io/restore-name': 'again',
    });
  });
});

describe('a Velero backup', () => {
  test('leaves out what is being deleted, and keeps its dependents', () => {
    const small = world();
    const app = small.create(thing('App', 'shop', {finalizers: ['example.org/busy']}));
    small.create(thing('Part', 'db', {ownerReferences: [ownedBy(app)]}));
    small.delete(refTo('App', 'shop'));
    expect(backUp(small).items.map(({object}) => object.kind)).toEqual(['Part']);
  });

  test('leaves out what says so, and other namespaces', () => {
    const small = world();
    small.create(thing('Part', 'secret', {labels: {'velero.io/exclude-from-backup': 'true'}}));
    small.create(thing('Local', 'in', {namespace: 'default'}));
    small.create(thing('Local', 'out', {namespace: 'kube-system'}));
    const backup = drive(small, veleroBackup({name: 'b', kinds: savedKinds, namespaces: ['default']}));
    expect(backup.items.map(({object}) => object.metadata.name)).toEqual(['in']);
  });
});

describe('the order of a restore', () => {
  const item = (resource: string, name = 'x') => ({resource, object: thing('Part', name)});
  const backup: Backup = {
    name: 'b',
    items: [
      item('xapps.example.org'),
      item('secrets'),
      item('nopresources.nop.example.org', 'b'),
      item('nopresources.nop.example.org', 'a'),
      item('customresourcedefinitions.apiextensions.k8s.io'),
    ],
  };

  test('is CRDs, then core kinds, then the rest by name: composed resources may come before their XR', () => {
    expect(orderedItems(backup, {}).map(({resource, object}) => `${resource} ${object.metadata.name}`)).toEqual([
      'customresourcedefinitions.apiextensions.k8s.io x',
      'secrets x',
      'nopresources.nop.example.org a',
      'nopresources.nop.example.org b',
      'xapps.example.org x',
    ]);
  });

  test('follows the priorities it is given', () => {
    const [first] = orderedItems(backup, {priorities: ['xapps.example.org']});
    expect(first?.resource).toBe('xapps.example.org');
  });
});

describe('one object for a restore', () => {
  test('loses exactly what belongs to the old cluster', () => {
    const metadata = {
      name: 'db',
      generateName: 'db-',
      selfLink: '/x',
      uid: '1',
      resourceVersion: '2',
      generation: 3,
      creationTimestamp: 't',
      deletionTimestamp: 't',
      deletionGracePeriodSeconds: 0,
      ownerReferences: [ownedBy(thing('App', 'shop'))],
      labels: {a: 'b'},
      annotations: {c: 'd'},
      finalizers: ['f'],
      managedFields: [],
    };
    expect(toRestore(thing('Part', 'db', metadata, {status: {}}), {backup: 'b', restore: 'r'})).toEqual(
      thing('Part', 'db', {
        labels: {a: 'b', 'velero.io/backup-name': 'b', 'velero.io/restore-name': 'r'},
        annotations: {c: 'd'},
        finalizers: ['f'],
        managedFields: [],
      }),
    );
  });

  test('is patched by what differs and nothing else', () => {
    expect(patchBetween({a: 1, b: {c: 1, d: 2}, e: [1]}, {a: 1, b: {c: 3}, e: [1]})).toEqual({b: {c: 3, d: null}});
    expect(patchBetween({a: [1]}, {a: [1]})).toBeUndefined();
  });
});
