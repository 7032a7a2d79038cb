import {describe, expect, test} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {composedCrd, nopRef, Platform} from './platform.ts';

// Watches that come and go with realtime compositions, in the engine's generations.

const appReady = (platform: Platform, name = 'shop'): boolean => platform.condition('Ready', name) === 'True/Available';

describe('an XR ordered 70 s after its kind was defined', () => {
  function orderLate(crossplane: ProfileName): Platform {
    const platform = new Platform({crossplane, realtime: true});
    platform.compose(['A']);
    platform.pass(70);
    platform.order();
    return platform;
  }

  test('is never reconciled under 1.19: the collector has stopped the watch of XRs', () => {
    const platform = orderLate('1.19');
    platform.pass(75);
    expect(platform.xr()?.metadata.finalizers).toBeUndefined();
    expect(platform.xr()?.status).toBeUndefined();
    platform.stop();
    platform.start();
    expect(platform.until(() => appReady(platform), 5)).toBe(true);
  });

  test.each(['1.16', '1.20', '2.3', 'main'] as const)('is ready soon under %s', (version) => {
    const platform = orderLate(version);
    expect(platform.until(() => appReady(platform), 5)).toBe(true);
  });
});

describe('a second XR, 70 s after the first', () => {
  function second(crossplane: ProfileName): Platform {
    const platform = new Platform({crossplane, realtime: true});
    platform.compose(['A'], {ttlSeconds: 3600});
    platform.order();
    platform.pass(75);
    platform.order('shop2');
    return platform;
  }

  test('is never reconciled under 1.19, and the deletion of the first waits for its poll', () => {
    const platform = second('1.19');
    platform.pass(20);
    expect(platform.xr('shop2')?.metadata.finalizers).toBeUndefined();
    platform.delete(platform.xrRef());
    platform.pass(2);
    expect(platform.xr()).toBeDefined();
    expect(platform.until(() => platform.xr() === undefined, 70)).toBe(true);
  });

  test.each(['1.16', '1.20', '2.3', 'main'] as const)('is ready soon under %s', (version) => {
    const platform = second(version);
    expect(platform.until(() => appReady(platform, 'shop2'), 5)).toBe(true);
  });
});

test('without realtime compositions nothing is collected, so 1.19 reconciles the late XR too', () => {
  const platform = new Platform({crossplane: '1.19', realtime: false});
  platform.compose(['A']);
  platform.pass(70);
  platform.order();
  expect(platform.until(() => appReady(platform), 5)).toBe(true);
});

describe('drift of a composed resource', () => {
  function drift(platform: Platform): void {
    platform.patch(nopRef(platform.one('A').metadata.name), {spec: {of: 'HACK'}});
  }
  const repaired = (platform: Platform) => platform.one('A').spec?.['of'] === 'A';

  test.each(['1.16', '1.19', '1.20', '2.3', 'main'] as const)(
    'is repaired at once under %s with realtime',
    (version) => {
      const platform = new Platform({crossplane: version, realtime: true});
      platform.compose(['A']);
      platform.order();
      platform.pass(5);
      drift(platform);
      expect(platform.until(() => repaired(platform), 1)).toBe(true);
    },
  );

  test('waits for the poll without realtime', () => {
    const platform = new Platform({crossplane: '1.19', realtime: false});
    platform.compose(['A']);
    platform.order();
    platform.pass(20);
    drift(platform);
    expect(platform.until(() => repaired(platform), 5)).toBe(false);
    expect(platform.until(() => repaired(platform), 70)).toBe(true);
  });

  test('is still repaired after 70 s in which only that XR existed', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.compose(['A']);
    platform.order();
    platform.pass(75);
    drift(platform);
    expect(platform.until(() => repaired(platform), 1)).toBe(true);
  });
});

describe('a composed resource that somebody deletes', () => {
  function goneFor(crossplane: ProfileName): Platform {
    const platform = new Platform({crossplane, realtime: true});
    platform.compose(['A'], {ttlSeconds: 600});
    platform.order();
    platform.pass(20);
    platform.delete(nopRef(platform.one('A').metadata.name));
    expect(platform.until(() => platform.composed('A').length === 0, 5)).toBe(true);
    return platform;
  }

  test('is not missed under 1.20 before the poll: only updates wake the XR', () => {
    const platform = goneFor('1.20');
    platform.pass(3);
    expect(platform.composed('A')).toEqual([]);
    expect(platform.until(() => platform.composed('A').length === 1, 700)).toBe(true);
  });

  test.each(['2.3', 'main'] as const)('is made again at once under %s', (version) => {
    const platform = goneFor(version);
    expect(platform.until(() => platform.composed('A').length === 1, 1)).toBe(true);
  });
});

