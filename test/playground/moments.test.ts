import {expect, test} from 'vitest';
import {countsAt, instantAt, isRunningAt, stopsOf} from '../../site/playground/moments.ts';
import {tell} from '../../site/playground/tell.ts';
import {chartOf} from '../../src/harness/report/lanes/chart.ts';
import {restored, workspaceOf} from './stories.ts';

const runs = tell(workspaceOf(restored));
const chart = chartOf(runs);

test('at the end the cards count what the run came to', () => {
  for (const [index, {orphans, externals}] of runs.entries()) {
    const panel = chart.panels[index];
    if (panel === undefined) throw new Error('no panel');
    expect(countsAt(chart, index, instantAt(panel, 1))).toEqual({
      orphans: orphans.length,
      doubled: 0,
      destroyed: 0,
      alive: externals.alive,
      creates: externals.creates,
      deletes: externals.deletes,
    });
    expect(countsAt(chart, index, instantAt(panel, 0))).toEqual({
      orphans: 0,
      doubled: 0,
      destroyed: 0,
      alive: 0,
      creates: 0,
      deletes: 0,
    });
  }
});

test('a place on the axis and its instant are two names of one moment', () => {
  for (const panel of chart.panels) {
    for (let x = 0; x <= 1; x += 0.05) {
      // A step that takes no time has its place all the same, and all of that is one instant.
      const back = panel.axis.at(instantAt(panel, x));
      expect(back).toBeLessThanOrEqual(x + 1e-6);
      expect(back).toBeGreaterThan(x - 0.04);
    }
  }
});

test('stops go from left to right, from the beginning to the end', () => {
  const stops = stopsOf(chart);
  expect([stops[0], stops.at(-1)]).toEqual([0, 1]);
  expect(stops).toEqual([...stops].sort((one, other) => one - other));
  expect(stops.length).toBeGreaterThan(20);
});

test('a database that is destroyed and made again in one run, and kept in the other, counts as destroyed', () => {
  const split = chartOf(tell(workspaceOf('split-xr/scenario.yaml')));
  const destroyed = split.panels.map((panel, index) => countsAt(split, index, instantAt(panel, 1)).destroyed);
  expect(destroyed).toEqual([1, 0]);
});

test('a resource with two external resources counts as doubled', () => {
  const lost = chartOf(tell(workspaceOf('lost-external-name/scenario.yaml')));
  const doubled = lost.panels.map((panel, index) => countsAt(lost, index, instantAt(panel, 1)).doubled);
  expect(doubled).toEqual([1, 0]);
});

test('Crossplane runs at the end, and does not while it is stopped', () => {
  const stopped = chart.panels[0]?.axis.steps.findIndex(({name}) => name === 'everything is lost') ?? -1;
  expect(
    isRunningAt(chart, 0, 'crossplane', {step: stopped, atMs: chart.panels[0]?.axis.steps[stopped]?.atMs ?? 0}),
  ).toBe(false);
  expect(isRunningAt(chart, 0, 'crossplane', {step: 7, atMs: runs[0]?.lastedMs ?? 0})).toBe(true);
  expect(isRunningAt(chart, 0, 'provider', {step: stopped, atMs: 0})).toBe(true);
});
