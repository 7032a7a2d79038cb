import {describe, expect, test} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {composedCrd, Platform} from './platform.ts';

// Kinds a client has no mapping for, and kinds whose scope is not what the caller believes.

const late = {apiVersion: 'late.example.org/v1', kind: 'Late', spec: {of: 'L'}};

function lateCrd() {
  const crd = composedCrd('Late', 'lates', 'Cluster');
  return {...crd, metadata: {name: 'lates.late.example.org'}, spec: {...crd.spec, group: 'late.example.org'}};
}

describe('an XR composes a kind that was never installed', () => {
  function ordered(crossplane: ProfileName, scope?: 'Cluster' | 'Namespaced'): Platform {
    const platform = new Platform({crossplane, realtime: true, ...(scope === undefined ? {} : {scope})});
    platform.compose([{name: 'L', base: late}]);
    platform.order();
    platform.pass(20);
    return platform;
  }

  test.each(['1.16', '1.19', '1.20', '2.3', 'main'] as const)('and says so at once under %s', (version) => {
    const platform = ordered(version);
    expect(platform.condition('Synced')).toBe('False/ReconcileError');
    expect(platform.message('Synced')).toContain('no matches for kind "Late" in version "late.example.org/v1"');
  });

  const inNamespace = {apiVersion: 'nop.example.org/v1', kind: 'NopInNamespace', spec: {of: 'A'}};

  test.each(['2.3', 'main'] as const)(
    'an edit that leaves it out is picked up by a namespaced XR under %s',
    (version) => {
      const platform = ordered(version, 'Namespaced');
      expect(platform.message('Synced')).toContain(
        'is namespaced (a Late named ): failed to get restmapping: no matches for kind "Late"',
      );
      platform.compose([{name: 'A', base: inNamespace}]);
      expect(platform.until(() => platform.condition('Ready') === 'True/Available', 5)).toBe(true);
    },
  );

  test('before v2 no reference is written, since no name can be drawn, so an edit helps a cluster-scoped XR, too', () => {
    const platform = ordered('1.19');
    platform.compose(['A']);
    expect(platform.until(() => platform.condition('Ready') === 'True/Available', 70)).toBe(true);
  });

  test.each(['2.3', 'main'] as const)(
    'since v2 a cluster-scoped one keeps the reference and the error under %s',
    (version) => {
      const platform = ordered(version, 'Cluster');
      expect(platform.refs()).toHaveLength(1);
      platform.compose(['A']);
      platform.pass(200);
      expect(platform.message('Synced')).toContain('cannot get composed resource: no matches for kind "Late"');
    },
  );

  test('the XR can be deleted', () => {
    const platform = ordered('main');
    platform.delete(platform.xrRef());
    expect(platform.until(() => platform.xr() === undefined, 35)).toBe(true);
  });

  test('and goes on when the kind comes', () => {
    const platform = ordered('main');
    platform.apply(lateCrd());
    expect(platform.until(() => platform.composed('L', 'Late').length === 1, 35)).toBe(true);
  });
});

test('a reference that a user adds to a kind that is not there fails the XR at once', () => {
  const platform = new Platform({crossplane: 'main', realtime: true});
  platform.compose(['A']);
  platform.order();
  platform.pass(5);
  const {name} = platform.one('A').metadata;
  const refs = [
    {apiVersion: 'nop.example.org/v1', kind: 'Nop', name},
    {apiVersion: 'nosuch.example.org/v1', kind: 'Nothing', name: 'x'},
  ];
  platform.patch(platform.xrRef(), {spec: {crossplane: {resourceRefs: refs}}});
  platform.pass(2);
  expect(platform.message('Synced')).toContain(
    'cannot get composed resource: no matches for kind "Nothing" in version "nosuch.example.org/v1"',
  );
});

describe('a key of a cluster-scoped XR changes from a cluster-scoped to a namespaced kind', () => {
  const namespaced = {
    name: 'A',
    base: {apiVersion: 'nop.example.org/v1', kind: 'NopInNamespace', metadata: {namespace: 'default'}, spec: {of: 'A'}},
  };

  test.each(['1.19', '1.20', '2.3', 'main'] as const)('and wedges it for good under %s', (version) => {
    const platform = new Platform({crossplane: version, realtime: true});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    platform.compose([namespaced]);
    platform.pass(70);
    expect(platform.message('Synced')).toContain(
      'cannot get composed resource: an empty namespace may not be set when a resource name is provided',
    );
    expect(platform.condition('Ready')).toBe('True/Available');
    expect(platform.composed('A', 'NopInNamespace')).toEqual([]);
    platform.compose(['A']);
    platform.pass(70);
    expect(platform.condition('Synced')).toBe('False/ReconcileError');
  });
});

describe('a Composition for another kind', () => {
  test.each([
    ['1.16', 'LegacyCluster'],
    ['1.20', 'LegacyCluster'],
    ['2.3', 'Cluster'],
    ['main', 'Namespaced'],
  ] as const)('composes nothing under %s (%s)', (crossplane, scope) => {
    const platform = new Platform({crossplane, scope, realtime: true});
    const step = {step: 'static', functionRef: {name: 'function-static'}};
    platform.apply({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: {name: 'other'},
      spec: {compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'Other'}, mode: 'Pipeline', pipeline: [step]},
    });
    platform.order('shop', {}, {compositionRef: {name: 'other'}});
    platform.pass(5);
    expect(platform.message('Synced')).toBe(
      'cannot configure composite resource: referenced composition is not compatible with this composite resource',
    );
  });
});

describe('a resource that does not say its kind', () => {
  test('makes a reference that is refused, so nothing is applied', () => {
    const platform = new Platform({crossplane: 'main', realtime: true});
    platform.compose(['A', {name: 'L', base: {apiVersion: 'nop.example.org/v1', kind: '', spec: {}}}]);
    platform.order();
    platform.pass(5);
    expect(platform.message('Synced')).toBe('cannot compose resources: some resources were invalid, check events');
    expect(platform.notes().join()).toContain('resourceRefs[1].kind: Required value');
    expect(platform.composed('A')).toEqual([]);
  });

  test('or its apiVersion does so, too', () => {
    const platform = new Platform({crossplane: 'main', realtime: true});
    platform.compose(['A', {name: 'L', base: {kind: 'Bucket', spec: {}}}]);
    platform.order();
    platform.pass(5);
    expect(platform.notes().join()).toContain('resourceRefs[0].apiVersion: Required value');
    expect(platform.composed('A')).toEqual([]);
  });

  test('of a namespaced XR is not even referred to', () => {
    const platform = new Platform({crossplane: 'main', realtime: true, scope: 'Namespaced'});
    platform.compose([{name: 'L', base: {apiVersion: 'nop.example.org/v1', kind: '', spec: {}}}]);
    platform.order();
    platform.pass(5);
    expect(platform.message('Synced')).toContain("Object 'Kind' is missing in 'unstructured object has no kind'");
  });
});
