import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {auditIndependence} from '../../src/explore/independence-audit.ts';
import type {SearchOptions} from '../../src/explore/options.ts';
import {always, converges, type Property, sometimes} from '../../src/explore/property.ts';
import type {SearchResult} from '../../src/explore/result.ts';
import {search} from '../../src/explore/search.ts';
import {counter} from './models/counter.ts';
import {randomCube} from './models/cube.ts';
import {delivery} from './models/delivery.ts';
import {type GuardedModel, guarded, type Values} from './models/guarded.ts';
import {philosophers} from './models/philosophers.ts';
import {randomBudgets, randomModel} from './models/random-model.ts';
import {referenceGraph} from './models/reference.ts';
import {agreementProperties, TwoPhaseCommit} from './models/two-phase-commit.ts';

const orders = ['breadth', 'cheapest', 'depth'] as const;

/** What a search sees: the states it enters, and those of them in which nothing is left to do. */
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

describe('reduction', () => {
  it.each([
    {managers: 3, full: 1_145, reduced: 725},
    {managers: 5, full: 58_145, reduced: 31_793},
  ])('visits all states of two-phase commit ($managers) by fewer steps', ({managers, full, reduced}) => {
    const model = new TwoPhaseCommit(managers);
    const plain = search(model, agreementProperties(model));
    const less = search(model, agreementProperties(model), {reduce: true});
    expect([plain.transitions, less.transitions]).toEqual([full, reduced]);
    expect({...less, transitions: plain.transitions}).toEqual({...plain, properties: less.properties});
    expect(less.properties.map((property) => property.verdict)).toEqual(['holds', 'holds', 'holds']);
  });

  it('takes one order of n independent steps instead of all', () => {
    const steps = Array.from({length: 8}, (_, id) => ({
      key: `step ${id}`,
      writes: [`x${id}`],
      when: (values: Values) => values[`x${id}`] === 0,
      effect: () => ({[`x${id}`]: 1}),
    }));
    const model = guarded(Object.fromEntries(steps.map((_, id) => [`x${id}`, 0])), steps);
    expect(search(model, []).transitions).toBe(8 * 2 ** 7);
    for (const order of orders) {
      const {transitions, uniqueStates} = search(model, [], {order, reduce: true});
      expect([uniqueStates, transitions]).toEqual([2 ** 8, 2 ** 8 - 1]);
    }
  });

  it.each([
    {name: 'counter', model: counter(3, false), budgets: {}},
    {name: 'philosophers', model: philosophers(4, false, 1), budgets: {}},
    {name: 'delivery', model: delivery({resends: true, workers: 2}), budgets: {loss: 2, person: 2}},
  ])('sees the same states and the same rest in the $name', ({model, budgets}) => {
    const plain = explored(model, {budgets});
    for (const order of orders) {
      const reduced = explored(model, {budgets, order, reduce: true});
      expect(reduced.states).toEqual(plain.states);
      expect(reduced.resting).toEqual(plain.resting);
      expect(reduced.result.transitions).toBeLessThan(plain.result.transitions);
    }
  });

  it('loses no state where sleeping actions rely on each other in a circle', () => {
    // The first salts are those where a search that keeps the first sleep set of a node loses states.
    const salts = [
      711,
      2_792,
      3_156,
      4_060,
      6_237,
      6_914,
      7_654,
      8_609,
      ...Array.from({length: 200}, (_, salt) => salt),
    ];
    for (const salt of salts) {
      const model = randomCube(salt);
      const states = search(model, []).uniqueStates;
      for (const order of orders) expect(search(model, [], {order, reduce: true}).uniqueStates).toBe(states);
    }
  });

  it('any search of a random model sees what the reference sees, reduced or not, covered or not', () => {
    fc.assert(
      fc.property(randomModel, randomBudgets, fc.option(fc.nat(6), {nil: undefined}), (model, budgets, depth) => {
        const reference = referenceGraph(model, budgets);
        const within = [...reference.depths].filter(([, at]) => depth === undefined || at <= depth);
        for (const order of orders) {
          for (const reduce of [false, true]) {
            const limits = depth === undefined ? {} : {depth};
            const {states, resting, result} = explored(model, {budgets, order, reduce, limits});
            expect(states).toEqual(new Set(within.map(([fingerprint]) => fingerprint)));
            expect(resting).toEqual(new Set([...reference.quiescent].filter((state) => states.has(state))));
            if (depth === undefined) expect(result.outcome).toEqual({kind: 'complete'});
          }
        }
      }),
      {numRuns: 2_000, seed: 6},
    );
  });

  it('in breadth order finds every state at its least depth, reduced or not', () => {
    fc.assert(
      fc.property(randomModel, randomBudgets, (model, budgets) => {
        const {depths} = referenceGraph(model, budgets);
        for (const [fingerprint, depth] of depths) {
          const goal = sometimes<Values>('goal', (values) => model.fingerprint(values) === fingerprint);
          for (const reduce of [false, true]) {
            const [report] = search(model, [goal], {budgets, reduce}).properties;
            expect(report?.discovery?.path).toHaveLength(depth);
          }
        }
      }),
      {numRuns: 60, seed: 7},
    );
  });
});

describe('independence', () => {
  const models = [counter(3, true), counter(3, false), philosophers(3, true), delivery({resends: true, workers: 1})];

  it('as the toy models claim it is true', () => {
    for (const model of models) expect(auditIndependence(model, 5_000)).toEqual([]);
    expect(auditIndependence(new TwoPhaseCommit(4), 5_000)).toEqual([]);
  });

  const everything = (): boolean => true;

  it('is found out where one action disables the other', () => {
    const [first] = auditIndependence({...philosophers(2, false), independent: everything}, 1_000);
    expect(first).toEqual({path: [0], a: 'take second 0', b: 'take first 1', problem: 'a-disables-b'});
    const claimed = {...philosophers(2, false), independent: everything};
    expect(() => search(claimed, [], {reduce: true})).toThrow("the model's `independent` is wrong");
  });

  it('is found out where the orders lead to different states', () => {
    const model = guarded({x: 1}, [
      {key: 'double', writes: ['x'], when: ({x}) => (x ?? 0) < 9, effect: ({x}) => ({x: (x ?? 0) * 2})},
      {key: 'add', writes: ['x'], when: ({x}) => (x ?? 0) < 9, effect: ({x}) => ({x: (x ?? 0) + 1})},
    ]);
    expect(auditIndependence({...model, independent: everything}, 100)).toEqual([
      {path: [], a: 'double', b: 'add', problem: 'orders-differ'},
    ]);
  });

  it('is found out where it depends on who asks', () => {
    const model = counter(2, false);
    const oneWay = {...model, independent: (_: Values, a: {key: string}) => a.key === 'read 0'};
    expect(auditIndependence(oneWay, 100)[0]?.problem).toBe('not-symmetric');
  });
});
