// Where on a page an instant lies. Virtual time has bursts of a hundred changes in 0.2 s, and idle minutes between them. So a
// gap between two changes is as wide as the logarithm of its length. A long gap is marked as a break, with its length in words. Steps of variants that stand side by side are equally wide.

import type {Instant} from '../../control-plane/record/history.ts';
import {durationText} from '../../input/duration.ts';

export interface TimeAxis {
  /** 0 is the left edge, 1 the right one. */
  readonly at: (instant: Instant) => number;
  readonly steps: readonly AxisStep[];
  /** Stretches in which nothing happened for long. */
  readonly breaks: readonly {readonly from: number; readonly to: number; readonly text: string}[];
}

interface AxisStep {
  readonly name: string;
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
}

/** One story to lay out: its steps, every instant at which something shows, and its end. */
export interface Extent {
  readonly steps: readonly {readonly name: string; readonly atMs: number}[];
  readonly instants: readonly Instant[];
  readonly endMs: number;
}

const unitMs = 10;
/** No gap is wider than one of this length. */
const gapMaxMs = 2000;
const breakMs = 3000;
/** No step is narrower than this part of the axis. */
const narrowest = 0.035;

export function timeAxes(extents: readonly Extent[]): readonly TimeAxis[] {
  const layouts = extents.map((extent) => extent.steps.map((_, step) => stretch(extent, step)));
  const count = Math.max(0, ...layouts.map((layout) => layout.length));
  const widths = sharesOf(
    Array.from({length: count}, (_, step) => Math.max(...layouts.map((layout) => layout[step]?.weight ?? 0))),
  );
  const lefts = widths.map((_, step) => widths.slice(0, step).reduce((sum, width) => sum + width, 0));
  return extents.map((extent, index) => axis(extent, layouts[index] ?? [], lefts, widths));
}

interface Stretch {
  /** Distinct times, the step's begin and end among them, in order. */
  readonly times: readonly number[];
  /** For each time, the weight of everything before it in the step. */
  readonly offsets: readonly number[];
  readonly weight: number;
}

function stretch({steps, instants, endMs}: Extent, step: number): Stretch {
  const begin = steps[step]?.atMs ?? 0;
  const end = Math.max(begin, steps[step + 1]?.atMs ?? endMs);
  const inside = instants.filter((one) => one.step === step).map(({atMs}) => Math.min(end, Math.max(begin, atMs)));
  const times = [...new Set([begin, ...inside, end])].sort((one, other) => one - other);
  const offsets: number[] = [];
  let weight = 0;
  for (const [index, time] of times.entries()) {
    weight += index === 0 ? 0 : gapWeight(time - (times[index - 1] ?? time));
    offsets.push(weight);
  }
  return {times, offsets, weight};
}

function gapWeight(ms: number): number {
  return Math.log1p(Math.min(ms, gapMaxMs) / unitMs);
}

/** The widths of the steps as parts of 1. */
function sharesOf(weights: readonly number[]): readonly number[] {
  const floor = Math.min(narrowest, 1 / Math.max(1, weights.length));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const isNarrow = weights.map((weight) => total === 0 || weight / total < floor);
  const room = 1 - floor * isNarrow.filter(Boolean).length;
  const wide = weights.reduce((sum, weight, step) => sum + (isNarrow[step] === true ? 0 : weight), 0);
  if (wide === 0) return weights.map(() => 1 / Math.max(1, weights.length));
  return weights.map((weight, step) => (isNarrow[step] === true ? floor : (weight / wide) * room));
}

function axis(
  {steps, endMs}: Extent,
  layout: readonly Stretch[],
  lefts: readonly number[],
  widths: readonly number[],
): TimeAxis {
  const at = ({step, atMs}: Instant): number => {
    // The end is the right edge, also of a last step that takes no time.
    if (step >= layout.length - 1 && atMs >= endMs) return 1;
    const inside = Math.max(0, Math.min(layout.length - 1, step));
    return (lefts[inside] ?? 0) + (widths[inside] ?? 0) * partOf(layout[inside], atMs);
  };
  return {
    at,
    steps: steps.map(({name, atMs}, step) => ({
      name,
      atMs,
      from: lefts[step] ?? 0,
      to: (lefts[step] ?? 0) + (widths[step] ?? 0),
    })),
    breaks: layout.flatMap(({times}, step) =>
      times.flatMap((time, index) => {
        const next = times[index + 1];
        if (next === undefined || next - time < breakMs) return [];
        const [from, to] = [at({step, atMs: time}), at({step, atMs: next})];
        return [{from, to, text: durationText(next - time)}];
      }),
    ),
  };
}

/** How far into its step a time lies, from 0 to 1. */
function partOf(stretch: Stretch | undefined, atMs: number): number {
  if (stretch === undefined || stretch.weight === 0) return 0;
  const {times, offsets, weight} = stretch;
  const after = times.findIndex((time) => time >= atMs);
  if (after < 0) return 1;
  const [time = 0, offset = 0] = [times[after], offsets[after]];
  if (time === atMs || after === 0) return offset / weight;
  const [before = 0, left = 0] = [times[after - 1], offsets[after - 1]];
  return (left + ((atMs - before) / (time - before)) * (offset - left)) / weight;
}
