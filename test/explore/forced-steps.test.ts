import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {SearchOptions} from '../../src/explore/options.ts';
import {replay} from '../../src/explore/path.ts';
import {always, converges, type Property, sometimes} from '../../src/explore/property.ts';
import type {SearchResult} from '../../src/explore/result.ts';
import {search} from '../../src/explore/search.ts';
import {counter} from './models/counter.ts';
import {delivery} from './models/delivery.ts';
import {type GuardedModel, guarded, type Values} from './models/guarded.ts';
import {philosophers} from './models/philosophers.ts';
import {randomBudgets, randomModel} from './models/random-model.ts';
import {referenceGraph} from './models/reference.ts';

const orders = ['breadth', 'cheapest', 'depth'] as const;

/** What a search sees: the states it checks, and those of them in which nothing is left to do. */
function explored(
  model: GuardedModel,
  options: SearchOptions,
): {states: Set<string>; resting: Set<string>; result: SearchResult} {
  const states = new Set<string>();
  const resting = new Set<string>();
  const watch: Property<Values>[] = [
    always('watch', (values) => states.add(String(model.fingerprint(values))).size > 0),
    converges('watch rest', (values) => {
      resting.add(String(model.fingerprint(values)));
      return undefined;
    }),
  ];
  const result = search(model, watch, {until: 'exhausted', ...options});
  return {states, resting, result};
}

/** A walk of so many steps, which a fault may throw back to the start as long as a unit is left. */
const walk = (steps: number): GuardedModel =>
  guarded({at: 0}, [
    {key: 'step', writes: ['at'], when: ({at}) => (at ?? 0) < steps, effect: ({at}) => ({at: (at ?? 0) + 1})},
    {key: 'fall', writes: ['at'], cost: 'fault', when: ({at}) => at === steps - 1, effect: () => ({at: 0})},
  ]);

const isEven = (values: Values): boolean => Object.values(values).reduce((sum, value) => sum + value, 0) % 2 === 0;

describe('forced steps', () => {
  it('are taken at once, and the states between are checked and not kept', () => {
    const {states, resting, result} = explored(walk(100), {mergeForced: true});
    expect(states.size).toBe(101);
    expect(resting).toEqual(new Set(['100']));
    expect(result).toMatchObject({outcome: {kind: 'complete'}, transitions: 100, depth: 100});
    expect(result.uniqueStates).toBeLessThan(5);
  });

  it('end where a property shows, with the path that leads there', () => {
    const model = walk(100);
    const sound = always<Values>('sound', ({at}) => at !== 40);
    const [report] = search(model, [sound], {mergeForced: true}).properties;
    expect(report).toMatchObject({verdict: 'fails', discovery: {path: Array.from({length: 40}, () => 0)}});
  });

  it('do not end in a circle that nothing can leave', () => {
    const model = guarded({at: 0}, [
      {key: 'turn', writes: ['at'], when: () => true, effect: ({at}) => ({at: ((at ?? 0) + 1) % 7})},
    ]);
    const {states, resting, result} = explored(model, {mergeForced: true});
    expect([states.size, resting.size, result.outcome]).toEqual([7, 0, {kind: 'complete'}]);
  });

  it('end where paths meet, and what a known state allows is not asked for again', () => {
    const forks = ['left', 'right'].map((key) => ({
      key,
      writes: ['at'],
      when: ({at}: Values) => at === 0,
      effect: () => ({at: 1}),
    }));
    const model = guarded({at: 0}, [
      ...forks,
      {key: 'step', writes: ['at'], when: ({at = 0}) => at > 0 && at < 9, effect: ({at = 0}) => ({at: at + 1})},
    ]);
    const asked = (joins: boolean): number => {
      let times = 0;
      const actions = (values: Values) => {
        if (values['at'] === 1) times++;
        return model.actions(values);
      };
      search({...model, actions, joins: ({at}) => joins && at === 1}, [], {mergeForced: true, until: 'exhausted'});
      return times;
    };
    expect([asked(true), asked(false)]).toEqual([1, 2]);
  });

  it.each([
    {name: 'counter', model: counter(3, false), budgets: {}},
    {name: 'philosophers', model: philosophers(4, false, 1), budgets: {}},
    {name: 'delivery', model: delivery({resends: true, workers: 2}), budgets: {loss: 2, person: 2}},
  ])('leave the same states and the same rest in the $name', ({model, budgets}) => {
    const plain = explored(model, {budgets});
    for (const order of orders) {
      const merged = explored(model, {budgets, order, mergeForced: true});
      expect(merged.states).toEqual(plain.states);
      expect(merged.resting).toEqual(plain.resting);
      expect(merged.result.uniqueStates).toBeLessThanOrEqual(plain.result.uniqueStates);
    }
  });

  it('any search of a random model sees what the reference sees, merged or not, covered or not', () => {
    fc.assert(
      fc.property(randomModel, randomBudgets, fc.option(fc.nat(6), {nil: undefined}), (model, budgets, depth) => {
        const reference = referenceGraph(model, budgets);
        const within = [...reference.depths].filter(([, at]) => depth === undefined || at <= depth);
        for (const order of orders) {
          for (const [mergeForced, joins] of [[false], [true], [true, isEven]] as const) {
            const limits = depth === undefined ? {} : {depth};
            const joined = joins === undefined ? model : {...model, joins};
            const {states, resting, result} = explored(joined, {budgets, order, mergeForced, limits});
            expect(states).toEqual(new Set(within.map(([fingerprint]) => fingerprint)));
            expect(resting).toEqual(new Set([...reference.quiescent].filter((state) => states.has(state))));
            if (depth === undefined) expect(result.outcome).toEqual({kind: 'complete'});
          }
        }
      }),
      {numRuns: 2_000, seed: 6},
    );
  });

  it('in breadth order every state is found at its least depth, by a path that leads there, merged or not', () => {
    fc.assert(
      fc.property(randomModel, randomBudgets, (model, budgets) => {
        const {depths} = referenceGraph(model, budgets);
        for (const [fingerprint, depth] of depths) {
          const goal = sometimes<Values>('goal', (values) => model.fingerprint(values) === fingerprint);
          for (const mergeForced of [false, true]) {
            const [report] = search(model, [goal], {budgets, mergeForced}).properties;
            const path = report?.discovery?.path ?? [];
            expect(path).toHaveLength(depth);
            const replayed = replay(model, path);
            expect(replayed.kind === 'replayed' && model.fingerprint(replayed.final)).toBe(fingerprint);
          }
        }
      }),
      {numRuns: 100, seed: 7},
    );
  });
});
