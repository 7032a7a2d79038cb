import {describe, expect, test} from 'vitest';
import {type Extent, type TimeAxis, timeAxes} from '../../../../src/harness/report/lanes/time-axis.ts';

const steps = [
  {name: 'create', atMs: 0},
  {name: 'nothing', atMs: 60_100},
  {name: 'delete', atMs: 60_100},
];
const burst = [0, 20, 40, 60, 80, 100].map((atMs) => ({step: 0, atMs}));
const story: Extent = {steps, instants: [...burst, {step: 2, atMs: 60_200}], endMs: 160_000};

function axisOf(extents: readonly Extent[], index = 0): TimeAxis {
  const axis = timeAxes(extents)[index];
  if (axis === undefined) throw new Error('no axis');
  return axis;
}

describe('the axis of virtual time', () => {
  test('goes from the first step to the end, and never back', () => {
    const {at} = axisOf([story]);
    const places = [...story.instants, {step: 1, atMs: 60_100}, {step: 2, atMs: 160_000}].map(at);
    expect(places[0]).toBe(0);
    expect(at({step: 2, atMs: 160_000})).toBe(1);
    const inOrder = [...burst, {step: 1, atMs: 60_100}, {step: 2, atMs: 60_100}, {step: 2, atMs: 60_200}].map(at);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
  });

  test('gives a minute of nothing less room than a burst of 0.1 s', () => {
    const {at} = axisOf([story]);
    const room = at({step: 0, atMs: 100});
    const idle = at({step: 0, atMs: 60_000}) - room;
    expect(room).toBeGreaterThan(idle);
  });

  test('marks the long stretches with their length', () => {
    expect(axisOf([story]).breaks.map(({text}) => text)).toEqual(['60 s', '100 s']);
  });

  test('gives every step room to be seen, also one that takes no time', () => {
    const widths = axisOf([story]).steps.map(({from, to}) => to - from);
    expect(Math.min(...widths)).toBeGreaterThan(0.03);
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(1);
  });

  test('tells apart steps that begin in the same millisecond', () => {
    const {at} = axisOf([story]);
    expect(at({step: 2, atMs: 60_100})).toBeGreaterThan(at({step: 1, atMs: 60_100}));
  });

  test('levels the steps of variants', () => {
    const quick: Extent = {steps: steps.map(({name}, index) => ({name, atMs: index})), instants: [], endMs: 5};
    const [one, other] = timeAxes([story, quick]);
    expect(other?.steps.map(({from}) => from)).toEqual(one?.steps.map(({from}) => from));
  });

  test('puts the end of a last step that takes no time at the right edge', () => {
    const short: Extent = {steps, instants: burst, endMs: 60_100};
    expect(axisOf([short]).at({step: 2, atMs: 60_100})).toBe(1);
  });
});
