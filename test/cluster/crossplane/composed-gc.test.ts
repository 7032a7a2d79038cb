import {describe, expect, test} from 'vitest';
import {collectComposed} from '../../../src/cluster/crossplane/composite/collect-composed.ts';
import {type ProfileName, profiles} from '../../../src/cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {nopRef, Platform} from './platform.ts';

// What happens to a composed resource that the Composition no longer lists.

function restoredThenDropped(crossplane: ProfileName): Platform {
  const platform = new Platform({crossplane});
  platform.compose(['A', 'B']);
  platform.order();
  platform.pass(5);
  platform.restore();
  platform.compose(['A']);
  platform.start();
  platform.pass(75);
  return platform;
}

describe('a restored resource without owner references that the Composition has dropped meanwhile', () => {
  test.each(['1.16', 'main'] as const)('lives on as an orphan under %s, and the XR is green', (crossplane) => {
    const platform = restoredThenDropped(crossplane);
    expect(platform.one('B').metadata.ownerReferences).toBeUndefined();
    expect(platform.refs()).toEqual([platform.one('A').metadata.name]);
    expect(platform.condition('Synced')).toBe('True/ReconcileSuccess');
    expect(platform.condition('Ready')).toBe('True/Available');
  });

  test.each(['1.19', '1.20', '2.3'] as const)('is deleted under %s', (crossplane) => {
    const platform = restoredThenDropped(crossplane);
    expect(platform.composed('B')).toEqual([]);
    expect(platform.one('A').metadata.ownerReferences).toHaveLength(1);
  });
});

test('pausing the XR does not protect it: unpaused with the new Composition, the resource is orphaned all the same', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(['A', 'B']);
  platform.order();
  platform.pass(5);
  platform.restore();
  platform.patch(platform.xrRef(), {metadata: {annotations: {'crossplane.io/paused': 'true'}}});
  platform.start();
  platform.pass(5);
  expect(platform.condition('Synced')).toBe('False/ReconcilePaused');
  platform.compose(['A']);
  platform.pass(5);
  platform.patch(platform.xrRef(), {metadata: {annotations: {'crossplane.io/paused': null}}});
  platform.pass(75);
  expect(platform.one('B').metadata.ownerReferences).toBeUndefined();
  expect(platform.refs()).toHaveLength(1);
});

test('adopted first under the old Composition, it is deleted when the Composition drops it', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(['A', 'B']);
  platform.order();
  platform.pass(5);
  platform.restore();
  platform.start();
  platform.pass(5);
  expect(platform.one('B').metadata.ownerReferences).toHaveLength(1);
  platform.compose(['A']);
  platform.pass(5);
  expect(platform.composed('B')).toEqual([]);
});

describe('deleting what is not desired any more', () => {
  function dropB(crossplane: ProfileName): Platform {
    const platform = new Platform({crossplane, realtime: true});
    platform.compose(['A', 'B']);
    platform.order();
    platform.pass(5);
    platform.provider({per: {B: {deleteDelayMs: 60_000}}});
    platform.mark();
    platform.compose(['A']);
    platform.pass(70);
    return platform;
  }

  test('v1.16 leaves the labels and sends a bare DELETE', () => {
    const platform = dropB('1.16');
    expect(platform.writes('Nop').filter(({verb}) => verb === 'update')).toEqual([]);
    const [deleted] = platform.writes('Nop').filter(({verb}) => verb === 'delete');
    expect(deleted).not.toHaveProperty('propagationPolicy');
    expect(deleted).not.toHaveProperty('preconditions');
  });

  test.each(['1.19', '1.20'] as const)('%s strips the labels first, and sends a bare DELETE', (crossplane) => {
    const platform = dropB(crossplane);
    const [stripped, deleted] = platform.writes('Nop').filter(({verb}) => verb === 'update' || verb === 'delete');
    expect(stripped).toMatchObject({verb: 'update'});
    expect(stripped).not.toHaveProperty('object.metadata.labels');
    expect(deleted).not.toHaveProperty('propagationPolicy');
  });

  test.each(['2.3', 'main'] as const)('%s deletes in the foreground and names the uid it means', (crossplane) => {
    const platform = dropB(crossplane);
    const [deleted] = platform.writes('Nop').filter(({verb}) => verb === 'delete');
    expect(deleted).toMatchObject({propagationPolicy: 'Foreground', preconditions: {uid: expect.any(String)}});
  });
});

