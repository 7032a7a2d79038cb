import {describe, expect, it} from 'vitest';
import {always, converges, eventually, sometimes} from '../../src/explore/property.ts';
import {passed} from '../../src/explore/result.ts';
import {search} from '../../src/explore/search.ts';
import {delivery} from './models/delivery.ts';
import {type Command, type GuardedModel, guarded, type Values} from './models/guarded.ts';
import {agreementProperties, TwoPhaseCommit} from './models/two-phase-commit.ts';

const orders = ['breadth', 'cheapest', 'depth'] as const;

describe('limits', () => {
  const model = new TwoPhaseCommit(4);
  const properties = agreementProperties(model);

  it.each([
    {limit: 'states', limits: {states: 1_567}},
    {limit: 'transitions', limits: {transitions: 8_256}},
    {limit: 'depth', limits: {depth: 13}},
    {limit: 'memory', limits: {memoryBytes: 45_000}},
  ])('an unfinished search ($limit) is not a pass, though nothing failed', ({limit, limits}) => {
    for (const order of orders) {
      const result = search(model, properties, {order, limits});
      expect(result.outcome).toEqual({kind: 'incomplete', reasons: [limit]});
      expect(result.properties.find((property) => property.name === 'consistent')?.verdict).toBe('unknown');
      expect(passed(result)).toBe(false);
    }
  });

  it('what just suffices is a complete search', () => {
    for (const order of orders) {
      for (const limits of [{states: 1_568}, {transitions: 8_257}, {depth: 14}, {memoryBytes: 80_000}]) {
        expect(passed(search(model, properties, {order, limits}))).toBe(true);
      }
    }
  });

  it('a depth bound cuts the same states in every order', () => {
    const counts = orders.map((order) => search(model, [], {order, limits: {depth: 7}}).uniqueStates);
    expect(counts).toEqual([1_034, 1_034, 1_034]);
  });

  it('the memory bound also holds the edges that `eventually` needs', () => {
    const everything = [
      eventually<number>('all decided', (state) => model.managerStates(state).every((at) => at >= 2)),
    ];
    const bounded = search(model, everything, {limits: {memoryBytes: 150_000}});
    expect(bounded.outcome).toEqual({kind: 'incomplete', reasons: ['memory']});
    expect(search(model, everything, {limits: {memoryBytes: 400_000}}).outcome).toEqual({kind: 'complete'});
  });

  it('states that are not held are rebuilt: the result is the same', () => {
    for (const order of orders) {
      const held = search(model, properties, {order});
      for (const heldStates of [0, 10]) expect(search(model, properties, {order, limits: {heldStates}})).toEqual(held);
    }
  });

  it('what lies outside the boundary is counted and not entered', () => {
    const counting = guarded({at: 0}, [
      {key: 'up', writes: ['at'], when: () => true, effect: ({at}) => ({at: (at ?? 0) + 1})},
    ]);
    const bounded = {...counting, withinBoundary: ({at}: Values) => (at ?? 0) <= 5};
    const result = search(bounded, [
      always('small', ({at}) => (at ?? 0) <= 5),
      sometimes('reaches the edge', ({at}) => at === 5),
    ]);
    expect(passed(result)).toBe(true);
    expect([result.uniqueStates, result.beyondBoundary]).toEqual([6, 1]);
    // A state at the edge is not at rest: what it would do next is outside.
    expect(result.quiescentStates).toBe(0);
  });
});

