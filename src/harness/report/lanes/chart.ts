// Runs of one scenario on one Crossplane version, laid out beside each other: the same rows, steps equally wide.

import {compareText} from '../../../cluster/json.ts';
import type {History, Instant} from '../../control-plane/record/history.ts';
import type {RunResult} from '../../scenario/run-result.ts';
import {cloudLanes, functionLanes, processLanes} from './control-lanes.ts';
import {decisionsOf} from './decisions.ts';
import type {Lane, LaneGroup} from './lane.ts';
import {objectLanes} from './object-lanes.ts';
import {livesOf} from './phase.ts';
import {placeEntries} from './placed-entries.ts';
import {type Extent, type TimeAxis, timeAxes} from './time-axis.ts';

export type RecordedRun = RunResult & {readonly history: History};

export interface Chart {
  readonly panels: readonly Panel[];
  readonly groups: readonly ChartGroup[];
}

export interface Panel {
  readonly run: RecordedRun;
  readonly axis: TimeAxis;
}

export interface ChartGroup extends LaneGroup {
  readonly rows: readonly ChartRow[];
}

export interface ChartRow {
  readonly label: string;
  readonly detail: string;
  readonly fullName: string;
  /** One per panel; undefined where that run never had it. */
  readonly lanes: readonly (Lane | undefined)[];
  /** Something happened to it that a reader looks for, in one of the panels. */
  readonly isFateful: boolean;
}

export function chartOf(runs: readonly RecordedRun[]): Chart {
  const stories = runs.map(lanesOf);
  const axes = timeAxes(stories.map(({extent}) => extent));
  const panels = runs.flatMap((run, index) => {
    const axis = axes[index];
    return axis === undefined ? [] : [{run, axis}];
  });
  return {panels, groups: groupsOf(stories.map(({lanes}) => lanes))};
}

function lanesOf(run: RecordedRun): {readonly lanes: readonly Lane[]; readonly extent: Extent} {
  const {history, timeline} = run;
  const entries = placeEntries(timeline);
  const steps = entries.all.flatMap(({entry}) =>
    entry.change.kind === 'step' ? [{name: entry.change.name, atMs: entry.atMs}] : [],
  );
  const end: Instant = {step: Math.max(0, steps.length - 1), atMs: run.lastedMs};
  const decisions = decisionsOf(history.calls);
  const lanes = [
    ...processLanes(entries, end),
    ...functionLanes(decisions),
    ...objectLanes(livesOf(history, decisions, end), history, entries, end),
    ...cloudLanes(history.cloud, end),
  ];
  const instants = lanes.flatMap(({moments}) => moments);
  return {lanes, extent: {steps, instants, endMs: run.lastedMs}};
}

function groupsOf(panels: readonly (readonly Lane[])[]): readonly ChartGroup[] {
  const rows = new Map<string, (Lane | undefined)[]>();
  for (const [index, lanes] of panels.entries()) {
    for (const lane of lanes) {
      const row = rows.get(lane.key) ?? panels.map(() => undefined);
      row[index] = lane;
      rows.set(lane.key, row);
    }
  }
  const groups = Map.groupBy([...rows.values()].map(rowOf), ({group}) => `${group.rank} ${group.title} ${group.note}`);
  return [...groups.values()]
    .flatMap((members) => {
      const group = members[0]?.group;
      return group === undefined
        ? []
        : [{...group, rows: group.rank === 0 || group.rank === 5 ? members : members.toSorted(byKind)}];
    })
    .sort((one, other) => one.rank - other.rank || compareText(one.title, other.title));
}

function rowOf(lanes: readonly (Lane | undefined)[]): ChartRow & {readonly group: LaneGroup} {
  const first = lanes.find((lane) => lane !== undefined);
  if (first === undefined) throw new Error('a row has no lane');
  const {group, label, detail, fullName} = first;
  return {
    group,
    label,
    detail,
    fullName,
    lanes,
    isFateful: lanes.some((lane) => lane !== undefined && isFateful(lane)),
  };
}

/** An ordinary deletion is none of these: it was asked for. */
const fatefulMarks = new Set(['orphaned', 'refused', 'failed']);
const fatefulLooks = new Set(['held', 'orphaned']);

function isFateful({group, moments, spans, external}: Lane): boolean {
  if (group.rank < 2 || group.rank > 3) return true;
  if (external.some(({isDouble}) => isDouble)) return true;
  return moments.some(({mark}) => fatefulMarks.has(mark ?? '')) || spans.some(({look}) => fatefulLooks.has(look));
}

function byKind(one: ChartRow, other: ChartRow): number {
  return compareText(one.detail, other.detail) || compareText(one.label, other.label);
}