describe('the kind of a composed resource vanishes', () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: 'nops.nop.example.org',
  };

  function vanish(crossplane: ProfileName, scope: 'Cluster' | 'LegacyCluster'): Platform {
    const platform = new Platform({crossplane, scope, realtime: true});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    platform.delete(crd);
    expect(platform.until(() => platform.get(crd) === undefined, 30)).toBe(true);
    return platform;
  }

  test('the XR’s worker blocks two minutes on a cached read under main, and only then says why', () => {
    const platform = vanish('main', 'Cluster');
    platform.pass(20);
    expect(platform.message('Synced')).not.toContain('Timeout');
    platform.delete(platform.xrRef());
    platform.pass(60);
    expect(platform.xr()?.metadata.finalizers).toEqual(['composite.apiextensions.crossplane.io']);
    expect(platform.until(() => platform.notes().join().includes('Timeout: failed waiting for'), 120)).toBe(true);
    expect(platform.until(() => platform.xr() === undefined, 30)).toBe(true);
  });

  test('v1.16 reads live: it takes the 404 for absent, makes up new names, stays deletable, and looks well', () => {
    const platform = vanish('1.16', 'LegacyCluster');
    platform.pass(1);
    const before = platform.refs();
    platform.pass(60);
    expect(platform.refs()).not.toEqual(before);
    expect(platform.notes().join()).toContain('the server could not find the requested resource');
    // The new names bump the XR's version, so the status update of the error conflicts, in silence.
    expect(platform.condition('Synced')).toBe('True/ReconcileSuccess');
    platform.delete(platform.xrRef());
    expect(platform.until(() => platform.xr() === undefined, 2)).toBe(true);
  });

  test('its watch starts anew when the kind is back', () => {
    const platform = vanish('main', 'Cluster');
    platform.apply(composedCrd('Nop', 'nops', 'Cluster'));
    expect(platform.until(() => platform.composed('A').length === 1, 60)).toBe(true);
    platform.pass(2);
    expect(appReady(platform)).toBe(true);
    platform.patch(nopRef(platform.one('A').metadata.name), {spec: {of: 'HACK'}});
    expect(platform.until(() => platform.one('A').spec?.['of'] === 'A', 1)).toBe(true);
  });

  test('deleting the XRD right after kills 1.19: stopping a watch waits for an informer of a kind that is gone', () => {
    const platform = vanish('1.19', 'LegacyCluster');
    platform.delete({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      name: 'apps.example.org',
    });
    expect(platform.until(() => platform.died(), 300)).toBe(true);
    const xrd = platform.controlPlane.catalogue.find({kind: 'CompositeResourceDefinition'})[0];
    expect(xrd?.metadata.finalizers).toContain('defined.apiextensions.crossplane.io');
    platform.start();
    expect(
      platform.until(
        () => platform.controlPlane.catalogue.find({kind: 'CompositeResourceDefinition'}).length === 0,
        30,
      ),
    ).toBe(true);
  });

  test('1.20 survives the same', () => {
    const platform = vanish('1.20', 'LegacyCluster');
    platform.delete({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      name: 'apps.example.org',
    });
    expect(
      platform.until(
        () => platform.controlPlane.catalogue.find({kind: 'CompositeResourceDefinition'}).length === 0,
        300,
      ),
    ).toBe(true);
    expect(platform.died()).toBe(false);
  });
});

describe('Crossplane 1.16 restarted with realtime compositions', () => {
  test('reconciles no XR of a kind that was there before, though the XRD says Established', () => {
    const platform = new Platform({crossplane: '1.16', realtime: true});
    platform.compose(['A']);
    platform.stop();
    platform.start();
    platform.pass(5);
    platform.order();
    platform.pass(75);
    expect(platform.xr()?.status).toBeUndefined();
  });

  test('does without them', () => {
    const platform = new Platform({crossplane: '1.16', realtime: false});
    platform.compose(['A']);
    platform.stop();
    platform.start();
    platform.pass(5);
    platform.order();
    expect(platform.until(() => appReady(platform), 5)).toBe(true);
  });
});
