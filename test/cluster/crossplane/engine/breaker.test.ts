import {describe, expect, test} from 'vitest';
import {type Breaker, emptyBreaker, openedBy, pass, reset} from '../../../../src/cluster/crossplane/engine/breaker.ts';
import {Platform} from '../platform.ts';

function events(count: number, breaker: Breaker = emptyBreaker, atMs = 0, source = 'Nop/a'): Breaker {
  let next = breaker;
  for (let index = 0; index < count; index++) next = pass(next, 'shop', source, atMs).breaker;
  return next;
}

describe('the circuit breaker', () => {
  test('lets a hundred events through at once and opens with the next, naming the busiest source', () => {
    const full = events(60, events(40, emptyBreaker, 0, 'Nop/b'));
    expect(openedBy(full, 'shop')).toBeUndefined();
    const last = pass(full, 'shop', 'Nop/a', 0);
    expect(last.allowed).toBe(true);
    expect(openedBy(last.breaker, 'shop')).toBe('Nop/a');
    expect(pass(last.breaker, 'shop', 'Nop/a', 1).allowed).toBe(false);
  });

  test('refills one token a second', () => {
    const empty = events(100);
    expect(openedBy(events(5, empty, 5000), 'shop')).toBeUndefined();
    expect(openedBy(events(6, empty, 5000), 'shop')).toBe('Nop/a');
  });

  test('while open lets one event through every 30 s', () => {
    const open = events(101);
    expect(pass(open, 'shop', 'Nop/a', 30_000).allowed).toBe(false);
    const probe = pass(open, 'shop', 'Nop/a', 30_001);
    expect(probe.allowed).toBe(true);
    expect(pass(probe.breaker, 'shop', 'Nop/a', 40_000).allowed).toBe(false);
  });

  test('closes with the first event after five minutes', () => {
    const open = events(101);
    expect(openedBy(events(1, open, 299_999), 'shop')).toBe('Nop/a');
    expect(openedBy(events(1, open, 300_000), 'shop')).toBeUndefined();
  });

  test('keeps a bucket for each XR, and forgets one that is reset', () => {
    const open = events(101);
    expect(pass(open, 'other', 'Nop/a', 0).allowed).toBe(true);
    expect(openedBy(reset(open, 'shop'), 'shop')).toBeUndefined();
  });
});

describe('an XR whose resources change all the time', () => {
  function busy(crossplane: '1.20' | '2.3' | 'main'): Platform {
    const platform = new Platform({crossplane});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    const name = platform.one('A').metadata.name;
    for (let index = 0; index < 120; index++) {
      platform.patch({apiVersion: 'nop.example.org/v1', kind: 'Nop', name}, {metadata: {annotations: {n: `${index}`}}});
      platform.pass(0.1);
    }
    return platform;
  }

  test.each(['2.3', 'main'] as const)('is throttled under %s, says so, and can still be deleted', (version) => {
    const platform = busy(version);
    platform.pass(40);
    expect(platform.condition('Responsive')).toBe('False/WatchCircuitOpen');
    expect(platform.message('Responsive')).toMatch(/^Too many watch events from Nop\/shop-[0-9a-f]{12}\. Allowing/);
    platform.delete(platform.xrRef());
    expect(platform.until(() => platform.xr() === undefined, 1)).toBe(true);
  });

  test.each([
    ['2.3', 'False/WatchCircuitOpen'],
    ['main', 'True/WatchCircuitClosed'],
  ] as const)(
    'costs two tokens an update for each resource of its kind that one reconcile made under %s',
    (version, end) => {
      const platform = new Platform({crossplane: version});
      platform.compose(['A', 'B', 'C', 'D', 'E', 'F']);
      platform.order();
      platform.pass(150);
      const {name} = platform.one('A').metadata;
      for (let index = 0; index < 10; index++) {
        platform.patch(
          {apiVersion: 'nop.example.org/v1', kind: 'Nop', name},
          {metadata: {annotations: {n: `${index}`}}},
        );
        platform.pass(0.1);
      }
      platform.pass(40);
      expect(platform.condition('Responsive')).toBe(end);
    },
  );

  test.each(['2.3', 'main'] as const)('is looked at within an hour under %s once a person unpauses it', (version) => {
    const platform = busy(version);
    const {name} = platform.one('A').metadata;
    const annotate = (annotations: {[name: string]: string | null}) =>
      platform.patch(platform.xrRef(), {metadata: {annotations}});
    annotate({'crossplane.io/paused': 'true'});
    platform.pass(70);
    expect(platform.condition('Synced')).toBe('False/ReconcilePaused');
    platform.patch({apiVersion: 'nop.example.org/v1', kind: 'Nop', name}, {metadata: {annotations: {n: 'last'}}});
    platform.pass(1);
    annotate({'crossplane.io/paused': null});
    platform.pass(3590);
    expect(platform.condition('Synced')).toBe('False/ReconcilePaused');
    platform.pass(20);
    expect(platform.condition('Synced')).toBe('True/ReconcileSuccess');
  });

  test('is not under 1.20', () => {
    const platform = busy('1.20');
    platform.mark();
    const name = platform.one('A').metadata.name;
    platform.patch({apiVersion: 'nop.example.org/v1', kind: 'Nop', name}, {spec: {of: 'HACK'}});
    expect(platform.until(() => platform.one('A').spec?.['of'] === 'A', 1)).toBe(true);
  });
});
