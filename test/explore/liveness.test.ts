import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {replay} from '../../src/explore/path.ts';
import {eventually} from '../../src/explore/property.ts';
import {search} from '../../src/explore/search.ts';
import {type Command, type GuardedModel, guarded, type Values} from './models/guarded.ts';
import {randomBudgets, randomModel} from './models/random-model.ts';
import {referenceGraph, someFairRunAvoids} from './models/reference.ts';

const tick = (key: string): Command => ({
  key,
  writes: ['clock'],
  when: () => true,
  effect: ({clock}) => ({clock: 1 - (clock ?? 0)}),
});

const finish = (when: Command['when']): Command => ({key: 'finish', writes: ['done'], when, effect: () => ({done: 1})});

const done = eventually<Values>('done', (values) => values['done'] === 1);

describe('fairness', () => {
  it('a run that ticks for ever and never finishes is not fair while it could always finish', () => {
    const model = guarded({clock: 0, done: 0}, [tick('tick'), finish((values) => values['done'] === 0)]);
    expect(search(model, [done]).properties[0]?.verdict).toBe('holds');
  });

  it('it is fair if it can finish only now and then', () => {
    const model = guarded({clock: 0, done: 0}, [tick('tick'), finish(({clock, done}) => clock === 1 && done === 0)]);
    const [report] = search(model, [done]).properties;
    expect(report).toMatchObject({verdict: 'fails', discovery: {path: [], cycle: [0, 0]}});
  });

  it('a poll that changes nothing does not count as a run: the system has come to rest', () => {
    const poll: Command = {key: 'poll', writes: [], when: () => true, effect: () => ({})};
    const model = guarded({done: 0}, [poll]);
    expect(search(model, [done]).properties[0]).toMatchObject({verdict: 'fails', discovery: {path: []}});
  });

  it('faults cannot be repeated for ever, and nobody is obliged to act', () => {
    const rescue: Command = {...finish(({clock}) => clock === 0), key: 'rescue', cost: 'person'};
    const model = guarded({clock: 0, done: 0}, [rescue]);
    const [report] = search(model, [done], {budgets: {person: 1}}).properties;
    expect(report).toMatchObject({verdict: 'fails', discovery: {path: []}});
  });

  it('with `since`, a run is judged from there on, and one that never comes there is not', () => {
    const start: Command = {
      key: 'start',
      writes: ['on'],
      when: ({on}) => on === 0,
      effect: () => ({on: 1}),
      cost: 'person',
    };
    const isOn = ({on}: Values): boolean => on === 1;
    const since = eventually<Values>('done', ({done}) => done === 1, isOn);
    const budgets = {person: 1};
    const [rests] = search(guarded({on: 0, done: 0}, [start]), [since], {budgets}).properties;
    expect(rests).toMatchObject({verdict: 'fails', discovery: {path: [0]}});
    expect(search(guarded({on: 0, done: 0}, []), [since], {budgets}).properties[0]?.verdict).toBe('holds');
    // What held before does not count, what holds from there on does.
    const undo: Command = {...start, writes: ['on', 'done'], effect: () => ({on: 1, done: 0})};
    expect(search(guarded({on: 0, done: 1}, [undo]), [since], {budgets}).properties[0]?.verdict).toBe('fails');
    const ends = search(guarded({on: 0, done: 0}, [start, finish(isOn)]), [since], {budgets}).properties[0];
    expect(ends?.verdict).toBe('holds');
  });

  it('with `since`, a run that ticks for ever before it is not judged, after it it is', () => {
    const start: Command = {
      key: 'start',
      writes: ['on'],
      when: ({on}) => on === 0,
      effect: () => ({on: 1}),
      cost: 'person',
    };
    const since = eventually<Values>(
      'done',
      ({done}) => done === 1,
      ({on}) => on === 1,
    );
    const model = guarded({on: 0, clock: 0, done: 0}, [tick('tick'), start]);
    expect(search(model, [since]).properties[0]?.verdict).toBe('holds');
    const [report] = search(model, [since], {budgets: {person: 1}}).properties;
    expect(report).toMatchObject({verdict: 'fails', discovery: {path: [1], cycle: [0, 0]}});
  });

  it('what leaves the boundary is not judged', () => {
    const model: GuardedModel = guarded({at: 0, done: 0}, [
      {key: 'up', writes: ['at'], when: () => true, effect: ({at}) => ({at: (at ?? 0) + 1})},
    ]);
    const bounded = {...model, withinBoundary: ({at}: Values) => (at ?? 0) < 4};
    expect(search(bounded, [done]).properties[0]?.verdict).toBe('holds');
  });

  it('an unfinished search can show a failure but not its absence', () => {
    const model = guarded({clock: 0, at: 0, done: 0}, [
      {key: 'up', writes: ['at'], when: ({at}) => (at ?? 0) < 9, effect: ({at}) => ({at: (at ?? 0) + 1})},
      finish(({at, done}) => at === 9 && done === 0),
    ]);
    expect(search(model, [done]).properties[0]?.verdict).toBe('holds');
    expect(search(model, [done], {limits: {depth: 5}}).properties[0]?.verdict).toBe('unknown');
  });
});

describe('eventually', () => {
  it('agrees with a fixpoint on random models, and what it finds is a run', () => {
    const verdicts = {holds: 0, fails: 0, cycles: 0};
    fc.assert(
      fc.property(randomModel, randomBudgets, fc.nat(2), fc.nat(2), (model, budgets, a, d) => {
        const condition = (values: Values): boolean => values['a'] === a && values['d'] !== d;
        const expected = someFairRunAvoids(referenceGraph(model, budgets), condition);
        for (const order of ['breadth', 'cheapest', 'depth'] as const) {
          const [report] = search(model, [eventually('met', condition)], {budgets, order}).properties;
          expect(report?.verdict).toBe(expected ? 'fails' : 'holds');
          if (report?.discovery === undefined) continue;
          expectRunWithout(model, report.discovery, condition);
          if (report.discovery.cycle !== undefined) verdicts.cycles++;
        }
        verdicts[expected ? 'fails' : 'holds']++;
      }),
      {numRuns: 600, seed: 8},
    );
    // The random models must not all be of one kind.
    expect(Math.min(verdicts.holds, verdicts.fails, verdicts.cycles)).toBeGreaterThan(20);
  });
});

/** The run never meets the condition, and its cycle closes and is fair. */
function expectRunWithout(
  model: GuardedModel,
  {path, cycle}: {readonly path: readonly number[]; readonly cycle?: readonly number[]},
  condition: (values: Values) => boolean,
): void {
  const replayed = replay(model, [...path, ...(cycle ?? [])]);
  if (replayed.kind === 'diverged') return expect.unreachable('a run must be a path of the model');
  const states = [model.initial(), ...replayed.steps.map((step) => step.after)];
  expect(states.some(condition)).toBe(false);
  if (cycle === undefined) return;
  const steps = replayed.steps.slice(path.length);
  expect(model.fingerprint(replayed.final)).toBe(model.fingerprint(steps[0]?.before ?? {}));
  expect(steps.every((step) => step.cost === undefined)).toBe(true);
  const taken = new Set(steps.map((step) => step.key));
  const enabled = steps.map((step) => new Set(model.actions(step.before).filter(isFree).map(model.key)));
  const starved = [...(enabled[0] ?? [])].filter((key) => !taken.has(key) && enabled.every((keys) => keys.has(key)));
  expect(starved).toEqual([]);
}

function isFree(command: Command): boolean {
  return command.cost === undefined;
}
