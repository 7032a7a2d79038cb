import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {intervene} from '../../site/playground/intervene.ts';

const text = `# a story
name: story
steps:
  - name: one
    apply: xr.yaml
    wait: 3m
    expect: [{orphans: 0}]
  - name: two
    wait: {quiet: 5s, timeout: 2m}
bug: {name: a bug, after: one, signs: [{orphans: 1}]}
`;

interface Told {
  readonly steps: readonly {
    readonly name: string;
    readonly wait?: unknown;
    readonly expect?: unknown;
    readonly mayFail?: boolean;
  }[];
  readonly bug: {readonly after: string};
}

const read = (changed: string): Told => parse(changed) as Told;

describe('putting something into a story', () => {
  test('ends the step at that moment, and the rest of it comes after', () => {
    const {steps} = read(intervene(text, {step: 0, afterMs: 60_000}, {kind: 'crash'}));
    expect(steps.map(({name, wait}) => [name, wait])).toEqual([
      ['one', '60000ms'],
      ['Crossplane crashes', '1s'],
      ['Crossplane is back', undefined],
      ['one, goes on', '120000ms'],
      ['two', {quiet: '5s', timeout: '2m'}],
    ]);
    expect(steps[3]?.expect).toEqual([{orphans: 0}]);
    expect(steps.map(({mayFail}) => mayFail === true)).toEqual([false, true, true, true, true]);
  });

  test('keeps comments, and judges a bug after the rest of its step', () => {
    const changed = intervene(text, {step: 0, afterMs: 10}, {kind: 'provider-restart'});
    expect(changed).toContain('# a story');
    expect(read(changed).bug.after).toBe('one, goes on');
  });

  test('comes after an action that takes its time, not in the middle of it', () => {
    const {steps} = read(intervene(text, {step: 0, afterMs: 30}, {kind: 'stale-cache'}, 100));
    expect(steps[0]).toEqual({name: 'one', apply: 'xr.yaml'});
    expect(steps[2]?.wait).toBe('180000ms');
  });

  test('a second time in the same step names every part apart', () => {
    const once = intervene(text, {step: 0, afterMs: 60_000}, {kind: 'provider-restart'});
    const {steps} = read(intervene(once, {step: 2, afterMs: 60_000}, {kind: 'provider-restart'}));
    expect(steps.map(({name}) => name)).toEqual([
      'one',
      'the provider restarts',
      'one, goes on',
      'the provider restarts',
      'one, goes on 2',
      'two',
    ]);
    expect(steps[4]?.wait).toBe('60000ms');
  });
});
