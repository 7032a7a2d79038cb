import {describe, expect, it} from 'vitest';
import {ModelFailure} from '../../src/explore/model-failure.ts';
import {always, converges, eventually, type Property, sometimes} from '../../src/explore/property.ts';
import {passed, type SearchResult} from '../../src/explore/result.ts';
import {search} from '../../src/explore/search.ts';
import {counter, lostUpdates} from './models/counter.ts';
import {delivery} from './models/delivery.ts';
import {guarded, type Values} from './models/guarded.ts';
import {hungry, philosophers} from './models/philosophers.ts';
import {agreementProperties, TwoPhaseCommit} from './models/two-phase-commit.ts';

const orders = ['breadth', 'cheapest', 'depth'] as const;

describe('search', () => {
  it.each([
    {managers: 3, states: 288, transitions: 1_145, quiescent: 28},
    {managers: 4, states: 1_568, transitions: 8_257, quiescent: 82},
    {managers: 5, states: 8_832, transitions: 58_145, quiescent: 244},
  ])('visits the $states states of two-phase commit with $managers managers, in any order', (want) => {
    const model = new TwoPhaseCommit(want.managers);
    for (const order of orders) {
      const result = search(model, agreementProperties(model), {order});
      expect(passed(result)).toBe(true);
      expect(result).toMatchObject({
        uniqueStates: want.states,
        transitions: want.transitions,
        quiescentStates: want.quiescent,
        depth: 3 * want.managers + 1,
        frontier: 0,
      });
    }
  });

  it('visits one state of each symmetry class if fingerprints merge the class', () => {
    const full = new TwoPhaseCommit(5, 'full');
    for (const order of orders) {
      const result = search(full, agreementProperties(full), {order});
      expect([passed(result), result.uniqueStates]).toEqual([true, 314]);
    }
    // stateright's own number, for its representative and its order of search.
    const partial = new TwoPhaseCommit(5, 'partial');
    const result = search(partial, agreementProperties(partial), {order: 'depth'});
    expect([passed(result), result.uniqueStates]).toEqual([true, 665]);
  });

  it.each([
    {name: 'counter', model: counter(3, false), states: 84, quiescent: 16},
    {name: 'locked counter', model: counter(3, true), states: 31, quiescent: 6},
    {name: 'philosophers', model: philosophers(5, false), states: 82, quiescent: 1},
    {name: 'polite philosophers', model: philosophers(5, true), states: 70, quiescent: 0},
  ])('visits the $states states of the $name, in any order', ({model, states, quiescent}) => {
    for (const order of orders) {
      const {uniqueStates, quiescentStates} = search(model, [], {order});
      expect([uniqueStates, quiescentStates]).toEqual([states, quiescent]);
    }
  });

  it('gives the same result every time', () => {
    const run = (): SearchResult =>
      search(philosophers(4, false), [converges('nobody waits', hungry)], {until: 'exhausted'});
    expect(run()).toEqual(run());
  });

  it('finds a shortest path in breadth order and goes deep first in depth order', () => {
    const line = guarded({at: 0}, [
      {key: 'step', writes: ['at'], when: ({at}) => (at ?? 0) < 50, effect: ({at}) => ({at: (at ?? 0) + 1})},
      {key: 'jump', writes: ['at'], when: ({at}) => at === 2, effect: () => ({at: 40})},
    ]);
    const end = [sometimes<Values>('end', ({at}) => at === 50)];
    expect(search(line, end).properties[0]?.discovery?.path).toHaveLength(2 + 1 + 10);
    const seen: number[] = [];
    const watch = always<Values>('watch', ({at}) => seen.push(at ?? 0) > 0);
    search(line, [watch], {order: 'depth'});
    expect(seen.slice(0, 7)).toEqual([0, 1, 2, 3, 40, 41, 42]);
  });

  it('stops at the first failure unless asked for all', () => {
    const properties: Property<Values>[] = [
      always('nobody holds a fork', (values) => values['hand0'] === 0),
      always('nobody eats', (values) => values['hand1'] !== 2),
    ];
    const first = search(philosophers(3, false), properties);
    expect(first.outcome).toEqual({kind: 'incomplete', reasons: ['failure-found']});
    expect(first.properties.map((property) => property.verdict)).toEqual(['fails', 'unknown']);
    const every = search(philosophers(3, false), properties, {until: 'exhausted'});
    expect(every.outcome).toEqual({kind: 'complete'});
    expect(every.properties.map((property) => property.verdict)).toEqual(['fails', 'fails']);
  });

  it('says which path leads to a model that throws', () => {
    const model = counter(2, false);
    const next = (values: Values, command: Parameters<typeof model.next>[1]): Values => {
      if (values['at0'] === 1 && command.key === 'write 0') throw new Error('the disk is full');
      return model.next(values, command);
    };
    try {
      search({...model, next}, []);
      expect.unreachable('the search must not end');
    } catch (error) {
      expect(error).toBeInstanceOf(ModelFailure);
      expect((error as ModelFailure).path).toEqual([0]);
      expect((error as ModelFailure).message).toBe('cannot go on from path "0": the model threw: the disk is full');
    }
  });

  it('refuses what would make a verdict unsound', () => {
    const model = delivery({resends: true});
    const arrives = eventually<Values>('arrives', ({got}) => got === 1);
    expect(() => search(model, [arrives, arrives])).toThrow('two properties with the name "arrives"');
    const shard = {index: 0, count: 2, cut: {kind: 'depth', depth: 2} as const};
    expect(() => search(model, [], {mergeForced: true, shard})).toThrow('split by what is spent');
    expect(() => search(model, [], {shard: {...shard, index: 2}})).toThrow('cannot search shard 2 of 2');
    expect(() => search(model, [], {shard, limits: {depth: 2}})).toThrow('cannot split at depth 2');
    expect(() => search(model, [], {limits: {states: 0}})).toThrow(
      'cannot use option limits.states: expected a whole number of at least 1, got 0',
    );
    expect(() => search(model, [], {limits: {memoryBytes: 100}})).toThrow('limits.memoryBytes');
  });

  it('tells how far it is, and stops when told', () => {
    const reports: number[] = [];
    const stopped = search(counter(3, false), [converges('counted', lostUpdates(3))], {
      until: 'exhausted',
      progressEvery: 20,
      onProgress: ({transitions, uniqueStates, frontier, depth}) => {
        reports.push(transitions);
        expect(uniqueStates).toBeGreaterThan(frontier);
        expect(depth).toBeGreaterThan(0);
        return transitions >= 60 ? 'stop' : undefined;
      },
    });
    expect(reports).toEqual([20, 40, 60]);
    expect(stopped.outcome).toEqual({kind: 'incomplete', reasons: ['stopped']});
    expect(stopped.transitions).toBe(60);
  });
});