describe('an undesired resource that somebody else came to control', () => {
  const xr: KubeObject = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop', uid: 'shop'}};
  const owner = {apiVersion: 'example.org/v1', kind: 'Other', name: 'rival', uid: 'rival', controller: true};
  const object = {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {name: 'b', ownerReferences: [owner]}};

  // The observer hides such a resource, so only a race leads here.
  function collected(crossplane: ProfileName): unknown {
    const observed = new Map([['B', {object, connectionDetails: new Map()}]]);
    return collectComposed(xr, observed, () => false, profiles[crossplane]).next().value;
  }

  test('is left alone by v1.16 and refused since, with who controls it', () => {
    expect(collected('1.16')).toEqual({ok: true, value: new Map([['B', {object, connectionDetails: new Map()}]])});
    const message = 'refusing to delete composed resource "B" that is controlled by Other "rival"';
    expect(collected('1.19')).toEqual({ok: false, failure: {message}});
    expect(collected('main')).toEqual({ok: false, failure: {message}});
  });
});

describe('a delete that the Usage webhook denies', () => {
  const usage = {
    name: 'U',
    ready: 'True',
    base: {
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      spec: {
        of: {apiVersion: 'nop.example.org/v1', kind: 'Nop', resourceSelector: {matchLabels: {role: 'used'}}},
        reason: 'production database',
      },
    },
  };
  const labelled = {
    name: 'A',
    base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {labels: {role: 'used'}}, spec: {of: 'A'}},
  };

  test('stops the whole XR and says so nowhere: no event, no condition, nothing after it is applied', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.compose([labelled, 'B', usage]);
    platform.order();
    platform.pass(10);
    expect(platform.condition('Ready')).toBe('True/Available');
    platform.mark();
    const changedB = {name: 'B', base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', spec: {of: 'changed'}}};
    platform.compose([changedB, usage]);
    platform.pass(20);
    expect(platform.one('A').metadata.deletionTimestamp).toBeUndefined();
    // The label is gone already, although the delete was refused.
    expect(platform.one('A').metadata.labels).not.toHaveProperty('crossplane.io/composite');
    expect(platform.one('B').spec).toEqual({of: 'B'});
    expect(platform.refs()).toHaveLength(3);
    // All that shows is the passing error of every new revision, which now stays.
    expect(platform.message('Synced')).toContain('pipeline status unknown');
    expect(platform.condition('Ready')).toBe('True/Available');
    expect(platform.notes().filter((note) => note.includes('in-use'))).toEqual([]);
  });

  /** The seconds after the edit in which the delete is tried. */
  function triedIn(crossplane: '1.16' | 'main', usageVersion: string, kind: string): readonly number[] {
    const platform = new Platform({crossplane, scope: 'LegacyCluster'});
    const own = {...usage, base: {...usage.base, apiVersion: usageVersion, kind}};
    platform.compose([labelled, 'B', own]);
    platform.order();
    platform.pass(10);
    platform.compose(['B', own]);
    return Array.from({length: 40}, (_, second) => second).filter(() => {
      platform.mark();
      platform.pass(1);
      return platform.writes('Nop').some(({verb}) => verb === 'delete');
    });
  }

  test('is tried again by the work queue of its version: one back-off after the other, or the longest that came together', () => {
    expect(triedIn('1.16', 'apiextensions.crossplane.io/v1alpha1', 'Usage')).toEqual([0, 1, 5, 13, 29]);
    expect(triedIn('main', 'protection.crossplane.io/v1beta1', 'ClusterUsage')).toEqual([0, 4, 12, 28]);
  });
});

