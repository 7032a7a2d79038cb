// A moment of a playing story: its place on the axis of a chart, its time in each run, and the counts of that time.

import type {CloudChange, Instant} from '../../src/harness/control-plane/record/history.ts';
import type {Chart, Panel} from '../../src/harness/report/lanes/chart.ts';

/** The counts on the card of a run, at one moment. */
export interface Counts {
  readonly orphans: number;
  /** Composed resources with two external resources. */
  readonly doubled: number;
  /** External resources that were deleted here, and that another run of the story keeps to its end in good hands. */
  readonly destroyed: number;
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
  const doubled = lanes.filter(({external}) =>
    external.some(
      ({isDouble, from, to}) => isDouble && !isAfter(from, now) && (isAfter(to, now) || isEnd(to, run.lastedMs)),
    ),
  );
  const kept = keptByOthers(chart, panel);
  const gone = new Set(told.flatMap((one) => (one.what === 'delete' ? keysOf(one) : [])));
  return {
    orphans: orphans.length,
    doubled: doubled.length,
    destroyed: [...gone].filter((key) => kept.has(key)).length,
    alive: count('create') - count('delete'),
    creates: count('create'),
    deletes: count('delete'),
  };
}

/** The first external resource of each owner that another run keeps to its end, and not as an orphan. */
function keptByOthers({panels}: Chart, panel: number): ReadonlySet<string> {
  return new Set(
    panels.flatMap(({run}, index) => {
      if (index === panel) return [];
      const orphaned = new Set(run.orphans.map(({object}) => object.metadata.name));
      const deleted = new Set(run.history.cloud.flatMap(({what, id}) => (what === 'delete' ? [id] : [])));
      return run.history.cloud.flatMap((one) => {
        const isKept = one.what === 'create' && !deleted.has(one.id) && !orphaned.has(one.owner ?? '');
        return isKept ? keysOf(one) : [];
      });
    }),
  );
}

/** Runs of one story name a managed resource in the same way, and its external resource perhaps not. */
function keysOf({type, owner}: CloudChange): readonly string[] {
  return owner === undefined ? [] : [`${type}/${owner}`];
}

/** Whether the process ran at that moment; a process that the chart does not show never stopped. */
export function isRunningAt({groups}: Chart, panel: number, name: string, now: Instant): boolean {
  const rows = groups.flatMap((group) => group.rows).filter(({lanes}) => lanes[panel]?.key === `process ${name}`);
  return rows.every(({lanes}) =>
    (lanes[panel]?.spans ?? []).some(({from, to}) => !isAfter(from, now) && !isAfter(now, to)),
  );
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
