import {expect, test} from 'vitest';
import {available, creating, reconcileError, reconcileSuccess} from '../../../src/cluster/crossplane/conditions.ts';
import {conditionOf} from '../../../src/cluster/object.ts';
import {atGeneration, withConditionsSet} from '../../../src/cluster/provider/conditions.ts';
import {startMs} from './driver.ts';
import {bucket} from './things.ts';

const laterMs = startMs + 60_000;
const synced = withConditionsSet(bucket(), atGeneration(bucket(), [reconcileSuccess]), startMs);

test('a condition that says the same keeps its time', () => {
  const again = withConditionsSet(synced, atGeneration(bucket(), [reconcileSuccess]), laterMs);
  expect(again).toBe(synced);
});

test('a client that names no generation does not take the generation away', () => {
  expect(withConditionsSet(synced, [reconcileSuccess], laterMs).status).toEqual(synced.status);
});

test('a new generation or message replaces the condition whole, time included', () => {
  const newer = withConditionsSet(synced, [{...reconcileSuccess, observedGeneration: 2}], laterMs);
  expect(conditionOf(newer, 'Synced')).toMatchObject({
    observedGeneration: 2,
    lastTransitionTime: '2026-01-01T00:01:00Z',
  });
  const failed = withConditionsSet(
    withConditionsSet(bucket(), [reconcileError('one')], startMs),
    [reconcileError('two')],
    laterMs,
  );
  expect(conditionOf(failed, 'Synced')).toMatchObject({message: 'two', lastTransitionTime: '2026-01-01T00:01:00Z'});
});

test('conditions keep the order in which they first came', () => {
  const ready = withConditionsSet(withConditionsSet(synced, [creating], startMs), [available], laterMs);
  const types = ((ready.status?.['conditions'] ?? []) as readonly {type: string}[]).map(({type}) => type);
  expect(types).toEqual(['Synced', 'Ready']);
});