describe('an orphan', () => {
  function orphaned(): Platform {
    const platform = restoredThenDropped('main');
    const [xr, orphan] = [platform.xr(), platform.one('B')];
    const owner = {
      apiVersion: 'example.org/v1',
      kind: 'App',
      name: 'shop',
      uid: xr?.metadata.uid ?? '',
      controller: true,
    };
    platform.patch(nopRef(orphan.metadata.name), {metadata: {ownerReferences: [owner]}});
    platform.pass(5);
    return platform;
  }

  test('is not deleted because somebody gives it its owner reference back: no resourceRef names it', () => {
    expect(orphaned().one('B').metadata.deletionTimestamp).toBeUndefined();
  });

  test('is deleted when resourceRefs name it again as well', () => {
    const platform = orphaned();
    const ref = (name: string) => ({apiVersion: 'nop.example.org/v1', kind: 'Nop', name});
    const resourceRefs = [...platform.refs(), platform.one('B').metadata.name].map(ref);
    platform.patch(platform.xrRef(), {spec: {crossplane: {resourceRefs}}});
    platform.pass(5);
    expect(platform.composed('B')).toEqual([]);
  });

  test('outlives its XR', () => {
    const platform = restoredThenDropped('main');
    platform.delete(platform.xrRef());
    platform.pass(30);
    expect(platform.xr()).toBeUndefined();
    expect(platform.composed('A')).toEqual([]);
    expect(platform.composed('B')).toHaveLength(1);
  });

  test('is not adopted when the Composition lists it again: there is a second one', () => {
    const platform = restoredThenDropped('main');
    platform.compose(['A', 'B']);
    platform.pass(10);
    expect(platform.composed('B')).toHaveLength(2);
  });
});

describe('dropping a used resource, its user and their Usage in one edit', () => {
  const usage = {
    name: 'U',
    ready: 'True',
    base: {
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      spec: {
        of: {apiVersion: 'nop.example.org/v1', kind: 'Nop', resourceSelector: {matchLabels: {role: 'used'}}},
        by: {apiVersion: 'nop.example.org/v1', kind: 'Nop', resourceSelector: {matchLabels: {role: 'user'}}},
      },
    },
  };
  const playing = (name: string, role: string) => ({
    name,
    base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {labels: {role}}, spec: {}},
  });

  function dropped(crossplane: '2.3' | 'main', seed: number): string {
    const platform = new Platform({crossplane, seed});
    platform.compose([playing('used', 'used'), playing('user', 'user'), usage, 'C']);
    platform.order();
    platform.pass(20);
    platform.provider({per: {user: {deleteDelayMs: 3000}}});
    platform.compose(['C']);
    platform.pass(2);
    const usedFirst = platform.composed('used').length === 0 && platform.composed('user').length === 1;
    return usedFirst ? 'used first' : 'waits';
  }

  test('has no order: by the luck of a Go map the used one goes first, or the XR hangs on the denial', () => {
    const outcomes = new Set([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => dropped('main', seed)));
    expect([...outcomes].sort()).toEqual(['used first', 'waits']);
  });
});

test('ten composed, five dropped: the five are gone, in whatever order, and the XR stays ready', () => {
  const platform = new Platform({crossplane: 'main'});
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  platform.compose(all);
  platform.order();
  platform.pass(10);
  platform.compose(all.slice(0, 5));
  platform.pass(10);
  expect(all.filter((name) => platform.composed(name).length > 0)).toEqual(all.slice(0, 5));
  expect(platform.condition('Ready')).toBe('True/Available');
});

describe('deleting an XR', () => {
  function deleted(policy: 'Background' | 'Foreground' | 'Orphan'): Platform {
    const platform = new Platform({crossplane: 'main'});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    platform.provider({per: {A: {deleteDelayMs: 20_000}}});
    platform.delete(platform.xrRef(), policy);
    platform.pass(5);
    return platform;
  }

  test('in the background takes the XR at once and leaves the rest to the owner GC', () => {
    const platform = deleted('Background');
    expect(platform.xr()).toBeUndefined();
    expect(platform.one('A').metadata.deletionTimestamp).toBeDefined();
  });

  test('in the foreground keeps the XR until what it composed is gone', () => {
    const platform = deleted('Foreground');
    expect(platform.xr()?.metadata.finalizers).toEqual(['foregroundDeletion']);
    platform.pass(60);
    expect(platform.xr()).toBeUndefined();
  });

  test('with policy Orphan leaves what it composed, labelled and unowned', () => {
    const platform = deleted('Orphan');
    platform.pass(60);
    expect(platform.xr()).toBeUndefined();
    expect(platform.one('A').metadata.ownerReferences ?? []).toEqual([]);
    expect(platform.one('A').metadata.labels).toHaveProperty('crossplane.io/composite', 'shop');
  });
});

test('restored owner references of the old uid are worse: the owner GC takes the objects at once', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(['A']);
  platform.order();
  platform.pass(5);
  const before = platform.one('A').metadata.name;
  platform.restore({ownerReferences: 'keep'});
  platform.pass(2);
  expect(platform.composed('A')).toEqual([]);
  platform.start();
  platform.pass(5);
  expect(platform.one('A').metadata.name).not.toBe(before);
});
