// The content that the page's script shows for each moment. Texts and diffs that repeat, as they do in variants of one story,
// are kept once and named by their number.

import {timeText} from '../../control-plane/record/condense.ts';
import type {Chart, Panel} from '../lanes/chart.ts';
import type {Lane, Moment} from '../lanes/lane.ts';
import {objectDiff} from '../object-diff.ts';

export interface Texts {
  /** The number of the text. */
  readonly add: (text: string) => number;
  readonly list: () => readonly string[];
}

export function collectTexts(): Texts {
  const numbers = new Map<string, number>();
  return {
    add: (text) => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    },
    list: () => [...numbers.keys()],
  };
}

/** As report-page.js reads it: [x in per mille, time, step from 1, sentences, diff or -1]. */
type MomentData = readonly [number, string, number, readonly number[], number];

export interface ChartData {
  /** Rows in the order of the page; of each row a title and a list per panel. */
  readonly rows: readonly {
    readonly titles: readonly string[];
    readonly moments: readonly (readonly MomentData[])[];
  }[];
  readonly panels: readonly {readonly title: string; readonly steps: readonly string[]}[];
}

export function chartData({panels, groups}: Chart, texts: Texts): ChartData {
  return {
    rows: groups.flatMap(({rows}) =>
      rows.map((row) => ({
        titles: row.lanes.map((lane) => titleOf(lane ?? row)),
        moments: row.lanes.map((lane, index) => laneData(lane, panels[index], texts)),
      })),
    ),
    panels: panels.map(({run, axis}) => ({title: run.variant, steps: axis.steps.map(({name}) => name)})),
  };
}

function titleOf({label, fullName}: Pick<Lane, 'label' | 'fullName'>): string {
  return fullName.includes(label) ? fullName : `${label}: ${fullName}`;
}

function laneData(lane: Lane | undefined, panel: Panel | undefined, texts: Texts): readonly MomentData[] {
  if (lane === undefined || panel === undefined) return [];
  return lane.moments.map((moment) => [
    perMille(panel.axis.at(moment)),
    timeText(moment.atMs),
    moment.step + 1,
    moment.texts.map(texts.add),
    diffNumber(moment, texts),
  ]);
}

function diffNumber({before, after}: Moment, texts: Texts): number {
  if (after === undefined) return -1;
  const lines = objectDiff(before, after);
  return lines.length === 0 ? -1 : texts.add(lines.join('\n'));
}

function perMille(part: number): number {
  return Math.round(part * 10_000) / 10;
}
