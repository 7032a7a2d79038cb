import {expect, test} from 'vitest';
import {jittered, pollIntervalOf} from '../../../src/cluster/crossplane/intervals.ts';
import {Platform} from './platform.ts';

test('jitter is within ten percent and follows from key and time', () => {
  const waits = Array.from({length: 200}, (_, index) => jittered(60_000, 'shop', index));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(54_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(66_000);
  expect(new Set(waits).size).toBeGreaterThan(100);
  expect(jittered(60_000, 'shop', 1)).toBe(jittered(60_000, 'shop', 1));
});

test.each([
  ['30s', 30_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['10ms', 1000],
  ['soon', undefined],
  [undefined, undefined],
])('the annotation %j asks for %j ms', (annotation, ms) => {
  expect(pollIntervalOf(annotation)).toBe(ms);
});

test('an XR may ask for its own poll interval since v2', () => {
  const calls = (crossplane: '1.20' | 'main') => {
    const platform = new Platform({crossplane, realtime: false});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    platform.patch(platform.xrRef(), {metadata: {annotations: {'crossplane.io/poll-interval': '5s'}}});
    platform.pass(10);
    platform.mark();
    platform.pass(50);
    return platform.calls();
  };
  expect(calls('main')).toBeGreaterThan(7);
  expect(calls('1.20')).toBeLessThan(3);
});