describe('budgets in a search', () => {
  const arrives = converges<Values>('the letter arrives', ({got, sent}) =>
    got === 1 ? undefined : sent === 1 ? 'the letter is on the road' : 'the letter was never sent again',
  );

  it.each([
    {reason: 'nothing happens to the letter', resends: false, budgets: {}, verdict: 'holds'},
    {reason: 'the only letter is lost', resends: false, budgets: {loss: 1}, verdict: 'fails'},
    {reason: 'a lost letter is sent again', resends: true, budgets: {loss: 3}, verdict: 'holds'},
    {reason: 'the sender is stopped for good', resends: true, budgets: {person: 1}, verdict: 'fails'},
  ])('$reason: $verdict', ({resends, budgets, verdict}) => {
    for (const order of orders) {
      for (const mergeForced of [false, true]) {
        const result = search(delivery({resends, workers: 1}), [arrives], {order, mergeForced, budgets});
        expect(result.properties[0]?.verdict).toBe(verdict);
      }
    }
  });

  const line = (steps: number, extra: readonly Command[]): GuardedModel =>
    guarded({at: 0, side: 0}, [
      {key: 'step', writes: ['at'], when: ({at}) => (at ?? 0) < steps, effect: ({at}) => ({at: (at ?? 0) + 1})},
      ...extra,
    ]);

  it('a node that spent less but came a longer way does not cover one that a depth bound lets go farther', () => {
    const jump = {
      key: 'jump',
      writes: ['at'],
      cost: 'fault',
      when: ({at}: Values) => at === 0,
      effect: () => ({at: 5}),
    };
    const far = [sometimes<Values>('far', ({at}) => at === 9)];
    for (const order of orders) {
      const options = {order, budgets: {fault: 1}, limits: {depth: 6}} as const;
      expect(search(line(20, [jump]), far, options).properties[0]?.verdict).toBe('holds');
    }
  });

  it('in cheapest order a node that is met again nearer is taken by the nearer way', () => {
    const fall = {key: 'fall', writes: ['side'], cost: 'fault', reads: ['at']};
    const model = line(7, [
      {...fall, key: 'fall late', when: ({at, side}) => at === 7 && side === 0, effect: () => ({at: 0, side: 2})},
      {...fall, key: 'fall soon', when: ({at, side}) => at === 0 && side === 0, effect: () => ({side: 1})},
      {key: 'slide', writes: ['side'], when: ({at, side}) => at === 0 && side === 1, effect: () => ({side: 2})},
    ]);
    const down = [sometimes<Values>('down', ({side}) => side === 2)];
    const [report] = search(model, down, {order: 'cheapest', budgets: {fault: 1}}).properties;
    expect(report?.discovery?.path).toHaveLength(2);
  });

  it('in depth order what was cut off is not missing if a shorter way leads there', () => {
    const path = (key: string, from: number, to: number): Command => ({
      key,
      writes: ['at'],
      when: ({at}) => at === from,
      effect: () => ({at: to}),
    });
    // The last action is taken first: 0, 1, 2, 3 is cut off before 0, 9, 3, 4 is known.
    const steps = [path('short', 0, 9), path('short', 9, 3), path('end', 3, 4)];
    const model = guarded({at: 0}, [...steps, path('long', 0, 1), path('long', 1, 2), path('long', 2, 3)]);
    const result = search(model, [], {order: 'depth', limits: {depth: 3}});
    expect([result.outcome, result.uniqueStates, result.quiescentStates]).toEqual([{kind: 'complete'}, 6, 1]);
  });

  it('in cheapest order the path spends as little as any, in breadth order it is as short as any', () => {
    // One fault breaks it after four steps, two faults at once.
    const model = guarded({at: 0, broken: 0}, [
      {key: 'step', writes: ['at'], when: ({at}) => (at ?? 0) < 4, effect: ({at}) => ({at: (at ?? 0) + 1})},
      {
        key: 'fault',
        reads: ['at'],
        writes: ['broken'],
        cost: 'fault',
        when: ({broken}) => (broken ?? 0) < 2,
        effect: ({at, broken}) => ({broken: at === 4 ? 2 : (broken ?? 0) + 1}),
      },
    ]);
    const sound = [always<Values>('sound', ({broken}) => broken !== 2)];
    for (const mergeForced of [false, true]) {
      const cheapest = search(model, sound, {order: 'cheapest', mergeForced, budgets: {fault: 2}});
      const breadth = search(model, sound, {order: 'breadth', mergeForced, budgets: {fault: 2}});
      expect(cheapest.properties[0]?.discovery?.path).toHaveLength(5);
      expect(breadth.properties[0]?.discovery?.path).toHaveLength(2);
    }
  });

  it('a state that was met with more left is not visited again with less', () => {
    const idle = guarded({at: 0}, [
      {key: 'step', writes: ['at'], when: ({at}) => (at ?? 0) < 9, effect: ({at}) => ({at: (at ?? 0) + 1})},
      {key: 'harmless fault', writes: ['at'], cost: 'fault', when: () => true, effect: () => ({})},
    ]);
    expect(search(idle, [], {budgets: {fault: 3}}).uniqueStates).toBe(10);
    // Runs need every node by itself.
    const end = [eventually<Values>('end', ({at}) => at === 9)];
    expect(search(idle, end, {budgets: {fault: 3}}).uniqueStates).toBe(40);
  });
});
