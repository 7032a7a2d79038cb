import {describe, expect, it} from 'vitest';
import {explainDivergence, formatPath, keysOf, parsePath, replay} from '../../src/explore/path.ts';
import {counter} from './models/counter.ts';
import {delivery} from './models/delivery.ts';
import type {GuardedModel} from './models/guarded.ts';

describe('path', () => {
  it('is written and read', () => {
    for (const path of [[], [0], [0, 3, 1], [12, 0, 65_535]]) {
      expect(parsePath(formatPath(path))).toEqual({kind: 'path', path});
    }
    expect([formatPath([0, 3, 1]), formatPath([])]).toEqual(['0/3/1', '-']);
    expect(parsePath(' 0/3/1\n')).toEqual({kind: 'path', path: [0, 3, 1]});
  });

  it.each(['', '0//1', '0/x', '-1', '0/1/', '1.5', '0 1', '9999999'])('refuses "%s" with one sentence', (text) => {
    const parsed = parsePath(text);
    expect(parsed.kind).toBe('invalid');
    expect(parsed.kind === 'invalid' ? parsed.message : '').toMatch(
      /^cannot read path ".*": expected whole numbers joined by "\/", got ".*" at step \d$/,
    );
  });
});

describe('replay', () => {
  it('tells every step in the words of the model', () => {
    const model = delivery({resends: true});
    const replayed = replay(model, [0, 1, 0]);
    expect(replayed.kind).toBe('replayed');
    const steps = replayed.kind === 'replayed' ? replayed.steps : [];
    expect(steps.map(({index, key, cost}) => [index, key, cost])).toEqual([
      [0, 'send', undefined],
      [1, 'lose', 'loss'],
      [0, 'send', undefined],
    ]);
    expect(steps[1]?.text).toBe('lose at sent=1 got=0 tries=1 alive=1');
    expect(replayed.kind === 'replayed' && replayed.final).toMatchObject({sent: 1, got: 0});
    expect(keysOf(model, [0, 1])).toEqual(['send', 'lose']);
  });

  it('of an action that is not there names what is', () => {
    const result = replay(counter(2, true), [0, 1]);
    expect(result).toEqual({
      kind: 'diverged',
      divergence: {reason: 'no-such-action', step: 1, index: 1, enabled: ['write 0']},
    });
    expect(explained(counter(2, true), [0, 1])).toBe(
      'cannot replay the path: step 1 names action 1, but 1 are enabled ("write 0"). ' +
        'The same calls agree with each other now, so the model is not the one the path was found with: compare the ' +
        'version, the input files, the options that enable actions (faults, operators, profile), and whatever the ' +
        'model reads from outside. If nothing changed, look for something that differs between processes: the ' +
        'environment, hash seeds, a function that answers differently from run to run.',
    );
  });

  it('of another action than the one found says which it was', () => {
    expect(explained(counter(2, false), [0, 1], ['read 0', 'write 0'])).toMatch(
      /^cannot replay the path: step 1 was "write 0" when the path was found and is "read 1" now\. /,
    );
  });

  it('catches a model that lists its actions in varying order', () => {
    const model = counter(2, false);
    let calls = 0;
    const shuffled: GuardedModel = {
      ...model,
      actions: (values) => (calls++ % 2 === 0 ? model.actions(values) : [...model.actions(values)].reverse()),
    };
    expect(explained(shuffled, [0])).toMatch(
      /asked twice in the same state, step 0 has the actions "read 0", "read 1" and then "read 1", "read 0"\. The model is not deterministic: look for a clock/,
    );
  });

  it('catches a model whose steps lead somewhere else each time', () => {
    const model = counter(2, false);
    let clock = 0;
    const ticking: GuardedModel = {
      ...model,
      next: (values, command) => ({...model.next(values, command), total: clock++}),
    };
    expect(explained(ticking, [0])).toMatch(
      /taken twice from the same state, "read 0" at step 0 leads to different states\. The model is not deterministic/,
    );
    expect(() => keysOf(ticking, [0])).toThrow('leads to different states');
  });
});

function explained(model: GuardedModel, path: readonly number[], keys?: readonly string[]): string {
  const result = replay(model, path, keys);
  return result.kind === 'diverged' ? explainDivergence(result.divergence) : 'replayed';
}
