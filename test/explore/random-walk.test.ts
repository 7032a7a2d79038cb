import {describe, expect, it} from 'vitest';
import {ModelFailure} from '../../src/explore/model-failure.ts';
import {replay} from '../../src/explore/path.ts';
import {always, converges, eventually, sometimes} from '../../src/explore/property.ts';
import {walkAtRandom} from '../../src/explore/random-walk.ts';
import {passed} from '../../src/explore/result.ts';
import {counter, lostUpdates} from './models/counter.ts';
import {delivery} from './models/delivery.ts';
import {type GuardedModel, guarded, type Values} from './models/guarded.ts';
import {hungry, philosophers} from './models/philosophers.ts';
import {agreementProperties, TwoPhaseCommit} from './models/two-phase-commit.ts';

const all = {until: 'exhausted', length: 200} as const;

describe('random walk', () => {
  it('finds a lost update, and the path it gives shows it', () => {
    const model = counter(4, false);
    const result = walkAtRandom(model, [converges('all counted', lostUpdates(4))], {...all, seed: 1n, walks: 100});
    const [report] = result.properties;
    const replayed = replay(model, report?.discovery?.path ?? []);
    expect(replayed.kind === 'replayed' && lostUpdates(4)(replayed.final)).toBe(report?.discovery?.pending);
    expect(report?.verdict).toBe('fails');
  });

  it('never passes: what it did not see may be there', () => {
    const model = new TwoPhaseCommit(3);
    const result = walkAtRandom(model, agreementProperties(model), {...all, seed: 1n, walks: 500});
    expect(result.properties.map((property) => property.verdict)).toEqual(['holds', 'holds', 'unknown']);
    expect(result.outcome).toEqual({kind: 'incomplete', reasons: ['random']});
    expect(passed(result)).toBe(false);
  });

  it('finds a deadlock of many philosophers that an even choice hardly meets', () => {
    const model = philosophers(9, false);
    const result = walkAtRandom(model, [converges('nobody waits', hungry)], {seed: 3n, walks: 3_000, length: 300});
    expect(result.properties[0]?.discovery?.pending).toBe('9 wait for their second fork');
  });

  it('some walk does one thing many times in a row, which an even choice hardly does', () => {
    const model = guarded({high: 0}, [
      {key: 'up', writes: ['high'], when: () => true, effect: ({high}) => ({high: (high ?? 0) + 1})},
      {key: 'down', writes: ['high'], when: () => true, effect: () => ({high: 0})},
    ]);
    const top = sometimes<Values>('thirty in a row', ({high}) => high === 30);
    expect(walkAtRandom(model, [top], {seed: 1n, walks: 50, length: 100}).properties[0]?.verdict).toBe('holds');
  });

  it('walk n is the same whoever walks it', () => {
    const walk = (firstWalk: number, walks: number): string[] => {
      const seen: string[] = [];
      const watch = always<Values>('watch', (values) => seen.push(JSON.stringify(values)) > 0);
      walkAtRandom(philosophers(4, true), [watch], {seed: 9n, walks, firstWalk, length: 20});
      return seen;
    };
    expect(walk(0, 4)).toEqual([...walk(0, 1), ...walk(1, 3)]);
    expect(walk(0, 1)).not.toEqual(walk(1, 1));
  });

  it('spends no more than the budgets, and all kinds in some walk', () => {
    const model = delivery({resends: true, workers: 2});
    const spent = new Set<string>();
    for (let firstWalk = 0; firstWalk < 200; firstWalk++) {
      const end = sometimes<Values>('end', () => false);
      let steps: string[] = [];
      const counting: GuardedModel = {
        ...model,
        next: (values, command) => {
          if (command.cost !== undefined) steps.push(command.cost);
          return model.next(values, command);
        },
      };
      walkAtRandom(counting, [end], {...all, seed: 5n, walks: 1, firstWalk, budgets: {loss: 2, person: 1}});
      expect(steps.filter((kind) => kind === 'loss').length).toBeLessThanOrEqual(2);
      expect(steps.filter((kind) => kind === 'person').length).toBeLessThanOrEqual(1);
      spent.add(steps.sort().join());
      steps = [];
    }
    expect(spent).toContain('loss,loss,person');
  });

  it('sees an `eventually` missed only where the walk comes to rest', () => {
    const got = eventually<Values>('the letter arrives', (values) => values['got'] === 1);
    const missed = walkAtRandom(delivery({resends: false}), [got], {...all, seed: 2n, walks: 50, budgets: {loss: 1}});
    expect(missed.properties[0]?.verdict).toBe('fails');
    const met = walkAtRandom(delivery({resends: true}), [got], {...all, seed: 2n, walks: 50, budgets: {loss: 1}});
    expect(met.properties[0]?.verdict).toBe('unknown');
  });

  it('stays within the boundary and prefers what weighs more', () => {
    const taken: Record<string, number> = {};
    const up = (key: string, weight: number) => ({
      key,
      weight,
      writes: ['at'],
      when: () => true,
      effect: ({at}: Values) => ({at: (at ?? 0) + 1}),
    });
    const model = guarded({at: 0}, [up('seldom', 1), up('often', 50)]);
    const bounded: GuardedModel = {
      ...model,
      withinBoundary: ({at}) => (at ?? 0) <= 10,
      next: (values, command) => {
        taken[command.key] = (taken[command.key] ?? 0) + 1;
        return model.next(values, command);
      },
    };
    const small = always<Values>('small', ({at}) => (at ?? 0) <= 10);
    const result = walkAtRandom(bounded, [small], {...all, seed: 4n, walks: 200});
    expect([result.properties[0]?.verdict, result.depth]).toEqual(['unknown', 10]);
    expect(taken['often'] ?? 0).toBeGreaterThan(2 * (taken['seldom'] ?? 0));
  });

  it('stops when told, and after the first failure unless asked for all', () => {
    const properties = [
      always<Values>('nobody eats', (values) => values['hand0'] !== 2),
      sometimes<Values>('never', () => false),
    ];
    const options = {seed: 1n, walks: 50, length: 50};
    expect(walkAtRandom(philosophers(3, true), properties, options).walks).toBeLessThan(50);
    expect(walkAtRandom(philosophers(3, true), properties, {...options, until: 'exhausted'}).walks).toBe(50);
    const stop = {...options, until: 'exhausted', onProgress: () => 'stop' as const} as const;
    expect(walkAtRandom(philosophers(3, true), properties, stop).walks).toBe(1);
  });

  it('says which path leads to a model that throws', () => {
    const model = counter(2, false);
    const next = (): Values => {
      throw new Error('the disk is full');
    };
    const walk = (): unknown =>
      walkAtRandom({...model, next}, [sometimes('never', () => false)], {...all, seed: 1n, walks: 1});
    expect(walk).toThrow(ModelFailure);
    expect(walk).toThrow('cannot go on from path "": the model threw: the disk is full');
  });
});
