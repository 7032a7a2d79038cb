import {describe, expect, test} from 'vitest';
import {inEveryOrder, unexpectedVerdict} from '../../src/harness/scenario/stories/run-story.ts';
import {storyNamed} from './registry.ts';

describe('a story fails both ways', () => {
  const happens = {always: ['1.16'], sometimes: ['main']};
  const cases = [
    {name: 'HappensWhereItShould', crossplane: '1.16', happened: [true, true], want: undefined},
    {
      name: 'MissingWithOneSeed',
      crossplane: '1.16',
      happened: [true, false],
      want: 'the bug must happen, and did with 1 of 2 seeds',
    },
    {
      name: 'HappensElsewhere',
      crossplane: '2.3',
      happened: [false, true],
      want: 'the bug must not happen, and did with 1 of 2 seeds',
    },
    {name: 'NowhereElse', crossplane: '2.3', happened: [false], want: undefined},
    {name: 'ChanceThatFewSeedsMiss', crossplane: 'main', happened: [false], want: undefined},
    {
      name: 'ChanceThatNeverComesUp',
      crossplane: 'main',
      happened: Array.from({length: 8}, () => false),
      want: 'the bug must happen with some seeds, and did with none of 8 seeds',
    },
  ];
  test.each(cases)('$name', ({crossplane, happened, want}) => {
    expect(unexpectedVerdict(happens, crossplane, happened)).toBe(want);
  });

  test('a variant that says nothing proves nothing', () => {
    expect(unexpectedVerdict(undefined, 'main', [false])).toContain('add `happens`');
  });
});

describe('steps in any order', () => {
  test('four steps have 24 orders, each step once, the rest in place', () => {
    const story = storyNamed('teardown-in-any-order');
    const orders = inEveryOrder(story).map(({steps}) => steps.map(({name}) => name));
    expect(new Set(orders.map((names) => names.join()))).toHaveProperty('size', 24);
    for (const names of orders) {
      expect([...names].sort()).toEqual(story.steps.map(({name}) => name).sort());
      expect(names[0]).toBe(story.steps[0]?.name);
    }
    expect(orders[0]).toEqual(story.steps.map(({name}) => name));
  });

  test('a story without such steps is told once', () => {
    expect(inEveryOrder(storyNamed('dead-watch'))).toHaveLength(1);
  });
});
