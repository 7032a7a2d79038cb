import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {keysOf, replay} from '../../src/explore/path.ts';
import {always, converges, eventually, type Property} from '../../src/explore/property.ts';
import {walkAtRandom} from '../../src/explore/random-walk.ts';
import type {Discovery} from '../../src/explore/result.ts';
import {search} from '../../src/explore/search.ts';
import {type Shrunk, shrink} from '../../src/explore/shrink.ts';
import {counter, lostUpdates} from './models/counter.ts';
import {delivery} from './models/delivery.ts';
import {type Command, type GuardedModel, guarded, type Values} from './models/guarded.ts';
import {philosophers} from './models/philosophers.ts';
import {randomModel} from './models/random-model.ts';

const budgets = {loss: 5, person: 5, fault: 3};
const options = {length: 500, tries: 5_000};

/** The first long way a random walk finds. */
function longWay(model: GuardedModel, property: Property<Values>, atLeast: number): Discovery {
  for (let firstWalk = 0; firstWalk < 5_000; firstWalk++) {
    const [report] = walkAtRandom(model, [property], {seed: 1n, walks: 1, firstWalk, length: 400, budgets}).properties;
    if ((report?.discovery?.path.length ?? 0) >= atLeast) return report?.discovery ?? {path: []};
  }
  throw new Error(`no walk of at least ${atLeast} steps shows "${property.name}"`);
}

function shrunk(model: GuardedModel, property: Property<Values>, discovery: Discovery): Shrunk {
  const result = shrink(model, property, discovery, options);
  if (result === undefined) throw new Error('the discovery does not show the property');
  return result;
}

const poll: Command = {key: 'poll', writes: [], when: () => true, effect: () => ({})};

const arrives = converges<Values>('the letter arrives', ({got}) => (got === 1 ? undefined : 'no letter'));

describe('shrink', () => {
  it('leaves of many interruptions the one that matters', () => {
    const model = delivery({resends: true, workers: 3});
    const before = longWay(model, arrives, 18);
    const after = shrunk(model, arrives, before);
    expect(after.spendingSteps).toBe(1);
    expect(after.keys.filter((key) => !key.startsWith('work'))).toEqual(['stop sender']);
    expect(after.discovery.pending).toBe('no letter');
    expect(after.minimal).toBe(true);
  });

  it('leaves two steps that need each other', () => {
    // The letter is lost after the sender was stopped: neither alone keeps it from arriving.
    const model = delivery({resends: true, workers: 2});
    const sent = converges<Values>('a letter that was sent arrives', ({got, tries}) =>
      tries === 1 && got === 0 ? 'it was sent' : undefined,
    );
    const after = shrunk(model, sent, longWay(model, sent, 15));
    expect(after.keys.filter((key) => !key.startsWith('work')).sort()).toEqual(['lose', 'send', 'stop sender']);
    expect(after.spendingSteps).toBe(2);
  });

  it('keeps an interleaving that no default schedule gives', () => {
    const model = counter(3, false);
    const lost = converges('all counted', lostUpdates(3));
    const after = shrunk(model, lost, longWay(model, lost, 6));
    expect(keysOf(model, after.discovery.path)).toEqual(after.keys);
    expect(after.discovery.pending).toMatch(/^counted [12] of 3$/);
  });

  it.each([
    {reason: 'where free steps end', polls: []},
    {reason: 'where polls that change nothing go on for ever', polls: [poll]},
  ])('rather takes more steps than more faults, $reason', ({polls}) => {
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
      ...polls,
    ]);
    const sound = always<Values>('sound', ({broken}) => broken !== 2);
    const after = shrunk(model, sound, {path: [1, 1]});
    expect(after.keys).toEqual(['step', 'step', 'step', 'step', 'fault']);
  });

  it('cuts what comes after and what goes in circles', () => {
    const model = philosophers(4, false);
    const meal = always<Values>('2 never eats', (values) => values['hand2'] !== 2);
    const after = shrunk(model, meal, longWay(model, meal, 25));
    expect(after.keys).toEqual(['take first 2', 'take second 2']);
  });

  it('never makes it larger, and what it gives shows the property: on random models, against the true least', () => {
    let least = 0;
    let total = 0;
    fc.assert(
      fc.property(randomModel, fc.nat(2), fc.nat(2), (model, a, b) => {
        const apart = always<Values>('apart', (values) => values['a'] !== a || values['b'] !== b);
        const walked = walkAtRandom(model, [apart], {seed: 1n, walks: 20, length: 40, budgets}).properties[0]
          ?.discovery;
        if (walked === undefined) return;
        const after = shrunk(model, apart, walked);
        const cheapest = search(model, [apart], {order: 'cheapest', budgets}).properties[0]?.discovery?.path ?? [];
        expect(fails(model, apart, after.discovery.path)).toBe(true);
        const sizes = [cheapest, after.discovery.path, walked.path].map((path) => size(model, path));
        expect(sizes).toEqual([...sizes].sort((x, y) => x - y));
        total++;
        if (sizes[0] === sizes[1]) least++;
      }),
      {numRuns: 1_000, seed: 9},
    );
    expect(total).toBeGreaterThan(100);
    expect(least / total).toBeGreaterThan(0.9);
  });

  it('stops at its bound on tries with the best so far', () => {
    const model = delivery({resends: true, workers: 3});
    const before = longWay(model, arrives, 18);
    const hasty = shrink(model, arrives, before, {...options, tries: 2});
    expect(hasty?.minimal).toBe(false);
    expect(hasty?.tries).toBe(2);
    expect(hasty?.discovery.path.length).toBeLessThanOrEqual(before.path.length);
  });

  it('gives the same every time', () => {
    const model = delivery({resends: true, workers: 3});
    const before = longWay(model, arrives, 18);
    expect(shrink(model, arrives, before, options)).toEqual(shrink(model, arrives, before, options));
  });

  it('does not shrink what does not fail, does not fit, or never ends', () => {
    const model = delivery({resends: true});
    expect(shrink(model, arrives, {path: [0, 0]}, options)).toBeUndefined();
    expect(shrink(model, arrives, {path: [7]}, options)).toBeUndefined();
    const ticking = guarded({clock: 0}, [
      {key: 'tick', writes: ['clock'], when: () => true, effect: ({clock}) => ({clock: 1 - (clock ?? 0)})},
    ]);
    const never = eventually<Values>('never', () => false);
    const [report] = search(ticking, [never]).properties;
    expect(report?.discovery?.cycle).toEqual([0, 0]);
    expect(shrink(ticking, never, report?.discovery ?? {path: []}, options)).toBeUndefined();
  });
});

function fails(model: GuardedModel, property: Property<Values>, path: readonly number[]): boolean {
  const replayed = replay(model, path);
  return replayed.kind === 'replayed' && property.expectation === 'always' && !property.condition(replayed.final);
}

/** Spending steps weigh more than any number of free ones. */
function size(model: GuardedModel, path: readonly number[]): number {
  const replayed = replay(model, path);
  if (replayed.kind === 'diverged') throw new Error('the path does not fit');
  return replayed.steps.reduce((total, step) => total + (step.cost === undefined ? 1 : 1_000), 0);
}
