// Where on the axis of a chart a playing story is, what that is in the time of each run, and what counts there.

import type {Instant} from '../../src/harness/record/history.ts';
import type {Chart, Panel} from '../../src/harness/report/lanes/chart.ts';

/** What a card says of one moment of a run. */
export interface Counts {
  readonly orphans: number;
  readonly alive: number;
  readonly creates: number;
  readonly deletes: number;
}

/** The instant at `x` (0 to 1) of the panel's axis. */
export function instantAt({axis, run}: Panel, x: number): Instant {
  const step = Math.max(
    0,
    axis.steps.findLastIndex(({from}) => from <= x),
  );
  const [here, next] = [axis.steps[step], axis.steps[step + 1]];
  if (x >= 1 || here === undefined) return {step, atMs: run.lastedMs};
  let [low, high] = [here.atMs, next?.atMs ?? run.lastedMs];
  for (let turn = 0; turn < 40; turn++) {
    const middle = (low + high) / 2;
    if (axis.at({step, atMs: middle}) <= x) low = middle;
    else high = middle;
  }
  return {step, atMs: low};
}

export function countsAt(chart: Chart, panel: number, now: Instant): Counts {
  const {run} = chart.panels[panel] as Panel;
  const lanes = chart.groups.flatMap(({rows}) => rows.flatMap(({lanes: own}) => own[panel] ?? []));
  const orphans = lanes.filter(({spans}) =>
    spans.some(
      ({look, from, to}) => look === 'orphaned' && !isAfter(from, now) && (isAfter(to, now) || isEnd(to, run.lastedMs)),
    ),
  );
  const told = run.history.cloud.filter((one) => !isAfter(one, now));
  const count = (what: 'create' | 'delete'): number => told.filter((one) => one.what === what).length;
  return {
    orphans: orphans.length,
    alive: count('create') - count('delete'),
    creates: count('create'),
    deletes: count('delete'),
  };
}

/** Where something happens in any lane, from left to right: what `step` goes to. */
export function stopsOf(chart: Chart): readonly number[] {
  const all = chart.groups.flatMap(({rows}) =>
    rows.flatMap(({lanes}) =>
      lanes.flatMap((lane, panel) =>
        (lane?.moments ?? []).map((moment) => Math.round((chart.panels[panel]?.axis.at(moment) ?? 0) * 2000) / 2000),
      ),
    ),
  );
  return [...new Set([0, ...all, 1])].sort((one, other) => one - other);
}

function isAfter(one: Instant, now: Instant): boolean {
  return one.step > now.step || (one.step === now.step && one.atMs > now.atMs);
}

function isEnd({atMs}: Instant, lastedMs: number): boolean {
  return atMs >= lastedMs;
}
