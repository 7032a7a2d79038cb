import {describe, expect, test} from 'vitest';
import {
  didCreateSucceedWithin,
  durationMs,
  isCreateIncomplete,
  reconcileRequestOf,
} from '../../../src/cluster/provider/annotations.ts';
import {startMs} from './driver.ts';
import {bucket, secondsAgo} from './things.ts';

describe('an incomplete create', () => {
  const incomplete = (annotations: {readonly [name: string]: string}) => isCreateIncomplete(bucket({annotations}));
  const pending = {'external-create-pending': secondsAgo(10)};

  test('is a pending one without a later result', () => {
    expect(incomplete(pending)).toBe(true);
    expect(incomplete({...pending, 'external-create-succeeded': secondsAgo(11)})).toBe(true);
    expect(incomplete({...pending, 'external-create-succeeded': secondsAgo(9)})).toBe(false);
    expect(incomplete({...pending, 'external-create-failed': secondsAgo(9)})).toBe(false);
    expect(incomplete({})).toBe(false);
  });

  test('is not seen where the result is of the same second', () => {
    expect(incomplete({...pending, 'external-create-failed': secondsAgo(10)})).toBe(false);
  });

  test('is not seen where pending is no time', () => {
    expect(incomplete({'external-create-pending': 'yesterday'})).toBe(false);
  });

  test('is told by the instant, not by the zone it is written in', () => {
    const inRome = '2026-01-01T00:59:50+01:00';
    expect(incomplete({'external-create-pending': secondsAgo(9), 'external-create-succeeded': inRome})).toBe(true);
    expect(incomplete({'external-create-pending': secondsAgo(11), 'external-create-succeeded': inRome})).toBe(false);
  });
});

test('the grace ends when it is as old as it is long', () => {
  const object = bucket({annotations: {'external-create-succeeded': secondsAgo(30)}});
  expect(didCreateSucceedWithin(object, 30_000, startMs)).toBe(false);
  expect(didCreateSucceedWithin(object, 30_000, startMs - 1)).toBe(true);
});

test('an empty token is no request', () => {
  expect(reconcileRequestOf(bucket({annotations: {'reconcile-requested-at': ''}}))).toBeUndefined();
});

test.each([
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['-3s', -3000],
  ['0', 0],
  ['3', undefined],
  ['', undefined],
  ['1m 30s', undefined],
])('Go reads the duration %j as %s ms', (text, expected) => {
  expect(durationMs(text)).toBe(expected);
});
